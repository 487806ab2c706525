@testable import SyncEngine
import Foundation
@testable import OneWaySynchronizer
import SyncLock
import SynchronizerTesting
import TestSupport
import XCTest

/// The flag, the notification and the events.
final class ObservingTests: XCTestCase {
  func testIsSyncingIsTrueInEveryStageAndFalseForWhoeverHasJustBeenResumed() async throws {
    let (processor, synchronizer) = makeSynchronizer(["a"], local: ["gone"])
    let seen = Locked<[Bool]>([])
    let look: @Sendable () -> Void = { seen.withLock { $0.append(synchronizer.isSyncing) } }
    processor.onBegin { look() }
    processor.onContent { _ in look() }
    processor.onEnd { _ in look() }
    XCTAssertFalse(synchronizer.isSyncing)
    for _ in 0..<200 {
      try await synchronizer.sync()
      XCTAssertFalse(synchronizer.isSyncing)
    }
    XCTAssertEqual(Set(seen.withLock { $0 }), [true])
  }

  @MainActor
  func testTheNotificationIsPostedOnTheMainThreadWhenARunStartsAndEnds() async throws {
    let (_, synchronizer) = makeSynchronizer(["a"])
    let (posts, continuation) = AsyncStream<Void>.makeStream()
    let observer = NotificationCenter.default.addObserver(
      forName: .OneWaySynchronizerDidChangeSyncStatus, object: synchronizer, queue: nil
    ) { notification in
      XCTAssertTrue(Thread.isMainThread)
      XCTAssertTrue(notification.object as AnyObject === synchronizer)
      continuation.yield()
    }
    defer { NotificationCenter.default.removeObserver(observer) }
    var iterator = posts.makeAsyncIterator()
    for _ in 0..<3 {
      try await synchronizer.sync()
      for _ in 0..<2 { await iterator.next() }
    }
  }

  @MainActor
  func testOnePostComesWhenTheRunStartsAndTheOtherWhenItHasEnded() async throws {
    let (processor, synchronizer) = makeSynchronizer(["a"])
    let flags = Locked<[Bool]>([])
    let (posts, continuation) = AsyncStream<Void>.makeStream()
    let observer = NotificationCenter.default.addObserver(
      forName: .OneWaySynchronizerDidChangeSyncStatus, object: synchronizer, queue: nil
    ) { _ in
      flags.withLock { $0.append(synchronizer.isSyncing) }
      continuation.yield()
    }
    defer { NotificationCenter.default.removeObserver(observer) }
    var iterator = posts.makeAsyncIterator()
    let (hold, run) = try await processor.held(.fetch, during: await synchronizer.sync())
    await iterator.next()
    XCTAssertEqual(flags.withLock { $0 }, [true], "the start is told while the run is under way")
    hold.release()
    _ = try await run.value
    await iterator.next()
    XCTAssertEqual(flags.withLock { $0 }, [true, false])
  }

  func testNoStageWaitsForTheMainThread() async throws {
    let synchronizer = Synchronizer(processor: TestProcessor(["a"]))
    let isDone = DispatchSemaphore(value: 0)
    let isBlocked = DispatchSemaphore(value: 0)
    DispatchQueue.main.async {
      isBlocked.signal()
      isDone.wait()  // nobody gets the main thread until the run has ended
    }
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        isBlocked.wait()
        continuation.resume()
      }
    }
    try await synchronizer.sync()
    isDone.signal()
  }

  func testTwoTasksCanReadOneStream() async throws {
    let synchronizer = Synchronizer(processor: TestProcessor(["a"]))
    let events = synchronizer.events
    let counts = Locked(0)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<2 {
        group.addTask {
          for await event in events {
            counts.withLock { $0 += 1 }
            if case .runEnded = event { return }
          }
        }
      }
      try await synchronizer.sync()
      try await group.next()
      group.cancelAll()
    }
    XCTAssertGreaterThan(counts.withLock { $0 }, 10)
  }

  func testEventsComeInOrderWithRunningTotals() async throws {
    let processor = TestProcessor(["a", "bad"], local: ["gone"])
    processor.fail(.content("bad"), with: Refused(reason: "no"))
    let one = options { ($0.concurrency, $0.stopOnError) = (1, false) }
    let synchronizer = Synchronizer(processor: processor, options: one)
    let recorder = EventRecorder(synchronizer.events)
    _ = try await synchronizer.syncError()
    await assertEqual(
      recorder.eventsUntilRunEnd().map(\.description),
      [
        "run 1 started", "pass 1 started", "stage begin", "stage fetchSourceList",
        "stage localKeys", "stage removeLocalItems", "stage itemsToUpdate",
        "stage prepareDownload", "plan: remove 1, update 0, download 2",
        "stage downloadContents", "downloadContents a started (0 of 2)",
        "downloadContents a finished (1 of 2)", "downloadContents bad started (1 of 2)",
        "downloadContents bad failed (2 of 2, 1 failed): Refused(reason: \"no\")",
        "stage commitDownloads", "stage end",
        "pass ended: failed; downloadContents of bad failed: Refused(reason: \"no\")",
        "run ended: failed, passes: 1",
      ])
  }

  func testWhatFinishedHasSucceededAndTheEndOfARunHasItsNumber() async throws {
    let processor = TestProcessor(["bad", "a", "b"])
    processor.fail(.content("bad"), with: Refused(), times: 1)
    let going = options { ($0.concurrency, $0.stopOnError) = (1, false) }
    let synchronizer = Synchronizer(processor: processor, options: going)
    let events = synchronizer.events
    for _ in 0..<2 { _ = try? await synchronizer.sync() }
    var totals: [[Int]] = []
    var numbers: [Int] = []
    for await event in events {
      switch event {
      case .itemFinished(let item), .itemFailed(let item):
        totals.append([item.totals.finished, item.totals.failed, item.totals.ended])
      case .runEnded(let number, _): numbers.append(number)
      default: break
      }
      if numbers.count == 2 { break }
    }
    XCTAssertEqual(totals, [[0, 1, 1], [1, 1, 2], [2, 1, 3], [1, 0, 1]])
    XCTAssertEqual(numbers, [1, 2])
  }

  func testEverySubscriberGetsAllBoundaryEventsAndASlowOneNeverSlowsTheSync() async throws {
    let (_, synchronizer) = makeSynchronizer((0..<2_000).map { TestItem("\($0)") })
    let slow = EventRecorder(synchronizer.events)
    let second = EventRecorder(synchronizer.events)
    // Nobody reads while it runs.
    try await synchronizer.sync()
    for recorder in [slow, second] {
      let events = await recorder.eventsUntilRunEnd()
      XCTAssertEqual(events.first, .runStarted(1))
      XCTAssertEqual(events.last, .runSucceeded(passes: 1))
      let items = events.count { $0.isItemEvent }
      let dropped = events.reduce(0) { sum, event in
        if case .itemEventsDropped(let count) = event { sum + count } else { sum }
      }
      XCTAssertEqual(items, 256)
      XCTAssertEqual(items + dropped, 4_000, "what was dropped is counted")
      XCTAssertEqual(
        events.filter { !$0.isItemEvent }.count { if case .stage = $0 { true } else { false } }, 8)
    }
  }

  func testASubscriberWhoNeverReadsGetsAnOverflowAndTheEndOfTheStream() async throws {
    let synchronizer = Synchronizer(processor: TestProcessor([]))
    let recorder = EventRecorder(synchronizer.events)
    for _ in 0..<200 { try await synchronizer.sync() }
    let events = await recorder.events { _ in false }
    XCTAssertEqual(events.count, 1_025)
    XCTAssertEqual(events.last, .overflowed)
  }

  func testASubscriberThatLeavesIsForgotten() async throws {
    let synchronizer = Synchronizer(processor: TestProcessor(["a"]))
    var recorder: EventRecorder? = EventRecorder(synchronizer.events)
    XCTAssertTrue(synchronizer.hub.isObserved)
    _ = recorder
    recorder = nil
    XCTAssertFalse(synchronizer.hub.isObserved)
    try await synchronizer.sync()
  }
}
