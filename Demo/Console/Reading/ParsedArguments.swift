/// What a command line says, before anything is made of it.
public enum ParsedArguments<Request: CommandRequest>: Sendable {
  case run(CommandLineWords<Request.Command>)
  /// Help was asked for; for one command, or for the program.
  case help(Request.Command?)
  case version
}

/// A command with the options and operands that were said.
public struct CommandLineWords<Command: ProgramCommand>: Equatable, Sendable {
  public var command: Command
  /// In the order in which they were said.
  public var settings: [Setting] = []
  public var operands: [String] = []

  /// A command without anything else.
  public init(_ command: Command) {
    self.command = command
  }
}
