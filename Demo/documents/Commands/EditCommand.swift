import Console
import DocumentSync

/// `documents put`, `documents stash` and `documents delete`: what changes a document here.
struct EditCommand {
  private let invocation: Invocation

  init(_ invocation: Invocation) { self.invocation = invocation }

  func run() async throws -> ExitStatus {
    let open = try await OpenStore.open(invocation.store)
    if invocation.command == .delete {
      let id = DocumentID(invocation.words[0])
      if try await !open.replica.delete(id) {
        Streams.error("documents: there is no document '\(id.text.printable)' here to delete.")
      }
    } else {
      Streams.out(try await store(in: open).text.printable)
    }
    await open.replica.close()
    return .done
  }

  private func store(in open: OpenStore) async throws -> DocumentID {
    let type = invocation.words[0]
    let collection = try open.collection(ofType: type)
    let (id, content, saysType) = try document(of: type, open.types)
    let mayBeTheirs = open.setup.makesKeys(of: type) && Self.isNumber(id)
    try await open.replica.update(
      id, in: collection, after: invocation.after, sends: invocation.command == .put
    ) { [types = open.types] old in
      if old == nil, mayBeTheirs { throw ProgramProblem.keyOfTheService(id, type: type) }
      if let old, let other = types.type(of: old, in: collection), other != type {
        throw ProgramProblem.elsewhere(id, type: other)
      }
      // Who writes a new one's type means to have it sent.
      return old == nil && saysType ? content : types.stored(content, over: old, in: collection)
    }
    for other in try await open.replica.status(of: id)?.missing ?? [] {
      Streams.error(
        ("documents: '\(id.text)' waits for '\(other.text)', which isn't here yet; it's sent once"
          + " that one is at the server.").escaped)
    }
    return id
  }

  /// The words as a document: what begins as an object is one, all else is an id.
  private func document(
    of type: String, _ types: DocumentTypes
  ) throws -> (id: DocumentID, content: DocumentValue, saysType: Bool) {
    var words = invocation.words.dropFirst()
    var id = words.first.flatMap { Self.isJSON($0) ? nil : $0 }
    if id != nil { words = words.dropFirst() }
    if words.count > 1 || words.first.map({ !Self.isJSON($0) }) ?? false {
      throw UsageError("'\(words.last ?? "")' is no document: one begins with {, or is -")
    }
    let written = words.first.flatMap { $0 == "-" ? nil : $0 }
    let text = try written.map { Array($0.utf8) } ?? StandardInput.document()
    let value = try Value.document(String(decoding: text, as: UTF8.self))
    if let own = value["id"] {
      guard let own = own.string, !own.isEmpty else {
        throw UsageError("the member id is no text; nothing was stored")
      }
      guard id == nil || id == own else {
        throw UsageError("the id is '\(id ?? "")', and in the JSON '\(own)'; nothing was stored")
      }
      id = own
    }
    if let said = value[types.member], said.string != type {
      throw UsageError("the type is '\(type)', and in the JSON \(said); nothing was stored")
    }
    let content = try value.setting("id", to: nil)
    let saysType = content[types.member] != nil
    return (
      id.map { DocumentID($0) } ?? .uuid7(),
      saysType ? content : try content.setting(types.member, to: DocumentValue(type)), saysType
    )
  }

  /// Whether a service may give its own row this key, as the number behind a model's name, too.
  private static func isNumber(_ id: DocumentID) -> Bool {
    let key = id.text.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
    return !key.isEmpty && key.utf8.allSatisfy { (0x30...0x39).contains($0) }
  }

  private static func isJSON(_ word: String) -> Bool { word.hasPrefix("{") || word == "-" }
}

extension StoreSetup {
  /// Whether the server makes the keys of this type's documents.
  fileprivate func makesKeys(of type: String) -> Bool {
    kinds.contains { $0.name == type && $0.makesKeys ?? false }
  }
}
