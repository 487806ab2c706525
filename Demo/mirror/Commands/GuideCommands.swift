import Console

/// `mirror manual [COMMAND]` and `mirror completion SHELL`: what a package installs beside the
/// program, made from the table of options.
struct GuideCommands {
  private let invocation: Invocation

  init(_ invocation: Invocation) {
    self.invocation = invocation
  }

  func run() throws -> ExitStatus {
    let subject = invocation.guided
    if invocation.command == .manual {
      let command = try subject.map(Self.command)
      Streams.out(Manual(Invocation.program, date: Version.date).page(for: command))
    } else {
      let shell: Completion<Invocation>.Shell = try Value.raw(subject ?? "")
      Streams.out(Completion(Invocation.program).script(for: shell))
    }
    return .done
  }

  private static func command(_ name: String) throws -> Invocation.Command {
    guard let command = Invocation.Command(rawValue: name) else {
      throw UsageError("'\(name)' is no command; 'mirror --help' lists them")
    }
    return command
  }
}
