import Foundation
import TestSupport
import XCTest

/// A run that ends before its time, by a signal.
final class InterruptionTests: MirrorTestCase {
  private static let count = 2_100

  func testAnInterruptEndsTheRunWithinTwoSecondsAndTheNextGoesOn() throws {
    let names = (0..<Self.count).map { "file-\(1_000 + $0).txt" } + ["zz-held.txt"]
    try publish(names.reduce(into: [:]) { $0[$1] = "the text of \($1)" })
    for signal in [SIGINT, SIGTERM] {
      try? FileManager.default.removeItem(at: copy)
      let hold = try LoopbackListener()
      let server = try serve(holding: "/zz-held.txt", at: hold, listing: .json)
      let first = try start(["sync", server.url, copy.path, "--concurrency", "16"])
      XCTAssertTrue(hold.waitForCaller(), first.said)
      let sent = ContinuousClock.now
      first.send(signal)
      XCTAssertEqual(try first.end(within: .seconds(20)), .exited(130), first.said)
      assertKept(.seconds(2), since: sent)
      XCTAssertEqual(first.said.split(separator: "\n").count, 1, first.said)
      hold.close()
      let there = try copied().count
      XCTAssertGreaterThanOrEqual(there, Self.count - 15, "what is finished is committed")
      _ = try server.takeRequests()

      assertEnd(try sync(server.url), 0)
      try assertCopyIsTrue()
      XCTAssertEqual(
        try server.takeRequests().filter { !$0.isListing }.count, Self.count + 1 - there)
    }
  }
}
