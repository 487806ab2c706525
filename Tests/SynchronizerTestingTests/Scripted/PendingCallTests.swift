import OneWaySynchronizer
import SynchronizerTesting
import TestSupport
import XCTest

final class PendingCallTests: XCTestCase {
  private struct Refused: Error {}

  func testATestCanAnswerAWholePassCallByCall() async throws {
    let processor = ScriptedProcessor([])
    processor.handOver()
    async let report = Synchronizer(processor: processor).sync()
    try await processor.expect(.begin).succeed()
    try await processor.expect(.fetch).answer(.complete(["a", "b"]))
    try await processor.expect(.localKeys).answer(keys: ["b", "x"])
    try await processor.expect(.remove(["x"])).succeed()
    let update = try await processor.expect(.itemsToUpdate(["b"]))
    update.answer(items: update.items)
    let prepare = try await processor.expect(.prepare(["a", "b"]))
    prepare.answer(items: Array(prepare.items.suffix(1)))
    try await processor.expect(.content("b")).release()
    try await processor.expect(.commit).answer(failures: [:])
    try await processor.expect(.end(.succeeded)).succeed()
    try await assertEqual(report.passes.first?.counts.downloaded, 1)
    XCTAssertEqual(processor.local, ["b": "b"])
  }

  func testOnlyTheCallsThatWereChosenAreHandedOver() async throws {
    let processor = ScriptedProcessor(["a", "b"])
    processor.handOver { CallPlace.anyContent.matches($0) }
    let synchronizer = Synchronizer(processor: processor)
    synchronizer.options.stopOnError = false
    async let result = Result { try await synchronizer.sync() }
    let calls = try await [processor.nextCall(), processor.nextCall()]
    XCTAssertEqual(Set(calls.map(\.call.description)), ["content a", "content b"])
    calls[0].fail(Refused())
    calls[1].release()
    let ended = await result
    XCTAssertThrowsError(try ended.get())
    XCTAssertEqual(processor.local.count, 1)
  }

  func testTheFirstDecisionCounts() async throws {
    let processor = ScriptedProcessor(["a"])
    processor.handOver { $0 == .fetch }
    async let report = Synchronizer(processor: processor).sync()
    let fetch = try await processor.nextCall()
    fetch.answer(.unchanged)
    fetch.fail(Refused())
    try await assertEqual(report.passes.first?.outcome, .succeeded)
  }

  func testACallThatIgnoresCancellationStaysUntilItIsDecided() async throws {
    let processor = ScriptedProcessor(["a"])
    processor.handOver { CallPlace.anyContent.matches($0) }
    let synchronizer = Synchronizer(processor: processor)
    async let result = Result { try await synchronizer.sync() }
    let content = try await processor.nextCall()
    content.ignoreCancellation()
    synchronizer.cancel()
    try await content.cancelled()
    content.release()
    let ended = await result
    XCTAssertEqual(try ended.get().counts.downloaded, 1, "nothing was left that could be cancelled")
    XCTAssertEqual(processor.local, ["a": "a"])
  }

  func testWhoChoosesMayAskTheProcessor() async throws {
    let processor = ScriptedProcessor(["a"])
    processor.handOver { _ in processor.calls.count > 100 }
    try await Synchronizer(processor: processor).sync()
    XCTAssertEqual(processor.local.count, 1)
  }

  func testAnAnswerOfAnotherKindIsNamed() async throws {
    let processor = ScriptedProcessor(["a"])
    processor.handOver { $0 == .localKeys }
    async let result = Result { try await Synchronizer(processor: processor).sync() }
    try await processor.nextCall().answer(items: [])
    let ended = await result
    XCTAssertThrowsError(try ended.get()) {
      XCTAssert("\($0)".contains("the call localKeys was answered with items([])"), "\($0)")
    }
  }

  func testWaitingForACallEndsWhenCancelled() async {
    let processor = ScriptedProcessor(["a"])
    await withTaskGroup(of: Bool.self) { group in
      group.addTask { (try? await processor.nextCall()) == nil }
      group.cancelAll()
      await assertEqual(group.next(), true)
    }
  }
}

extension ScriptedProcessor where Item == TestItem {
  /// The next call, which must be this one.
  fileprivate func expect(
    _ call: Call, file: StaticString = #filePath, line: UInt = #line
  ) async throws -> PendingCall<TestItem> {
    let next = try await nextCall()
    XCTAssertEqual(next.call, call, file: file, line: line)
    return next
  }
}
