import SyncLock

/// Gathers what a sync does, while it does it.
final class SyncTally: Sendable {
  private let state = Locked(DocumentReport())
  /// How many bytes of answers there is room for still.
  private let room = Locked(AnswerTable.room)

  /// What was done so far.
  var report: DocumentReport { state.withLock { $0 } }

  /// An answer as it is kept with a failure: as long as there is room.
  private func kept(_ answer: EndpointCall?) -> EndpointCall? {
    guard let answer else { return nil }
    return room.withLock { room in
      guard room >= Int64(answer.size) else { return nil }
      room -= Int64(answer.size)
      return answer
    }
  }

  /// A request for a document ended.
  func answered(
    _ send: DocumentSend, _ verdict: SendVerdict, _ end: AnsweredSend, in collection: String,
    by answer: EndpointCall? = nil
  ) {
    let id = end.key ?? send.id
    let answer = verdict.isFailure ? kept(answer) : nil
    state.withLock { report in
      report.isOver(send.id, in: collection)
      if let taken = end.taken { report.note(taken, of: id, in: collection) }
      switch verdict {
      case .refused where send.looksAhead: break
      case .refused(let refusal):
        report.failures.append(
          DocumentReport.Failure(
            name: send.id.text, collection: collection, words: refusal.sentence, isRefusal: true,
            answer: answer))
      case .madeAs where end.key != nil: break
      case .madeAs(let key, _, _):
        report.failures.append(
          DocumentReport.Failure(
            name: send.id.text, collection: collection, words: UnsentReason.madeAs(key),
            isRefusal: true, answer: answer))
      case .unknown(let trouble), .untaken(let trouble):
        // That no server was reached is no trouble of a single document.
        guard trouble != .unreachable else { break }
        report.failures.append(
          DocumentReport.Failure(
            name: send.id.text, collection: collection, words: trouble.sentence,
            isRefusal: false, isWaiting: true, answer: answer))
      case .accepted, .deleted, .shown, .unmet, .tooMany, .stopped: break
      }
      for decision in end.decisions { report.note(decision, of: id, in: collection) }
    }
  }

  /// These may have been made, and wait until a pull has looked for them.
  func mayBeMade(_ ids: [(DocumentID, answer: EndpointCall?)], in collection: String) {
    guard !ids.isEmpty else { return }
    let ids = ids.map { ($0.0, kept($0.answer)) }
    state.withLock { report in
      let told = Set(report.failures.filter { $0.collection == collection }.map(\.name))
      report.failures += ids.filter { !told.contains($0.0.text) }.map { id, answer in
        DocumentReport.Failure(
          name: id.text, collection: collection, words: "\(UnsentReason.mayBeMade)",
          isRefusal: false, isWaiting: true, answer: answer)
      }
    }
  }

  /// A failure is told as it is.
  func fail(_ failure: DocumentReport.Failure, by answer: EndpointCall? = nil) {
    var failure = failure
    failure.answer = kept(answer)
    state.withLock { [failure] in $0.failures.append(failure) }
  }

  /// A part of a pull met what is here.
  func pulled(_ outcomes: [PulledOutcome], in collection: String) {
    state.withLock { report in
      for outcome in outcomes { report.note(outcome, in: collection) }
    }
  }

  /// Something of a list can't be read.
  ///
  /// - Parameter answer: the list, or what a look at it was answered.
  func unreadable(
    _ documents: [UnreadableDocument], in collection: String, by answer: EndpointCall? = nil
  ) {
    guard !documents.isEmpty else { return }
    let answer = kept(answer)
    state.withLock { report in
      report.failures += documents.map {
        DocumentReport.Failure(
          name: $0.name, collection: collection, words: $0.words, isRefusal: false, answer: answer)
      }
    }
  }

  /// Something is to be noted as it is.
  func note(_ change: (inout DocumentReport) -> Void) {
    state.withLock { change(&$0) }
  }
}

extension SendVerdict {
  /// Whether it's told as a failure of a document.
  fileprivate var isFailure: Bool {
    switch self {
    case .refused, .madeAs, .unknown, .untaken: true
    case .accepted, .deleted, .shown, .unmet, .tooMany, .stopped: false
    }
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
          id: outcome.id, collection: collection,
          isRemoval: outcome.hasLeftFilter || outcome.decision?.isEnd ?? false,
          hasLeftFilter: outcome.hasLeftFilter))
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
}

extension Refusal {
  /// What the server said, for a place behind a colon.
  var sentence: String {
    "the server refused it (\(status))" + (words.isEmpty ? "" : ": \(words)")
  }
}
