import Foundation
import TestSupport
import XCTest

@testable import CatalogMirror
@testable import SyncText

final class CatalogFormatTests: XCTestCase {
  func testTheThreeFormsGiveTheSameEntries() throws {
    let lines = try Golden.page(Golden.ndjson)
    let object = try Golden.page(Golden.object)
    let array = try Golden.page(Golden.array)
    XCTAssertEqual(lines.withoutLines, object)
    XCTAssertEqual(lines.withoutLines.entries, array.entries)
    XCTAssertEqual(lines.header.title, "T")
    XCTAssertEqual(lines.header.revision, .opaque("r1"))
    XCTAssertEqual(lines.header.count, 3)
    XCTAssertEqual([lines.claim, array.claim], [.whole, .unvouched])
  }

  func testEveryFieldOfAnEntryIsRead() throws {
    let page = try Golden.page(Golden.ndjson)
    let digest = try XCTUnwrap(SHA256Digest(hexadecimal: Golden.digest))
    let first = try XCTUnwrap(page.usable["a.txt"])
    XCTAssertEqual(first.locators, ["https://h/data/a.txt"])
    XCTAssertEqual(first.version, .digest(digest))
    XCTAssertEqual(first.sha256, digest)
    XCTAssertEqual(first.size, 5)
    XCTAssertEqual(first.modified, 1_795_211_244)
    let second = try XCTUnwrap(page.usable["b/ü ?.txt"])
    XCTAssertEqual(second.locators, ["https://h/data/b/%C3%BC%20%3F.txt"])
    XCTAssertEqual(second.version, .revision("7"))
    XCTAssertEqual(second.order, -1)
    XCTAssertEqual(second.title, "B")
    XCTAssertEqual(second.extra, #"{"tags":["x",1.50]}"#)
    let third = try XCTUnwrap(page.usable["c"])
    XCTAssertEqual(third.locators, ["https://cdn/c?x=1"])
    XCTAssertEqual(third.preview?.locator, "https://h/data/p/c.webp")
    XCTAssertEqual(third.preview?.version, .dateAndSize(date: nil, size: 3))
    XCTAssertTrue(page.entries.contains(.entry(third, settled: false)), "nothing tells its version")
  }

  func testBaseAndNextAreResolvedAgainstTheCatalogsURL() throws {
    let text =
      #"{"catalog":1,"base":"../files/","next":"?page=2"}"# + "\n" + #"{"key":"a:b/c"}"# + "\n"
    let page = try Golden.page(text)
    XCTAssertEqual(page.usable["a:b/c"]?.locators, ["https://h/files/a%3Ab/c"])
    XCTAssertEqual(page.next, CatalogRequest("https://h/data/?page=2"))
  }

  func testAKeysOwnURLIsThatOfItsEncodedPathHoweverPlainItIs() throws {
    let keys = [
      "a", "a/b.txt", "a-b_c~1/x", "..a", "a/.hidden", ".x", "a b", "ü", "a:b", "a%20b", "a?b",
      "a//b",
      "a/./b", "a/../b", "a/", "/a", "..", "a/b/..", "a#b",
    ]
    for base in [
      "https://h", "https://h/", "http://h:8080/x/y", "https://h/x/?q=1", "https://h/a/../b/c.json",
      "file:///srv/data/catalog.json", "ftp://h/x", "https:///x",
    ] {
      let url = try Golden.url(base)
      let reader = EntryReader(base: url, catalog: url)
      for key in keys {
        let text = String(decoding: try JSONEncoder().encode(["key": key]), as: UTF8.self)
        let bytes = Array(text.utf8)
        let listed = reader.read(
          try JSONValue(bytes, in: 0..<bytes.count, nesting: 4), position: 1)
        let slow = try Golden.url("./" + PercentEncoding.encode(path: key.utf8)).resolved(
          against: url)
        let isFollowed = LocatorRules(catalog: url).problem(with: slow) == nil
        switch listed {
        case .entry(let entry, _):
          XCTAssertEqual(entry.locators, [slow.text], "\(key) at \(base)")
          XCTAssert(isFollowed, "\(key) at \(base)")
        case .unusable: XCTAssertFalse(isFollowed, "\(key) at \(base)")
        }
      }
    }
  }

  func testTheLinkHeaderIsANextPageOfEveryFormat() throws {
    for text in [Golden.array, Golden.ndjson, Golden.sums, Golden.nginxJSON, Golden.nginxHTML] {
      var body = try Golden.body(text)
      body.nextLink = "more?page=2"
      XCTAssertEqual(
        try CatalogFormats.standard.decode(body).next?.url, "https://h/data/more?page=2")
      body.nextLink = "http://h/plain"
      assertThrows(
        CatalogError.badNext(url: "https://h/data/", problem: .leavesHTTPS),
        try CatalogFormats.standard.decode(body))
    }
  }

  func testWhatIsNoCatalogIsAnErrorThatNamesURLExpectationAndFinding() throws {
    let login = "<!DOCTYPE html><html><title>Sign in</title><form>key</form></html>"
    let cases: [(String, CatalogError.Finding)] = [
      ("", .nothing), (" \r\n ", .nothing),
      (login, .html),
      ("<?xml version='1.0'?><Error/>", .xml),
      (#"{"error":"not found"}"#, .json),
      (#"{"login":"https://sso/"}"#, .json),
      (#"[{"id":1}]"#, .json), ("[1,2]", .json),
      (#"{"items":[]}"#, .json),
      ("null", .text),
      ("Not found\n", .text),
    ]
    for (text, found) in cases {
      assertThrows(
        CatalogError.unreadable(url: "https://h/data/", expected: .anyFormat, found: found),
        try Golden.page(text), text)
    }
  }

  func testDamagedCatalogsAreErrors() throws {
    let damaged = [
      Golden.object + "x", Golden.object + "{}", Golden.array + "]", Golden.ndjson + "{",
      Golden.ndjson.replacing("\"size\":5", with: "\"size\":5,\"size\":6"),
      #"{"catalog":1}"# + "\n[\n", #"{"catalog":1,"items":3}"#,
      #"{"items":[{"id":1}],"key":1}"#, #"{"error":{"key":"x"}}"#,
    ]
    for text in damaged { XCTAssertThrowsError(try Golden.page(text), text) }
    let utf16 = try XCTUnwrap(Golden.object.data(using: .utf16))
    XCTAssertThrowsError(try CatalogFormats.standard.decode(Golden.body(Array(utf16))))
    let latin1 = Array(Golden.array.utf8).map { $0 == 0xC3 ? 0xFC : $0 }
    XCTAssertThrowsError(try CatalogFormats.standard.decode(Golden.body(latin1)))
  }

  func testAHeaderOfAWrongTypeIsAnError() throws {
    let headers = [
      #""catalog":2"#, #""catalog":"1""#, #""catalog":1,"count":"3""#, #""catalog":1,"count":-1"#,
      #""catalog":1,"count":1e400"#, #""catalog":1,"complete":"yes""#, #""catalog":1,"title":1"#,
      #""catalog":1,"revision":1.5"#, #""catalog":1,"base":"a b""#, #""catalog":1,"next":{}"#,
    ]
    for header in headers {
      for text in ["{\(header)}\n{\"key\":\"a\"}\n", "{\(header),\"items\":[{\"key\":\"a\"}]}"] {
        XCTAssertThrowsError(try Golden.page(text), text) { error in
          guard case .badHeader = error as? CatalogError else { return XCTFail("\(error)") }
        }
      }
    }
  }

  func testAnEntryOfAWrongTypeFailsAloneAndIsNamedByItsPosition() throws {
    let fields = [
      #""size":-1"#, #""size":1.5"#, #""size":9223372036854775808"#, #""size":"5""#,
      #""sha256":"ab""#, #""sha256":5"#, #""version":[5]"#, #""modified":"yesterday""#,
      #""modified":5"#, #""order":1.5"#, #""title":[]"#, #""url":5"#, #""url":[5]"#, #""url":[]"#,
      #""url":"ftp://h/x""#, #""url":"a b""#, #""preview":"x""#, #""preview":{}"#,
      #""preview":{"url":"x","size":-1}"#, #""title":"\ud800""#,
    ]
    for field in fields {
      let text = "[{\"key\":\"a\"},{\"key\":\"b\",\(field)},{\"key\":\"c\"}]"
      let page = try Golden.page(text)
      XCTAssertEqual(Set(page.usable.keys), ["a", "c"], field)
      XCTAssertEqual(page.unusable.map(\.position), [2], field)
      XCTAssertEqual(page.unusable.map(\.key), [CatalogKey("b")], field)
    }
  }

  func testAnEntryWithoutAReadableKeyMakesTheListingPartial() throws {
    for entry in ["{}", #"{"key":5}"#, #"{"key":null,"url":"x"}"#, "5", "[]"] {
      let text = #"{"catalog":1,"count":2,"complete":true,"items":[{"key":"a"},\#(entry)]}"#
      let listing = try Golden.listing(Golden.body(text))
      XCTAssertEqual(listing.completeness, .partial([.unreadableKeys(count: 1, first: 2)]), entry)
      XCTAssertEqual(listing.entries.map(\.key), [CatalogKey("a")])
    }
  }

  func testNullCountsAsAbsent() throws {
    let page = try Golden.page(#"[{"key":"a","url":null,"size":null,"sha256":null,"order":null}]"#)
    XCTAssertEqual(page.usable["a"]?.version, .unknown)
  }

  func testAMappingIsReadOnlyByName() throws {
    let text = #"{"a.txt":"https://cdn/1","b":{"size":3,"key":"ignored"},"c":5}"#
    XCTAssertThrowsError(try Golden.page(text))
    let page = try Golden.page(text, as: .mapping)
    XCTAssertEqual(page.usable["a.txt"]?.locators, ["https://cdn/1"])
    XCTAssertEqual(page.usable["b"]?.size, 3)
    XCTAssertEqual(page.unusable.map(\.key), [CatalogKey("c")])
    XCTAssertEqual(
      try Golden.listing(Golden.body(text), as: .mapping).completeness, .partial([.unvouchable]))
    XCTAssertEqual(
      try Golden.listing(Golden.body(text), as: .mapping, { $0.isVouchedFor = true }).completeness,
      .complete)
  }

  func testTooMuchIsAnError() throws {
    var limits = CatalogLimits()
    limits.entries = 2
    let mapping = #"{"a":"1","b":"2","c":"3"}"#
    let catalogs: [(String, CatalogFormatName?)] = [
      (Golden.ndjson, nil), (Golden.object, nil), (Golden.array, nil), (Golden.sums, nil),
      (Golden.nginxHTML, nil), (Golden.nginxJSON, nil), (mapping, .mapping),
    ]
    for (text, format) in catalogs {
      assertThrows(
        CatalogError.limit(url: "https://h/data/", .entries, most: 2),
        try CatalogFormats.standard.decode(Golden.body(text), as: format, limits: limits))
    }
    limits = CatalogLimits()
    limits.bytes = 10
    XCTAssertThrowsError(
      try CatalogFormats.standard.decode(Golden.body(Golden.array), limits: limits))
    XCTAssertThrowsError(
      try Golden.page("[{\"key\":\"a\",\"x\":" + String(repeating: "[", count: 100_000)))
  }
}
