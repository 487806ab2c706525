import Foundation
import TestSupport
import XCTest

/// F17: a clock that is wrong by years, or is set while a run goes. What waits goes by the time
/// that passes, and what is recorded goes by the clock.
final class F17WrongClockTests: FaultTestCase {
  private static let day = 86_400
  private static let year = 365 * day
  /// Ten years back, forty and four hundred forward, to 1970 and before.
  private static let shifts = [-10, 40, 400, -56, -80].map { $0 * year }

  func testF17_runsAreDoneAndRecordedUnderAnyClock() async throws {
    var versions = Versions()
    let server = try serve()
    for (round, shift) in (Self.shifts + [0]).enumerated() {
      let texts = ["a": "a \(round)", "b/\(round)": "new", "top": "top"]
      versions.add(texts)
      try republish(texts, round: round)
      let outcome = try at(shift, ["sync", server.url + Self.catalogName, copy.path])
      XCTAssertEqual(outcome.end, .exited(0), "\(shift): \(outcome)")
      try assertCopyIsTrue(except: [Self.catalogName])
      for command in [
        ["status", copy.path], ["status", "--json", copy.path], ["verify", copy.path],
      ] {
        XCTAssertEqual(try at(shift, command).end, .exited(0), "\(shift) \(command)")
      }
      XCTAssertEqual(try runs(shift), round + 1, "\(shift): each run is recorded")
    }
    try await assertNothingIsLost(of: versions.all, "wrong clocks")
    try assertConverges(on: server)
    try Extent.record(
      "F17", "runs with a clock wrong by years", count: Self.shifts.count,
      "done and recorded; a right clock then had nothing to do")
  }

  func testF17_waitsGoByTheTimeThatPasses() async throws {
    var count = 0
    let date = Date.now
    for header in [
      "Retry-After: 1", "Retry-After: \(Self.text(date + 1))\r\nDate: \(Self.text(date))",
    ] {
      let clocks: [(Int, Int?)] = [(0, 40), (-10, nil), (40, nil), (0, -10)]
      for (before, during) in clocks.prefix(Extent.asked == .full ? 4 : 2) {
        count += 1
        try? FileManager.default.removeItem(at: copy)
        let clock = try FakeClock(in: base, before * Self.year)
        let server = try Self.unwilling(header) {
          if let during { try? clock.set(during * Self.year) }
        }
        defer { server.stop() }
        let began = ContinuousClock.now
        let outcome = try at(clock, ["sync", server.url("/catalog.ndjson"), copy.path, "--json"])
        let took = began.duration(to: .now)
        let claim = "\(header), \(before) years then \(during ?? before): \(outcome)"
        XCTAssertEqual(outcome.end, .exited(0), claim)
        XCTAssertTrue(outcome.printed.contains(#""event":"retrying""#), claim)
        XCTAssertGreaterThan(took, .milliseconds(900), claim)
        XCTAssertLessThan(took, Patience.promised(.seconds(20)), claim)
        XCTAssertEqual(try copied(), ["a": "a"], claim)
      }
    }
    try Extent.record(
      "F17", "waits of a second under a clock that is wrong or jumps", count: count,
      "a second each, however far the clock was moved")
  }

  func testF17_aJumpInTheMiddleOfADownloadHarmsNothing() async throws {
    for jump in [40, -10] {
      try? FileManager.default.removeItem(at: copy)
      try republish(["a": "a", "zz-held": "held"])
      let hold = try LoopbackListener()
      let server = try serve(holding: "/zz-held", at: hold)
      let clock = try FakeClock(in: base, 0)
      let run = try start(
        ["sync", server.url + Self.catalogName, copy.path], environment: clock.environment)
      XCTAssertTrue(hold.waitForCaller(), run.said)
      try clock.set(jump * Self.year)
      // Others still see who holds the folder.
      assertRefused(
        try at(clock, ["verify", copy.path]), 75, saying: "process \(run.identifier) since")
      let status = try at(clock, ["status", copy.path])
      assertEnd(status, 0)
      XCTAssertTrue(status.printed.contains("process \(run.identifier) since"), "\(status)")
      hold.close()
      XCTAssertEqual(try run.end(within: .seconds(30)), .exited(0), "\(jump) years: \(run.said)")
      try assertConverges(on: server)
      try await assertNothingIsLost(
        of: Versions(["a": "a", "zz-held": "held"]).all, "\(jump) years")
    }
  }

  func testF17_whatIsInQuarantineGoesByTheClock() async throws {
    let server = try mirrored(["a": "a", "gone": "gone"])
    try republish(["a": "a"], round: 1)
    assertEnd(try sync(server.url + Self.catalogName), 0)
    XCTAssertEqual(try quarantined(), 1)
    for shift in [-10 * Self.year, 6 * Self.day, 0] {
      assertEnd(try at(shift, ["sync", server.url + Self.catalogName, copy.path]), 0)
      XCTAssertEqual(try quarantined(), 1, "\(shift) seconds")
    }
    // No program can tell a clock that is ahead from one that was off for long.
    for days in [8, 40 * 365] {
      assertEnd(try at(days * Self.day, ["sync", server.url + Self.catalogName, copy.path]), 0)
      XCTAssertEqual(try quarantined(), 0, "\(days) days ahead")
    }
    try assertConverges(on: server)
  }

  func testF17_aTimeToKeepThatEndsBeforeAllTimeIsOne() throws {
    let server = try mirrored(["a": "a", "gone": "gone"])
    try republish(["a": "a"], round: 1)
    assertEnd(try sync(server.url + Self.catalogName, ["--keep-removed", "99999999d"]), 0)
    XCTAssertEqual(try quarantined(), 1)
    assertEnd(try sync(server.url + Self.catalogName, ["--keep-removed", "0"]), 0)
  }

  // What all of them do.

  private func at(_ shift: Int, _ arguments: [String]) throws -> ProgramOutcome {
    try at(FakeClock(in: base, shift), arguments)
  }

  private func at(_ clock: FakeClock, _ arguments: [String]) throws -> ProgramOutcome {
    try start(arguments, environment: clock.environment).outcome(within: .seconds(60))
  }

  /// How many runs `status` knows.
  private func runs(_ shift: Int) throws -> Int {
    let outcome = try at(shift, ["status", copy.path, "--json"])
    let object = try JSONSerialization.jsonObject(with: Data(outcome.printed.utf8))
    return try XCTUnwrap((object as? [String: Any])?["runs"] as? [Any]).count
  }

  private func quarantined() throws -> Int {
    let place = copy.appending(path: ".mirror/quarantine").path
    return (FileManager.default.subpaths(atPath: place) ?? []).count { $0.hasSuffix("/gone") }
  }

  /// A server that first asks to be left alone for a second, once for the catalog and once for the
  /// item, and then gives it.
  private static func unwilling(
    _ header: String, then act: @escaping @Sendable () -> Void
  ) throws -> RawServer {
    let bodies = [
      "/catalog.ndjson": #"{"catalog":1,"complete":true}"# + "\n" + #"{"key":"a","size":1}"# + "\n",
      "/a": "a",
    ]
    let asked = Once()
    return try RawServer { connection, request in
      if request.path == "/a", asked.isFirst() {
        connection.send(
          "HTTP/1.1 503 Busy\r\n\(header)\r\nContent-Length: 0\r\n\r\n")
        act()
        return true
      }
      let body = bodies[request.path] ?? ""
      connection.send(
        "HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\n"
          + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
      return true
    }
  }

  /// A date as HTTP writes it, some seconds from now.
  private static func text(_ date: Date) -> String {
    let form = DateFormatter()
    form.locale = Locale(identifier: "en_US_POSIX")
    form.timeZone = TimeZone(secondsFromGMT: 0)
    form.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
    return form.string(from: date)
  }
}
