extension Dispute {
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
        path: MemberPath($0.name), value: $0.value, side: $0.side, reason: .policy(.latest))
    }
    return Decision(edit.step(for: merge.value, with: copy), lost: lost, by: .policies(line.asked))
  }
}
