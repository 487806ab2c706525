@testable import DocumentSync

/// A server with a few documents, which heeds preconditions and remembers what it ever had.
struct StoreWalkServer {
  private(set) var documents: [DocumentID: State] = [:]
  private(set) var history: [DocumentID: Set<DocumentValue>] = [:]
  private(set) var version = 0
  /// Whether it refuses the content that nobody likes.
  var isPicky = true

  struct State: Equatable {
    var content: DocumentValue?
    var version: Int
  }

  static let poison: DocumentValue = ["n": 0]

  /// What changed from that version on, that one included: two may share one, for all we know.
  func changes(from version: Int) -> [(news: DocumentChange, version: Int)] {
    documents.filter { $0.value.version >= version }
      .sorted { $0.value.version < $1.value.version }
      .map { (DocumentChange(id: $0.key, state: news(of: $0.value)), $0.value.version) }
  }

  /// Somebody else stores a document, or removes it.
  mutating func write(_ content: DocumentValue?, as id: DocumentID) {
    guard content != nil || documents[id]?.content != nil else { return }
    version += 1
    documents[id] = State(content: content, version: version)
    if let content { history[id, default: []].insert(content) }
  }

  /// A request comes.
  mutating func take(_ send: DocumentSend) -> SendVerdict {
    let state = documents[send.id]
    let isThere = state?.content != nil
    let base: DocumentVersion?
    switch send.order.kind {
    case .look: return isThere ? shown(state, 200) : .deleted(nil)
    case .create:
      guard !isThere else { return shown(state, 412) }
      base = nil
    case .update(let version): base = version
    case .delete(let version): base = version
    }
    if let base, base.text != state.map({ "\($0.version)" }) || !isThere {
      if !isThere, send.order.kind.isDeletion {
        return .deleted(state.map { .init("\($0.version)") })
      }
      return shown(state, 412)
    }
    if isPicky, send.content == Self.poison { return .refused(Refusal(status: 400, words: "no")) }
    write(send.content, as: send.id)
    let name = DocumentVersion("\(version)")
    return send.content == nil ? .deleted(name) : .accepted(name)
  }

  private func news(of state: State) -> DocumentState {
    let name = DocumentVersion("\(state.version)")
    return state.content.map { .present(ServerCopy(value: $0, version: name)) } ?? .deleted(name)
  }

  private func shown(_ state: State?, _ status: Int) -> SendVerdict {
    let refusal = Refusal(status: status, words: "")
    guard let state else { return .shown(.deleted(nil), refusal) }
    let name = DocumentVersion("\(state.version)")
    guard let content = state.content else { return .shown(.deleted(name), refusal) }
    return .shown(.present(ServerCopy(value: content, version: name)), refusal)
  }
}
