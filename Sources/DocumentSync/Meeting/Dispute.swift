/// An edit that meets a change by somebody else, and the policies that are to decide.
struct Dispute {
  let edit: LocalEdit
  let policies: [ConflictPolicy]
  /// How many rounds the edit has taken.
  let rounds: Int
  let mergers: MemberMergers

  func decide(against copy: ServerCopy) -> Decision {
    var line = PolicyLine(policies, rounds: rounds)
    let voice = line.next()
    // A merger may see two changes even where both sides came to the same.
    if agrees(with: copy), voice != .merge || mergers.isEmpty {
      return Decision(.settle(copy), by: .agreement)
    }
    switch voice {
    case .serverWins: return giveWay(to: copy, .policy(.serverWins), line)
    case .localWins:
      return Decision(
        edit.onto(copy), lost: [.whole(copy.value, .there, .policy(.localWins))],
        by: .policies(line.asked))
    case .merge: return merge(with: copy, line)
    case .latest: return takeLatest(with: copy, line)
    case .ask, .nobody: return leave(voice, with: copy, line)
    }
  }

  /// The server deleted the document, and another one has its id now. No merge makes one of them.
  func decide(revived copy: ServerCopy) -> Decision {
    if agrees(with: copy) { return Decision(.settle(copy), by: .agreement) }
    var line = PolicyLine(policies, rounds: rounds)
    switch line.next() {
    case .serverWins, .merge, .latest: return giveWay(to: copy, .deletion, line)
    case .localWins, .ask, .nobody: return decide(against: copy)
    }
  }

  /// The server deleted the document.
  func decideDeleted() -> Decision {
    var line = PolicyLine(policies, rounds: rounds)
    let voice = line.next()
    switch voice {
    case .serverWins, .merge, .latest: return giveWay(to: nil, .deletion, line)
    case .localWins: return Decision(.makeAgain(body: edit.body), by: .policies(line.asked))
    case .ask, .nobody: return leave(voice, with: nil, line)
    }
  }

  /// The server doesn't know the document any more, and nobody deleted it. Nobody fights about it
  /// either, so that rounds don't count.
  func decideForgotten() -> Decision {
    var line = PolicyLine(policies, rounds: 0)
    let voice = line.next()
    switch voice {
    case .serverWins: return giveWay(to: nil, .forgotten, line)
    case .localWins, .merge, .latest:
      return Decision(.makeAgain(body: edit.body), by: .policies(line.asked))
    case .ask, .nobody: return leave(voice, with: nil, line)
    }
  }

  /// Whether both sides came to the same.
  func agrees(with copy: ServerCopy) -> Bool { edit.body.hasSameContent(as: copy.value) }

  /// The edit goes, all of it.
  func giveWay(
    to copy: ServerCopy?, _ reason: DocumentLoss.Reason, _ line: PolicyLine
  ) -> Decision {
    Decision(
      copy.map { .apply($0) } ?? .remove, lost: [.whole(edit.body, .here, reason)],
      by: .policies(line.asked))
  }

  /// Leaves both for somebody to decide.
  func leave(
    _ voice: PolicyLine.Voice, with copy: ServerCopy?, _ line: PolicyLine
  ) -> Decision {
    let conflict = DocumentConflict(base: edit.base, here: edit.body, there: copy)
    return Decision(
      voice == .nobody ? .giveUp(conflict) : .park(conflict), by: .policies(line.asked))
  }
}
