import Foundation
import SyncLock
import TestSupport
import XCTest

@testable import SyncTransport

/// F11: how long a server asks to be left alone is heeded, up to a cap.
final class F11RetryAfterTests: FaultTestCase {
  private let site = HonestSite(["a": "alpha"])

  /// When each path was asked for.
  private final class Times: Sendable {
    private let all = Locked<[String: [ContinuousClock.Instant]]>([:])

    func note(_ path: String) { all.withLock { $0[path, default: []].append(.now) } }

    func wait(for path: String) -> Duration? {
      all.withLock { all in
        guard let times = all[path], times.count == 2 else { return nil }
        return times[1] - times[0]
      }
    }
  }

  func testF11_aRetryAfterIsReallyWaitedFor() async throws {
    let times = Times()
    let now = "Sat, 21 Nov 2026 00:00:00 GMT"
    let cases: [(key: String, headers: [(String, String)], least: Double, most: Double)] = [
      ("seconds", [("Retry-After", "2")], 2, 15),
      ("date", [("Retry-After", "Sat, 21 Nov 2026 00:00:03 GMT"), ("Date", now)], 3, 15),
      ("past", [("Retry-After", "Fri, 20 Nov 2026 00:00:00 GMT"), ("Date", now)], 0, 10),
      ("negative", [("Retry-After", "-7")], 0, 10), ("zero", [("Retry-After", "0")], 0, 10),
      ("nonsense", [("Retry-After", "soon")], 0.25, 10), ("nothing", [], 0.25, 10),
    ]
    let keys = cases.flatMap { one in ["429", "503"].map { "\(one.key)-\($0)" } }
    let site = HonestSite(Dictionary(uniqueKeysWithValues: keys.map { ($0, $0) }))
    let server = try serveFaults { request, attempt in
      times.note(request.path)
      let name = request.path.dropFirst().split(separator: "-")
      guard attempt == 1, let one = cases.first(where: { name.first == $0.key[...] }) else {
        return site.script(request, attempt)
      }
      return FaultAnswer(status: name.last.flatMap { Int($0) } ?? 503, headers: one.headers)
    }
    assertEnd(try sync(server, HonestSite.catalogPath, ["--retries", "1"]), 0)
    for one in cases {
      for status in ["429", "503"] {
        let waited = try XCTUnwrap(times.wait(for: "/\(one.key)-\(status)")) / .seconds(1)
        let most = Patience.promised(.seconds(one.most)) / .seconds(1)
        XCTAssertGreaterThanOrEqual(waited, one.least, "\(one.key) \(status)")
        XCTAssertLessThan(waited, most, "\(one.key) \(status)")
      }
    }
    try await assertIsWell(on: server, to: site, "after waits")
    try Extent.record(
      "F11", "429 and 503 with Retry-After of every kind", count: keys.count,
      "waited for, then done")
  }

  func testF11_aRetryAfterOfAgesIsCapped() async throws {
    let (server, before) = try mirrored(site)
    for ages in ["1000000000", "99999999999999999999", "Fri, 01 Jan 2100 00:00:00 GMT"] {
      server.follow { _, _ in FaultAnswer(status: 503, headers: [("Retry-After", ages)]) }
      let child = try start(["sync", server.url(HonestSite.catalogPath), copy.path, "--json"])
      try waitUntil("a wait is announced") { child.printed.contains(#""event":"retrying""#) }
      let line = child.printed.split(separator: "\n").first { $0.contains("retrying") } ?? ""
      XCTAssertTrue(line.contains(#""wait":120.0,"#), "\(ages): \(line)")
      child.send(SIGINT)
      XCTAssertEqual(try child.end(within: .seconds(10)), .exited(130), ages)
      try assertTree(is: before, ages)
    }
    try assertConverges(on: server, to: site)
  }

  /// The cap, waited for in full; only in the long form, as it takes two minutes.
  func testF11_theCapIsWhatIsWaited() async throws {
    guard Extent.asked == .full else {
      return XCTAssertEqual(RetryPolicy().retryAfterCap, .seconds(120))
    }
    let times = Times()
    let site = site
    let server = try serveFaults { request, attempt in
      times.note(request.path)
      return attempt == 1 && request.path == "/a"
        ? FaultAnswer(status: 503, headers: [("Retry-After", "1000000000")])
        : site.script(request, attempt)
    }
    assertEnd(try sync(server, within: .seconds(200)), 0)
    let waited = try XCTUnwrap(times.wait(for: "/a"))
    XCTAssertGreaterThanOrEqual(waited, .seconds(120))
    XCTAssertLessThan(waited, Patience.promised(.seconds(125)))
    try Extent.record("F11", "Retry-After of 10⁹ s", count: 1, "120 s waited, then done")
  }
}
