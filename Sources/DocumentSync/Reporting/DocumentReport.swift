import SyncLock

/// What one sync of documents did.
public struct DocumentReport: Sendable, Hashable {
  /// A document that the server took, or of which people see something else now.
  public struct Change: Sendable, Hashable {
    /// Which document.
    public let id: DocumentID
    /// Its collection.
    public let collection: String
    /// Whether it was removed; else it was stored, as a new one or over an older one.
    public let isRemoval: Bool
    /// What the server calls the outcome of what it took, if it has a name for it.
    public var version: DocumentVersion?
  }

  /// A document that both sides changed.
  public struct Conflict: Sendable, Hashable {
    /// Which document.
    public let id: DocumentID
    /// Its collection.
    public let collection: String
    /// The policies that were asked, the one that decided last; none where a deletion won.
    public let policies: [ConflictPolicy.Name]
    /// Whether it waits for somebody to decide.
    public let isParked: Bool
  }

  /// A document that couldn't be sent or stored.
  public struct Failure: Sendable, Hashable {
    /// Its id, or what else it's told from others by.
    public let name: String
    /// Its collection.
    public let collection: String
    /// Why, for a place behind a colon.
    public let words: String
    /// Whether the server refused to take it; else it couldn't be stored here, or waits.
    public let isRefusal: Bool
    /// Whether the server was in trouble with it, so that it waits and is tried again.
    public var isWaiting = false
  }

  /// A change that gave way.
  public struct Lost: Sendable, Hashable {
    /// Of which document.
    public let id: DocumentID
    /// What gave way, and why.
    public let loss: DocumentLoss
  }

  /// A document that a server has in an older version than it had.
  public struct Older: Sendable, Hashable {
    /// Which document.
    public let id: DocumentID
    /// Its collection.
    public let collection: String
    /// The version that the server has.
    public let version: DocumentVersion
  }

  /// What the server took, in the order in which that was learned.
  public var sent: [Change] = []
  /// How many files the server took.
  public var filesSent = 0
  /// How many files came here.
  public var filesReceived = 0
  /// How many files were removed at the server.
  public var filesRemoved = 0
  /// What changed here by what the server has.
  public var received: [Change] = []
  /// What both sides had changed.
  public var conflicts: [Conflict] = []
  /// What couldn't be sent or stored.
  public var failures: [Failure] = []
  /// What gave way.
  public var lost: [Lost] = []
  /// What each collection is known to be as new as now, by name: as the server's endpoint wrote it.
  public var checkpoints: [String: String] = [:]
  /// What wasn't removed since it would have been too much.
  public var refusedRemovals: [HeldBackRemovals] = []
  /// The collections of which the server forgot what it had, so that all of them was compared.
  public var compared: [String] = []
  /// What ``DocumentReplica/republish(newer:)`` found in an older version at the server, and left.
  public var older: [Older] = []
  /// Why the sync, or that of single collections, didn't do all of its work; empty if it did.
  public var errors: [DocumentSyncError] = []

  /// Whether nothing was asked, since the server had asked to be left alone before.
  public var isHeldUp = false

  /// Nothing was done.
  package init() {}

  /// Whether nothing changed, here or there, and nothing went wrong.
  package var isQuiet: Bool {
    filesSent + filesReceived + filesRemoved == 0 && sent.isEmpty && received.isEmpty
      && conflicts.isEmpty && failures.isEmpty && lost.isEmpty && refusedRemovals.isEmpty
      && older.isEmpty && errors.isEmpty
  }
}

/// Gathers what a sync does, while it does it.
final class SyncTally: Sendable {
  private let state = Locked(DocumentReport())

  /// What was done so far.
  var report: DocumentReport { state.withLock { $0 } }

  /// A request for a document ended.
  func answered(
    _ send: DocumentSend, _ verdict: SendVerdict, _ end: AnsweredSend, in collection: String
  ) {
    state.withLock { report in
      report.isOver(send.id, in: collection)
      if let taken = end.taken { report.note(taken, of: send.id, in: collection) }
      switch verdict {
      case .refused where send.looksAhead: break
      case .refused(let refusal):
        report.failures.append(
          DocumentReport.Failure(
            name: send.id.text, collection: collection, words: refusal.sentence, isRefusal: true))
      case .madeAs(let key):
        report.failures.append(
          DocumentReport.Failure(
            name: send.id.text, collection: collection, words: UnsentReason.madeAs(key),
            isRefusal: true))
      case .unknown(let trouble), .untaken(let trouble):
        guard let words = trouble.sentence else { break }
        report.failures.append(
          DocumentReport.Failure(
            name: send.id.text, collection: collection, words: words, isRefusal: false,
            isWaiting: true))
      case .accepted, .deleted, .shown, .unmet, .tooMany, .stopped: break
      }
      for decision in end.decisions { report.note(decision, of: send.id, in: collection) }
    }
  }

  /// These may have been made, and wait until a pull has looked for them.
  func mayBeMade(_ ids: [DocumentID], in collection: String) {
    guard !ids.isEmpty else { return }
    state.withLock { report in
      let told = Set(report.failures.filter { $0.collection == collection }.map(\.name))
      report.failures += ids.filter { !told.contains($0.text) }.map {
        DocumentReport.Failure(
          name: $0.text, collection: collection, words: "\(UnsentReason.mayBeMade)",
          isRefusal: false, isWaiting: true)
      }
    }
  }

  /// A part of a pull met what is here.
  func pulled(_ outcomes: [PulledOutcome], in collection: String) {
    state.withLock { report in
      for outcome in outcomes { report.note(outcome, in: collection) }
    }
  }

  /// Something of a list can't be read.
  func unreadable(_ documents: [UnreadableDocument], in collection: String) {
    guard !documents.isEmpty else { return }
    state.withLock { report in
      report.failures += documents.map {
        DocumentReport.Failure(
          name: $0.name, collection: collection, words: $0.words, isRefusal: false)
      }
    }
  }

  /// Something is to be noted as it is.
  func note(_ change: (inout DocumentReport) -> Void) {
    state.withLock { change(&$0) }
  }
}

extension DocumentReport {
  /// Whatever kept a document waiting, the next answer says how it stands.
  fileprivate mutating func isOver(_ id: DocumentID, in collection: String) {
    failures.removeAll { $0.isWaiting && $0.name == id.text && $0.collection == collection }
  }

  fileprivate mutating func note(
    _ taken: TakenSend, of id: DocumentID, in collection: String
  ) {
    sent.append(
      Change(
        id: id, collection: collection, isRemoval: taken.isRemoval, version: taken.version))
  }

  fileprivate mutating func note(_ outcome: PulledOutcome, in collection: String) {
    if let taken = outcome.taken {
      isOver(outcome.id, in: collection)
      note(taken, of: outcome.id, in: collection)
    }
    if outcome.isChanged {
      received.append(
        Change(
          id: outcome.id, collection: collection, isRemoval: outcome.decision?.isEnd ?? false))
    }
    if let failure = outcome.failure {
      isOver(outcome.id, in: collection)
      failures.append(
        Failure(
          name: outcome.id.text, collection: collection, words: failure.description,
          isRefusal: false))
    }
    if let decision = outcome.decision { note(decision, of: outcome.id, in: collection) }
  }

  fileprivate mutating func note(
    _ decision: Decision, of id: DocumentID, in collection: String
  ) {
    lost += decision.lost.map { Lost(id: id, loss: $0) }
    switch decision.basis {
    case .onlyOneSide, .ownSend, .agreement, .answer: break
    case .deletion:
      conflicts.append(Conflict(id: id, collection: collection, policies: [], isParked: false))
    case .policies(let policies):
      // Its conflict is told once a sync, as it was decided last.
      conflicts.removeAll { $0.id == id }
      conflicts.append(
        Conflict(id: id, collection: collection, policies: policies, isParked: decision.isOpen))
    }
  }
}

extension Decision {
  fileprivate var isEnd: Bool {
    switch step {
    case .remove, .dropTombstone: true
    case .nothing, .acknowledge, .apply, .rebase, .settle, .makeAgain, .keepTombstone, .park,
      .giveUp:
      false
    }
  }

  /// Whether somebody is to decide.
  fileprivate var isOpen: Bool {
    switch step {
    case .park, .giveUp: true
    case .nothing, .acknowledge, .apply, .remove, .rebase, .settle, .makeAgain, .keepTombstone,
      .dropTombstone:
      false
    }
  }
}

extension Trouble {
  /// What it means for what was sent, for a place behind a colon; `nil` where no server was
  /// reached, which is no trouble of a single document.
  fileprivate var sentence: String? {
    let what: String
    switch self {
    case .status(let status): what = "the server is in trouble (\(status))"
    case .unreadable: what = "the server's answer can't be understood"
    case .lost: what = "no answer came"
    case .unreachable: return nil
    }
    return what + "; it waits, and the next sync tries it again"
  }
}

extension Refusal {
  /// What the server said, for a place behind a colon.
  var sentence: String {
    "the server refused it (\(status))" + (words.isEmpty ? "" : ": \(words)")
  }
}
