/// What an answer means for the entry that was sent.
enum SendVerdict: Sendable, Equatable {
  /// The server has the content, under this version; with the copy that it stored in its stead,
  /// where it says so.
  case accepted(DocumentVersion, as: ServerCopy? = nil)
  /// The server made a document of the content, under a key of its own; under this version, and
  /// as this copy, where it says so.
  case madeAs(DocumentID, DocumentVersion? = nil, as: ServerCopy? = nil)
  /// The server has no such document any more, as was wanted, and calls its deletion so.
  case deleted(DocumentVersion?)
  /// The server has something else, and says what.
  case shown(DocumentState, Refusal)
  /// The server has something else, and doesn't say what.
  case unmet(Refusal)
  /// The server will never take this content.
  case refused(Refusal)
  /// The server won't take so many at once; nothing is said of any of them.
  case tooMany(Refusal)
  /// Trouble that may pass; the server may have taken the request all the same.
  case unknown(Trouble)
  /// Trouble that may pass; the request wasn't taken.
  case untaken(Trouble)
  /// No document is at fault, and the others would fare no better.
  case stopped(StopReason)

  var notice: ServerNotice {
    switch self {
    case .accepted, .madeAs, .deleted, .shown, .unmet, .refused, .tooMany: .answers
    case .unknown(let trouble), .untaken(let trouble): .isInTrouble(trouble)
    case .stopped(let reason): .mustStop(reason)
    }
  }
}

package enum Trouble: Sendable, Hashable {
  /// The server says so itself.
  case status(Int)
  /// A success that can't be understood, such as the page of a portal.
  case unreadable
  /// No answer came.
  case lost
  /// No server was reached.
  case unreachable

  /// Whether what was sent may be its cause.
  ///
  /// Not so with a 503: it tells of a server that has too much to do.
  var isSuspicious: Bool {
    switch self {
    case .status(let status): status >= 500 && status != 503
    case .unreadable, .lost, .unreachable: false
    }
  }
}

/// Why a server didn't take something, in its own words.
struct Refusal: Sendable, Hashable {
  let status: Int
  let words: String
}

/// Why nothing more is sent, though nothing is wrong with what there is to send.
enum StopReason: Sendable, Hashable {
  /// The credentials don't count (any more).
  case unauthorized
  /// The collection isn't there, or isn't ours.
  case collection(Refusal)
  /// An answer that no such request gets: it isn't the server we think it is.
  case unexpected(Int)
  /// No request can be made at all.
  case impossible
}

/// What an answer says of the server.
enum ServerNotice: Sendable, Hashable {
  /// It's well.
  case answers
  /// It's to be left alone for a while.
  case isInTrouble(Trouble)
  /// It isn't to be asked for anything more.
  case mustStop(StopReason)
}

/// What a server's refusal is about.
public enum RefusalSubject: Sendable, Hashable {
  /// The document.
  case document
  /// What holds it, a collection or a bucket: no document is at fault.
  case collection
}
