import Console
import RecordSync

/// `records export DATABASE TABLE [KEY]`, and `records get` of one row without what hangs on it.
struct ExportCommand {
  private let invocation: Invocation

  init(_ invocation: Invocation) {
    self.invocation = invocation
  }

  func run() async throws -> ExitStatus {
    let request = invocation.exporting
    let store = try await invocation.open()
    let selection = try request.selection(in: try await store.schema())
    var options = request.options
    if invocation.command == .get { options.relations = .none }
    // The library calls it on a queue of its own, which may wait for whoever reads.
    let count = try await store.export(request.table, selection, options: options) {
      Streams.outPiece($0)
    }
    return request.key != nil && count == 0 ? .failed : .done
  }
}
