import SyncTransport
import XCTest
@testable import SyncText

final class FieldTests: XCTestCase {
  func testDatesAreReadInAllThreeForms() {
    let table: [(String, Int64?)] = [
      ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777),
      ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
      ("Sun Nov  6 08:49:37 1994", 784_111_777), ("Sun Nov 16 08:49:37 1994", 784_975_777),
      ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Thu, 29 Feb 2024 12:00:00 GMT", 1_709_208_000),
      ("Wed, 31 Dec 1969 23:59:59 GMT", -1), ("Tue, 01 Mar 2101 00:00:00 GMT", 4_139_078_400),
      ("Saturday, 01-Jan-00 00:00:00 GMT", 946_684_800),
      ("Wednesday, 01-Jan-70 00:00:00 GMT", 3_155_760_000),
      ("Friday, 01-Jan-77 00:00:00 GMT", 220_924_800),
      ("Wed, 29 Feb 2023 12:00:00 GMT", nil), ("Sun, 32 Nov 1994 08:49:37 GMT", nil),
      ("Sun, 06 Nov 1994 24:00:00 GMT", nil), ("Sun, 06 Nov 1994 08:49 GMT", nil),
      ("Sun, 06 Nov 1994 08:49:37 CET", nil), ("Sun, 06 nov 1994 08:49:37 GMT", nil),
      ("Sun, +6 Nov 1994 08:49:37 GMT", nil), ("   , 06 Nov 1994 08:49:37 GMT", nil),
      ("Sun,  6 Nov 1994 08:49:37 GMT ", 784_111_777), ("Sun, 06 Nov 1994 08:49:37 GMt", nil),
      ("Sat, 31 Dec 2016 23:59:60 GMT", 1_483_228_799), ("", nil), ("120", nil), ("tomorrow", nil),
    ]
    for (text, seconds) in table {
      XCTAssertEqual(HTTPDate(text, thisYear: 2025)?.secondsSince1970, seconds, text)
    }
  }

  func testRetryAfterIsReadInBothForms() {
    let now = HTTPDate(secondsSince1970: 784_111_777)
    let table: [(String, Duration?)] = [
      ("0", .zero), ("120", .seconds(120)), ("-5", .zero), ("1000000000", .seconds(1_000_000_000)),
      ("99999999999999999999", .seconds(Int64(Int32.max))),
      ("Sun, 06 Nov 1994 08:50:07 GMT", .seconds(30)),
      ("Sunday, 06-Nov-94 08:50:07 GMT", .seconds(30)), ("Sun Nov  6 08:50:07 1994", .seconds(30)),
      ("Sun, 06 Nov 1994 08:00:00 GMT", .zero), ("1.5", nil), ("", nil), ("-", nil), ("soon", nil),
    ]
    for (text, wait) in table {
      XCTAssertEqual(RetryAfter(text)?.wait(at: now), wait, text)
    }
  }

  func testEntityTagsAreComparedByteForByteAndWeakOnesNeverAgree() throws {
    let strong = try XCTUnwrap(EntityTag("\"a\""))
    let weak = try XCTUnwrap(EntityTag("W/\"a\""))
    XCTAssertEqual([strong.isWeak, weak.isWeak], [false, true])
    XCTAssertEqual([strong.text, weak.text], ["\"a\"", "W/\"a\""])
    XCTAssertTrue(strong.isStronglyEqual(to: strong))
    XCTAssertFalse(weak.isStronglyEqual(to: weak))
    XCTAssertFalse(strong.isStronglyEqual(to: weak))
    XCTAssertEqual(EntityTag("\"\"")?.opaque, [])
    XCTAssertNotEqual(EntityTag("\"\u{e9}\""), EntityTag("\"e\u{301}\""))
    XCTAssertEqual(EntityTag("\"\u{301}x\"")?.opaque, Array("\u{301}x".utf8))
    for text in ["", "a", "\"", "\"a", "w/\"a\"", "W/a", "\"a\"b\"", "\"a b\"", "\"a\", \"b\""] {
      XCTAssertNil(EntityTag(text), text)
    }
  }

  func testOnlyAWholeContentRangeIsRead() {
    let table: [(String, ContentRange?)] = [
      ("bytes 0-9/100", .bytes(0...9, of: 100)), ("bytes 5-5/*", .bytes(5...5, of: nil)),
      ("bytes */100", .unsatisfied(of: 100)), ("BYTES 0-0/1", .bytes(0...0, of: 1)),
      ("bytes 9-0/100", nil), ("bytes 0-100/100", nil), ("bytes */*", nil), ("bytes 0-9", nil),
      ("items 0-9/100", nil), ("bytes=0-9/100", nil), ("bytes -9/100", nil),
      ("bytes 0-99999999999999999999/*", nil), ("bytes 0-9/100/1", nil), ("", nil),
    ]
    for (text, range) in table {
      XCTAssertEqual(ContentRange(text), range, text)
    }
  }

  func testTheNextPageIsFoundInALinkHeaderAndABrokenOneIsSeen() {
    let table: [([String], String?)] = [
      (["<https://h/2>; rel=\"next\""], "https://h/2"), (["<?page=2>; rel=next"], "?page=2"),
      (["<a>; rel=prev, <b>; rel=next"], "b"), (["<a>; rel=prev", "<b>; rel=\"Next\""], "b"),
      (["<a>; title=\"x, y; rel=next\"; rel=\"prev last\", <b,c>; REL=\"last next\""], "b,c"),
      (["<a>; rel=\"next\"; anchor=\"/other\""], nil), (["<a>; rel=prev; rel=next"], nil),
      (["<a>;rel=\"next\";"], "a"), (["<a> ; rel = next"], "a"), ([], nil), (["<a>"], nil),
    ]
    for (values, next) in table {
      let header = LinkHeader(values)
      XCTAssertEqual(header.next, next, "\(values)")
      XCTAssertFalse(header.isBroken, "\(values)")
    }
    for value in ["https://h/2; rel=next", "<a; rel=next", "<a>; rel=\"next", "<a> b"] {
      XCTAssertTrue(LinkHeader([value]).isBroken, value)
      XCTAssertNil(LinkHeader([value]).next, value)
    }
  }

  func testMediaTypesAreReadWithoutRegardToCase() {
    let json = MediaType("Application/Feed+JSON; Charset=\"UTF-8\"")
    XCTAssertEqual(json?.essence, "application/feed+json")
    XCTAssertEqual(json?.charset, "utf-8")
    XCTAssertEqual(MediaType(" text/html;x=y; charset=latin1")?.charset, "latin1")
    XCTAssertNil(MediaType("text/html")?.charset)
    for text in ["", "text", "/html", "text/", "text html"] { XCTAssertNil(MediaType(text), text) }
  }

  func testTheEssenceIsTheSameHoweverItIsRead() {
    let texts = [
      "text/html", "application/octet-stream", "application/feed+json", "Text/HTML", "a/b/c", "a//",
      "text/html; charset=utf-8", "text/html ", " text/html", "/", "//", "/html", "text/", "text",
      "", "text/ht ml", "a/ä", "ä/b", "a/b;", "a/b,c/d",
    ]
    for text in texts {
      XCTAssertEqual(MediaType.essence(of: text), MediaType(text)?.essence, text)
    }
  }

  func testAHeaderThatWouldSmuggleAnotherCannotBeSent() {
    let isSendable = { HTTPHeaders.Field(name: $0, value: $1).isSendable }
    XCTAssertTrue(isSendable("X-Name", "a\tb é"))
    for (name, value) in [("", "a"), ("a b", "c"), ("a:", "c"), ("a", "b\r\nc"), ("a", "\u{0}")] {
      XCTAssertFalse(isSendable(name, value))
    }
  }
}
