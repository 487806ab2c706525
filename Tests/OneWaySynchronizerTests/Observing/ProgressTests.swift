@testable import SyncEngine
import Foundation
@testable import OneWaySynchronizer
import SyncLock
import SynchronizerTesting
import TestSupport
import XCTest

/// A run as a `Progress`: how far it is, and whom cancelling it cancels.
final class ProgressTests: XCTestCase {
  func testAProgressFollowsTheRunAndCancelsIt() async throws {
    let processor = TestProcessor((0..<4).map { TestItem("\($0)") })
    let synchronizer = Synchronizer(processor: processor, options: options { $0.concurrency = 1 })
    let progress = synchronizer.progress()
    XCTAssertTrue(progress.isIndeterminate)
    let (_, run) = try await processor.held(.content("2"), during: await synchronizer.syncError())
    await eventually("it says two of four") {
      progress.completedUnitCount == 2 && progress.totalUnitCount == 4
    }
    progress.cancel()
    try await assertEqual(run.value.code, .cancelled)
    await eventually("it is finished") { progress.isFinished }
  }

  func testAProgressNeverGoesBackNotEvenWhileItemsAreCommitted() async throws {
    let processor = TestProcessor((0..<4).map { TestItem("\($0)") })
    let both = options { ($0.concurrency, $0.downloadPreview) = (1, true) }
    let synchronizer = Synchronizer(processor: processor, options: both)
    let (content, commit) = (processor.hold(.content("2")), processor.hold(.commit))
    let (statuses, progress) = (synchronizer.status, Progress(totalUnitCount: -1))
    async let run = synchronizer.sync()
    var last = 0.0
    for await status in statuses {
      let isOver = progress.take(status, of: 1)
      XCTAssertGreaterThanOrEqual(progress.fractionCompleted, last, "\(status)")
      last = progress.fractionCompleted
      if status.isSyncing { XCTAssertEqual(status.fraction ?? 0, last, "\(status)") }
      if status.stage == .downloadContents, status.totals?.finished == 2 {
        XCTAssertEqual(last, 0.75, "four previews and two contents of eight")
        content.release()
      }
      if status.stage == .commitDownloads {
        XCTAssertEqual(last, 1)
        commit.release()
      }
      if isOver { break }
    }
    _ = try await run
    XCTAssertTrue(progress.isFinished)
  }

  func testAProgressNoticesARunThatWasOverBeforeItLooked() async throws {
    for _ in 0..<50 {
      let synchronizer = Synchronizer(processor: TestProcessor(["a"]))
      try await synchronizer.sync()
      let progress = synchronizer.progress()
      try await synchronizer.sync()
      await eventually("it is finished") { progress.isFinished }
    }
  }

  func testAProgressThatIsLetGoOfLeavesNothingBehind() async throws {
    let synchronizer = Synchronizer(processor: TestProcessor(["a"]))
    var progress: Progress? = synchronizer.progress()
    XCTAssertTrue(synchronizer.hub.isObserved)
    weak let released = progress
    progress = nil
    await eventually("nobody reads the status") { !synchronizer.hub.isObserved }
    XCTAssertNil(released)
  }

  private func nextRunIsCancelled(_ synchronizer: Synchronizer<TestProcessor>) async {
    await eventually("it is told") { synchronizer.state.withLock { $0.isNextRunCancelled } }
  }

  /// A progress that stayed on the screen after its run cancelled the run after that.
  func testAProgressCancelsItsOwnRunAndNoOther() async throws {
    let (processor, synchronizer) = makeSynchronizer(["a"])
    let first = synchronizer.progress()
    try await synchronizer.sync()
    let (hold, run) = try await processor.held(.fetch, during: await synchronizer.sync())
    first.cancel()
    synchronizer.cancel(run: 1)
    synchronizer.cancel(run: 3)
    hold.release()
    try await assertEqual(run.value.passes.map(\.outcome), [.succeeded])
    await eventually("the first is finished") { first.isFinished }
    try await synchronizer.sync()
  }

  func testCancelledBeforeItsRunBeginsItCancelsThatRunAndNoMethodIsCalled() async throws {
    let (processor, synchronizer) = makeSynchronizer(["a"])
    try await synchronizer.sync()
    let calls = processor.calls
    let progress = synchronizer.progress()  // the status may not know yet that the run has ended
    progress.cancel()
    await nextRunIsCancelled(synchronizer)
    try await assertEqual(synchronizer.syncError().code, .cancelled)
    XCTAssertEqual(processor.calls, calls)
    await eventually("it is finished") { progress.isFinished }
    try await synchronizer.sync()
  }

  func testARunThatIsAboutToBeginIsCancelledToo() async throws {
    let executor = LateExecutor()
    let processor = TestProcessor(["a"])
    let synchronizer = Synchronizer(
      processor: processor, options: SyncOptions(), executor: executor)
    let run = try await synchronizer.caller(1, makes: await synchronizer.syncError())
    synchronizer.progress().cancel()
    await nextRunIsCancelled(synchronizer)
    executor.letGo()
    try await assertEqual(run.value.code, .cancelled)
    XCTAssertEqual(processor.calls, [])
  }

  func testARequestMadeMeanwhileOutlivesTheRunThatIsCancelled() async throws {
    let clock = ManualClock()
    let (processor, synchronizer) = makeSynchronizer(["a"], clock: clock)
    let (_, run) = try await processor.held(.fetch, during: await synchronizer.syncError())
    synchronizer.requestSync()
    synchronizer.progress().cancel()
    try await assertEqual(run.value.code, .cancelled)
    try await clock.sleepers(atLeast: 1)
    let requested = synchronizer.progress()
    let events = EventRecorder(synchronizer.events)
    requested.cancel()
    await nextRunIsCancelled(synchronizer)
    clock.advance(by: .seconds(2))
    await assertEqual(
      events.events { $0.isRunEnd }.suffix(2), [.runStarted(2), .runFailed(.cancelled, passes: 0)])
  }

  func testTheProgressOfAStandInCancelsItUntilTheRunHasEnded() async throws {
    let standIn = StandIn()
    let progress = standIn.progress()
    progress.cancel()
    _ = try await standIn.cancels.wait { $0 == 1 ? true : nil }
    for isSyncing in [true, false] {
      var status = SyncStatus()
      (status.run, status.isSyncing) = (1, isSyncing)
      standIn.source.continuation.yield(status)
    }
    await eventually("it is finished") { progress.isFinished }
    progress.cancel()
    XCTAssertEqual(standIn.cancels.state, 1)
  }
}

/// A stand-in for a synchronizer whose runs have no numbers that it could cancel by.
private final class StandIn: Syncing {
  let source = AsyncStream<SyncStatus>.makeStream()
  let cancels = Watched(0)
  let isSyncing = false

  func sync() async throws {}
  func requestSync() {}
  func cancel() { cancels.change { $0 += 1 } }
  var status: AsyncStream<SyncStatus> { source.stream }
}
