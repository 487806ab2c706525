import Console
import DocumentSync

/// `documents attach`, `documents detach` and `documents get --file`: files of documents.
struct FileCommand {
  private let invocation: Invocation

  init(_ invocation: Invocation) { self.invocation = invocation }

  private var id: DocumentID { DocumentID(invocation.words[0]) }

  func run() async throws -> ExitStatus {
    let open = try await OpenStore.open(invocation.store)
    let (id, member) = (id, invocation.words[1])
    if invocation.command == .attach {
      try await open.replica.attach(
        fileAt: invocation.words[2], preview: invocation.preview, to: member, of: id)
    } else if try await !detach(member, in: open) {
      return .failed
    }
    await open.replica.close()
    return .done
  }

  /// Answers whether there was a file to take away.
  private func detach(_ member: String, in open: OpenStore) async throws -> Bool {
    do {
      if try await open.replica.detach(member, of: id) { return true }
      Self.tellNoFile(member, of: id)
    } catch DocumentError.noDocument(let id) {
      Streams.error("documents: there is no document '\(id.text.printable)' to take a file from.")
    }
    return false
  }

  private static func tellNoFile(_ member: String, of id: DocumentID) {
    Streams.error(
      "documents: '\(id.text.printable)' has no file in its member '\(member.printable)'.")
  }

  static func print(
    _ member: String, of id: DocumentID, in open: OpenStore
  ) async throws -> ExitStatus {
    guard let file = try await open.replica.file(member, of: id) else {
      tellNoFile(member, of: id)
      return .failed
    }
    for facts in [file.content, file.preview].compactMap(\.self) {
      if try await open.replica.content(of: facts, { Streams.outPiece($0) }) { return .done }
    }
    Streams.error(
      "documents: the file of '\(id.text.printable)' isn't here yet; 'documents sync' fetches it.")
    return .failed
  }
}
