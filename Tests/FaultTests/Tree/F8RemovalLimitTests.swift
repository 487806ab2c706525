import Foundation
import TestSupport
import XCTest

/// F8: how much may vanish at once. What is refused is refused as a whole: nothing is removed, not
/// even one, and nothing else changes.
final class F8RemovalLimitTests: FaultTestCase {
  /// A limit as it is given, how many of how many are gone, and whether that is refused.
  private typealias Case = (limit: String?, gone: Int, isRefused: Bool)

  func testF8_ofAThousandAtLeastHalfIsRefused() async throws {
    let server = try await mirrored(1_000)
    try await assertLimits(
      [
        (nil, 499, false), (nil, 500, true), (nil, 501, true), (nil, 991, true), (nil, 1_000, true),
      ],
      of: 1_000, server)
    // What is let through is done: the one that the default just allows.
    try list(0..<501)
    let outcome = try sync(server.url + Self.catalogName)
    assertEnd(outcome, 0)
    XCTAssertTrue(outcome.printed.contains("499 removed"), "\(outcome)")
    XCTAssertEqual(try copied().count, 501)
    XCTAssertEqual(try quarantined().count, 499, "moved, not deleted")
    try await assertNothingIsLost(of: texts(1_000).all, "499 of 1,000")
  }

  func testF8_ofFewHalfIsRefusedToo() async throws {
    let server = try await mirrored(15)
    try await assertLimits(
      [(nil, 7, false), (nil, 8, true), (nil, 11, true), (nil, 14, true), (nil, 15, true)],
      of: 15, server)
  }

  func testF8_threeMayGoButNotTheLastOfSeveral() async throws {
    let server = try await mirrored(6)
    try await assertLimits(
      [(nil, 3, false), (nil, 4, true), (nil, 5, true), (nil, 6, true)], of: 6, server)
  }

  func testF8_ofTwoOneMayGo() async throws {
    let server = try await mirrored(2)
    try await assertLimits([(nil, 1, false), ("0", 1, true), (nil, 2, true)], of: 2, server)
  }

  /// All that was there is replaced, so that the listing isn't empty.
  func testF8_allOfSeveralStayThoughSomethingElseIsListed() async throws {
    let server = try await mirrored(3)
    let catalog = server.url + Self.catalogName
    let whole = #"{"catalog":1,"complete":true}"#
    try writeCatalog([whole, line(7)], round: 1)
    try publish([key(7): "text 7"])
    assertRefused(try sync(catalog), 3, saying: "3 of 3 items", "--max-delete 3")
    XCTAssertEqual(try copied().count, 3)
    assertEnd(try sync(catalog, ["--max-delete", "3"]), 0)
    XCTAssertEqual(try copied(), [key(7): "text 7"])
    // Of one, nothing is left either, but that is what a source of one file does with each version.
    try publish([key(14): "text 14"])
    try writeCatalog([whole, line(14)], round: 2)
    assertEnd(try sync(catalog), 0)
    XCTAssertEqual(try copied(), [key(14): "text 14"])
  }

  func testF8_withoutDeletionTheRestOfTheRunGoesOn() async throws {
    let server = try await mirrored(6)
    let catalog = server.url + Self.catalogName
    let whole = #"{"catalog":1,"complete":true}"#
    try publish([key(7): "text 7"])
    try writeCatalog([whole, line(0), line(7)], round: 1)
    let planned = try mirror(["plan", catalog, copy.path, "--no-delete"])
    XCTAssertTrue(planned.printed.contains("5 items would stay"), "\(planned)")
    for _ in 1...2 {
      let outcome = try sync(catalog, ["--no-delete"])
      assertEnd(outcome, 0)
      XCTAssertEqual(try copied().count, 7, "\(outcome)")
    }
    XCTAssertEqual(try quarantined(), [])
    assertRefused(try sync(catalog), 3, saying: "5 of 7 items", "--max-delete 5", "--no-delete")
    try writeCatalog([whole], round: 2)
    assertEnd(try sync(catalog, ["--no-delete"]), 0)
    XCTAssertEqual(try copied().count, 7)
    assertRefused(
      try sync(catalog, ["--no-delete", "--max-delete", "1"]), 64, saying: "contradict")
  }

  func testF8_eachFormOfTheLimitCounts() async throws {
    let server = try await mirrored(40)
    try await assertLimits(
      [
        ("19", 20, true), ("20", 20, false), ("20", 21, true), ("0", 1, true), ("0", 0, false),
        ("40", 39, false), ("40", 40, true), ("+20", 20, false), ("49.9%", 20, true),
        ("50%", 20, false), ("50%", 21, true), ("0%", 1, true), ("0%", 0, false),
        ("100%", 39, false), ("100%", 40, true), ("all", 21, false), ("all", 40, false),
      ], of: 40, server)
  }

  func testF8_aLimitThatIsNoneIsRefusedBeforeAnythingIsAsked() throws {
    let server = try serve()
    let wrong = [
      "-1", "-5%", "101%", "1.5", "abc", "", "%", "50 %", "nan%", "inf%", "0x10", "5%%", "ALL",
      "99999999999999999999", "\u{0663}",
    ]
    for limit in wrong {
      let outcome = try sync(server.url + Self.catalogName, ["--max-delete=\(limit)"])
      assertRefused(outcome, 64, saying: "--max-delete", "100, 20% or all")
    }
    XCTAssertEqual(try server.takeRequests(), [])
    XCTAssertFalse(isThere(copy))
  }

  func testF8_manySmallRemovalsAreManyAndAllCanBeUndone() async throws {
    let server = try await mirrored(200)
    var left = 200
    var runs = 0
    while left > 1 {
      left -= max((left - 1) / 2, left <= 6 ? min(3, left - 1) : 0)
      runs += 1
      try list(0..<left, round: runs)
      assertEnd(try sync(server.url + Self.catalogName), 0)
      XCTAssertEqual(try copied().count, left)
    }
    XCTAssertEqual(try quarantined().count, 199, "each is there to be taken back")
    // The last one, no limit by number lets go.
    try list(0..<0, round: runs + 1)
    let refused = try sync(server.url + Self.catalogName, ["--max-delete", "100%"])
    assertRefused(refused, 3, saying: "the folder holds 1 item;")
    XCTAssertEqual(try copied().count, 1)
  }

  func testF8_aListingThatIsNotCompleteRemovesNothing() async throws {
    let server = try await mirrored(40)
    let before = try tree()
    let entry = line(0)
    for (round, lines) in [
      [#"{"catalog":1}"#, entry], [#"{"catalog":1,"complete":false}"#, entry], ["[\(entry)]"],
      ["[]"], [#"{"catalog":1}"#],
    ].enumerated() {
      try writeCatalog(lines, round: 100 + round)
      // Without -v, it is told only where it wasn't told last time.
      let outcome = try sync(server.url + Self.catalogName, ["--max-delete", "all", "-v"])
      assertEnd(outcome, 0)
      XCTAssertTrue(
        (outcome.printed + outcome.said).contains("not removing anything"), "\(lines): \(outcome)")
      XCTAssertEqual(try tree(), before, "\(lines)")
    }
    try list(0..<40, round: 200)
    try assertConverges(on: server)
  }

  /// Asks for each case, with `sync` where it is refused and with `plan` where it isn't.
  private func assertLimits(_ cases: [Case], of count: Int, _ server: NginxServer) async throws {
    let catalog = server.url + Self.catalogName
    let before = try tree()
    for (round, test) in cases.enumerated() {
      let claim = "\(test.gone) of \(count), --max-delete \(test.limit ?? "by default")"
      try list(test.gone..<count, round: round + 1, adding: test.isRefused)
      let limit = test.limit.map { ["--max-delete", $0] } ?? []
      guard test.isRefused else {
        let planned = try mirror(["plan", catalog, copy.path] + limit)
        XCTAssertEqual(planned.end, .exited(0), "\(claim): \(planned)")
        let sum = test.gone > 0 ? "remove \(test.gone)\n" : "unchanged: "
        XCTAssertTrue(planned.printed.contains(sum), "\(claim): \(planned)")
        continue
      }
      let outcome = try sync(catalog, limit)
      // An empty listing has a sentence of its own.
      let number =
        test.gone == count ? "the folder holds \(count) items" : "\(test.gone) of \(count) items"
      assertRefused(outcome, 3, saying: number, "nothing was removed", "--max-delete")
      XCTAssertTrue(try tree() == before, "\(claim): something was touched; \(outcome)")
    }
    XCTAssertEqual(try quarantined(), [])
    try await assertNothingIsLost(of: texts(count).all, "after refusals of \(count)")
    try list(0..<count, round: 99)
    try assertConverges(on: server)
    try Extent.record(
      "F8", "removals of \(count) at and around the limit", count: cases.count,
      "refused with exit 3 and the number, or let through; what was refused touched nothing")
  }

  /// A copy of this many items.
  private func mirrored(_ count: Int) async throws -> NginxServer {
    try publish(Dictionary(uniqueKeysWithValues: (0..<count).map { (key($0), "text \($0)") }))
    try list(0..<count)
    let server = try serve()
    assertEnd(try sync(server.url + Self.catalogName), 0)
    XCTAssertEqual(try copied().count, count)
    return server
  }

  /// Publishes a complete catalog of some of the items; `adding` one that nobody has yet.
  private func list(_ range: Range<Int>, round: Int = 0, adding: Bool = false) throws {
    let new = adding && !range.isEmpty ? [#"{"key":"new","url":"\#(key(0))","size":6}"#] : []
    try writeCatalog(
      [#"{"catalog":1,"complete":true}"#] + range.map(line) + new, round: round)
  }

  private func line(_ number: Int) -> String {
    #"{"key":"\#(key(number))","size":\#("text \(number)".utf8.count),"version":"1"}"#
  }

  private func key(_ number: Int) -> String { "d\(number % 7)/item-\(number)" }

  private func texts(_ count: Int) -> Versions {
    Versions(Dictionary(uniqueKeysWithValues: (0..<count).map { (key($0), "text \($0)") }))
  }

  private func quarantined() throws -> [String] {
    let place = copy.appending(path: ".mirror/quarantine")
    guard let paths = FileManager.default.subpaths(atPath: place.path) else { return [] }
    return paths.filter { $0.contains("item-") }
  }
}
