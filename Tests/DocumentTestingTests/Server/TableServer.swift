import DocumentSync
import DocumentTesting

/// A server's state with one document that the rows of a table speak of.
struct TableServer {
  static let id = DocumentID("one")
  static let collection = "notes"

  var state = ServerState()
  var now: Int64 = 1_000
  private var keys = 0

  /// What it keeps of the document.
  var held: ServerDocument? { state.document(Self.id, in: Self.collection) }

  var documentText: String? {
    guard case .value(let value) = held?.content else { return nil }
    return value["text"]?.string
  }

  static func text(of state: DocumentState) -> String {
    switch state {
    case .present(let copy): copy.value["text"]?.string ?? "?"
    case .revived(let copy): "anew " + (copy.value["text"]?.string ?? "?")
    case .deleted, .forgotten: "gone"
    }
  }

  /// It can't do this.
  mutating func leave(_ feature: EndpointCapabilities.Feature) {
    state.manners.capabilities.features.remove(feature)
  }

  @discardableResult
  mutating func send(_ send: PushRequest, from writer: String = "me") -> PushAnswer {
    now += 1
    return state.receive(send, from: writer, at: now)
  }

  mutating func create(_ text: String, id: DocumentID = id, key: String? = nil) -> PushAnswer {
    send(.create(id, ["text": DocumentValue(text)], in: Self.collection, key: key))
  }

  mutating func update(
    _ text: String, from version: DocumentVersion, key: String? = nil
  ) -> PushAnswer {
    send(
      .update(Self.id, ["text": DocumentValue(text)], from: version, in: Self.collection, key: key))
  }

  mutating func delete(from version: DocumentVersion, key: String? = nil) -> PushAnswer {
    send(.delete(Self.id, from: version, in: Self.collection, key: key))
  }

  /// Stores it, whatever is there.
  mutating func put(_ text: String) {
    if let held, held.isThere {
      _ = update(text, from: held.version)
    } else {
      _ = create(text)
    }
  }

  /// Removes it.
  mutating func remove() {
    if let held { _ = delete(from: held.version) }
  }
}
