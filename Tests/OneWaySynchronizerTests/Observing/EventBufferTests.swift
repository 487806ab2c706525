@testable import SyncEngine
@testable import OneWaySynchronizer
import SyncLock
import XCTest

final class EventBufferTests: XCTestCase {
  private typealias Event = SyncEvent<Int>

  private func started(_ key: Int) -> Event {
    let totals = ItemTotals(finished: 0, failed: 0, total: 0)
    return .itemStarted(ItemEvent(stage: .downloadContents, key: key, totals: totals))
  }

  func testUnreadItemEventsAreCountedInTheirPlace() {
    var buffer = EventBuffer<Int>()
    for key in 0..<1_000 { buffer.append(started(key)) }
    buffer.append(.stageEntered(.commitDownloads))
    XCTAssertEqual(names(&buffer), Array(repeating: "item", count: 256) + ["dropped 744", "stage"])
  }

  func testItemEventsAreKeptAgainOnceTheReaderHasCaughtUp() {
    var buffer = EventBuffer<Int>()
    for key in 0..<300 { buffer.append(started(key)) }
    _ = names(&buffer)
    buffer.append(started(300))
    XCTAssertEqual(names(&buffer), ["item"])
  }

  func testGapsDontCountAsUnreadBoundaryEvents() {
    var buffer = EventBuffer<Int>()
    for key in 0..<256 { buffer.append(started(key)) }
    for _ in 0..<1_000 {
      buffer.append(started(0))
      buffer.append(.stageEntered(.begin))
    }
    XCTAssertFalse(buffer.isClosed)
    XCTAssertEqual(names(&buffer).count { $0 == "stage" }, 1_000)
  }

  func testTheStreamEndsWithAnOverflowPast1024UnreadBoundaryEvents() {
    var buffer = EventBuffer<Int>()
    for _ in 0..<1_024 { buffer.append(.stageEntered(.begin)) }
    XCTAssertFalse(buffer.isClosed)
    buffer.append(.runStarted(number: 1))
    buffer.append(.stageEntered(.begin))
    XCTAssertTrue(buffer.isClosed)
    let all = names(&buffer)
    XCTAssertEqual(all.count, 1_025)
    XCTAssertEqual(all.last, "overflowed")
  }

  /// A million downloads under the eyes of one reader took ten times as long as under nobody's.
  func testAnEventThatNobodyHasRoomForIsOnlyCounted() async {
    let hub = EventHub<Int>()
    let status = hub.status.subscribe()
    var made = 0
    for key in 0..<1_000 {
      hub.put {
        made += 1
        return started(key)
      }.tell()
    }
    XCTAssertEqual(made, 0, "a status is looked up")
    let events = hub.subscribe()
    for key in 0..<1_000 {
      hub.put {
        made += 1
        return started(key)
      }.tell()
    }
    XCTAssertEqual(made, EventBuffer<Int>.itemLimit)
    hub.announce(.stageEntered(.commitDownloads))
    var dropped = 0
    for await event in events {
      if case .itemEventsDropped(let count) = event { dropped += count }
      if case .stageEntered = event { break }
    }
    XCTAssertEqual(dropped, 744)
    withExtendedLifetime(status) {}
  }

  private func names(_ buffer: inout EventBuffer<Int>) -> [String] {
    var names: [String] = []
    while let event = buffer.popFirst() {
      switch event {
      case .itemStarted, .itemProgressed, .itemFinished, .itemFailed, .itemCutShort:
        names.append("item")
      case .itemEventsDropped(let count): names.append("dropped \(count)")
      case .stageEntered: names.append("stage")
      case .overflowed: names.append("overflowed")
      case .runStarted, .passStarted, .planned, .passEnded, .runEnded: names.append("boundary")
      }
    }
    return names
  }
}
