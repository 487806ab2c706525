import Foundation
import OneWaySynchronizer
import SynchronizerTesting
import XCTest

nonisolated final class FeedDaemonTests: XCTestCase {
  private let clock = ManualClock()
  private let server = StubFeeds()
  private let stop = Gate()
  private let log = AsyncStream<String>.makeStream()
  private let stores = Dictionary(
    uniqueKeysWithValues: (0..<50).map { ("feed \($0)", ArticleStore()) })

  /// A daemon that runs until the gate is open.
  private func start() -> (FeedDaemon, Task<Void, Never>) {
    let daemon = FeedDaemon(stores, server: server, clock: clock) { [log] in
      log.continuation.yield($0)
    }
    let task = Task { [stop] in
      await daemon.run(every: .seconds(60)) { try? await stop.wait() }
    }
    return (daemon, task)
  }

  /// What the daemon logs once in a round of all feeds.
  private func round() async -> [String] {
    var lines: [String] = []
    for await line in log.stream.prefix(50) { lines.append(line) }
    return lines
  }

  private func held() async -> [Int] {
    var counts: [Int] = []
    for store in stores.values { counts.append(await store.articles.count) }
    return counts
  }

  func testFiftyFeedsAreKeptInStepEachInItsTurn() async {
    let (daemon, task) = start()
    _ = await round()
    clock.advance(by: .seconds(60))
    _ = await round()
    XCTAssertEqual(server.listings.arrivalCount, 100)
    stop.open()
    await task.value
    XCTAssertTrue(daemon.isIdle)
    let held = await held()
    XCTAssertEqual(held, Array(repeating: 1, count: 50))
  }

  func testManyRequestsAreOneRun() async throws {
    let (daemon, task) = start()
    _ = await round()
    for _ in 0..<10 { daemon.feedChanged("feed 7") }
    clock.advance(by: .seconds(2))  // for so long requests are gathered
    try await server.listings.arrivals(atLeast: 51)
    stop.open()
    await task.value
    XCTAssertEqual(server.listings.arrivalCount, 51)
    XCTAssertTrue(daemon.isIdle)
  }

  func testAFeedThatFailsIsLoggedAndHoldsUpNoOther() async {
    await server.breakDown("feed 3")
    let (_, task) = start()
    let lines = await round()
    stop.open()
    await task.value
    XCTAssertEqual(
      lines.filter { $0.hasPrefix("feed 3:") },
      [
        "feed 3: The sync failed: Fetching the list failed: the feed is broken. "
          + "Mend the cause, then sync again."
      ])
    XCTAssertEqual(lines.count { $0.contains("1 downloaded") }, 49)
  }

  func testItStopsInTheMiddleOfDownloadsAndNothingGoesOn() async throws {
    server.texts.close()
    let (daemon, task) = start()
    try await server.texts.waiters(atLeast: 50)
    daemon.feedChanged("feed 5")  // a request, too, is no reason to go on
    stop.open()
    await task.value
    XCTAssertTrue(daemon.isIdle)
    XCTAssertEqual(server.texts.waiterCount, 0)
    clock.advance(by: .seconds(60))
    XCTAssertEqual(server.listings.arrivalCount, 50, "no feed has another turn")
    let held = await held()
    XCTAssertEqual(held, Array(repeating: 0, count: 50))
  }
}

/// Feeds of one article each.
private actor StubFeeds: FeedServer {
  nonisolated let listings = Gate(open: true)
  nonisolated let texts = Gate(open: true)
  private var broken: Set<String> = []

  func breakDown(_ feed: String) { broken.insert(feed) }

  func articles(in feed: String) async throws -> [Article] {
    try await listings.wait()
    if broken.contains(feed) { throw BrokenFeed() }
    return [Article(id: "news", version: 1)]
  }

  func text(of key: String, in feed: String) async throws -> String {
    try await texts.wait()
    return "\(key) of \(feed)"
  }
}

nonisolated private struct BrokenFeed: LocalizedError {
  var errorDescription: String? { "the feed is broken" }
}
