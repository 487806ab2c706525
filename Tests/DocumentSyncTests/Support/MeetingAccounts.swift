@testable import DocumentSync

extension Meeting {
  /// What is left for somebody to decide, once the decision is carried out.
  ///
  /// Whatever the server says takes the place of what it said before: where it brings no conflict,
  /// an earlier one is over, also if there is nothing to do. Else somebody could decide for a copy
  /// that the server has no more.
  func conflict(after decision: Decision) -> DocumentConflict? {
    switch decision.step {
    case .park(let conflict), .giveUp(let conflict): conflict
    case .nothing, .acknowledge, .apply, .remove, .rebase, .settle, .makeAgain, .keepTombstone,
      .dropTombstone:
      nil
    }
  }

  /// What a decision lets vanish: changes of one side that are neither in what comes of it, nor
  /// told as lost, nor left beside each other for somebody to decide. Nothing, if all is well.
  func vanished(by decision: Decision) -> [String] {
    let (base, body, theirs) = sides
    let result: DocumentValue?
    switch decision.step {
    case .park(let conflict), .giveUp(let conflict):
      return conflict.here == body && conflict.there == theirs ? [] : ["a side of the conflict"]
    case .nothing, .remove, .keepTombstone, .dropTombstone: result = nil
    case .acknowledge(let copy), .apply(let copy), .settle(let copy): result = copy.value
    case .rebase(_, let body), .makeAgain(let body): result = body
    }
    if decision.step == .nothing { return [] }
    var missing = Self.missing(.here, body, since: base?.value, in: result, decision.lost)
    if let theirs, !isOwn(theirs.value) {
      missing += Self.missing(.there, theirs.value, since: base?.value, in: result, decision.lost)
    }
    return missing
  }

  private var sides: (base: ServerCopy?, body: DocumentValue?, theirs: ServerCopy?) {
    let theirs = there.copy
    return switch here {
    case .nothing: (nil, nil, theirs)
    case .synced(let base): (base, nil, theirs)
    case .created(let body, _): (nil, body, theirs)
    case .edited(let base, let body, _): (base, body, theirs)
    case .deleted(let base, _): (base, nil, theirs)
    }
  }

  private func isOwn(_ value: DocumentValue) -> Bool {
    switch here {
    case .nothing, .synced: false
    case .created(_, let sent), .edited(_, _, let sent), .deleted(_, let sent): sent.contain(value)
    }
  }

  private static func missing(
    _ side: MergeSide, _ value: DocumentValue?, since base: DocumentValue?,
    in result: DocumentValue?, _ lost: [DocumentLoss]
  ) -> [String] {
    guard let value = value?.withoutTimes else { return [] }
    return value.changes(since: base?.withoutTimes).filter { path in
      guard result?[path] != value[path] else { return false }
      return !lost.contains { loss in
        let inside = DocumentPath(names: Array(path.names.dropFirst(loss.path.names.count)))
        return loss.side == side && loss.path.contains(path)
          && loss.value?[inside] == value[path]
      }
    }.map { "\($0) of \(side)" }
  }
}
