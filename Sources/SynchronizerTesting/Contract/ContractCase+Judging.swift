import OneWaySynchronizer

extension ContractCase {
  /// What must be true of every pass, however it ended.
  func judgeNotes(
    of pass: Pass, _ disturbance: Disturbance<ID>, previewedBefore: Set<ID>
  ) throws {
    let notes = pass.notes
    if let list = notes.list { try judge(list, disturbance) }
    if let (keys, held) = notes.local {
      // An item of which only the preview is held may be named, so that it can be removed.
      judge(keys.subtracting(previewedBefore.subtracting(held.keys)), against: held, disturbance)
    }
    judge(notes.naming, disturbance)
    report(.needlessRemoval, notes.toRemove.intersection(source.keys), during: disturbance)
    report(.lost, notes.lostInRemoval, during: disturbance)
    report(.notRemoved, notes.removed.intersection(pass.after.keys), during: disturbance)
    try judgePreviews(notes, disturbance)
    let unkept = notes.committed.filter { pass.after[$0] != fingerprints[$0] }
    report(.committedNotHeld, unkept, during: disturbance)
  }

  private func judge(_ list: ListNote<ID>, _ disturbance: Disturbance<ID>) throws {
    let wanted = Set(source.keys)
    report(.inventedInList, list.keys.subtracting(wanted), during: disturbance)
    var named: Set<ID> = list.kind == .complete ? wanted : []
    if case .part(let part) = form {
      let denied =
        list.kind == .complete
        ? wanted.subtracting(list.keys) : list.removed.intersection(wanted)
      try endCase(by: .partTakenForWhole, denied.subtracting(part), during: disturbance)
      named = list.kind == .partial ? part : named
    }
    report(.notInList, named.subtracting(list.keys), during: disturbance)
  }

  private func judge(_ keys: Set<ID>, against held: [ID: String], _ disturbance: Disturbance<ID>) {
    for key in inOrder(keys.union(held.keys)) {
      let isWhole = held[key].map { everServed[key, default: []].contains($0) } ?? false
      switch (keys.contains(key), held[key] != nil, isWhole) {
      case (true, false, _): report(.listedNotHeld, key, during: disturbance)
      case (true, true, false): report(.listedNotWhole, key, during: disturbance)
      case (false, true, true): report(.heldNotListed, key, during: disturbance)
      case (true, true, true), (false, true, false), (false, false, _): break
      }
    }
  }

  private func judge(_ naming: NamingNotes<ID>, _ disturbance: Disturbance<ID>) {
    report(.namedDifferently, naming.among, during: disturbance)
    report(.namedDifferentlyWithItems, naming.withItems, during: disturbance)
    if !naming.countsAgree { report(.miscounted, during: disturbance) }
    if let error = naming.errors.first { report(.namingFailed(error), during: disturbance) }
  }

  /// While previews are fetched, no content may change, but for one that becomes the source's.
  private func judgePreviews(_ notes: PassNotes<ID>, _ disturbance: Disturbance<ID>) throws {
    guard let before = notes.beforePreviews, let after = notes.afterPreviews else { return }
    let changed = differing(before, after).filter {
      after[$0] != fingerprints[$0] || after[$0] == nil
    }
    try endCase(
      by: .previewOverwrote, changed.filter { before[$0] != nil }, during: disturbance)
    try endCase(by: .previewTakenForContent, changed, during: disturbance)
  }

  /// Compares what is held after a pass with what must be.
  ///
  /// - Parameter demand: What the pass must have made of each item.
  func judge(
    _ pass: Pass, _ disturbance: Disturbance<ID> = .none,
    demand: (ID) -> ItemHistory.Demand = { _ in .renewed }
  ) {
    let leavesVanished = pass.notes.list?.kind == .partial
    for key in inOrder(Set(source.keys).union(pass.before.keys).union(pass.after.keys)) {
      var history = ItemHistory(
        before: pass.before[key], source: fingerprints[key], demand: demand(key))
      if history.source == nil, leavesVanished { history.demand = .either }
      let problem = history.problem(holding: pass.after[key])
      if let cause = problem.flatMap({ pass.notes.cause(of: $0, key) }) {
        report(cause, key, during: disturbance)
      }
    }
  }

  /// Judges a pass that had to succeed; ends the case if it didn't.
  ///
  /// - Parameter touching: The keys that may be downloaded; all if `nil`.
  func judgeClean(_ pass: Pass, touching: Set<ID>? = nil) throws {
    if case .failure(let error) = pass.result {
      reportFailure(error)
      judge(pass) { _ in .either }
      throw CaseIsOver()
    }
    judge(pass)
    if let touching { report(.needlessDownload, pass.notes.tried.subtracting(touching)) }
  }

  private func reportFailure(_ error: any Error) {
    guard let failure = (error as? SyncError<ID>)?.report.failures.first,
      failure.stage == .downloadPreviews
    else { return report(.passFailed("\(error)")) }
    report(.previewFailed("\(failure.cause)"), failure.key)
  }
}

extension ContractCase.Pass {
  /// The items that the report says failed.
  var failures: [SyncFailure<Fixture.ID>] {
    (result.error as? SyncError<Fixture.ID>)?.report.failures ?? []
  }

  var succeeded: Bool { result.error == nil }
}

extension Result {
  fileprivate var error: Failure? { if case .failure(let error) = self { error } else { nil } }
}
