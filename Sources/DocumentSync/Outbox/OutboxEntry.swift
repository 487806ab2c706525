/// A local change that a server hasn't accepted yet: what becomes of it, event by event.
///
/// A document has one entry at most. It's made with the first unsent change and keeps its place in
/// the order whatever the change becomes; only the latest content is sent. It leaves only when the
/// server has accepted that very revision, or when nothing is left to be sent.
///
/// Nothing here waits, stores or sends. Each event answers what is to be done with the entry, which
/// is then written in the same transaction; above all `sendBegan` is, before the request leaves, or
/// a crash would forget that the server may have it.
struct OutboxEntry: Sendable, Equatable {
  /// What the server is to be told, from its point of view.
  enum Change: Sendable, Equatable {
    /// It doesn't have the document, as far as we know.
    case create
    case update(base: DocumentVersion)
    /// It has this version of it, or some version that isn't known: then it took a creation, maybe,
    /// whose answer was lost.
    case delete(base: DocumentVersion?)

    /// The version last seen.
    var base: DocumentVersion? {
      switch self {
      case .create: nil
      case .update(let base): base
      case .delete(let base): base
      }
    }

    /// Whether the document is gone here.
    var isDeletion: Bool { if case .delete = self { true } else { false } }

    /// Whether the server is to have another content.
    var isUpdate: Bool { if case .update = self { true } else { false } }
  }

  enum Phase: Sendable, Equatable {
    /// It's sent when its turn comes. Goes to `sending`.
    case waiting
    /// A request is under way, maybe with an older content than the present one. Goes to all
    /// others but `parked`.
    case sending(SendOrder)
    /// The server has something else, which must be met first, or may have made it, which a pull
    /// is to show first; with the server's words where it refused. Goes to `waiting`, `parked` or
    /// `setAside`.
    case contested(Refusal?)
    /// The conflict waits for somebody's decision. Goes to `waiting`.
    case parked
    /// It isn't sent until it's edited or tried again on demand; until the latter alone, where the
    /// server made it under another key, or may have. Goes to `waiting`.
    case setAside(SetAsideReason)
  }

  /// Why an entry was set aside.
  enum SetAsideReason: Sendable, Equatable {
    /// The server won't take it.
    case refused(Refusal)
    /// The server made a document of it under this key, and would make another one each time.
    case madeAs(DocumentID)
    /// The server may have made a document of it, and nothing can tell whether it did.
    case mayBeMade
    /// Others were faster each time, so many times in a row.
    case outrun(rounds: Int)
    /// The store has it in a form that this program doesn't know.
    case unknownForm(Int64)
  }

  /// What follows from the server's value where it met the local change.
  enum Meeting: Sendable, Equatable {
    /// The change stands on this version now, and is sent again.
    case rebased(DocumentVersion)
    /// The server doesn't have the document (any more), which is made there once more; after its
    /// deletion, if there was one.
    case madeAnew(after: Tombstone)
    /// Somebody is asked.
    case parked
    /// The local change has won too often without getting through.
    case gaveUp
    /// Nothing is left to be sent: the server's value won, or is the same.
    case over
  }

  /// Its place: in the order of the first unsent changes.
  let number: Int64
  let id: DocumentID
  /// Where the server keeps the document.
  let collection: String
  /// The present content.
  var revision: Revision
  /// What the server is to be told.
  var change: Change
  var phase = Phase.waiting
  /// The documents whose success it waits for. Those that had theirs are taken out.
  var awaits: Set<DocumentID> = []
  /// Requests whose answers were lost, a revision once, oldest first: the server may have taken any
  /// of them.
  var unanswered: [SendOrder] = []
  /// The deletion after which it's made anew.
  var tombstone = Tombstone.none
  /// What was asked last, so that another request with the same revision is never made.
  var lastOrder: SendOrder?
  /// How many sends of the present content came to nothing.
  var tries = 0
  /// How many times in a row a send came too late and it was put on another base. A pull that puts
  /// it on another base isn't one of them.
  var rounds = 0
  /// With how many others it's sent.
  var batchShare = BatchShare.any

  var underWay: SendOrder? {
    switch phase {
    case .sending(let order): order
    case .waiting, .contested, .parked, .setAside: nil
    }
  }

  /// Whether no server can have anything of what was changed here.
  var isUnsent: Bool { underWay == nil && unanswered.isEmpty }

  /// The revisions whose contents are kept to know them again when the server shows them.
  var rememberedRevisions: Set<Revision> {
    Set((unanswered + [underWay].compactMap(\.self)).map(\.revision) + [revision])
  }

  /// What has happened to it counts no more: it has other content, or another base.
  mutating func forgetTrouble() {
    tries = 0
    batchShare = .any
  }
}

/// What users do.
extension OutboxEntry {
  /// The document was saved.
  ///
  /// Saving again what the server had last ends the change, unless the server may have taken
  /// something else meanwhile. An edit settles no conflict: it stays one, with the new content.
  ///
  /// - Parameters:
  ///   - revision: of the content.
  ///   - isBase: whether the content is the one that the change stands on.
  ///   - others: documents that it goes after from now on, too.
  mutating func saved(
    as revision: Revision, isBase: Bool = false, after others: Set<DocumentID> = []
  ) -> EntryStep {
    if isBase, change.base != nil, isUnsent { return .leaves(.reverted) }
    self.revision = revision
    switch change {
    case .create, .update: break
    case .delete(let base): change = base.map { .update(base: $0) } ?? .create
    }
    awaits.formUnion(others)
    forgetTrouble()
    rounds = 0
    switch phase {
    case .setAside(.madeAs), .setAside(.mayBeMade): break
    case .setAside: phase = .waiting
    case .waiting, .sending, .contested, .parked: break
    }
    return .stays
  }

  /// The document was deleted.
  ///
  /// What no server can have is gone at once. What was to go before the content needn't go before
  /// the deletion. A deletion settles every conflict.
  mutating func deleted(as revision: Revision, after others: Set<DocumentID> = []) -> EntryStep {
    if change.isDeletion { return .stays }
    if change == .create, isUnsent { return .leaves(.neverSent) }
    self.revision = revision
    change = .delete(base: change.base)
    awaits = others
    forgetTrouble()
    rounds = 0
    switch phase {
    case .sending: break
    case .waiting, .contested, .parked, .setAside: phase = .waiting
    }
    return .stays
  }

  /// Somebody wants what was set aside to be tried again, or what no pull has found to be made.
  ///
  /// - Parameter fresh: the content's number from now on: under its old one, a server that knows
  ///   requests again might repeat its old answer.
  mutating func retryWanted(as fresh: Revision) -> EntryStep {
    switch phase {
    case .setAside:
      revision = fresh
      phase = .waiting
      rounds = 0
      forgetTrouble()
    case .contested where isLostCreation: phase = .waiting
    case .waiting, .sending, .contested, .parked: break
    }
    return .stays
  }
}

/// What is looked at before it's changed at a server, which would change another version, too.
enum LookAhead: Sendable, Equatable {
  /// Nothing.
  case never
  /// What is to be deleted.
  case deletions
  /// What is to be changed or deleted.
  case changes
}

/// What is asked of a server for an entry, with all that makes it safe to be asked twice.
struct SendOrder: Sendable, Equatable {
  /// What is asked, and on what condition.
  typealias Kind = SendKind

  /// Which content is sent.
  let revision: Revision
  let kind: Kind
  /// Whether it's a creation under a key that the server makes: sent twice, it makes two.
  var isKeyless = false

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
  /// Reads what the server has: before a deletion whose version isn't known, and before what it
  /// would do to any version.
  case look

  /// Whether the document would be gone after it.
  package var isDeletion: Bool {
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
