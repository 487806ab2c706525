import Foundation
import TestSupport
import XCTest

/// F10: nothing that a catalog or a server says leads into a private network, to another protocol
/// or round in circles.
final class F10RedirectTests: PrivateNetworkTestCase {
  private static let old = Array("old".utf8)
  private static let new = Array("new".utf8)

  /// Where a redirect or a locator may want to lead, and what is said of it: as the target of a
  /// redirect, and as the locator of an item.
  private static let inside: [String] = [
    "http://10.1.2.3/x", "http://192.168.7.7/x", "http://169.254.169.254/latest/meta-data/",
    "http://127.0.0.1/x", "http://[::1]/x", "http://localhost/x", "http://LOCALHOST./x",
    "http://a.b.localhost/x", "http://inside.test/x", "http://INSIDE.test:80/x",
    // The same in other spellings: decimal, octal, hexadecimal, short.
    "http://2130706433/x", "http://167838211/x", "http://017700000001/x", "http://0177.0.0.1/x",
    "http://012.1.2.3/x", "http://0x7f000001/x", "http://0x7F.1/x", "http://0x0a.0x1.2.3/x",
    "http://127.1/x", "http://127.0.1/x", "http://0/x", "http://0.0.0.0/x", "http://00.0/x",
    "http://%31%32%37.0.0.1/x", "http://127.0.0.1./x",
    // IPv4 in IPv6.
    "http://[::ffff:127.0.0.1]/x", "http://[::ffff:7f00:1]/x", "http://[::ffff:10.1.2.3]/x",
    "http://[::127.0.0.1]/x", "http://[64:ff9b::7f00:1]/x", "http://[2002:a01:203::]/x",
    "http://[0:0:0:0:0:0:0:1]/x", "http://[::]/x", "http://[fe80::7]/x", "http://[fe80::7%25lo]/x",
    "http://[fd00::7]/x", "http://[::ffff:0:10.1.2.3]/x", "http://[::ffff:0:a01:203]/x",
    "http://[64:ff9b:1::10.1.2.3]/x", "http://[64:ff9b:1:a01:2:300::]/x",
    "http://[2001:0:505:505::f5fe:fdfc]/x", "http://[2a00:1::5efe:10.1.2.3]/x",
    "http://[2a00:1::200:5efe:10.1.2.3]/x",
    // Names that a name server leads there, alone or beside an address where nobody answers.
    "http://private.test/x", "http://both.test/x", "http://both-turned.test/x",
  ]

  private static func book(_ name: String, _ time: Int) -> [String] {
    switch name {
    case "private.test": ["10.1.2.3"]
    case "both.test": [emptyAddress, "10.1.2.3"]
    case "both-turned.test": ["10.1.2.3", emptyAddress]
    case "public.test": [otherAddress]
    case "turning.test": [time == 1 ? otherAddress : "169.254.169.254"]
    default: []
    }
  }

  private func site(_ count: Int, _ bytes: [UInt8], at url: (Int) -> String?) -> HonestSite {
    HonestSite(
      (0..<count).map { HonestSite.Item(key: "item\($0)", bytes: bytes, url: url($0)) }
        + [HonestSite.Item(key: "good", bytes: bytes)])
  }

  /// A new catalog, of which only the item "good" can be had: everything else keeps its old bytes.
  private func assertAllButOneKeepTheOld(
    _ count: Int, _ outcome: ProgramOutcome, _ claim: (Int) -> String, line: UInt = #line
  ) async throws {
    assertEnd(outcome, 2, line: line)
    let held = try files(in: copy)
    XCTAssertTrue(held["good"] == Data(Self.new), "\(outcome)", line: line)
    let lines = outcome.failureLines
    for number in 0..<count {
      XCTAssertTrue(held["item\(number)"] == Data(Self.old), claim(number), line: line)
      XCTAssertTrue(
        lines.contains { $0.hasPrefix("mirror: item\(number): ") }, claim(number), line: line)
    }
    assertNobodyInsideWasCalled(line: line)
    let both = Set([Data(Self.old), Data(Self.new)])
    try await assertNothingIsLost(
      of: held.mapValues { _ in both }, "after redirects", line: line)
  }

  func testF10_nothingLeadsIntoAPrivateNetwork() async throws {
    try name(Self.book)
    let places = Self.inside
    let before = site(places.count, Self.old) { _ in nil }
    let redirected = site(places.count, Self.new) { _ in nil }
    let linked = site(places.count, Self.new) { places[$0] }
    let server = try serveFaults(at: Self.catalogAddress, before.script)
    assertEnd(try syncInside(), 0)

    for (how, after) in [("redirect", redirected), ("locator", linked)] {
      server.follow { request, attempt in
        guard request.path.hasPrefix("/item"), let number = Int(request.path.dropFirst(5)) else {
          return after.script(request, attempt)
        }
        return .redirect(to: places[number], status: [301, 302, 303, 307, 308][number % 5])
      }
      let outcome = try syncInside(["--retries", "0", "--json"])
      try await assertAllButOneKeepTheOld(places.count, outcome) { "\(how) to \(places[$0])" }
      for words in ["isn't allowed", "--allow-host"] {
        XCTAssertTrue(outcome.printed.contains(words), "\(how): \(outcome)")
      }
      server.follow(before.script)
      assertEnd(try syncInside(), 0)
    }
    try Extent.record(
      "F10", "ways into a private network, as redirect and as locator", count: 2 * places.count,
      "refused; no server inside was called")
  }

  func testF10_aNameThatTurnsIntoAPrivateOneIsRefused() async throws {
    try name(Self.book)
    let site = { (bytes: [UInt8]) in
      HonestSite([
        HonestSite.Item(key: "item0", bytes: bytes, url: "http://turning.test/item0"),
        HonestSite.Item(key: "good", bytes: bytes),
      ])
    }
    let server = try serveFaults(at: Self.catalogAddress, site(Self.old).script)
    let other = try serveFaults(at: Self.otherAddress, site(Self.old).script)
    assertEnd(try syncInside(), 0)
    XCTAssertEqual(other.takeRequests().map(\.path), ["/item0"])
    server.follow(site(Self.new).script)
    let outcome = try syncInside(["--retries", "0", "--json"])
    try await assertAllButOneKeepTheOld(1, outcome) { _ in "a name that turned" }
    try Extent.record(
      "F10", "a name that resolves elsewhere the second time", count: 1, "refused, the old one kept"
    )
  }

  func testF10_whatIsAllowedOrPublicIsReached() throws {
    try name(Self.book)
    let server = try serveFaults(at: Self.catalogAddress) { _, _ in FaultAnswer(status: 404) }
    let other = try serveFaults(at: Self.otherAddress) { _, _ in FaultAnswer(Self.new) }
    let places = ["http://inside.test/x", "http://other.test/x", "http://public.test/x"]
    let after = site(places.count, Self.new) { places[$0] }
    watchers.forEach { $0.follow { _, _ in FaultAnswer(Self.new) } }
    server.follow(after.script)
    assertEnd(try syncInside(["--allow-host", "Inside.Test"]), 0)
    XCTAssertEqual(watchers.filter { $0.connectionCount > 0 }.map(\.address), ["10.1.2.3"])
    XCTAssertEqual(other.requests.count, 2)
    for (place, allowed) in [("http://[::1]/x", "::1"), ("http://127.1/x", "127.0.0.1")] {
      server.follow(site(1, Self.new) { _ in place }.script)
      try FileManager.default.removeItem(at: copy)
      assertEnd(try syncInside(["--allow-host", allowed]), 0)
    }
  }

  /// Redirects to no other page of the web, and what is said of each.
  private static let oddRedirects: [(FaultAnswer, String)] = [
    (.redirect(to: "file:///etc/passwd"), "file:///etc/passwd"),
    (.redirect(to: "ftp://5.5.5.6/x"), "ftp://5.5.5.6/x"),
    (.redirect(to: "gopher://5.5.5.6:80/_GET"), "gopher"), (.redirect(to: "data:,x"), "data:,x"),
    (.redirect(to: "javascript:alert(1)"), "javascript"), (.redirect(to: ""), "no single"),
    (.redirect(to: "http://"), "can't be followed"),
    (.redirect(to: "http:///x"), "could not be resolved"),
    (.redirect(to: "http://other.test:0/"), "can't be followed"),
    (.redirect(to: "http://other.test:99999/"), "can't be followed"),
    (.redirect(to: "http://①②⑦.⓪.⓪.①/"), "can't be followed"),
    (.redirect(to: "http://other.test/a b"), "can't be followed"),
    (FaultAnswer(status: 302), "no single Location"),
    (.redirect(to: "/x", headers: [("Location", "/y")]), "no single Location"),
    (.redirect(to: "http://other.test/loop"), "too many redirects"),
    (.redirect(to: "/hop/1"), "too many redirects"),
  ]

  func testF10_aRedirectElsewhereThanToTheWebOrInCirclesIsRefused() async throws {
    let cases = Self.oddRedirects
    let before = site(cases.count, Self.old) { _ in nil }
    let after = site(cases.count, Self.new) { _ in nil }
    let server = try serveFaults(at: Self.catalogAddress, before.script)
    let other = try serveFaults(at: Self.otherAddress) { _, _ in
      .redirect(to: "http://other.test/loop")
    }
    assertEnd(try syncInside(), 0)
    server.follow { request, attempt in
      if request.path.hasPrefix("/item"), let number = Int(request.path.dropFirst(5)) {
        return cases[number].0
      }
      // Ten hops are allowed, and this is the eleventh's way.
      if let hop = Int(request.path.dropFirst("/hop/".count)), request.path.hasPrefix("/hop/") {
        return hop < 11 ? .redirect(to: "\(hop + 1)") : FaultAnswer(Self.new)
      }
      if request.path == "/good" { return .redirect(to: "/hop/2") }
      return after.script(request, attempt)
    }
    let outcome = try syncInside(["--retries", "0", "--json"])
    let lines = outcome.failureLines
    for (number, one) in cases.enumerated() {
      let line = lines.first { $0.hasPrefix("mirror: item\(number): ") } ?? ""
      XCTAssertTrue(line.contains(one.1), "no '\(one.1)' in: \(line)")
    }
    try await assertAllButOneKeepTheOld(cases.count, outcome) { "redirect \($0)" }
    XCTAssertEqual(other.requests.count, 10)
    try Extent.record(
      "F10", "redirects to other protocols, to nowhere and in circles", count: cases.count,
      "refused, the old one kept")
  }
}
