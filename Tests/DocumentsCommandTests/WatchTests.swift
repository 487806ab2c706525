import Foundation
import TestSupport
import XCTest

/// Syncs that a watch makes.
final class WatchTests: ServedTestCase {
  /// None of its syncs is by hand, and all of them had done nothing.
  func testItSendsWhatIsEditedMeanwhileAndFetchesWhatOthersDid() throws {
    try makeStores()
    try documents("put", "b.db", "note", "bread", "{}")
    try sync("b.db")
    let watch = try start(["watch", "a.db", "--every", "1s"])
    try wait("1 received", of: watch)
    try documents("put", "a.db", "note", "milk", "{}")
    try wait("1 sent", of: watch)
    watch.send(SIGTERM)
    XCTAssertEqual(try watch.end(within: .seconds(10)), .exited(130))
    try sync("b.db")
    XCTAssertEqual(try documents("list", "b.db").lines, ["bread", "milk"])
  }

  func testItOutlivesAServerThatIsAway() throws {
    try makeStore()
    try documents("put", "a.db", "note", "milk", "{}")
    let watch = try start(["watch", "a.db", "--every", "1s"])
    let end = Patience.end
    while !watch.said.contains("can't be reached"), .now < end { sched_yield() }
    XCTAssertTrue(watch.said.contains("can't be reached"), watch.said)
    XCTAssertFalse(watch.hasEnded)
    watch.send(SIGTERM)
    XCTAssertEqual(try watch.end(within: .seconds(10)), .exited(130))
    XCTAssertEqual(try documents("status", "a.db", "--json").object["outbox"] as? Int, 1)
  }

  private func wait(_ words: String, of watch: ChildProcess) throws {
    let end = Patience.end
    while !watch.printed.contains(words), !watch.hasEnded, .now < end { sched_yield() }
    XCTAssertTrue(watch.printed.contains(words), "\(watch.printed)\(watch.said)")
  }
}
