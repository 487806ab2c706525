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
  /// With a look, the version that is known: where the server has that one still, it may say so
  /// (304) in place of showing it.
  package var known: DocumentVersion?

  /// Stores a document, unless the server has it already.
  package static func create(
    _ id: DocumentID, _ body: DocumentValue, in collection: String, key: String?
  ) -> PushRequest {
    PushRequest(collection: collection, id: id, kind: .create, body: body, key: key)
  }

  package static func update(
    _ id: DocumentID, _ body: DocumentValue, from version: DocumentVersion, in collection: String,
    key: String?
  ) -> PushRequest {
    PushRequest(collection: collection, id: id, kind: .update(version), body: body, key: key)
  }

  package static func delete(
    _ id: DocumentID, from version: DocumentVersion, in collection: String, key: String?
  ) -> PushRequest {
    PushRequest(collection: collection, id: id, kind: .delete(version), body: nil, key: key)
  }

  /// Reads what the server has of a document.
  ///
  /// - Parameter version: that is known of it, if it needn't be shown again.
  package static func look(
    at id: DocumentID, in collection: String, knowing version: DocumentVersion? = nil
  ) -> PushRequest {
    var request = PushRequest(collection: collection, id: id, kind: .look, body: nil, key: nil)
    request.known = version
    return request
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

/// How a request for many documents ended.
public enum BatchEnd: Sendable, Hashable {
  /// With an answer for each of them, in the order in which they were sent.
  case parts([EndpointReply<PushEnd>])
  /// With one for all of them, or none.
  case whole(PushEnd)
}

/// How a request for a document ended.
public enum PushEnd: Sendable, Hashable {
  /// A whole answer came.
  case answered(PushAnswer)
  /// A success came that can't be understood, such as the page of a portal: that a document is gone
  /// must not be read out of it. The server may have taken the request, or never have seen it.
  case unreadable
  /// No answer came, and the server may have taken the request.
  case lost
  /// It's certain that no server took the request; a later one may get through.
  case unreachable
  /// It's certain that no server took the request, and none ever will as things are: a bad address,
  /// a wrong certificate.
  case impossible
}

/// What a server said to a request for a document.
public struct PushAnswer: Sendable, Hashable {
  /// The status of HTTP, or the one that comes nearest to what was said.
  package var status: Int
  /// The version that a success gave the document, or its deletion. A success that stores a
  /// document and names none counts as one that can't be understood; that of a deletion may name
  /// none.
  package var version: DocumentVersion?
  /// What the server has, as far as it said so: with a conflict, when it was looked up, or where it
  /// has stored something else than it was sent. What was sent gives way to that, so it's told only
  /// by an answer that holds the whole document: as the server says, or since at least half of the
  /// members that were sent are in it. Any other success is an acknowledgement of what was sent.
  package var shown: DocumentState?
  /// The key under which a success made the document, where the service makes its keys itself.
  /// Where the endpoint says that it does (``DocumentEndpoint/makesKeys(in:)``), that is the
  /// document's id from then on. Else the document isn't taken for sent, and isn't sent again
  /// unless somebody wants it to be.
  package var madeAs: DocumentID?
  /// The server's own words about a refusal.
  package var words: String
  package var subject: RefusalSubject

  /// What a server said.
  public init(
    status: Int, version: DocumentVersion? = nil, shown: DocumentState? = nil,
    madeAs: DocumentID? = nil, words: String = "", subject: RefusalSubject = .document
  ) {
    self.status = status
    self.version = version
    self.shown = shown
    self.madeAs = madeAs
    self.words = words
    self.subject = subject
  }
}

/// Sends one document in place of an endpoint.
///
/// It has to end: when it takes too long, it's cancelled and has failed, and whatever it makes of
/// that, the sync waits for it. What it's asked may come again, with the same key, when it threw or
/// took too long.
///
/// - Returns: what the server calls the outcome; `nil` where a deletion has no name.
/// - Throws: an ``EndpointError`` with the reason `refused` where the server won't have the
///   document: it's set aside. Whatever else it throws leaves open whether the server took it.
public typealias DocumentSender = @Sendable (PushRequest) async throws -> DocumentVersion?
