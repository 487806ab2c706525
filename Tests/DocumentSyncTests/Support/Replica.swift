@testable import DocumentSync

/// A device with one document, which follows what meetings decide.
struct Replica {
  private(set) var here = Meeting.Here.nothing
  private(set) var lost: [DocumentLoss] = []
  /// What somebody is to decide.
  private(set) var conflict: DocumentConflict?
  /// What should never have been, for a test to tell.
  private(set) var faults: [String] = []
  let policies: [ConflictPolicy]
  /// By how much its clock is wrong.
  let skew: Int64
  private var seen = 0
  private var rounds = 0

  init(policies: [ConflictPolicy], skew: Int64 = 0) {
    self.policies = policies
    self.skew = skew
  }

  enum Network: CaseIterable {
    case up, requestLost, answerLost
  }

  /// The document as people see it.
  var body: DocumentValue? {
    switch here {
    case .nothing, .deleted: nil
    case .synced(let copy): copy.value.withoutTimes
    case .created(let body, _), .edited(_, let body, _): body.withoutTimes
    }
  }

  var isAtRest: Bool {
    switch here {
    case .nothing, .synced: true
    case .created, .edited, .deleted: false
    }
  }

  // MARK: - What a person does

  mutating func edit(to new: DocumentValue, at time: Int64) {
    guard conflict == nil else { return }
    var previous: DocumentValue?
    if case .synced(let copy) = here { previous = copy.value }
    if case .created(let body, _) = here { previous = body }
    if case .edited(_, let body, _) = here { previous = body }
    let body = new.stamped(over: previous, at: time + skew)
    switch here {
    case .nothing: here = .created(body: body, sent: .none)
    case .created(_, let sent), .deleted(nil, let sent): here = .created(body: body, sent: sent)
    case .synced(let base): here = .edited(base: base, body: body, sent: .none)
    case .edited(let base, _, let sent), .deleted(let base?, let sent):
      here = .edited(base: base, body: body, sent: sent)
    }
  }

  mutating func delete() {
    guard conflict == nil else { return }
    switch here {
    case .nothing, .deleted: break
    case .synced(let base): here = .deleted(base: base, sent: .none)
    case .edited(let base, _, let sent): here = .deleted(base: base, sent: sent)
    case .created(_, let sent):
      here = sent == .none ? .nothing : .deleted(base: nil, sent: sent)
    }
  }

  mutating func resolve(_ resolution: DocumentConflict.Resolution) {
    guard let conflict else { return }
    self.conflict = nil
    carryOut(conflict.decision(resolution))
  }

  // MARK: - What a sync does

  mutating func pull(from server: OneDocumentServer) {
    if let state = server.changes(since: seen) { meet(state) }
    seen = server.version
  }

  mutating func push(to server: inout OneDocumentServer, _ network: Network) {
    guard conflict == nil else { return }
    switch here {
    case .nothing, .synced: return
    case .created(let body, let sent):
      let noted = UnansweredSends(bodies: sent.bodies + [body], deletion: sent.deletion)
      here = .created(body: body, sent: noted)
      send(body, to: &server, if: .absent, network)
    case .edited(let base, let body, let sent):
      let noted = UnansweredSends(bodies: sent.bodies + [body], deletion: sent.deletion)
      here = .edited(base: base, body: body, sent: noted)
      send(body, to: &server, if: .version(base.version), network)
    case .deleted(let base?, let sent):
      here = .deleted(base: base, sent: UnansweredSends(bodies: sent.bodies, deletion: true))
      send(nil, to: &server, if: .version(base.version), network)
    case .deleted(nil, _):
      // Nobody knows whether it is there: it is read first.
      if network == .up { meet(server.state) }
    }
  }

  private mutating func send(
    _ body: DocumentValue?, to server: inout OneDocumentServer,
    if precondition: OneDocumentServer.Precondition, _ network: Network
  ) {
    guard network != .requestLost else { return }
    let isTaken = server.take(body, if: precondition)
    guard network != .answerLost else { return }
    guard isTaken else { return meet(server.state) }
    here = server.copy.map { .synced($0) } ?? .nothing
    rounds = 0
  }

  private mutating func meet(_ there: DocumentState) {
    let meeting = Meeting(here, there, policies: policies, rounds: rounds)
    let decision = meeting.decide()
    faults += meeting.vanished(by: decision)
    conflict = meeting.conflict(after: decision)
    carryOut(decision)
  }

  private mutating func carryOut(_ decision: Decision) {
    if decision.takesRound { rounds += 1 }
    lost += decision.lost
    here = here.after(decision.step)
    if isAtRest { rounds = 0 }
  }
}

extension Decision {
  /// Whether it takes one of the rounds that `localWins` has for an edit.
  var takesRound: Bool {
    guard case .policies(let names) = basis, names.last == .localWins else { return false }
    switch step {
    case .rebase, .makeAgain: return true
    case .nothing, .acknowledge, .apply, .remove, .settle, .keepTombstone, .dropTombstone, .park,
      .giveUp:
      return false
    }
  }
}

extension Meeting.Here {
  /// What is known after a decision was carried out.
  func after(_ step: Decision.Step) -> Meeting.Here {
    switch step {
    case .nothing, .park, .giveUp: self
    case .acknowledge(let copy), .apply(let copy), .settle(let copy): .synced(copy)
    case .remove, .dropTombstone: .nothing
    case .rebase(let base, let body): .edited(base: base, body: body, sent: .none)
    case .makeAgain(let body): .created(body: body, sent: .none)
    case .keepTombstone(let base): .deleted(base: base, sent: .none)
    }
  }
}
