struct PlanCommand {
  init(_ invocation: Invocation) {}
  func run() async throws -> Program.ExitStatus { .failed }
}
