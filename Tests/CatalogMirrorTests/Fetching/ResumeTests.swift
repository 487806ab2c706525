import SyncLock
import SyncTransport
import TransportTesting
import XCTest

@testable import CatalogMirror

/// A body that was cut is gone on with by the next attempt, or starts over.
final class ResumeTests: RunTestCase {
  private let text = "0123456789abcdef"
  private var url: String { Self.root + "a" }

  /// A catalog with the item, which says as much of it as told.
  private func serveItem(_ change: (inout Thing) -> Void = { _ in }) throws {
    try serve([
      Thing("a", text) {
        $0.version = "1"; change(&$0)
      }
    ])
  }

  private func assertItem(
    _ report: MirrorReport, ranges wanted: [String?], line: UInt = #line
  ) async throws {
    XCTAssertEqual(report.outcome, .done, "\(report.failures)", line: line)
    XCTAssertEqual(ranges(), wanted, line: line)
    XCTAssertEqual(try tree(), ["a": text], line: line)
    try await assertIndexIsTrue(line: line)
  }

  func testARetryGoesOnWhereTheLastAttemptWasCut() async throws {
    try serveItem()
    PartedFile(url, text, cuts: [5, 4]).place(on: site)
    let report = try await syncRetrying(2)
    try await assertItem(report, ranges: [nil, "bytes=5-", "bytes=9-"])
    XCTAssertEqual(
      site.log.dropFirst().map { $0.headers["If-Range"] }, [nil, "\"1\"", "\"1\""])
    XCTAssertEqual(report.bytes, 16)
  }

  func testF9_aBodyCutAnywhereInAnyFramingIsWholeInTheEnd() async throws {
    // Of the same length each, and other bytes: what is here already isn't fetched.
    let texts = (0..<3).map { "\($0)" + String(repeating: text, count: 256) }
    let framings = [Framing.length(Int64(texts[0].utf8.count)), .chunked, .multiplexed]
    for (number, framing) in framings.enumerated() {
      let text = texts[number]
      let cuts = stride(from: number, to: text.utf8.count, by: 3)
      try serve(cuts.map { cut in Thing("\(cut)", text) { $0.hasDigest = cut % 2 == 0 } })
      let files = cuts.map { PartedFile(Self.root + "\($0)", text, cuts: [$0], framing: framing) }
      PartedFile.place(files, on: site)
      let report = try await syncRetrying(1) { $0.maximumRemoval = .all }
      XCTAssertEqual(report.outcome, .done, "\(report.failures.prefix(3))")
      XCTAssertEqual(try tree(), Dictionary(cuts.map { ("\($0)", text) }) { $1 })
      let asked = Set(site.log.compactMap { $0.headers["Range"] })
      XCTAssertEqual(asked, Set(cuts.filter { $0 > 0 }.map { "bytes=\($0)-" }))
      try await assertIndexIsTrue()
    }
  }

  func testProgressCountsWhatCameOnce() async throws {
    try serveItem()
    PartedFile(url, text, cuts: [5]).place(on: site)
    var environment = environment
    environment.clock = ImmediateClock()
    let mirror = FolderMirror(mirror { $0.retries = 1 }.options, in: environment)
    _ = try await mirror.sync()
    XCTAssertEqual(mirror.progress.bytesDone, 16)
    XCTAssertEqual(mirror.progress.bytesTotal, 16)
  }

  func testWithoutAStrongValidatorItStartsOver() async throws {
    let date = "Fri, 31 Jan 2025 12:00:00 GMT"
    let weak: [[(String, String)]] = [
      [], [("ETag", "W/\"1\"")], [("ETag", "1")], [("Last-Modified", date)],
      [("Last-Modified", date), ("Date", date)],
      [("ETag", "\"1\""), ("Last-Modified", date), ("Date", date)],
      [("Last-Modified", "yesterday"), ("Date", date)],
      [("ETag", "W/\"1\""), ("Last-Modified", date), ("Date", "Fri, 31 Jan 2025 13:00:00 GMT")],
      [("ETag", "\"1\""), ("Accept-Ranges", "none")],
      [("ETag", "\"1\""), ("Content-Encoding", "gzip")],
    ]
    for validators in weak {
      try? remove("a")
      try serveItem()
      PartedFile(url, text, cuts: [5], validators: validators).place(on: site)
      let report = try await syncRetrying(1)
      try await assertItem(report, ranges: [nil, nil])
    }
  }

  func testADateThatIsOlderThanItsAnswerIsStrong() async throws {
    try serveItem()
    PartedFile(
      url, text, cuts: [5],
      validators: [
        ("Last-Modified", "Fri, 31 Jan 2025 12:00:00 GMT"),
        ("Date", "Fri, 31 Jan 2025 13:00:00 GMT"),
      ]
    ).place(on: site)
    let report = try await syncRetrying(1)
    try await assertItem(report, ranges: [nil, "bytes=5-"])
    XCTAssertEqual(site.log.last?.headers["If-Range"], "Fri, 31 Jan 2025 12:00:00 GMT")
  }

  func testTheWholeInAnswerToARangeStartsOver() async throws {
    try serveItem()
    let torn = Site.Answer.text("01234", ("ETag", "\"1\"")).torn(of: 16)
    try site.answer(url, torn, .text(text, ("ETag", "\"2\"")))
    let report = try await syncRetrying(1)
    try await assertItem(report, ranges: [nil, "bytes=5-"])
    XCTAssertEqual(report.bytes, 16)
  }

  func testAnythingButTheRestThatWasAskedForIsFetchedWhole() async throws {
    let wrong: [@Sendable (inout Site.Answer) -> Void] = [
      { $0.set("Content-Range", "bytes 4-15/16") },
      { $0.set("Content-Range", "bytes 6-15/16") },
      { $0.set("Content-Range", "bytes 5-14/16") },
      { $0.set("Content-Range", "bytes 5-15/17") },
      { $0.set("Content-Range", "bytes 5-16/17") },
      { $0.set("Content-Range", "bytes 5-15") },
      { $0.set("Content-Range", "bytes */16") },
      { $0.set("Content-Range", nil) },
      { $0.headers.add("Content-Range", "bytes 5-15/16") },
      { $0.set("ETag", "\"2\"") },
      { $0.set("ETag", "W/\"1\"") },
      { $0.set("ETag", nil) },
      { $0.set("Content-Type", "multipart/byteranges; boundary=x") },
      { $0.set("Content-Encoding", "gzip") },
      { $0.body.removeLast() },
      {
        $0.body += [0]; $0.framing = .chunked
      },
      { $0 = .status(416, ("Content-Range", "bytes */5")) },
    ]
    for (number, change) in wrong.enumerated() {
      try? remove("a")
      try serveItem { $0.hasDigest = number % 2 == 0 }
      let file = PartedFile(url, text, cuts: [5])
      file.onPart(change)
      file.place(on: site)
      let report = try await syncRetrying(1)
      try await assertItem(report, ranges: [nil, "bytes=5-", nil])
      XCTAssertEqual(report.bytes, 16, "\(number)")
    }
  }

  func testAPartThatEndsTooSoonIsGoneOnWith() async throws {
    try serveItem { $0.hasDigest = false }
    let file = PartedFile(url, text, cuts: [5])
    let isFirst = Locked(true)
    file.onPart { answer in
      guard
        isFirst.withLock({ first in
          defer { first = false }; return first
        })
      else { return }
      answer.body = Array(answer.body.prefix(3))
      answer.framing = .untilClose
    }
    file.place(on: site)
    let report = try await syncRetrying(2)
    try await assertItem(report, ranges: [nil, "bytes=5-", "bytes=8-"])
  }

  func testAWholeThatIsShorterThanDeclaredIsNotGoneOnWith() async throws {
    try serveItem { $0.hasDigest = false }
    let short = Site.Answer.text("01234", ("ETag", "\"1\""))
    try site.answer(url, short, .text(text, ("ETag", "\"1\"")))
    let report = try await syncRetrying(1)
    try await assertItem(report, ranges: [nil, nil])
  }

  func testWrongBytesAreFetchedInOnePiece() async throws {
    try serveItem()
    let torn = Site.Answer.text("wrong", ("ETag", "\"1\"")).torn(of: 16)
    let rest = Site.Answer.text(
      "56789abcdef", ("ETag", "\"1\""), ("Content-Range", "bytes 5-15/16"))
    try site.answer(url, torn, rest.with(status: 206), torn, .text(text))
    let report = try await syncRetrying(1)
    try await assertItem(report, ranges: [nil, "bytes=5-", nil, nil])
    XCTAssertEqual(
      site.log.dropFirst().map { $0.headers["Cache-Control"] }, [nil, nil, "no-cache", "no-cache"])
  }

  func testAPartFromAnotherPlaceIsNotJoined() async throws {
    try serveItem { $0.hasDigest = false }
    let (one, two) = ("https://one.test/a", "https://two.test/a")
    try site.answer(
      url, .status(302, ("Location", one)), .status(302, ("Location", two)))
    let torn = Site.Answer.text("01234", ("ETag", "\"1\"")).torn(of: 16)
    try site.answer(one, torn)
    let rest = Site.Answer.text(
      "XXXXXXXXXXX", ("ETag", "\"1\""), ("Content-Range", "bytes 5-15/16"))
    try site.answer(two, rest.with(status: 206), .text(text))
    assertEnds(try await syncRetrying(1))
    XCTAssertEqual(try tree(), ["a": text])
  }
}

extension Site.Answer {
  /// Replaces a header, or removes it.
  mutating func set(_ name: String, _ value: String?) {
    headers = headers.keeping { !$0.isSameFieldName(as: name) }
    if let value { headers.add(name, value) }
  }

  /// Breaks off after its body, which was to have so many bytes.
  func torn(of length: Int64) -> Self {
    var answer = self
    answer.framing = .length(length)
    answer.breakage = .interrupted
    return answer
  }

  func with(status: Int) -> Self {
    var answer = self
    answer.status = status
    return answer
  }
}
