import SyncLock

/// Gathers what a sync does, while it does it.
final class SyncTally: Sendable {
  private let state = Locked(DocumentReport())

  /// What was done so far.
  var report: DocumentReport { state.withLock { $0 } }

  /// A request for a document ended.
  func answered(
    _ send: DocumentSend, _ verdict: SendVerdict, _ decisions: [Decision], in collection: String
  ) {
    state.withLock { report in
      switch verdict {
      case .accepted(let version):
        report.sent.append(.init(send, .stored, version, in: collection))
      case .deleted(let version) where send.order.kind.isDeletion:
        report.sent.append(.init(send, .removed, version, in: collection))
      case .refused(let refusal):
        report.failures.append(
          DocumentReport.Failure(
            name: send.id.text, collection: collection, words: refusal.sentence, isRefusal: true))
      case .deleted, .shown, .unmet, .tooMany, .unknown, .untaken, .stopped: break
      }
      for decision in decisions { report.note(decision, of: send.id, in: collection) }
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
  fileprivate mutating func note(_ outcome: PulledOutcome, in collection: String) {
    if outcome.isChanged {
      received.append(
        Received(id: outcome.id, collection: collection, isGone: outcome.decision?.isEnd ?? false))
    }
    if let failure = outcome.failure {
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
    switch decision.ground {
    case .onlyOneSide, .ownSend, .agreement: break
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

extension DocumentReport.Sent {
  fileprivate init(
    _ send: DocumentSend, _ deed: Deed, _ version: DocumentVersion?, in collection: String
  ) {
    self.init(id: send.id, collection: collection, deed: deed, version: version)
  }
}

extension Decision {
  /// Whether the document is gone by it.
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

extension Refusal {
  /// What the server said, for a place behind a colon.
  var sentence: String {
    "the server refused it (\(status))" + (words.isEmpty ? "" : ": \(words)")
  }
}
