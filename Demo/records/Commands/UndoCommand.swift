import Console
import RecordSync

struct UndoCommand {
  private let invocation: Invocation

  init(_ invocation: Invocation) {
    self.invocation = invocation
  }

  func run() async throws -> ExitStatus {
    guard let kept = FileBytes(of: invocation.undoFile) else {
      throw UndoFileProblem.unreadable(invocation.undoFile)
    }
    let undo = try RecordUndo(bytes: kept.bytes)
    let store = try await invocation.open()
    let start = ContinuousClock.now
    let report = try await store.undo(undo)
    let took = ContinuousClock.now - start
    let summary = Summary(report: report, table: "", purpose: .change)
    return await Streams.telling { [style = invocation.style] in summary.tell(style, took) }
  }
}
