@testable import SyncEngine
@testable import OneWaySynchronizer
import SyncLock
import SynchronizerTesting
import TestSupport
import XCTest

/// `ensure(_:)` where an item is there once its own download returned.
final class EarlyEnsuringTests: XCTestCase {
  private let one = options { $0.concurrency = 1 }

  /// A processor that commits each download, of items named by numbers.
  private func processor(of count: Int) -> TestProcessor {
    let processor = TestProcessor((0..<count).map { TestItem("\($0)") })
    processor.commitsEachDownload = true
    return processor
  }

  /// Begins to wait for an item, and says when it was answered.
  private func seek(
    _ key: String, with synchronizer: Synchronizer<TestProcessor>
  ) -> (task: Task<Void, any Error>, isAnswered: Locked<Bool>) {
    let isAnswered = Locked(false)
    let task = Task {
      defer { isAnswered.withLock { $0 = true } }
      try await synchronizer.ensure(key)
    }
    return (task, isAnswered)
  }

  /// The first user of `ensure` had eighty items of 100 ms. The wanted one was there after 0.2 s,
  /// and the call returned after a whole second, when all were there and committed.
  func testItReturnsAtTheEndOfTheItemsOwnDownload() async throws {
    let processor = processor(of: 80)
    let synchronizer = Synchronizer(processor: processor, options: one)
    let (first, second) = (processor.hold(.content("0")), processor.hold(.content("1")))
    async let run = synchronizer.sync()
    try await first.reached()
    let (seeker, isAnswered) = seek("17", with: synchronizer)
    await eventually("it is wanted") { synchronizer.urgentItems == 1 }
    first.release()
    try await second.reached()
    await eventually("it is answered while others wait") { isAnswered.withLock { $0 } }
    XCTAssertFalse(processor.calls.contains(.commit))
    second.release()
    try await seeker.value
    try await assertEqual(run.counts.downloaded, 80)
  }

  func testWhatThisPassHasFetchedIsAnsweredAtOnceAlsoDuringTheCommit() async throws {
    let processor = processor(of: 3)
    let synchronizer = Synchronizer(processor: processor, options: one)
    let (second, commit) = (processor.hold(.content("1")), processor.hold(.commit))
    async let run = synchronizer.sync()
    try await second.reached()
    let (early, isAnswered) = seek("0", with: synchronizer)
    await eventually("it is answered among the downloads") { isAnswered.withLock { $0 } }
    second.release()
    try await commit.reached()
    let (late, isAnsweredToo) = seek("2", with: synchronizer)
    await eventually("it is answered during the commit") { isAnsweredToo.withLock { $0 } }
    commit.release()
    _ = try await (run, early.value, late.value)
    XCTAssertEqual(processor.reports.count, 1, "no further pass was needed")
  }

  func testAPreviewAloneIsNotTheItem() async throws {
    let processor = processor(of: 2)
    let both = options { ($0.concurrency, $0.downloadPreview) = (1, true) }
    let synchronizer = Synchronizer(processor: processor, options: both)
    let (content, other) = (processor.hold(.content("1")), processor.hold(.content("0")))
    let (preview, run) = try await processor.held(.preview("0"), during: await synchronizer.sync())
    let (seeker, isAnswered) = seek("1", with: synchronizer)
    await eventually("it is wanted") { synchronizer.urgentItems == 1 }
    preview.release()
    try await content.reached()
    XCTAssertFalse(isAnswered.withLock { $0 })
    content.release()
    try await other.reached()
    await eventually("it is answered after its content") { isAnswered.withLock { $0 } }
    other.release()
    _ = try await (run.value, seeker.value)
  }

  func testWithPreviewsAloneThePreviewIsTheItem() async throws {
    let processor = processor(of: 2)
    let previews = options {
      $0.concurrency = 1
      $0.downloadPreview = true
      $0.downloadContent = false
    }
    let synchronizer = Synchronizer(processor: processor, options: previews)
    let (last, run) = try await processor.held(.preview("1"), during: await synchronizer.sync())
    let (seeker, isAnswered) = seek("0", with: synchronizer)
    await eventually("it is answered") { isAnswered.withLock { $0 } }
    last.release()
    _ = try await (run.value, seeker.value)
  }

  func testWhatFailsIsToldAsAFailureAndTheOthersAreTold() async throws {
    let processor = processor(of: 3)
    processor.fail(.content("1"), with: Refused())
    let going = options { ($0.concurrency, $0.stopOnError) = (1, false) }
    let synchronizer = Synchronizer(processor: processor, options: going)
    let fetch = processor.hold(.fetch)
    let (good, bad) = (seek("2", with: synchronizer).task, seek("1", with: synchronizer).task)
    await eventually("two wait") { synchronizer.waitingCallers == 2 }
    fetch.release()
    try await good.value
    await assertEqual(
      thrown(SyncFailure<String>.self, by: try await bad.value)?.stage, .downloadContents)
  }

  func testManyWhoAskAtAnyMomentAreAllToldWhatIsSo() async throws {
    for _ in 0..<200 {
      let processor = processor(of: 4)
      let synchronizer = Synchronizer(processor: processor)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for key in ["0", "1", "2", "3", "0", "1"] {
          group.addTask {
            try await synchronizer.ensure(key)
            XCTAssertNotNil(processor.local[key], "it was said to be there")
          }
          group.addTask { try await synchronizer.sync() }
        }
        try await group.waitForAll()
      }
    }
  }
}
