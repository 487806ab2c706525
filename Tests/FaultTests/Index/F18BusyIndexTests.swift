import Foundation
import SyncDatabase
import TestSupport
import XCTest

/// An index that another program has open.
final class F18BusyIndexTests: IndexTestCase {
  func testF18_anIndexThatAnotherProgramHoldsIsWaitedForAndThenRefused() async throws {
    try makeCopy()
    let second = base.appending(path: "second")
    assertEnd(try mirror("sync", catalog, second.path), 0)
    var holders = try [copy, second].map { folder in
      let path = folder.appending(path: ".mirror/index.sqlite").path
      let holder = try Connection(path: path)
      try holder.execute("BEGIN EXCLUSIVE")
      return holder
    }
    let began = ContinuousClock.now
    let refused = try start(["sync", catalog, copy.path])
    let waiting = try start(["sync", catalog, second.path])
    try waitUntil("it has come to the index") {
      waiting.hasEnded || waiting.hasOpen(second.appending(path: ".mirror/index.sqlite"))
    }
    XCTAssertFalse(waiting.hasEnded, "it doesn't wait: \(waiting.said)")
    holders.removeLast()  // which closes it
    let outcome = try refused.outcome(within: .seconds(20))
    assertRefused(outcome, 1, saying: "held by another program", "try again")
    XCTAssertGreaterThan(ContinuousClock.now - began, .seconds(4), "it doesn't wait")
    // Whoever only looks may have what can't change meanwhile, or is told.
    for command in Command.allCases where command.looks {
      let outcome = try run(command)
      if outcome.end != .exited(0) { assertRefused(outcome, 1, saying: "held by another program") }
    }
    holders.removeAll()
    try await assertRecovers("afterwards")
    XCTAssertEqual(try waiting.end(within: .seconds(20)), .exited(0), waiting.said)
    try Extent.record(
      "F18", "index locked by another program", count: 2,
      "waited for, after 5 s refused with a sentence; fine once it is free")
  }
}
