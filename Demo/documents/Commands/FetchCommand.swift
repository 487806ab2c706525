import Console
import DocumentSync

/// `documents fetch STORE ID`
struct FetchCommand {
  private let invocation: Invocation

  init(_ invocation: Invocation) { self.invocation = invocation }

  func run() async throws -> ExitStatus {
    let open = try await OpenStore.open(invocation.store, for: invocation.syncing)
    try open.check(invocation.syncing)
    open.warn(invocation.syncing)
    let id = DocumentID(invocation.words[0])
    guard try await fetch(id, from: open) != nil,
      let found = try await open.replica.shown(id, open.types, .server)
    else {
      Streams.error("documents: the server has no document '\(id)'; nothing was changed here.")
      return .failed
    }
    Streams.out(found.text)
    return .done
  }

  private func fetch(_ id: DocumentID, from open: OpenStore) async throws -> DocumentValue? {
    do {
      return try await open.replica.fetch(id, invocation.syncing.wishes)
    } catch let failure as DocumentSyncFailure where failure.reason == .unauthorized {
      throw ProgramProblem.letsNobodyIn(Password.refused(of: open.setup, invocation.syncing))
    }
  }
}
