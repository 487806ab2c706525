import Console

/// `records manual [COMMAND]` and `records completion SHELL`: what a package installs beside the
/// program, made from the table of options.
struct GuideCommands {
  private let invocation: Invocation

  init(_ invocation: Invocation) {
    self.invocation = invocation
  }

  func run() throws -> ExitStatus {
    let program = Invocation.program
    let text =
      invocation.command == .manual
      ? try program.manual(of: invocation.guided, date: Version.date)
      : try program.completion(for: invocation.guided ?? "")
    Streams.out(text)
    return .done
  }
}
