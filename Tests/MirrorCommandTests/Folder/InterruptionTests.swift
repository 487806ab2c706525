import TestSupport
import Foundation
import XCTest

/// Runs that end before their time.
final class InterruptionTests: MirrorTestCase {
  private static let count = 2_100

  func testAfterAKillTheNextRunFetchesNothingThatWasRecorded() throws {
    try publishMany()
    let hold = try LoopbackListener()
    let server = try holdingServer(hold)
    let first = try start(["sync", server.url, copy.path])
    XCTAssertTrue(hold.waitForCaller(), first.said)
    // The held item keeps the run from ending; the others are recorded batch by batch meanwhile.
    try waitUntil("a batch is in the folder") { try self.copied().count >= 2_048 }
    first.send(SIGKILL)
    XCTAssertEqual(try first.end(within: .seconds(10)), .killed(by: SIGKILL))
    hold.close()
    let recorded = try recordedContents()
    XCTAssertGreaterThanOrEqual(recorded, 1_024)
    XCTAssertGreaterThanOrEqual(try copied().count, recorded, "the index isn't ahead of the disk")
    _ = try server.takeRequests()

    assertEnd(try sync(server.url), 0)
    try assertCopyIsTrue()
    let again = try server.takeRequests().filter { !$0.isListing }.map { $0.target.dropFirst() }
    XCTAssertTrue(again.contains("zz-held.txt"))
    XCTAssertEqual(again.count, Self.count + 1 - recorded, "what was recorded isn't fetched again")
  }

  /// How many contents the index has.
  private func recordedContents() throws -> Int {
    let status = try mirror("status", copy.path, "--json")
    let object = try JSONSerialization.jsonObject(with: Data(status.printed.utf8))
    return try XCTUnwrap((object as? [String: Any])?["contents"] as? Int, status.description)
  }

  func testAnInterruptEndsTheRunWithinTwoSecondsAndTheNextGoesOn() throws {
    try publishMany()
    for signal in [SIGINT, SIGTERM] {
      try? FileManager.default.removeItem(at: copy)
      let hold = try LoopbackListener()
      let server = try holdingServer(hold)
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

  func testASecondInterruptHarmsNothing() throws {
    try publishMany()
    let hold = try LoopbackListener()
    let server = try holdingServer(hold)
    let first = try start(["sync", server.url, copy.path])
    XCTAssertTrue(hold.waitForCaller(), first.said)
    first.send(SIGINT)
    first.send(SIGINT)
    XCTAssertEqual(try first.end(within: .seconds(20)), .exited(130), first.said)
    hold.close()
    for (path, text) in try copied() { XCTAssertEqual(text, Self.text(path)) }
    assertEnd(try sync(server.url), 0)
    try assertCopyIsTrue()
  }

  func testWhileOneRunHoldsTheFolderOthersSayWhoDoesAndExit75() throws {
    try publish(["a.txt": "a", "zz-held.txt": "held"])
    let hold = try LoopbackListener()
    let server = try holdingServer(hold)
    let first = try start(["sync", server.url, copy.path])
    XCTAssertTrue(hold.waitForCaller(), first.said)

    let holder = "\(first.identifier)"
    assertRefused(try sync(server.url), 75, saying: holder, "--wait")
    let status = try mirror("status", copy.path)
    assertEnd(status, 0)
    XCTAssertTrue(status.printed.contains("in use      by process \(holder) since"), "\(status)")
    assertRefused(try mirror("plan", server.url, copy.path), 75, saying: holder)
    let waiting = try start(["sync", server.url, copy.path, "--wait"])
    let waits = "waiting for the folder, which is in use by process \(holder)"
    let deadline = Patience.end
    while !(waiting.printed + waiting.said).contains(waits), ContinuousClock.now < deadline {
      sched_yield()
    }
    XCTAssertTrue((waiting.printed + waiting.said).contains(waits), waiting.printed)
    hold.close()
    XCTAssertEqual(try first.end(within: .seconds(20)), .exited(0), first.said)
    XCTAssertEqual(try waiting.end(within: .seconds(20)), .exited(0), waiting.said)
    try assertCopyIsTrue()
  }

  private static func text(_ path: String) -> String { "the text of \(path)" }

  private func publishMany() throws {
    let names = (0..<Self.count).map { "file-\(1_000 + $0).txt" } + ["zz-held.txt"]
    try publish(names.reduce(into: [:]) { $0[$1] = Self.text($1) })
  }

  private func holdingServer(_ hold: LoopbackListener) throws -> NginxServer {
    try serve(
      nil,
      NginxServer.Options(
        listing: .json,
        locations: [NginxServer.Options.holding("/zz-held.txt", at: hold)]))
  }
}
