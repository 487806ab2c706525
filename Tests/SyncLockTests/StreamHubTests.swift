import SyncLock
import XCTest

final class StreamHubTests: XCTestCase {
  private typealias Hub = StreamHub<NewestElements<Int>>

  func testElementsComeInTheOrderInWhichTheyWerePutWhoeverTellsThem() async {
    let hub = Hub()
    let stream = hub.stream(NewestElements())
    let last = Locked(0)
    async let read = all(stream)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          for _ in 0..<5_000 {
            last.withLock { last in
              last += 1
              return hub.put(last)
            }.tell()
          }
        }
      }
    }
    hub.close()
    let elements = await read
    XCTAssertEqual(elements, Array(1...20_000))
  }

  func testWhoReadsSlowlySeesTheNewestAndTheOthersAreCounted() async {
    let (hub, losses) = (Hub(), LossCount())
    let stream = hub.stream(NewestElements(atMost: 2, first: [0], losses: losses))
    for number in 1...5 { hub.send(number) }
    hub.close()
    let elements = await all(stream)
    XCTAssertEqual(elements, [4, 5])
    XCTAssertEqual(losses.count, 4)
  }

  func testAStreamEndsAfterWhatWaitsWhenItsHubIsGone() async throws {
    var hub: Hub? = Hub()
    let stream = try XCTUnwrap(hub?.stream(NewestElements(first: [1])))
    hub?.send(2)
    hub = nil
    let elements = await all(stream)
    XCTAssertEqual(elements, [1, 2])
  }

  func testAHubThatIsClosedGivesStreamsThatEndAtOnce() async {
    let hub = Hub()
    hub.close()
    hub.send(1)
    let elements = await all(hub.stream(NewestElements(first: [0])))
    XCTAssertEqual(elements, [0])
  }

  func testACancelledReaderIsToldTheEndAndForgotten() async {
    let hub = Hub()
    let gone = expectation(description: "the reader is gone")
    let reader = Task { [hub] in
      for await _ in hub.stream(NewestElements(first: [0]), whenGone: { gone.fulfill() }) {
        withUnsafeCurrentTask { $0?.cancel() }
      }
    }
    await reader.value
    await fulfillment(of: [gone], timeout: 60)
    XCTAssertFalse(hub.hasReaders)
  }

  func testReadersMayShareAStream() async {
    let hub = Hub()
    let stream = hub.stream(NewestElements())
    async let one = all(stream)
    async let other = all(stream)
    for number in 1...1_000 { hub.send(number) }
    hub.close()
    let both = await one + other
    XCTAssertEqual(both.sorted(), Array(1...1_000))
  }

  #if DEBUG
    func testAThreadKnowsTheLocksThatItHolds() {
      let (lock, condition) = (Locked(0), Condition())
      XCTAssertEqual(HeldLocks.count, 0)
      lock.withLock { _ in
        condition.lock()
        XCTAssertEqual(HeldLocks.count, 2)
        condition.unlock()
        XCTAssertEqual(HeldLocks.count, 1)
      }
      XCTAssertThrowsError(
        try lock.withLock { _ in throw CancellationError() })
      XCTAssertEqual(HeldLocks.count, 0)
    }
  #endif
}

private func all(_ stream: AsyncStream<Int>) async -> [Int] {
  var all: [Int] = []
  for await element in stream { all.append(element) }
  return all
}
