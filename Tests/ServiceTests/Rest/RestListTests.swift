import DocumentSync
import XCTest

@testable import DocumentEndpoints

/// What is known of a list between its pages and until the next one, and how answers are written.
final class RestListTests: XCTestCase {
  private func row(_ id: String, _ date: String) -> RestRow {
    RestRow(id: DocumentID(id), date: "\"\(date)\"", content: [:])
  }

  func testTheLatestRowIsKeptAndReadAgain() throws {
    var list = RestList(extent: .everything)
    list.saw(row("a", "2026-11-24T00:00:02Z"))
    list.saw(row("new\nline \"ü\"", "2026-11-24T00:00:03Z"))
    list.saw(row("c", "2026-11-24T00:00:01Z"))
    let latest = try XCTUnwrap(list.latest)
    XCTAssertEqual(latest.id, DocumentID("new\nline \"ü\""))
    XCTAssertEqual(latest.date.parameter, "2026-11-24T00:00:03Z")
    XCTAssertEqual(RestPoint(latest.text), latest)
    XCTAssertNil(RestPoint("yesterday"))
  }

  func testAListKnowsFromPageToPageWhichRowItHasToTell() throws {
    let point = try XCTUnwrap(RestPoint("\"2026-11-24T00:00:02Z\"\n\"a\""))
    var list = RestList(extent: .changes, latest: point, missing: point.id)
    list.saw(row("b", "2026-11-24T00:00:02Z"))
    list.came(rows: 1)
    XCTAssertNil(list.goes(on: "http://rows.example/a?page=2"))
    var next = try XCTUnwrap(RestList(list.mark))
    XCTAssertEqual(next, list)
    XCTAssertEqual(next.missing, DocumentID("a"))
    next.saw(row("a", "2026-11-24T00:00:05Z"))
    XCTAssertNil(next.missing)
    for text in ["", "[]", #"["other", null, null, "x"]"#, #"["all", null, null, null]"#] {
      XCTAssertNil(RestList(text), text)
    }
  }

  func testTextOfEachEncodingIsRead() {
    let cases: [(RestCharset, [UInt8], String?)] = [
      (.utf8, [0xC3, 0xA4], "ä"),
      (.latin1, [0x41, 0xE4], "Aä"),
      (.utf16, [0x00, 0xE4, 0xD8, 0x3C, 0xDF, 0x88], "ä🎈"),
      (.utf16, [0xFF, 0xFE, 0xE4, 0x00], "ä"),
      (.utf16LittleEndian, [0xE4, 0x00], "ä"),
      (.utf16LittleEndian, [0xFE, 0xFF, 0x00, 0xE4], "ä"),
      (.utf16, [0xD8, 0x3C], nil),
      (.utf16, [0x00], nil),
    ]
    for (charset, bytes, text) in cases {
      XCTAssertEqual(charset.utf8(bytes), text.map { Array($0.utf8) }, "\(charset) \(bytes)")
    }
    for (name, charset) in [
      ("ISO-8859-1", RestCharset.latin1), ("utf-16le", .utf16LittleEndian), ("UTF-16", .utf16),
      ("utf-8", .utf8),
    ] { XCTAssertEqual(RestCharset(named: name), charset) }
    XCTAssertNil(RestCharset(named: "koi8-r"))
  }
}
