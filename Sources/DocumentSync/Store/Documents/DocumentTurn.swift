private import SyncText

/// A document before and after one turn: tells what happened to it.
struct DocumentTurn {
  let before: StoredDocument
  let after: StoredDocument

  /// What happened, as far as it's to be kept. What is changed before anything of it was sent
  /// isn't, as long as its entry says all there is to say of it: when, and from what.
  var events: [DocumentEvent] {
    if isPlainChange { return [] }
    var events: [DocumentEvent] = []
    if let order = before.entry?.underWay, after.entry?.underWay == nil {
      events = [end(of: order)] + after.steps.compactMap(decided)
    } else {
      events = [done].compactMap(\.self) + after.steps.compactMap(shown)
    }
    if before.isInConflict, !after.isInConflict, events.isEmpty, !after.steps.isEmpty {
      events.append(.conflictEnded)
    }
    if before.isHidden != after.isHidden, !before.isNothing {
      events.append(after.isHidden ? .hidden : .readable)
    }
    return events
  }

  /// Whether nobody but those who are here ever had anything of it, and it's gone.
  var leavesNothing: Bool {
    after.isNothing && after.burial == .none && before.base == nil && after.steps.isEmpty
      && after.lost.isEmpty && (before.entry?.isUnsent ?? true)
  }

  private var isPlainChange: Bool {
    guard before.entry == nil, let entry = after.entry else { return false }
    return entry.isNeverSent && after.steps.isEmpty && after.lost.isEmpty
  }

  // MARK: - What people did

  private var done: DocumentEvent? {
    if after.lost.contains(where: { $0.reason == .resigned }) { return .resigned }
    if before.body != nil, after.body == nil { return gone }
    switch (before.entry, after.entry) {
    case (let old?, let new?): return changed(old, new)
    case (nil, let new?): return new.firstEvent
    case (_?, nil): return after.steps.isEmpty && after.body != nil ? .reverted : nil
    case (nil, nil):
      guard after.steps.isEmpty, before.body?.json.written != after.body?.json.written else {
        return nil
      }
      return after.isSynced ? .reverted : .stashed(times: 1)
    }
  }

  private var gone: DocumentEvent? {
    for case .decision(let decision) in after.steps where decision.step == .remove { return nil }
    return after.entry == nil && after.steps.isEmpty ? .takenAway : .deleted
  }

  private func changed(_ old: OutboxEntry, _ new: OutboxEntry) -> DocumentEvent? {
    if let order = new.underWay, old.underWay == nil { return .sent(order.kind) }
    switch (old.phase, new.phase) {
    case (.contested, .setAside(.refused(let refusal))): return .refused(refusal)
    case (.setAside, .waiting)
    where after.steps.isEmpty && before.body?.json.written == after.body?.json.written:
      return .retried
    default: return edited(old, new)
    }
  }

  private func edited(_ old: OutboxEntry, _ new: OutboxEntry) -> DocumentEvent? {
    guard old.revision != new.revision, after.steps.isEmpty else { return nil }
    let isPlain = old.isNeverSent && !old.change.isDeletion && after.lost.isEmpty
    return isPlain ? nil : .saved(times: 1)
  }

  // MARK: - What became of a request

  private func end(of order: SendOrder) -> DocumentEvent {
    for case .entry(let step) in after.steps {
      switch step {
      case .takesBase(_, let version), .leaves(.accepted(_, let version)):
        return .accepted(version)
      case .losesBase, .leaves(.deleted): return .removedThere
      case .leaves(.neverSent): return .takenAway
      case .stays, .leaves(.reverted), .leaves(.gaveWay), .meets, .asks, .later: break
      }
    }
    if after.steps.contains(where: \.isDecision) { return .foundOther }
    switch after.entry?.phase {
    case .contested where after.entry?.isLostCreation ?? false: return .unanswered(times: 1)
    case .setAside(.madeAs): return .foundOther
    case .setAside(.refused(let refusal)): return .refused(refusal)
    case .contested, .parked: return .foundOther
    case .waiting, .sending, .setAside, nil: break
    }
    let (known, left) = (before.entry?.unanswered.count ?? 0, after.entry?.unanswered ?? [])
    let isLost = left.count > known || left.contains { $0.revision == order.revision }
    return isLost ? .unanswered(times: 1) : .untaken(times: 1)
  }

  // MARK: - Where it met the server's

  private func shown(_ step: DocumentStep) -> DocumentEvent? {
    switch step {
    case .decision: decided(step)
    case .entry(.takesBase(_, let version)), .entry(.leaves(.accepted(_, let version))):
      .recognised(version)
    case .entry(.losesBase), .entry(.leaves(.deleted)): .removedThere
    case .entry: nil
    }
  }

  private func decided(_ step: DocumentStep) -> DocumentEvent? {
    guard case .decision(let decision) = step, let end = meetingEnd(decision) else { return nil }
    return .met(end)
  }

  private func meetingEnd(_ decision: Decision) -> DocumentMeetingEnd? {
    let (step, version): (DocumentMeetingEnd.Step, DocumentVersion?)
    switch decision.step {
    case .nothing, .acknowledge: return nil
    // What comes for the first time has had no life yet.
    case .apply where before.isNothing: return nil
    case .apply(let copy): (step, version) = (.applied, copy.version)
    case .remove: (step, version) = (.removed, nil)
    case .rebase(let base, _): (step, version) = (.rebased, base.version)
    case .settle(let copy): (step, version) = (.settled, copy.version)
    case .makeAgain: (step, version) = (.madeAgain, nil)
    case .keepTombstone(let base): (step, version) = (.deletesOther, base.version)
    case .dropTombstone: (step, version) = (.deletionDone, nil)
    case .park(let conflict): (step, version) = (.parked, conflict.there?.version)
    case .giveUp(let conflict): (step, version) = (.gaveUp, conflict.there?.version)
    }
    return DocumentMeetingEnd(step: step, ground: decision.ground, version: version)
  }
}

extension DocumentStep {
  fileprivate var isDecision: Bool {
    switch self {
    case .decision: true
    case .entry: false
    }
  }
}

extension DocumentEvent {
  /// The server won't take it.
  fileprivate static func refused(_ refusal: Refusal) -> DocumentEvent {
    .refused(status: refusal.status, words: refusal.words)
  }
}

extension OutboxEntry {
  /// Whether nothing of it was ever asked of a server.
  var isNeverSent: Bool { lastOrder == nil && isUnsent }

  /// The change that it was made with, as long as nothing of it was sent.
  var firstEvent: DocumentEvent {
    switch change {
    case .create: .made
    case .update(let base): .edited(base)
    case .delete: .deleted
    }
  }
}
