import Console
import DocumentSync

/// `documents export STORE` and `documents import STORE`
struct MoveCommand {
  private let invocation: Invocation

  init(_ invocation: Invocation) { self.invocation = invocation }

  func run() async throws -> ExitStatus {
    let open = try await OpenStore.open(
      invocation.store, onlyReads: invocation.command == .export)
    if invocation.command == .export {
      try await invocation.ofAllAccounts
        ? open.replica.exportAllAccounts(open.types) { Streams.outPiece($0) }
        : open.replica.export(open.types) { Streams.outPiece($0) }
      return .done
    }
    let summary = try await open.replica.importDocuments(
      try StandardInput.documents(), open.types)
    Streams.error(
      "documents: \(Amounts.count(summary.documents, "document")), "
        + "of which \(summary.changed) changed something.")
    await open.replica.close()
    return .done
  }
}
