import Console
import DocumentSync

/// `documents get STORE ID` and `documents list STORE [TYPE]`
struct ReadCommand {
  private let invocation: Invocation

  init(_ invocation: Invocation) { self.invocation = invocation }

  func run() async throws -> ExitStatus {
    let open = try await OpenStore.open(invocation.store, onlyReads: true)
    return invocation.command == .get ? try await get(open) : try await list(open)
  }

  private func get(_ open: OpenStore) async throws -> ExitStatus {
    let id = DocumentID(invocation.words[0])
    if let member = invocation.fileMember {
      return try await FileCommand.print(member, of: id, in: open)
    }
    let found = try await open.replica.shown(id, open.types, invocation.side ?? .here)
    guard let found else {
      Streams.error("documents: there is no document '\(id.text.printable)' to show.")
      return .failed
    }
    Streams.out(found.text)
    return .done
  }

  private func list(_ open: OpenStore) async throws -> ExitStatus {
    var query = invocation.query
    if let type = invocation.words.first {
      query.collection = try open.collection(ofType: type)
      query.add(try DocumentCondition.type(type, open.types))
    }
    if invocation.countsOnly {
      Streams.out("\(try await open.replica.count(matching: query))")
    } else if invocation.isJSON {
      for found in try await open.replica.documents(matching: query) {
        Streams.out(open.types.shown(found.content, found.id, in: found.collection).text)
      }
    } else {
      for id in try await open.replica.ids(matching: query) { Streams.out(id.text.printable) }
    }
    return .done
  }
}

extension DocumentCondition {
  /// A document of this type: it says so, or is where such documents are and says nothing.
  fileprivate static func type(_ name: String, _ types: DocumentTypes) throws -> DocumentCondition {
    let path = try DocumentPath(parsing: "\"\(types.member)\"")
    return .or([.equal(path, DocumentValue(name)), .missing(path)])
  }
}
