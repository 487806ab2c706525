@testable import DocumentSync

/// A server with one document, which heeds preconditions.
struct WalkServer {
  private(set) var content: Int?
  private var version = 0
  private var history: [Int: Int] = [:]

  /// What it answers, before anybody has compared its content with ours.
  struct Said {
    var status: Int
    var version: DocumentVersion?
    var shown: Shown?

    enum Shown { case copy(Int, DocumentVersion), deleted(DocumentVersion?) }

    var answer: PushAnswer {
      let state: DocumentState? =
        switch shown {
        case .copy(let content, let version):
          .present(ServerCopy(value: .init("\(content)"), version: version))
        case .deleted(let version): .deleted(version)
        case nil: nil
        }
      return PushAnswer(status: status, version: version, shown: state)
    }

    var content: Int? {
      guard case .copy(let content, _) = shown else { return nil }
      return content
    }
  }

  /// The version of its deletion, if it was deleted.
  var deletion: DocumentVersion? { content == nil && version > 0 ? name : nil }

  var copy: (content: Int, version: DocumentVersion)? { content.map { ($0, name) } }

  func hasHad(_ content: Int?, as version: DocumentVersion) -> Bool {
    history.contains { DocumentVersion("\($0.key)") == version && $0.value == content }
  }

  mutating func writeOfOthers(_ content: Int) { store(content) }

  mutating func deletionOfOthers() {
    if content != nil { remove() }
  }

  mutating func take(_ order: SendOrder, _ sent: Int?) -> Said {
    switch order.kind {
    case .create where content == nil: return stored(sent)
    case .update(let base) where content != nil && base == name: return stored(sent)
    case .delete(let base) where content != nil && base == name:
      remove()
      return Said(status: 200, version: name)
    case .delete where content == nil: return Said(status: 404)
    case .create, .update, .delete: return Said(status: 412, shown: shown)
    case .look: return Said(status: content == nil ? 404 : 200, shown: shown)
    }
  }

  private var name: DocumentVersion { DocumentVersion("\(version)") }

  private var shown: Said.Shown { content.map { .copy($0, name) } ?? .deleted(deletion) }

  private mutating func stored(_ sent: Int?) -> Said {
    guard let sent else { return Said(status: 400) }
    store(sent)
    return Said(status: 200, version: name)
  }

  private mutating func store(_ content: Int) {
    version += 1
    self.content = content
    history[version] = content
  }

  private mutating func remove() {
    version += 1
    content = nil
  }
}
