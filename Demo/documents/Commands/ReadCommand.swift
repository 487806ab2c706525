import Console
import DocumentSync

/// `documents get STORE ID` and `documents list STORE [TYPE]`
struct ReadCommand {
  private let invocation: Invocation

  init(_ invocation: Invocation) { self.invocation = invocation }

  func run() async throws -> ExitStatus {
    let open = try await OpenStore.open(invocation.store)
    return invocation.command == .get ? try await get(open) : try await list(open)
  }

  private func get(_ open: OpenStore) async throws -> ExitStatus {
    let id = DocumentID(invocation.words[0])
    if let member = invocation.fileMember {
      return try await FileCommand.print(member, of: id, in: open)
    }
    let side = invocation.side ?? .here
    let types = open.types
    let found = try await open.store.read { reader -> DocumentValue? in
      switch side {
      case .here: return try reader.shown(id, types)
      case .base, .server:
        let copy = side == .base ? try reader.baseCopy(id) : try reader.serverCopy(id)
        guard let copy, let collection = try reader.scope(of: id)?.collection else { return nil }
        return types.shown(copy.value, id, in: collection)
      }
    }
    guard let found else {
      Streams.error("documents: there is no document '\(id)' to show.")
      return .failed
    }
    Streams.out(found.text)
    return .done
  }

  private func list(_ open: OpenStore) async throws -> ExitStatus {
    var query = invocation.query
    if let type = invocation.words.first {
      query.collection = try open.scope(ofType: type).collection
      query.add(try DocumentCondition.type(type, open.types))
    }
    let (wanted, types) = (query, open.types)
    if invocation.countsOnly {
      Streams.out("\(try await open.store.read { try $0.count(matching: wanted) })")
    } else if invocation.isJSON {
      for found in try await open.store.read({ try $0.documents(matching: wanted) }) {
        Streams.out(types.shown(found.content, found.id, in: found.scope.collection).text)
      }
    } else {
      for id in try await open.store.read({ try $0.ids(matching: wanted) }) {
        Streams.out(id.text)
      }
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
