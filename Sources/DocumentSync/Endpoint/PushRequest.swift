/// What an endpoint is to ask of a server for one document, with all that makes it safe to be asked
/// twice.
public struct PushRequest: Sendable, Hashable {
  /// Where the server keeps the document.
  public let collection: String
  /// Which document.
  public let id: DocumentID
  /// What is asked, and on what condition. A server without preconditions is asked all the same.
  public let kind: SendKind
  /// The document; `nil` where none is sent.
  public let body: DocumentValue?
  /// The same for each try of this request and for no other one; `nil` for what changes nothing.
  public let idempotencyKey: String?
  var typeMember = DocumentTypes.usualMember

  /// Stores a document, unless the server has it already.
  public static func create(
    _ id: DocumentID, _ body: DocumentValue, in collection: String, key: String?
  ) -> PushRequest {
    PushRequest(collection: collection, id: id, kind: .create, body: body, key: key)
  }

  /// Stores a document, if the server still has that version.
  public static func update(
    _ id: DocumentID, _ body: DocumentValue, from version: DocumentVersion, in collection: String,
    key: String?
  ) -> PushRequest {
    PushRequest(collection: collection, id: id, kind: .update(version), body: body, key: key)
  }

  /// Removes a document, if the server still has that version.
  public static func delete(
    _ id: DocumentID, from version: DocumentVersion, in collection: String, key: String?
  ) -> PushRequest {
    PushRequest(collection: collection, id: id, kind: .delete(version), body: nil, key: key)
  }

  /// Reads what the server has of a document.
  public static func look(at id: DocumentID, in collection: String) -> PushRequest {
    PushRequest(collection: collection, id: id, kind: .look, body: nil, key: nil)
  }

  /// Whether what an answer holds is to be shown: all of a document that was looked for; of one
  /// that was sent, only what differs, and what holds enough of it to be the whole document. What
  /// each answer may name to say which document it is about shows nothing of it.
  package func isShown(by answer: DocumentValue) -> Bool {
    guard let sent = body else { return true }
    guard answer != sent else { return false }
    let names = sent.objectMembers.map(\.text).filter {
      ![typeMember, DocumentTypes.idMember, MemberNames.times].contains($0)
    }
    return !names.isEmpty && 2 * names.filter { answer[$0] != nil }.count >= names.count
  }

  private init(
    collection: String, id: DocumentID, kind: SendKind, body: DocumentValue?, key: String?
  ) {
    self.collection = collection
    self.id = id
    self.kind = kind
    self.body = body
    idempotencyKey = key
  }
}
