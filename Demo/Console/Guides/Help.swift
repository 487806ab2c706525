/// The texts of `--help`, made from the table of options.
public struct Help<Request: CommandRequest> {
  private let program: ProgramDescription<Request>
  private let width: Int

  /// - Parameter width: The columns that the text may take.
  public init(_ program: ProgramDescription<Request>, width: Int = 80) {
    self.program = program
    self.width = width
  }

  /// The help of the program, or of one command.
  public func text(for command: Request.Command?) -> String {
    command.map(text(for:)) ?? text
  }

  private func text(for command: Request.Command) -> String {
    var parts = ["Usage: \(program.name) \(command.synopsis)", wrapped(command.purpose)]
    let groups = program.table.groups(for: command)
    if !groups.isEmpty { parts.append("Options (defaults in brackets):") }
    for group in groups {
      parts.append("\(group.heading)\n" + table(of: group.options))
    }
    if !command.notes.isEmpty { parts.append(wrapped(command.notes)) }
    let examples = command.examples.map { "  " + $0.replacing("\n", with: "\n  ") }
    if !examples.isEmpty { parts.append("Examples:\n" + examples.joined(separator: "\n")) }
    return parts.joined(separator: "\n\n")
  }

  private var text: String {
    let commands = program.shownCommands.map { ($0.synopsis, $0.summary) }
    let statuses = program.statuses.map { ("\($0.number)", $0.meaning) }
    return """
      \(wrapped(program.purpose))

      Usage:
      \(Wrapping.table(commands, width: width))

      '\(program.name) COMMAND --help' shows a command's options and examples.

      Exit status:
      \(Wrapping.table(statuses, width: width))
      """
  }

  /// The long names stand below each other, whether or not there is a letter before them.
  private func table(of options: [Option<Request>]) -> String {
    let rows = options.map { option in
      ((option.short == nil ? "    " : "") + option.synopsis, option.explanation)
    }
    return Wrapping.table(rows, width: width)
  }

  private func wrapped(_ text: String) -> String { Wrapping.paragraphs(text, width: width) }
}
