import SyncText

/// A document of the store with its entry in the outbox, as it's taken out to be changed.
///
/// It's a value: each event changes it, by the word of ``OutboxEntry`` and ``Meeting``, and says
/// what is to be noted beside it. `StoreEditor` reads it, tells it what happened, and writes it, in
/// one transaction.
///
/// What can be:
/// - nothing is known: neither body, base nor entry;
/// - synced: the body is the base's, and there is no entry;
/// - stashed: the body is another one, and there is no entry;
/// - to be sent: there is an entry, and a body unless it's to be deleted.
struct StoredDocument: Sendable, Equatable {
  /// What it's called.
  let id: DocumentID
  /// Where it's at home.
  let scope: DocumentScope
  /// What people see of it; `nil` if it's deleted, or unknown.
  var body: DocumentValue?
  /// What the server had last, as far as a local change stands on it.
  var base: ServerCopy?
  /// What is still to be sent of it.
  var entry: OutboxEntry?
  /// What the server said and what hasn't been dealt with: somebody is to decide, or a request is
  /// under way whose answer says more.
  var shown: DocumentState?
  /// The contents, other than the present one, that a server may show as having come from here.
  var contents: [Revision: DocumentValue] = [:]
  /// The deletion after which the document is made anew, if there was one.
  var tombstone: Tombstone = .none
  /// Whether it may not be read just now.
  var isHidden = false
  /// What gave way in this turn.
  private(set) var lost: [DocumentLoss] = []
  /// What happened in this turn, as its life tells it. An unsent edit isn't told: its outbox entry
  /// has its time and its base.
  private(set) var events: [DocumentEvent] = []
  /// What the server turned out, in this turn, to have taken.
  private(set) var taken: TakenSend?
  /// Whether it went in this turn, and no server had anything of it: then its life goes, too.
  private(set) var leavesNothing = false
  /// Whether those that go after it needn't wait any more: the server has it, or it's gone.
  private(set) var isSettled = false

  /// Whether it's as the server had it last.
  var isSynced: Bool { entry == nil && body != nil && isAsInBase }

  /// Whether nothing is known of it but a deletion, maybe.
  var isNothing: Bool { entry == nil && body == nil }

  /// Whether somebody is to decide between it and the server's.
  var isInConflict: Bool {
    switch entry?.phase {
    case .parked, .setAside(.outrun): true
    case nil: shown != nil
    case .waiting, .sending, .contested, .setAside: false
    }
  }

  /// What those that go after it know of it.
  var asPredecessor: Predecessor {
    if let entry { return entry.asPredecessor }
    if body == nil { return tombstone == .none ? .unknown : .deleted }
    // The server has it, also where a change of it isn't to be sent.
    return base == nil ? .unsent : .synced
  }

  /// What is known here, where it meets the server's.
  var here: Meeting.Here {
    guard entry != nil else {
      guard let body else { return .nothing }
      guard let base else { return .created(body: body, sent: .none) }
      return isSynced ? .synced(base) : .edited(base: base, body: body, sent: .none)
    }
    guard let body else { return .deleted(base: base, sent: unanswered) }
    return base.map { .edited(base: $0, body: body, sent: unanswered) }
      ?? .created(body: body, sent: unanswered)
  }

  /// By how it's written: nobody is to read another text than the server's, where nothing is to be
  /// sent.
  private var isAsInBase: Bool { body?.json.written == base?.value.json.written }

  var unanswered: UnansweredSends {
    guard let entry else { return .none }
    return UnansweredSends(
      bodies: entry.unanswered.filter { !$0.kind.isDeletion }
        .compactMap { content(of: $0.revision) },
      deletion: entry.unanswered.contains(where: \.kind.isDeletion))
  }

  func content(of revision: Revision) -> DocumentValue? {
    revision == entry?.revision ? body : contents[revision]
  }

  /// The newest of our revisions with that content, among those that a server may have.
  func revision(of value: DocumentValue) -> Revision? {
    entry?.rememberedRevisions.filter { content(of: $0)?.hasSameContent(as: value) ?? false }.max()
  }
}

// MARK: - What becomes of it

extension StoredDocument {
  /// An event of the entry. The content that it had is kept, as long as the server may show it.
  mutating func change<Result>(_ event: (inout OutboxEntry) -> Result) -> Result? {
    guard var changed = entry else { return nil }
    let old = changed.revision
    let result = event(&changed)
    if changed.revision != old, changed.rememberedRevisions.contains(old) { contents[old] = body }
    entry = changed
    return result
  }

  /// It's as the server has it, and nothing is left to be sent.
  mutating func becomeSynced(_ copy: ServerCopy) {
    (body, base, entry, shown) = (copy.value, copy, nil, nil)
    (tombstone, isSettled) = (.none, true)
  }

  /// It's gone, here and at the server.
  mutating func becomeNothing(after tombstone: Tombstone) {
    (body, base, entry, shown) = (nil, nil, nil, nil)
    self.tombstone = tombstone
    isSettled = true
  }

  /// Those that go after it needn't wait any more.
  mutating func settle() { isSettled = true }

  /// It's gone here alone, which no server is told.
  mutating func vanish(after tombstone: Tombstone) {
    leavesNothing = base == nil && tombstone == .none && (entry?.isUnsent ?? true)
    if body != nil, !leavesNothing { note(.takenAway) }
    becomeNothing(after: tombstone)
  }

  /// It may not be read: it's kept, and nobody sees it until the server shows it again.
  mutating func hide() {
    if !isHidden, !isNothing { note(.hidden) }
    isHidden = true
  }

  /// Something happened.
  mutating func note(_ event: DocumentEvent) { events.append(event) }

  /// The server has taken something; the first of it counts.
  mutating func note(_ send: TakenSend?) { taken = taken ?? send }

  /// Something gave way.
  mutating func lose(_ losses: [DocumentLoss]) { lost += losses }

  /// Another change of it gave way to this one, as somebody signed in.
  mutating func takeoverGaveWay(_ loss: DocumentLoss?) {
    note(.takeoverGaveWay)
    if let loss { lose([loss]) }
  }

  mutating func keepLife() {
    if leavesNothing { note(.takenAway) }
    leavesNothing = false
  }
}

/// What a server has taken of what was sent: as it answered, or as it turned out later, when the
/// answer was lost.
struct TakenSend: Sendable, Hashable {
  let isRemoval: Bool
  /// What the server calls the outcome, if it has a name for it.
  let version: DocumentVersion?
}

/// Gives each change of a store a number that none had before.
struct RevisionCounter: Sendable, Equatable {
  private(set) var next: Int64

  /// A number that nothing else has.
  mutating func fresh() -> Revision {
    defer { next += 1 }
    return Revision(next)
  }
}
