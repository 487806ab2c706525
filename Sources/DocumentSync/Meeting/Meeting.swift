/// A document here, and what the server says of it: decides what becomes of both.
///
/// It is asked for each document that a pull brings, and for each send that a server refuses since
/// it has another copy. Whatever is lost by the decision is told with it. Carried out and asked
/// again, it finds nothing more to do.
package struct Meeting: Sendable {
  package var here: Here
  /// What the server says.
  package var there: DocumentState
  /// Who decides where both changed it: the first one, and the next where that can't.
  package var policies: [ConflictPolicy]
  /// How many times in a row the edit was put over the server's copy by a policy.
  package var rounds: Int
  package var mergers: [DocumentPath: MemberMerger]

  package init(
    _ here: Here, _ there: DocumentState, policies: [ConflictPolicy] = [], rounds: Int = 0,
    mergers: [DocumentPath: MemberMerger] = [:]
  ) {
    self.here = here
    self.there = there
    self.policies = policies
    self.rounds = rounds
    self.mergers = mergers
  }

  package func decide() -> Decision {
    switch here {
    case .nothing: decideForNothing()
    case .synced(let base): decide(synced: base)
    case .created(let body, let sent): decide(LocalEdit(base: nil, body: body, sent: sent))
    case .edited(let base, let body, let sent):
      decide(LocalEdit(base: base, body: body, sent: sent))
    case .deleted(let base, let sent): decide(deleted: base, sent: sent)
    }
  }

  private func decideForNothing() -> Decision {
    switch there {
    case .present(let copy), .revived(let copy): Decision(.apply(copy), by: .onlyOneSide)
    case .deleted, .forgotten: Decision(.nothing, by: .onlyOneSide)
    }
  }

  private func decide(synced base: ServerCopy) -> Decision {
    switch there {
    case .present(let copy), .revived(let copy):
      if !base.value.hasSameContent(as: copy.value) {
        Decision(.apply(copy), by: .onlyOneSide)
      } else if base.version != copy.version || base.value != copy.value {
        Decision(.acknowledge(copy), by: .onlyOneSide)
      } else {
        Decision(.nothing, by: .onlyOneSide)
      }
    case .deleted, .forgotten: Decision(.remove, by: .onlyOneSide)
    }
  }

  /// A deletion wins; what it takes along without having seen it is told.
  private func decide(deleted base: ServerCopy?, sent: UnansweredSends) -> Decision {
    switch there {
    case .deleted, .forgotten: return Decision(.dropTombstone, by: .onlyOneSide)
    case .present(let copy), .revived(let copy):
      let isSame = base?.value.hasSameContent(as: copy.value) ?? false
      if isSame, base?.version == copy.version { return Decision(.nothing, by: .onlyOneSide) }
      if sent.contain(copy.value) { return Decision(.keepTombstone(base: copy), by: .ownSend) }
      // What was deleted here is gone; this is another document.
      if case .revived = there { return Decision(.apply(copy), by: .onlyOneSide) }
      if isSame { return Decision(.keepTombstone(base: copy), by: .onlyOneSide) }
      return Decision(
        .keepTombstone(base: copy), lost: [.whole(copy.value, .there, .deletion)], by: .deletion)
    }
  }

  private func decide(_ edit: LocalEdit) -> Decision {
    let resolution = ConflictResolution(
      edit: edit, policies: policies, rounds: rounds, mergers: mergers)
    switch there {
    case .present(let copy): return edit.meetsItself(copy) ?? resolution.decide(against: copy)
    case .revived(let copy):
      if let decision = edit.meetsItself(copy, isRevived: true) { return decision }
      return edit.base == nil ? resolution.decide(against: copy) : resolution.decide(revived: copy)
    case .deleted, .forgotten:
      // What was made here isn't what the server speaks of.
      if edit.base == nil { return Decision(.nothing, by: .onlyOneSide) }
      if there == .forgotten { return resolution.decideForgotten() }
      return edit.sent.deletion
        ? Decision(.makeAgain(body: edit.body), by: .ownSend) : resolution.decideDeleted()
    }
  }
}

extension Meeting {
  /// What is known here of a document.
  package enum Here: Sendable, Hashable {
    /// No document of that id, or one that was never more than a tombstone.
    case nothing
    /// As the server had it last. Becomes `edited` or `deleted` when a person changes it.
    case synced(ServerCopy)
    /// Made here; the server isn't known to have it.
    case created(body: DocumentValue, sent: UnansweredSends)
    /// The server's copy was changed to `body`, which is in the outbox.
    case edited(base: ServerCopy, body: DocumentValue, sent: UnansweredSends)
    /// Deleted here, which the server isn't known to have done.
    /// - base: The last copy that is known; `nil` if the document was made here and its sends had
    ///   no answer, so that it is to be asked for before it is deleted.
    case deleted(base: ServerCopy?, sent: UnansweredSends)
  }
}
