/// What is to be done with an entry after an event, in the same transaction.
enum EntryStep: Sendable, Equatable {
  /// It stays in the outbox, as it says itself.
  case stays
  /// It stays: the server has this revision's content, which is the base of what was changed since.
  case takesBase(Revision, DocumentVersion)
  /// It stays: the server has removed the document, and what was saved since is made anew. Its
  /// burial is to be remembered, for when it leaves without having been sent.
  case losesBase
  case leaves(Departure)
  /// It stays; what the server has was shown and must now be met with the local change.
  case meets
  /// It stays; what the server has must be asked for, or awaited from the next pull.
  case asks
  /// Nothing happened, since the answer to a request under way says more; tell it again after that.
  case later
}

/// Why an entry leaves the outbox.
enum Departure: Sendable, Equatable {
  /// The server has its content, under this version.
  case accepted(Revision, DocumentVersion)
  /// The document is gone at the server, which calls its deletion so. It's to be remembered, for a
  /// document that is made anew under the same id.
  case deleted(DocumentVersion?)
  /// It was deleted here before any server can have had it.
  case neverSent
  /// The last value of the server was saved again.
  case reverted
  /// Where it met the server's value, the server's value won.
  case gaveWay
}

/// What is known of an earlier deletion of a document that is made anew under its old id.
///
/// Servers show a deletion again and again, so that the one before the new document must not be
/// taken for one of the new document. Where that can't be told, it counts as the earlier one: at
/// the worst a document comes back, and none is lost.
enum Burial: Sendable, Equatable {
  case none
  /// It was deleted, and the server calls that so; `nil` if it didn't say.
  case at(DocumentVersion?)

  /// What the server calls the deletion.
  var version: DocumentVersion? {
    switch self {
    case .none: nil
    case .at(let version): version
    }
  }

  /// The same, or the first one, after a deletion was shown.
  func shownAgain(as shown: DocumentVersion?) -> Burial {
    switch self {
    case .none: .at(shown)
    case .at(let version): .at(shown ?? version)
    }
  }

  /// Whether a deletion that is shown is the earlier one.
  func isSame(as shown: DocumentVersion?) -> Bool {
    switch self {
    case .none: false
    case .at(let version): version == nil || shown == nil || version == shown
    }
  }
}

/// What is asked of a server for an entry, with all that makes it safe to be asked twice.
struct SendOrder: Sendable, Equatable {
  /// What is asked, and on what condition.
  typealias Kind = SendKind

  /// Which content is sent.
  let revision: Revision
  let kind: Kind

  /// The same for each try of this revision, and of no other; `nil` for what changes nothing.
  ///
  /// - Parameter store: what no other store is called.
  func idempotencyKey(ofStore store: String) -> String? {
    kind == .look ? nil : "\(store)-\(revision.number)"
  }
}

/// What is asked of a server for a document, and on what condition.
public enum SendKind: Sendable, Hashable {
  /// Stores the content, unless the server has the document already.
  case create
  /// Stores the content, if the server still has that version.
  case update(DocumentVersion)
  /// Removes the document, if the server still has that version.
  case delete(DocumentVersion)
  /// Reads what the server has, before a deletion whose version isn't known.
  case look

  /// Whether the document would be gone after it.
  public var isDeletion: Bool {
    switch self {
    case .delete: true
    case .create, .update, .look: false
    }
  }
}

/// The number of one content of one document.
///
/// Each change takes the next number of the store, so that no two contents share one, whichever
/// document they are of. Requests that differ never carry the same revision.
struct Revision: Sendable, Hashable, Comparable {
  /// Rises from change to change.
  let number: Int64

  init(_ number: Int64) {
    self.number = number
  }

  static func < (one: Revision, other: Revision) -> Bool { one.number < other.number }
}
