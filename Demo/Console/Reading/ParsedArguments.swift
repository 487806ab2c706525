/// What a command line says, before anything is made of it.
package enum ParsedArguments<Request: CommandRequest>: Sendable {
  case run(CommandLineWords<Request.Command>)
  /// Help was asked for; for one command, or for the program.
  case help(Request.Command?)
  case version
}

/// A command with the options and operands that were said.
package struct CommandLineWords<Command: ProgramCommand>: Equatable, Sendable {
  package var command: Command
  /// In the order in which they were said.
  package var settings: [Setting] = []
  package var operands: [String] = []

  /// A command without anything else.
  package init(_ command: Command) {
    self.command = command
  }
}
