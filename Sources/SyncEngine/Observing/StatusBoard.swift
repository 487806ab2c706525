import SyncLock

/// Keeps the newest status and gives it to any number of readers, each of which sees the newest
/// when it looks: who reads slowly skips what lay between.
final class StatusBoard: Sendable {
  /// What people are told of an error.
  typealias Wording = @Sendable (any Error) -> String

  private let status = Locked(SyncStatus())
  private let readers = StreamHub<NewestStatus>()
  /// Told when the first reader comes, and when the last one is gone.
  private let observers: ObserverCount
  private let wording: Wording

  init(_ observers: ObserverCount, wording: @escaping Wording) {
    self.observers = observers
    self.wording = wording
  }

  var current: SyncStatus { status.withLock { $0 } }

  /// Takes an event in and lays the status before the readers; tell those that it returns when no
  /// lock is held.
  func put<ID>(_ event: SyncEvent<ID>) -> Wakeups {
    // Outside the lock, since the error's own code is called.
    let message: String? =
      if case .runEnded(_, .failure(let error)) = event { wording(error) } else { nil }
    return status.withLock { status in
      status.apply(event, message: message)
      return readers.put(status)
    }
  }

  /// A call is stuck, or none is any more. Tell those that it returns when no lock is held.
  func put(stuckStage: SyncStage?) -> Wakeups {
    status.withLock { status in
      status.stuckStage = stuckStage
      return readers.put(status)
    }
  }

  /// A pass is about to tell its plan: so many items are downloaded in each of these stages.
  func expect(items: Int, in stages: [SyncStage]) {
    status.withLock { $0.tally.expect(items: items, in: stages) }
  }

  /// The present status, then each newer one.
  func subscribe() -> AsyncStream<SyncStatus> {
    observers.add(1)
    return status.withLock { status in
      readers.stream(NewestStatus(status)) { [observers] in observers.add(-1) }
    }
  }
}

/// The status that a reader hasn't seen yet.
private struct NewestStatus: Backlog {
  /// The number of the first run that the reader sees anything of.
  private let firstRun: Int
  private var unread: SyncStatus?

  init(_ status: SyncStatus) {
    firstRun = status.run + (status.isSyncing ? 0 : 1)
    append(status)
  }

  var isClosed: Bool { false }

  mutating func append(_ status: SyncStatus) {
    unread = status
    unread?.firstRunOfReader = firstRun
  }

  mutating func popFirst() -> SyncStatus? {
    defer { unread = nil }
    return unread
  }
}
