/// What a shell has to read to complete a program's commands, options and values, made from the
/// table of options.
public struct Completion<Request: CommandRequest> {
  /// The shells that are known.
  public enum Shell: String, CaseIterable, Sendable {
    case bash
    case zsh
    case fish
  }

  let program: ProgramDescription<Request>

  public init(_ program: ProgramDescription<Request>) {
    self.program = program
  }

  /// The script for a shell.
  public func script(for shell: Shell) -> String {
    switch shell {
    case .bash: bash
    case .zsh: zsh
    case .fish: fish
    }
  }

  var commands: [Request.Command] { Array(Request.Command.allCases) }

  /// A function of a shell may not have every name that a program may.
  var function: String { "_" + program.name.replacing("-", with: "_") }

  /// A text in single quotes, as all three shells read it but for fish's backslashes.
  static func quoted(_ text: String) -> String { "'" + text.replacing("'", with: "'\\''") + "'" }
}
