import OneWaySynchronizer
import SynchronizerTesting
import TestSupport
import XCTest

final class HoldTests: XCTestCase {
  private struct Refused: Error {}

  func testAHeldCallStaysUntilItIsReleased() async throws {
    let processor = ScriptedProcessor(["a", "b", "c"])
    let holds = ["a", "b", "c"].map { processor.hold(.content($0)) }
    let synchronizer = Synchronizer(processor: processor)
    synchronizer.options.concurrency = 3
    async let report = synchronizer.sync()
    for hold in holds { try await hold.reached() }
    XCTAssertEqual(processor.inFlight, 3)
    holds[2].release()
    try await processor.ended(.content("c"))
    XCTAssertEqual(processor.inFlight, 2)
    XCTAssertEqual(processor.local.keys.sorted(), ["c"])
    for hold in holds { hold.release() }
    try await assertEqual(report.passes.first?.counts.downloaded, 3)
    XCTAssertEqual(processor.maxInFlight, 3)
  }

  func testAHoldReleasedBeforeItIsReachedHoldsNothing() async throws {
    let processor = ScriptedProcessor(["a"])
    processor.hold(.fetch).release()
    try await Synchronizer(processor: processor).sync()
    XCTAssertEqual(processor.local.keys.sorted(), ["a"])
  }

  func testAHeldCallCanBeMadeToFail() async throws {
    let processor = ScriptedProcessor(["a"], local: ["gone"])
    let hold = processor.hold(.fetch)
    async let result = Result { try await Synchronizer(processor: processor).sync() }
    try await hold.reached()
    hold.fail(Refused())
    let ended = await result
    XCTAssertThrowsError(try ended.get())
    XCTAssertEqual(processor.local.keys.sorted(), ["gone"])
  }

  func testAHeldCallEndsWithItsTasksCancellation() async throws {
    let processor = ScriptedProcessor(["a"])
    let hold = processor.hold(.content("a"))
    let synchronizer = Synchronizer(processor: processor)
    async let result = Result { try await synchronizer.sync() }
    try await hold.reached()
    synchronizer.cancel()
    let ended = await result
    await assertEqual(thrown(SyncError<String>.self, by: try ended.get())?.code, .cancelled)
    XCTAssert(hold.wasCancelled)
    XCTAssert(processor.log.contains(.ended(.content("a"), .cancelled)))
  }

  func testAStubbornCallStaysWhenItsTaskIsCancelled() async throws {
    let processor = ScriptedProcessor(["a"])
    let hold = processor.hold(.content("a"), ignoringCancellation: true)
    let synchronizer = Synchronizer(processor: processor)
    async let result = Result { try await synchronizer.sync() }
    let call = try await hold.reached()
    synchronizer.cancel()
    try await call.cancelled()
    XCTAssertEqual(processor.inFlight, 1)
    hold.release()
    _ = await result
    XCTAssertEqual(processor.local.keys.sorted(), ["a"])
  }

  func testWaitingForACallThatNeverCameSaysSo() async throws {
    let processor = ScriptedProcessor(["a"])
    let hold = processor.hold(.preview("a"))
    try await Synchronizer(processor: processor).sync()
    let result = await Result { try await hold.reached() }
    XCTAssertThrowsError(try result.get()) { error in
      guard case .neverReached(let place, let log) = error as? ScriptProblem else {
        return XCTFail("\(error)")
      }
      XCTAssertEqual(place, "preview(\"a\")")
      XCTAssertEqual(log.last, "end succeeded")
      XCTAssert("\(error)".contains("content a"), "\(error)")
    }
  }

  func testACallOfALaterPassIsWaitedForIfAskedTo() async throws {
    let processor = ScriptedProcessor(["a"])
    let synchronizer = Synchronizer(processor: processor)
    let first = processor.hold(.content("a"))
    let second = processor.hold(.content("b"))
    async let one: SyncReport = synchronizer.sync()
    try await first.reached()
    processor.source = .complete(["a", "b"])
    async let other: SyncReport = synchronizer.sync()
    first.release()
    // The second call may come after the first run has ended: either way "b" comes.
    try await second.reached(withinPasses: 2)
    second.release()
    _ = try await (one, other)
    XCTAssertEqual(processor.local.keys.sorted(), ["a", "b"])
  }
}
