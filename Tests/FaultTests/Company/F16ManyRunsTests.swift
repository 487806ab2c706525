import Foundation
import TestSupport
import XCTest

/// F16: many runs at once on one folder, and holders of it that die or stand still.
final class F16ManyRunsTests: FaultTestCase {
  func testF16_oneOfManyWorksAndTheOthersAreTurnedAwayAtOnce() async throws {
    for (count, isFirst) in [(2, true), (2, false), (50, true), (50, false)] {
      try? FileManager.default.removeItem(at: copy)
      try republish(["a": "a", "zz-held": "held"])
      let hold = try LoopbackListener()
      let server = try serve(holding: "/zz-held", at: hold)
      if !isFirst { try writeFirst(server) }
      let began = ContinuousClock.now
      let runs = try (0..<count).map { _ in
        try start(["sync", server.url + Self.catalogName, copy.path])
      }
      XCTAssertTrue(hold.waitForCaller())
      // Which of them works can't be told, only that all others end.
      try waitUntil("all but one have ended") { runs.count(where: \.isRunning) == 1 }
      assertKept(.seconds(30), since: began)
      let worker = try XCTUnwrap(runs.first(where: \.isRunning))
      hold.close()
      XCTAssertEqual(try worker.end(within: .seconds(30)), .exited(0), worker.said)
      for run in runs where run !== worker {
        assertRefused(try run.outcome(within: .seconds(1)), 75, saying: "is in use by", "--wait")
        XCTAssertTrue(
          run.said.contains("process \(worker.identifier) since")
            || run.said.contains("another process"), run.said)
      }
      try await assertAllIsWell(server)
    }
    try Extent.record(
      "F16", "two and fifty runs at once", count: 104,
      "one worked, each other said who holds the folder and exited 75")
  }

  func testF16_whoeverOnlyLooksIsTurnedAwayToo() async throws {
    let (holder, hold, server) = try held()
    let catalog = server.url + Self.catalogName
    try waitUntil("all but one are answered") { try server.answered() == 2 }
    _ = try server.takeRequests()
    for arguments in [
      ["sync", catalog, copy.path], ["plan", catalog, copy.path], ["verify", copy.path],
      ["verify", "--repair", copy.path], ["restore", "--all", copy.path],
      ["restore", "--all", copy.path, "--to", base.path + "/elsewhere"],
    ] {
      let outcome = try mirror(arguments)
      assertRefused(outcome, 75, saying: "in use by process \(holder.identifier) since", "--wait")
      XCTAssertEqual(outcome.printed, "")
    }
    let status = try mirror(["status", copy.path])
    assertEnd(status, 0)
    XCTAssertTrue(
      status.printed.contains("in use      by process \(holder.identifier)"), "\(status)")
    XCTAssertEqual(try server.takeRequests(), [], "who is turned away asks for nothing")
    hold.close()
    XCTAssertEqual(try holder.end(within: .seconds(30)), .exited(0), holder.said)
    try await assertAllIsWell(server)
  }

  func testF16_theLockOfAKilledHolderIsFreeAtOnce() async throws {
    for _ in 0..<Extent.count(quick: 3, full: 200) {
      try? FileManager.default.removeItem(at: copy)
      let (holder, hold, server) = try held()
      holder.send(SIGKILL)
      XCTAssertEqual(try holder.end(within: .seconds(10)), .killed(by: SIGKILL))
      let status = try mirror(["status", copy.path])
      assertEnd(status, 0)
      XCTAssertFalse(status.printed.contains("in use"), "what it left isn't believed: \(status)")
      hold.close()
      try await assertAllIsWell(server)
    }
  }

  func testF16_aHolderThatStandsStillIsWaitedForOrNamed() async throws {
    let (holder, hold, server) = try held()
    holder.send(SIGSTOP)
    let catalog = server.url + Self.catalogName
    assertRefused(
      try sync(catalog), 75, saying: "process \(holder.identifier) since", "--wait")
    let waiting = try (0..<3).map { _ in try start(["sync", catalog, copy.path, "--wait"]) }
    let looking = try start(["status", copy.path, "--wait"])
    let waits = "waiting for the folder, which is in use by process \(holder.identifier)"
    try waitUntil("they say that they wait") {
      waiting.allSatisfy { ($0.printed + $0.said).contains(waits) }
    }
    XCTAssertTrue(waiting.allSatisfy(\.isRunning))
    hold.close()
    holder.send(SIGCONT)
    XCTAssertEqual(try holder.end(within: .seconds(30)), .exited(0), holder.said)
    for run in waiting + [looking] {
      XCTAssertEqual(try run.end(within: .seconds(30)), .exited(0), run.said)
    }
    try await assertAllIsWell(server)
  }

  func testF16_aHolderThatIsKilledWhileItStandsStillLetsTheNextOneIn() async throws {
    let (holder, hold, server) = try held()
    holder.send(SIGSTOP)
    let waiting = try start(["sync", server.url + Self.catalogName, copy.path, "--wait"])
    hold.close()
    holder.send(SIGKILL)
    XCTAssertEqual(try holder.end(within: .seconds(10)), .killed(by: SIGKILL))
    XCTAssertEqual(try waiting.end(within: .seconds(30)), .exited(0), waiting.said)
    try await assertAllIsWell(server)
  }

  func testF16_whoWaitsCanBeInterrupted() async throws {
    let (holder, hold, server) = try held()
    let waiting = try start(["sync", server.url + Self.catalogName, copy.path, "--wait"])
    // Before it listens, a signal does what it does to any program.
    try waitUntil("it listens for signals") { try Self.catches(SIGINT, waiting) }
    waiting.send(SIGINT)
    XCTAssertEqual(try waiting.end(within: .seconds(10)), .exited(130), waiting.said)
    hold.close()
    XCTAssertEqual(try holder.end(within: .seconds(30)), .exited(0), holder.said)
    try await assertAllIsWell(server)
  }

  // What all of them do.

  /// Whether a program has a handler for a signal (proc(5), `SigCgt`).
  private static func catches(_ signal: Int32, _ program: ChildProcess) throws -> Bool {
    let status = try readText("/proc/\(program.identifier)/status")
    let line = try XCTUnwrap(status.split(separator: "\n").first { $0.hasPrefix("SigCgt:") })
    let mask = UInt64(line.dropFirst(7).trimmingCharacters(in: .whitespaces), radix: 16) ?? 0
    return mask >> UInt64(signal - 1) & 1 == 1
  }

  /// A run that holds the folder until its last item is answered.
  private func held() throws -> (ChildProcess, LoopbackListener, NginxServer) {
    try republish(["a": "a", "zz-held": "held"])
    let hold = try LoopbackListener()
    let server = try serve(holding: "/zz-held", at: hold)
    let holder = try start(["sync", server.url + Self.catalogName, copy.path])
    XCTAssertTrue(hold.waitForCaller(), holder.said)
    return (holder, hold, server)
  }

  /// Makes the folder a mirror of a catalog without the item that is held.
  private func writeFirst(_ server: NginxServer) throws {
    try writeCatalog([#"{"catalog":1,"complete":true}"#, #"{"key":"a","size":1}"#])
    assertEnd(try sync(server.url + Self.catalogName), 0)
    try republish(["a": "a", "zz-held": "held"], round: 1)
  }

  private func assertAllIsWell(_ server: NginxServer) async throws {
    try assertConverges(on: server)
    try await assertNothingIsLost(
      of: Versions(["a": "a", "zz-held": "held"]).all, "after runs at once")
  }
}
