import Console
import DocumentSync

/// `documents attach`, `documents detach` and `documents get --file`: files of documents.
struct FileCommand {
  private let invocation: Invocation

  init(_ invocation: Invocation) { self.invocation = invocation }

  private var id: DocumentID { DocumentID(invocation.words[0]) }

  func run() async throws -> ExitStatus {
    let open = try await OpenStore.open(invocation.store)
    let (id, member, setup) = (id, invocation.words[1], open.setup)
    if invocation.command == .attach {
      let (store, endpoint, server) = (open.store, try open.endpoint(), open.server)
      guard try await store.read({ try $0.keepsFiles(endpoint, at: server) }) ?? true else {
        throw ReplicaProblem.noFiles
      }
      let content = try await store.files.keep(path: invocation.words[2])
      var preview: FileFacts?
      if let path = invocation.preview { preview = try await store.files.keep(path: path) }
      let file = FileReference(content, preview: preview)
      _ = try await store.edit {
        try $0.attach(file, to: member, of: id, stamps: setup.isLatest)
      }
    } else {
      _ = try await open.store.edit {
        try $0.detach(member, of: id, stamps: setup.isLatest)
      }
    }
    await open.store.close()
    return .done
  }

  /// Prints the content of a member's file, or of its preview.
  static func print(
    _ member: String, of id: DocumentID, in open: OpenStore
  ) async throws -> ExitStatus {
    let file = try await open.store.read { try $0.document(id)?[member] }
    guard let file = file.flatMap({ FileReference($0) }) else {
      Streams.error("documents: '\(id.text)' has no file in its member '\(member)'.")
      return .failed
    }
    for facts in [file.content, file.preview].compactMap(\.self) {
      if let bytes = try await open.store.files.bytes(of: facts.digest) {
        return await Streams.telling {
          Streams.outPiece(bytes)
          return .done
        }
      }
    }
    Streams.error(
      "documents: the file of '\(id.text)' isn't here yet; 'documents sync' fetches it.")
    return .failed
  }
}
