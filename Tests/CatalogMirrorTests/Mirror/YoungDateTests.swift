import SyncTransport
import TestSupport
import TransportTesting
import XCTest

@testable import CatalogMirror

/// A file may change twice under one date, within its unit. Bytes of files that had just been made
/// were asked about once more, all of them, however late they had come.
final class YoungDateTests: RunTestCase {
  private static let written = "Sat, 01 Jan 2022 00:00:10 GMT"
  private static let sameSecond = "Sat, 01 Jan 2022 00:00:11 GMT"
  private static let afterwards = "Sat, 01 Jan 2022 00:00:12 GMT"
  private static let before = "Sat, 01 Jan 2022 00:00:05 GMT"

  /// Lists an item within the second of its date, and has it answer at another time.
  private func serve(
    _ text: String, sentAt date: String?, from address: String = root + "a",
    dated written: String = written, listed: String? = nil, size: Int = 5
  ) throws {
    let page = """
      [
      { "name":"a", "type":"file", "mtime":"\(listed ?? written)", "size":\(size) }
      ]
      """
    try site.answer(
      Self.root, .text(page, ("Content-Type", "application/json"), ("Date", Self.written)))
    var answer = Site.Answer.text(text, ("Last-Modified", written))
    if let date { answer.headers.add("Date", date) }
    try site.answer(address, answer)
    site.forgetLog()
  }

  private func run() async throws -> MirrorReport { try await syncWell { tree(&$0) } }

  func testBytesThatWereSentAfterTheDateHadEndedAreNotAskedAbout() async throws {
    try serve("alpha", sentAt: Self.afterwards)
    _ = try await run()
    site.forgetLog()
    let report = try await run()
    XCTAssertEqual([report.updated, report.confirmed], [0, 0])
    XCTAssertEqual(site.log.map(\.address.path), ["/pub/"])
  }

  func testBytesThatWereSentUnderTheDateAreFetchedOnceMore() async throws {
    for date in [Self.written, Self.sameSecond, Self.before, nil] {
      try? remove("a")
      try serve("alpha", sentAt: date)
      _ = try await run()
      try serve("other", sentAt: Self.afterwards)
      try await assertEqual(run().updated, 1, "sent at \(date ?? "no time")")
      XCTAssertEqual(try tree(), ["a": "other"])
    }
  }

  /// "Not modified since" is said of anything older, too, also where the date of what is held
  /// proved nothing.
  func testWhatIsPutBackUnderAnOlderDateIsNotAskedAboutByDate() async throws {
    let (young, old) = ("01-Jan-2022 00:00", "31-Dec-2021 23:00")
    for (text, dated, listed, reason) in [
      ("older", "Fri, 31 Dec 2021 23:00:10 GMT", old, MirrorPlan.Reason.moved),
      ("longer", "Fri, 31 Dec 2021 23:00:10 GMT", old, .changed),
      ("older", Self.before, young, .recent),
    ] {
      try? remove("a")
      try serve("alpha", sentAt: Self.afterwards, listed: young)
      _ = try await run()
      try serve(
        text, sentAt: Self.afterwards, dated: dated, listed: listed, size: text.utf8.count)
      let plan = try await mirror { tree(&$0) }.plan()
      XCTAssertEqual((plan.asks + plan.fetches).map(\.reason), [reason])
      site.forgetLog()
      try await assertEqual(run().updated, 1)
      let question = site.log.first { $0.address.path == "/pub/a" }
      XCTAssertNil(question?.headers["If-Modified-Since"])
      XCTAssertEqual(try tree(), ["a": text])
    }
  }

  /// The clock of one server says nothing of a date by another one's.
  func testWhatAnotherServerSentIsFetchedOnceMore() async throws {
    let elsewhere = "https://other.test/a"
    try serve("alpha", sentAt: Self.afterwards, from: elsewhere)
    try site.answer(Self.root + "a", .status(302, ("Location", elsewhere)))
    _ = try await run()
    try serve(
      "other", sentAt: Self.afterwards, from: elsewhere, dated: Self.sameSecond,
      listed: Self.written)
    try await assertEqual(run().updated, 1)
    XCTAssertEqual(try tree(), ["a": "other"])
  }

  func testADateEndsWithItsUnit() throws {
    let second = try XCTUnwrap(ListingDate("Fri, 20 Nov 2026 21:47:24 GMT"))
    let at = 1_795_211_244.0
    for (offset, hasEnded) in [(0.0, false), (1, false), (2, true), (-2, false), (86_400, true)] {
      XCTAssertEqual(second.hasEnded(by: at + offset), hasEnded, "\(offset)")
    }
    XCTAssertFalse(second.hasEnded(by: nil))
    let start = 1_795_211_220.0
    for text in ["20-Nov-2026 21:47", "2026-11-20 21:47"] {
      let minute = try XCTUnwrap(ListingDate(text))
      for (offset, hasEnded) in [(59.0, false), (60, false), (61, true), (3_630, false)] {
        XCTAssertEqual(minute.hasEnded(by: start + offset), hasEnded, "\(text): \(offset)")
      }
    }
    let day = try XCTUnwrap(ListingDate("2026-11-20"))
    let midnight = 1_795_132_800.0
    XCTAssertFalse(day.hasEnded(by: midnight + 2 * 86_400), "its zone may be a day away")
    XCTAssertTrue(day.hasEnded(by: midnight + 2 * 86_400 + 1))
    XCTAssertNil(ListingDate("yesterday"))
  }
}
