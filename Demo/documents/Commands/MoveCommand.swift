import Console
import DocumentSync

/// `documents export STORE` and `documents import STORE`
struct MoveCommand {
  private let invocation: Invocation

  init(_ invocation: Invocation) { self.invocation = invocation }

  func run() async throws -> ExitStatus {
    let open = try await OpenStore.open(invocation.store)
    let (types, server, account) = (open.types, open.server, open.setup.account)
    if invocation.command == .export {
      try await open.store.read { reader in
        try reader.export(types) { Streams.outPiece($0) }
      }
      return .done
    }
    let text = try StandardInput.documents()
    let (endpoint, setup) = (try open.endpoint(), open.setup)
    let summary = try await open.store.edit { door in
      try door.importDocuments(text, types, of: server, account: account) { edit in
        let why = endpoint.problem(with: edit.id, edit.content, in: edit.scope.collection)
        if let why { throw ProgramProblem.cantCarry(edit.id, why) }
        edit.stamps = setup.isLatest(edit.scope.collection)
      }
    }
    Streams.error(
      "documents: \(Amounts.count(summary.documents, "document")), "
        + "of which \(summary.changed) changed something.")
    await open.store.close()
    return .done
  }
}
