import SyncLock
import OneWaySynchronizer
import SynchronizerTesting

@testable import DocumentSync

/// A replica of nothing: its passes tell the schedule that they begin and end.
final class ScheduledProcessor: SyncProcessor {
  struct Item: SyncItem { let id: Int }

  let scheduler = Locked<SyncScheduler?>(nil)
  /// What each pass was for; `nil` for one that did nothing.
  let passes = Locked<[[SyncReason]?]>([])
  /// Where a pass waits that does something.
  let gate = Gate(open: true)
  /// For how long the server isn't to be asked after a pass that trouble kept from its work.
  let rest = Locked<Duration?>(nil)
  /// What the server's answer shows.
  let sign = Locked(Connectivity.Sign.answered)

  func syncWillBegin() async throws {
    let scheduler = scheduler.withLock { $0 }
    do {
      let occasion = try await scheduler?.syncBegins()
      passes.withLock { $0.append(occasion?.reasons) }
      guard occasion != nil else { return }
      try await gate.wait()
      let sign = sign.withLock { $0 }
      scheduler?.showed(sign)
      if sign != .answered { throw EndpointError(.unreachable) }
    } catch {
      await scheduler?.syncEnded(error)
      throw error
    }
  }

  func fetchSourceList() async throws -> SourceList<Item> { .unchanged }
  func localKeys() async throws -> Set<Int> { [] }
  func removeLocalItems(_ keys: Set<Int>) async throws {}
  func shouldUpdate(_ item: Item) async throws -> Bool { false }
  func downloadContent(of item: Item) async throws {}
  func syncDidEnd(_ report: PassReport<Int>) async {
    await scheduler.withLock { $0 }?.syncEnded(nil, restingFor: rest.withLock { $0 })
  }
}

/// A schedule over the real engine, by a clock that stands still until it's moved.
struct ScheduleRig: Sendable {
  let clock = ManualClock()
  let processor = ScheduledProcessor()
  let synchronizer: Synchronizer<ScheduledProcessor>
  let scheduler: SyncScheduler

  init(account: Account? = nil, every interval: Duration? = nil) {
    let synchronizer = Synchronizer(processor: processor, clock: clock)
    let engine = ScheduledSyncs(
      request: { synchronizer.requestSync() }, sync: { _ = try await synchronizer.sync() })
    let scheduler = SyncScheduler(
      engine, account: account, every: interval, clock: clock,
      random: { 1 })
    processor.scheduler.withLock { $0 = scheduler }
    (self.synchronizer, self.scheduler) = (synchronizer, scheduler)
  }

  var passes: [[SyncReason]?] { processor.passes.withLock { $0 } }

  /// Waits until a sync waits for the schedule to be free.
  func waiting() async {
    while scheduler.state.waiterCount == 0 { await Task.yield() }
  }

  /// Runs the schedule while `body` does.
  func running(_ body: @Sendable () async throws -> Void) async throws {
    try await withThrowingTaskGroup { [scheduler] group in
      group.addTask { await scheduler.run() }
      try await clock.sleepers(atLeast: 1)
      try await body()
      await scheduler.stop()
      try await group.waitForAll()
    }
  }

  /// Moves the clock, and waits until so many passes have ended in all.
  func advance(by length: Duration, passes count: Int) async throws {
    clock.advance(by: length)
    for await isActive in scheduler.activity
    where !isActive && passes.compactMap({ $0 }).count >= count {
      return
    }
  }
}
