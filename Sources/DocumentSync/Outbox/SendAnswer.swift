/// How a request for an entry ended.
enum SendOutcome: Sendable, Equatable {
  /// A whole answer came.
  case answered(SendAnswer)
  /// A success came that can't be understood, such as the page of a portal. The server may have
  /// taken the request, or never have seen it.
  case unreadable
  /// No answer came, and the server may have taken the request.
  case lost
  /// It's certain that no server took the request; a later one may get through.
  case unreachable
  /// It's certain that no server took the request, and none ever will as things are: a bad address,
  /// a wrong certificate.
  case impossible
}

/// What a server said to a request for an entry.
struct SendAnswer: Sendable, Equatable {
  let status: Int
  /// The version that a success gave the document, or its deletion.
  var version: DocumentVersion?
  /// What the server has, as far as it said so: with a conflict, or when it was looked up.
  var shown: ShownState?
  /// The key under which a success made the document, where it's another than the one that was
  /// sent.
  var madeAs: DocumentID?
  /// The server's own words.
  var words = ""
  var subject = RefusalSubject.document
  /// Whether it came with a `Retry-After`: then a 503 means that the request wasn't taken.
  var hasRetryAfter = false
}

/// What a server turned out to have of a document that is in the outbox.
enum ShownState: Sendable, Equatable {
  /// A content with its version.
  ///
  /// `equal`: the newest of our revisions with that very content, among the present one, the one
  /// whose request this answers, and those that were sent without an answer; `nil` if none has it.
  case copy(DocumentVersion, equal: Revision?)
  /// The document was deleted there; with the version of the deletion, if the server has such.
  case deleted(DocumentVersion?)

  /// Whether it's a content that was sent from here.
  var isOurs: Bool {
    switch self {
    case .copy(_, let equal): equal != nil
    case .deleted: false
    }
  }
}

/// Why a server didn't take something, in its own words.
struct Refusal: Sendable, Hashable {
  let status: Int
  /// What it said beside it.
  let words: String

  init(_ answer: SendAnswer) {
    self.init(status: answer.status, words: answer.words)
  }

  init(status: Int, words: String) {
    self.status = status
    self.words = words
  }
}
