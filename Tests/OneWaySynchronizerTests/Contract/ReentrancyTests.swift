import Foundation
import OneWaySynchronizer
import SynchronizerTesting
import TestSupport
import XCTest

/// Who would wait for itself is told so.
final class ReentrancyTests: XCTestCase {
  private typealias Stage =
    @Sendable (TestProcessor, @escaping @Sendable () async throws -> Void) -> Void

  /// Each way into a processor from which somebody might ask again.
  private let stages: [(name: String, set: Stage)] = [
    ("begin", { $0.onBegin($1) }),
    ("fetch", { $0.onFetch(ReentrancyTests.then(.complete(["a"]), $1)) }),
    ("localKeys", { $0.onLocalKeys(ReentrancyTests.then(["gone"], $1)) }),
    ("remove", { processor, body in processor.onRemove { _ in try await body() } }),
    (
      "itemsToUpdate",
      { processor, body in
        processor.onItemsToUpdate { _ in
          try await body(); return []
        }
      }
    ),
    (
      "prepare",
      { processor, body in
        processor.onPrepare {
          try await body(); return $0
        }
      }
    ),
    ("content", { processor, body in processor.onContent { _ in try await body() } }),
    ("commit", { $0.onCommit(ReentrancyTests.then([:], $1)) }),
    ("watch", { $0.onWatch($1) }),
    ("end", { processor, body in processor.onEnd { _ in try? await body() } }),
  ]

  private static func then<Value: Sendable>(
    _ value: Value, _ body: @escaping @Sendable () async throws -> Void
  ) -> @Sendable () async throws -> Value {
    {
      try await body()
      return value
    }
  }

  func testSyncAwaitedFromWithinAnyStageIsRefusedAtOnce() async throws {
    for (name, set) in stages {
      let (processor, synchronizer) = makeSynchronizer(["a"], local: ["gone"])
      let refusals = Watch()
      set(processor) {
        do { try await synchronizer.sync() } catch let error as TestError {
          if error.code == .reentrant, error.report.passes.isEmpty { refusals.call() }
        }
      }
      try await synchronizer.sync()
      XCTAssertEqual(refusals.count, 1, name)
    }
  }

  func testPlanAndEnsureAreRefusedToo() async throws {
    let (processor, synchronizer) = makeSynchronizer(["a"])
    let refusals = Watch()
    processor.onFetch {
      do { try await synchronizer.ensure("a") } catch let error as TestError {
        if error.code == .reentrant { refusals.call() }
      }
      do { _ = try await synchronizer.plan() } catch let error as TestError {
        if error.code == .reentrant { refusals.call() }
      }
      return .complete(["a"])
    }
    try await synchronizer.sync()
    XCTAssertEqual(refusals.count, 2)
  }

  func testTheMarkReachesChildTasksAndTheMessageNamesTheWay() async throws {
    let (processor, synchronizer) = makeSynchronizer(["a"])
    processor.onContent { _ in
      async let child = synchronizer.sync()
      _ = try await child
    }
    let error = try await synchronizer.syncError()
    let cause = try XCTUnwrap(error.report.failures.first?.cause as? TestError)
    XCTAssertEqual(cause.code, .reentrant)
    XCTAssertTrue("\(cause)".contains("requestSync()"), "\(cause)")
  }

  private typealias Call = @Sendable (Synchronizer<TestProcessor>) async throws -> Void

  func testTheErrorNamesTheCallAndEndsOnce() async throws {
    let calls: [(name: String, call: Call)] = [
      ("sync()", { try await $0.sync() }), ("plan()", { _ = try await $0.plan() }),
      ("ensure(_:)", { try await $0.ensure("a") }), ("drain()", { try await $0.drain() }),
    ]
    for (name, call) in calls {
      let (processor, synchronizer) = makeSynchronizer(["a"])
      processor.onContent { _ in try await call(synchronizer) }
      let error = try await synchronizer.syncError()
      let sentences = ["\(error)", error.localizedDescription]
      for sentence in sentences {
        XCTAssertTrue(sentence.contains("A processor awaited \(name) of "), sentence)
        XCTAssertFalse(sentence.contains(".."), sentence)
      }
    }
  }

  func testATaskThatOutlivesItsStageMayAsk() async throws {
    let (processor, synchronizer) = makeSynchronizer(["a"])
    let gate = Gate()
    let (tasks, sink) = AsyncStream<Task<Int, any Error>>.makeStream()
    processor.onFetch {
      sink.yield(
        Task {
          try await gate.wait()
          return try await synchronizer.sync().passes.count
        })
      sink.finish()
      return .complete(["a"])
    }
    try await synchronizer.sync()
    processor.onFetch { .complete(["a"]) }
    gate.open()
    for await task in tasks { try await assertEqual(task.value, 1) }
  }

  func testARequestFromWithinAStageIsServedAfterwards() async throws {
    let clock = ManualClock()
    let (processor, synchronizer) = makeSynchronizer(["a"], clock: clock)
    processor.onContent { _ in synchronizer.requestSync() }
    try await synchronizer.sync()
    try await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(2))
    try await processor.ended(.end, times: 2)
  }

  func testOneSynchronizerMayAwaitAnotherButNotInACircle() async throws {
    let outer = TestProcessor(["a"])
    let inner = TestProcessor(["b"])
    let first = Synchronizer(processor: outer)
    let second = Synchronizer(processor: inner)
    let refusals = Watch()
    outer.onContent { _ in try await second.sync() }
    inner.onContent { _ in
      do { try await first.sync() } catch let error as TestError {
        if error.code == .reentrant { refusals.call() }
      }
    }
    try await assertEqual(first.sync().counts.downloaded, 1)
    XCTAssertEqual(Set(inner.local.keys), ["b"])
    XCTAssertEqual(refusals.count, 1, "A → B → A would wait for itself")
  }

  func testACircleThroughARunThatSomebodyElseBeganIsSeen() async throws {
    let outer = TestProcessor(["a"])
    let inner = TestProcessor(["b"])
    let first = Synchronizer(processor: outer)
    let second = Synchronizer(processor: inner)
    let (hold, stranger) = try await inner.held(.fetch, during: await second.sync())
    outer.onContent { _ in try await second.sync() }  // waits for the pass after this one
    let refusals = Watch()
    inner.onContent { _ in
      do { try await first.sync() } catch let error as TestError {
        if error.code == .reentrant { refusals.call() }
      }
    }
    let run = try await second.caller(2, makes: await first.sync())
    hold.release()
    _ = try await (stranger.value, run.value)
    XCTAssertEqual(refusals.count, 1)
  }
}
