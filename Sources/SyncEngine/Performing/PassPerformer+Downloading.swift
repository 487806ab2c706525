import SyncLock

extension PassPerformer {
  mutating func download(
    _ transfer: Transfer
  ) async throws -> SyncPass.Event {
    let stage = DownloadStage(
      transfer, of: downloads.items, with: tools, work: work, options: options,
      ledger: downloads.ledger, commitsEach: downloads.areCommittedEach)
    let result = try await tools.signal.interrupting { [tools] in
      await tools.makeMark().mark { await stage.run() }
    }
    downloads.ledger = result.ledger
    report.failures += result.failures
    wasEndedByWatch = result.wasEndedByWatch
    return .downloaded(result.end)
  }

  mutating func commit() async throws -> SyncPass.Event {
    let (commit, ending) = (work.store.commitDownloads, downloadsEnding)
    defer { tools.desk.passIsCommitted(downloads.ledger) }
    let failures: [ID: any Error]
    do {
      failures = try await tools.makeMark().mark { try await commit(ending) }
    } catch {
      if wasEndedByWatch {  // this is what the watch has told
        downloads.ledger.reopenWhatIsDone()
        return .committed(failures: true)
      }
      downloads.ledger.failWhatIsDone()
      throw error
    }
    let real = reopenWhatWasCutShort(in: failures)
    guard !real.isEmpty else { return .committed(failures: false) }
    noteCommitFailures(real)
    return .committed(failures: true)
  }

  /// What wasn't committed as the downloads were cut short hasn't failed. Gives the failures.
  private mutating func reopenWhatWasCutShort(in failures: [ID: any Error]) -> [ID: any Error] {
    guard downloadsEnding != .tried, !failures.isEmpty else { return failures }
    for (place, item) in downloads.items.enumerated() where failures[item.id] is CancellationError {
      downloads.ledger.reopen(place)
    }
    return failures.filter { !($0.value is CancellationError) }
  }

  private mutating func noteCommitFailures(_ failures: [ID: any Error]) {
    var others = failures
    var totals = ItemTotals(finished: 0, failed: 0, total: failures.count)
    for (place, item) in downloads.items.enumerated() {
      guard let error = others.removeValue(forKey: item.id) else { continue }
      if wasEndedByWatch {
        downloads.ledger.reopen(place)
      } else {
        downloads.ledger.fail(place)
        tools.desk.itemFailed(place, with: noteCommitFailure(item.id, error, &totals)).tell()
      }
    }
    if wasEndedByWatch { return }
    for (key, error) in others { _ = noteCommitFailure(key, error, &totals) }
  }

  private mutating func noteCommitFailure(
    _ key: ID, _ error: any Error, _ totals: inout ItemTotals
  ) -> SyncFailure<ID> {
    totals.failed += 1
    let failure = SyncFailure(stage: .commitDownloads, key: key, cause: error)
    report.failures.append(failure)
    tools.hub.publish(
      .itemFailed(ItemEvent(stage: .commitDownloads, key: key, totals: totals, error: error)))
    return failure
  }
}
