/// An edit that meets a change by somebody else, and the policies that are to decide.
struct ConflictResolution {
  let edit: LocalEdit
  let policies: [ConflictPolicy]
  /// How many rounds the edit has taken.
  let rounds: Int
  let mergers: [DocumentPath: MemberMerger]

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

extension ConflictResolution {
  /// Unites both changes. The members in which they clash go to the next policy in line.
  func merge(with copy: ServerCopy, _ line: PolicyLine) -> Decision {
    let plain = threeWay(copy) { _ in .there }
    guard !plain.clashes.isEmpty else {
      let isAgreed = agrees(with: copy) && plain.value == copy.value
      return Decision(
        edit.step(for: plain.value, with: copy), by: isAgreed ? .agreement : .policies(line.asked))
    }
    var line = line
    var voice = line.next()
    while voice == .merge { voice = line.next() }  // It has said what it had to say.
    switch voice {
    case .ask, .nobody: return leave(voice, with: copy, line)
    case .localWins: return merge(with: copy, line, by: .localWins) { _ in .here }
    case .latest: return merge(with: copy, line, by: .latest) { later($0, copy) }
    case .serverWins, .merge: return merge(with: copy, line, by: .serverWins) { _ in .there }
    }
  }

  private func merge(
    with copy: ServerCopy, _ line: PolicyLine, by name: ConflictPolicy.Name,
    winner: @escaping (MemberClash) -> MergeSide
  ) -> Decision {
    let merge = threeWay(copy, winner: winner)
    let lost = merge.clashes.map { clash in
      let side = winner(clash).other
      return DocumentLoss(
        path: clash.path, value: clash.value(side), side: side, reason: .policy(name))
    }
    return Decision(edit.step(for: merge.value, with: copy), lost: lost, by: .policies(line.asked))
  }

  private func threeWay(
    _ copy: ServerCopy, winner: @escaping (MemberClash) -> MergeSide
  ) -> ThreeWayMerge {
    ThreeWayMerge(
      base: edit.base?.value, here: edit.body, there: copy.value, mergers: mergers, winner: winner)
  }

  /// Who changed the top-level member last in which both clash.
  private func later(_ clash: MemberClash, _ copy: ServerCopy) -> MergeSide {
    guard let name = clash.path.names.first else { return .there }
    return LatestMerge.winner(
      of: name, base: edit.base?.timed, here: edit.timed, there: copy.timed)
  }

  /// Takes the latest change of each member. What gave way is lost if it was a change at all.
  func takeLatest(with copy: ServerCopy, _ line: PolicyLine) -> Decision {
    guard edit.body.isObject, copy.value.isObject else {
      return giveWay(to: copy, .policy(.latest), line)  // Only an object has members.
    }
    let merge = LatestMerge(base: edit.base?.timed, here: edit.timed, there: copy.timed)
    let changed = merge.overruled.filter { edit.base?.value[$0.name] != $0.value }
    let lost = changed.map {
      DocumentLoss(
        path: DocumentPath(names: [$0.name]), value: $0.value, side: $0.side,
        reason: .policy(.latest))
    }
    return Decision(edit.step(for: merge.value, with: copy), lost: lost, by: .policies(line.asked))
  }
}
