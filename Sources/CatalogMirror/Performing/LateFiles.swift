import SyncFetching
import SyncFolder
import SyncLock
import SyncText

/// What came of a request for an item.
enum Arrival: Sendable {
  /// Its bytes are in the staging area: those of this state.
  case staged(MirrorItem, Staged, ByteAnswer)
  /// The server said that what is held is right.
  case confirmed(MirrorItem)
}

/// Files that were fetched and wait until everything else is in its place.
///
/// One that was fetched ahead is handed on to its download, which then fetches nothing.
final class LateFiles: Sendable {
  private struct State {
    var waiting: [Placement<CommitRecord>] = []
    var ahead: [CatalogKey: Result<Arrival, any Error>] = [:]
  }

  private let staging: Staging
  private let state = Locked(State())

  init(_ staging: Staging) {
    self.staging = staging
  }

  /// What came of each item that was fetched before the rest was listed.
  var ahead: [CatalogKey: Result<Arrival, any Error>] { state.withLock { $0.ahead } }

  /// Keeps what came of an item, in place of what came of it before.
  func keep(_ outcome: Result<Arrival, any Error>, of key: CatalogKey) {
    let before = state.withLock { state in
      defer { state.ahead[key] = outcome }
      return state.ahead[key]
    }
    discard(before)
  }

  /// Lets go of what was fetched ahead and isn't one of these.
  func keepAhead(only keys: Set<CatalogKey>) {
    let dropped = state.withLock { state in
      defer { state.ahead = state.ahead.filter { keys.contains($0.key) } }
      return state.ahead.filter { !keys.contains($0.key) }
    }
    discard(dropped)
  }

  /// What came of an item ahead; asked for once.
  func takeAhead(of key: CatalogKey) -> Result<Arrival, any Error>? {
    state.withLock { $0.ahead.removeValue(forKey: key) }
  }

  /// Takes over a file that is to be placed late.
  func add(_ placement: Placement<CommitRecord>) {
    state.withLock { $0.waiting.append(placement) }
  }

  /// The files to be placed, in the order of `rank` and of their keys; asked for once.
  func take(by rank: (CatalogKey) -> Int) -> [Placement<CommitRecord>] {
    let waiting = state.withLock { state in
      defer { state.waiting = [] }
      return state.waiting
    }
    return waiting.map { (rank($0.payload.entry.key), $0) }
      .sorted { ($0.0, $0.1.payload.entry.key) < ($1.0, $1.1.payload.entry.key) }
      .map(\.1)
  }

  /// Removes all files that wait.
  ///
  /// - Returns: whose they were.
  @discardableResult
  func discardAll() -> [MirrorItem.ID] {
    let (waiting, ahead) = state.withLock { state in
      defer { state = State() }
      return (state.waiting, state.ahead)
    }
    for placement in waiting { staging.discard(placement.staged) }
    discard(ahead)
    return waiting.map(\.payload.id)
  }

  /// In their order, so that a simulation can repeat it.
  private func discard(_ outcomes: [CatalogKey: Result<Arrival, any Error>]) {
    for (_, outcome) in outcomes.sorted(by: { $0.key < $1.key }) { discard(outcome) }
  }

  private func discard(_ outcome: Result<Arrival, any Error>?) {
    if case .success(.staged(_, let staged, _))? = outcome { staging.discard(staged) }
  }
}
