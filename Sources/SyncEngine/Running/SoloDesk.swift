import SyncLock

/// Remembers how the only item of a pass fares.
final class SoloDesk<Item: SyncItem>: PassDesk {
  typealias ID = Item.ID

  private let key: ID
  private let state = Locked(State())

  private struct State {
    var standing: SeekerBook<ID>.Standing?
    var failure: SyncFailure<ID>?
    var isDone = false
  }

  init(_ key: ID) {
    self.key = key
  }

  var soughtKeys: Set<ID> { [key] }
  func listFailed() -> Set<ID> { [] }
  func found(held: Set<ID>) {}

  func passIsPlanned(_ lookup: PassLookup<Item>) {
    let standing = lookup.standing(of: key)
    state.withLock { $0.standing = standing }
  }

  func downloadsBegin(on board: DownloadBoard) {}
  func itemArrived(_ place: Int) {}

  func itemFailed(_ place: Int, with failure: SyncFailure<ID>) -> Wakeups {
    state.withLock { state in
      if state.standing == .download(place) { state.failure = failure }
    }
    return Wakeups()
  }

  func passIsCommitted(_ ledger: ItemLedger) {
    state.withLock { state in
      if case .download(let place) = state.standing { state.isDone = ledger.isDone(place) }
    }
  }

  func passCloses(well: Bool) {}

  /// What came of it, once the pass has ended with this report.
  func result(of report: PassReport<ID>?) -> Result<EnsuredItem, any Error> {
    let (standing, failure, isDone) = state.withLock { ($0.standing, $0.failure, $0.isDone) }
    if standing == .current || isDone { return .success(.current) }
    if let failure { return .failure(failure) }
    let code: SyncError<ID>.Code =
      switch (report?.outcome, standing) {
      case (nil, _), (.cancelled, _): .cancelled
      case (.succeeded, .notListed), (.succeeded, .unknown): .notListed(key)
      case (.succeeded, _): .leftOut(key)
      default: .failed
      }
    return .failure(SyncError(code: code, report: SyncReport(passes: report.map { [$0] } ?? [])))
  }
}
