import SyncTransport
import TestSupport
import TransportTesting
import XCTest

@testable import CatalogMirror

/// A server listed dates in its own zone: at each change to or from summer time all of them moved
/// by an hour, and every byte was fetched again, though the server would have said that nothing had
/// changed.
final class MovedDateTests: RunTestCase {
  private static let modified = "Sat, 01 Jan 2022 00:00:00 GMT"
  private static let later = "Sat, 01 Jan 2022 01:00:00 GMT"
  private static let earlier = "Fri, 31 Dec 2021 23:00:00 GMT"

  private func item(
    _ text: String, _ modified: String = modified, etag: String? = nil, at date: String = Site.today
  ) -> Site.Answer {
    var answer = Site.Answer.text(text, ("Last-Modified", modified), ("Date", date))
    if let etag { answer.headers.add("ETag", etag) }
    return answer
  }

  /// Lists the item under a date, and has it answer so.
  private func serve(listed: String, size: Int = 5, _ answer: Site.Answer) throws {
    let page = """
      [
      { "name":"a", "type":"file", "mtime":"\(listed)", "size":\(size) }
      ]
      """
    try site.answer(
      Self.root, .text(page, ("Content-Type", "application/json"), ("Date", Site.today)))
    try site.answer(Self.root + "a", answer)
    site.forgetLog()
  }

  private func run(_ change: (inout MirrorOptions) -> Void = { _ in }) async throws -> MirrorReport
  {
    try await syncWell { options in
      tree(&options)
      change(&options)
    }
  }

  private var question: HTTPRequest? { site.log.first { $0.address.path == "/pub/a" } }

  private func assertNothingIsAsked(line: UInt = #line) async throws {
    site.forgetLog()
    _ = try await run()
    XCTAssertNil(question, line: line)
  }

  func testWhereOnlyTheDateMovedTheServerIsAskedWithTheTagAndTheNextRunAsksNothing() async throws {
    try serve(listed: Self.modified, item("alpha", etag: "\"1\""))
    _ = try await run()
    try serve(listed: Self.later, item("other", etag: "\"1\""))
    let report = try await run()
    XCTAssertEqual([report.confirmed, report.updated, Int(report.bytes)], [1, 0, 0])
    XCTAssertEqual(question?.headers["If-None-Match"], "\"1\"")
    XCTAssertNil(question?.headers["If-Modified-Since"], "of anything older, too, it says 304")
    XCTAssertEqual(try tree(), ["a": "alpha"])
    try await assertNothingIsAsked()
  }

  /// Another server's software makes other tags.
  func testAnAnswerWithTheKeptDateAndLengthIsCutAndCountsAsTheSame() async throws {
    for etag in ["\"2\"", nil] {
      try? remove("a")
      try serve(listed: Self.modified, item("alpha", etag: "\"1\""))
      _ = try await run()
      try serve(listed: Self.later, item("other", etag: etag))
      let report = try await run()
      XCTAssertEqual([report.confirmed, report.updated, Int(report.bytes)], [1, 0, 0])
      XCTAssertEqual(try tree(), ["a": "alpha"])
      try await assertNothingIsAsked()
    }
  }

  /// A cache on the way may still hold what was there under the other date, and say so.
  func testCachesAreNotAskedWhereOnlyTheDateMoved() async throws {
    for etag in ["\"1\"", nil] {
      try? remove("a")
      try serve(listed: Self.modified, item("alpha", etag: etag))
      _ = try await run()
      XCTAssertNil(question?.headers["Cache-Control"], "what is new comes from wherever it is")
      for (listed, answer) in [
        (Self.later, item("other", etag: etag)), (Self.earlier, item("older", Self.earlier)),
      ] {
        try serve(listed: listed, answer)
        _ = try await run()
        XCTAssertEqual(question?.headers["Cache-Control"], "no-cache", listed)
      }
      XCTAssertEqual(try tree(), ["a": "older"])
      try serve(listed: Self.later, size: 6, item("longer", Self.later))
      _ = try await run()
      XCTAssertNil(question?.headers["Cache-Control"], "another size is another state")
    }
  }

  func testWhatWasPutBackUnderAnOlderDateIsFetched() async throws {
    for etag in ["\"1\"", nil] {
      try? remove("a")
      try serve(listed: Self.modified, item("alpha", etag: etag))
      _ = try await run()
      try serve(listed: Self.earlier, item("older", Self.earlier, etag: etag.map { _ in "\"0\"" }))
      try await assertEqual(run().updated, 1)
      XCTAssertNil(question?.headers["If-Modified-Since"])
      XCTAssertEqual(try tree(), ["a": "older"])
    }
  }

  func testAWeakTagIsNotAsked() async throws {
    try serve(listed: Self.modified, item("alpha", etag: "W/\"1\""))
    _ = try await run()
    try serve(listed: Self.later, item("other", Self.later, etag: "W/\"1\""))
    try await assertEqual(run().updated, 1)
    XCTAssertEqual(try tree(), ["a": "other"])
  }

  /// What is written twice in one second has the same date and, on many servers, the same tag.
  func testWhatWasFetchedInTheSecondOfItsDateIsFetchedAgain() async throws {
    try serve(listed: Self.modified, item("alpha", etag: "\"1\"", at: Self.modified))
    _ = try await run()
    try serve(listed: Self.later, item("other", etag: "\"1\""))
    try await assertEqual(run().updated, 1)
    XCTAssertNil(question?.headers["If-None-Match"])
    XCTAssertEqual(try tree(), ["a": "other"])
  }

  func testAnotherSizeIsFetchedWithoutAQuestion() async throws {
    try serve(listed: Self.modified, item("alpha", etag: "\"1\""))
    _ = try await run()
    try serve(listed: Self.later, size: 6, item("longer", Self.later, etag: "\"2\""))
    try await assertEqual(run().updated, 1)
    XCTAssertNil(question?.headers["If-None-Match"])
  }

  func testAPlanSaysThatItWouldAsk() async throws {
    try serve(listed: Self.modified, item("alpha", etag: "\"1\""))
    _ = try await run()
    try serve(listed: Self.later, item("alpha", etag: "\"1\""))
    let plan = try await mirror { tree(&$0) }.plan()
    XCTAssertEqual(plan.asks.map(\.reason), [.moved])
    XCTAssertEqual(plan.fetches, [])
  }

  func testARoundedSizeAgreesAsFarAsItIsRounded() {
    for (size, rough, held, agrees) in [
      (nil, 5_000_000, 5_100_000, true), (nil, 5_000_000, 6_000_000, false), (nil, 12, 12, true),
      (nil, 12, 11, false), (nil, nil, 5, false), (5, nil, 5, true), (5, nil, 6, false),
    ] as [(Int64?, Int64?, Int64, Bool)] {
      var entry = CatalogEntry(
        key: CatalogKey("a"), locators: ["https://h/a"],
        version: .dateAndSize(date: "2", size: size))
      entry.estimatedSize = rough
      var row = IndexedItem(entry: entry)
      row.content = IndexedContent(
        version: .dateAndSize(date: "1", size: size), size: held, modifiedNanoseconds: 0, inode: 0,
        sha256: nil, etag: "\"1\"")
      let need = ItemNeed(
        MirrorItem(entry, isSettled: true), held: row, damage: nil,
        wants: .init(contents: true, previews: false))
      XCTAssertEqual(need.doubt, agrees ? .moved : nil, "\(size ?? -1), \(rough ?? -1), \(held)")
    }
  }
}
