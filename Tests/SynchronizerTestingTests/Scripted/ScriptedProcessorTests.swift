import OneWaySynchronizer
import SynchronizerTesting
import TestSupport
import XCTest

final class ScriptedProcessorTests: XCTestCase {
  private struct Refused: Error {}

  func testOutOfTheBoxItKeepsItsLocalItemsEqualToItsSource() async throws {
    let changed = TestItem("b", revision: 2)
    let processor = ScriptedProcessor(["a", changed, "c"], local: ["b", "c", "gone"])
    let synchronizer = Synchronizer(processor: processor)
    synchronizer.options.concurrency = 1
    try await synchronizer.sync()
    XCTAssertEqual(
      processor.calls,
      [
        .begin, .fetch, .localKeys, .remove(["gone"]), .itemsToUpdate(["b", "c"]),
        .prepare(["a", "b"]), .content("a"), .content("b"), .commit, .end(.succeeded),
      ])
    XCTAssertEqual(processor.local, ["a": "a", "b": changed, "c": "c"])
    try await synchronizer.sync()
    XCTAssertEqual(processor.reports.map(\.counts.downloaded), [2, 0])
  }

  func testAForgetfulProcessorKeepsTheLocalItemsThatTheTestSet() async throws {
    let processor = ScriptedProcessor(["a"], local: ["gone"], memory: .forgets)
    try await Synchronizer(processor: processor).sync()
    XCTAssertEqual(processor.local, ["gone": "gone"])
  }

  func testAnOutdatedKeyIsDownloadedOnce() async throws {
    let processor = ScriptedProcessor(["a"], local: ["a"])
    processor.outdated = ["a"]
    try await Synchronizer(processor: processor).sync()
    XCTAssertEqual(processor.reports.first?.counts.updated, 1)
    XCTAssertEqual(processor.outdated, [])
  }

  func testAFaultFailsOneKeyAndEndsWhenItsTimesAreUsedUp() async throws {
    let processor = ScriptedProcessor(["a", "b"])
    processor.fail(.content("a"), with: Refused(), times: 1)
    let synchronizer = Synchronizer(processor: processor)
    synchronizer.options.stopOnError = false
    if let error = await thrown(SyncError<String>.self, by: try await synchronizer.sync()) {
      XCTAssertEqual(error.report.failures.map(\.key), ["a"])
    }
    XCTAssertEqual(processor.local.keys.sorted(), ["b"])
    try await synchronizer.sync()
    XCTAssertEqual(processor.local.keys.sorted(), ["a", "b"])
  }

  func testFaultsCanBeTakenBack() async throws {
    let processor = ScriptedProcessor(["a"])
    processor.fail(.fetch, with: Refused())
    processor.failNoMore()
    try await Synchronizer(processor: processor).sync()
    XCTAssertEqual(processor.local.keys.sorted(), ["a"])
  }

  func testClosuresAnswerInPlaceOfTheScript() async throws {
    let processor = ScriptedProcessor(["never"])
    let order = Gate()
    processor.onBegin { order.open() }
    processor.onFetch {
      try await order.wait()
      return .complete(["a", "b", "c"])
    }
    processor.onLocalKeys { ["c", "x"] }
    processor.onRemove { XCTAssertEqual($0, ["x"]) }
    processor.onItemsToUpdate { $0 }
    processor.onPrepare { $0.reversed().filter { $0.id != "b" } }
    processor.onContent { XCTAssertNotEqual($0.id, "b") }
    processor.onCommit { ["a": Refused()] }
    let synchronizer = Synchronizer(processor: processor)
    synchronizer.options.concurrency = 1
    let result = await Result { try await synchronizer.sync() }
    XCTAssertThrowsError(try result.get()) { error in
      XCTAssertEqual((error as? SyncError<String>)?.report.failures.map(\.key), ["a"])
    }
    XCTAssertEqual(
      processor.calls.filter { CallPlace.anyContent.matches($0) }, [.content("c"), .content("a")])
  }

  func testWhatRunsInAPreviewMayFailIt() async throws {
    let processor = ScriptedProcessor(["a", "b"])
    processor.onPreview { if $0.id == "a" { throw Refused() } }
    let synchronizer = Synchronizer(processor: processor)
    synchronizer.options.downloadPreview = true
    synchronizer.options.stopOnError = false
    let result = await Result { try await synchronizer.sync() }
    XCTAssertThrowsError(try result.get()) { error in
      let failures = (error as? SyncError<String>)?.report.failures
      XCTAssertEqual(failures?.map(\.key), ["a"])
      XCTAssertEqual(failures?.map(\.stage), [.downloadPreviews])
    }
  }

  func testTheLogTellsHowEveryCallEnded() async throws {
    let processor = ScriptedProcessor(["a"])
    processor.fail(.content("a"), with: Refused())
    _ = try? await Synchronizer(processor: processor).sync()
    XCTAssertEqual(
      processor.log.filter { $0 != .began(.fetch) && $0 != .ended(.fetch, .succeeded) }.suffix(6),
      [
        .began(.content("a")), .ended(.content("a"), .failed("Refused()")),
        .began(.commit), .ended(.commit, .succeeded),
        .began(.end(.failed)), .ended(.end(.failed), .succeeded),
      ])
    XCTAssertEqual(processor.inFlight, 0)
    XCTAssertEqual(processor.maxInFlight, 1)
  }
}

extension Result where Failure == any Error {
  /// The result of an async closure, as `Result(catching:)` gives for a synchronous one.
  init(_ body: () async throws -> Success) async {
    do { self = .success(try await body()) } catch { self = .failure(error) }
  }
}
