import Access
import Console

/// The command `records`: makes tables equal to JSON. It decides nothing.
@main
struct Program: CommandProgram {
  static let program = Invocation.program
  static let lookingCommand = "verify"
  static let libraries = Libraries.ofFetching

  static func main() async { await run() }

  static func perform(
    _ invocation: Invocation, _ interruption: Interruption.State
  ) async throws -> ExitStatus {
    switch invocation.command {
    case .sync, .verify: try await SyncCommand(invocation).run()
    case .export, .get: try await ExportCommand(invocation).run()
    case .put, .update, .delete: try await RowCommand(invocation).run()
    case .undo: try await UndoCommand(invocation).run()
    case .schema: try await SchemaCommand(invocation).run()
    case .manual: try await showManual(of: invocation.guided)
    case .completion: try showCompletion(for: invocation.guided)
    }
  }

  static func fail(_ error: any Error, of invocation: Invocation?) async -> ExitStatus {
    guard let invocation else {
      Streams.error("records: \(Sentence.ending("\(error)"))")
      return ExitStatus(error)
    }
    let failure = Failure(invocation.explained(error), of: invocation)
    await Streams.telling { failure.tell(invocation.style) }
    return failure.status
  }
}
