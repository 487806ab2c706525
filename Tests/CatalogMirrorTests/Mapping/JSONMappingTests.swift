import TestSupport
import XCTest

@testable import CatalogMirror
@testable import SyncText

/// What the text of a mapping means.
final class JSONMappingTests: XCTestCase {
  private func page(_ mapping: String, _ text: String, _ url: String = "https://h/d/list")
    throws -> CatalogPage
  {
    let formats = CatalogFormats([MappedFormat(try JSONMapping(mapping))])
    return try formats.decode(Golden.body(text, url), as: .mapped)
  }

  private func keys(_ mapping: String, _ text: String) throws -> [String] {
    try page(mapping, text).entries.compactMap(\.key).map { "\($0)" }
  }

  func testItemsAreFoundAtTheirPath() throws {
    let table: [(String, String, [String])] = [
      (".", #"[{"k":"a"},{"k":"b"}]"#, ["a", "b"]),
      ("a", #"{"a":[{"k":"a"}]}"#, ["a"]),
      ("a.b", #"{"a":{"b":[{"k":"a"}]}}"#, ["a"]),
      ("*", #"{"x":{"k":"a"},"y":{"k":"b"}}"#, ["a", "b"]),
      ("[]", #"[{"k":"a"}]"#, ["a"]),
      ("[].l", #"[{"l":[{"k":"a"}]},{"l":[{"k":"b"},{"k":"c"}]}]"#, ["a", "b", "c"]),
      ("*.l", #"{"x":{"l":[{"k":"a"}]}}"#, ["a"]),
      ("d[].l.*", #"{"d":[{"l":{"x":{"k":"a"}}}]}"#, ["a"]),
      ("[t=f]", #"[{"t":"f","k":"a"},{"t":"d","k":"b"},{"k":"c"}]"#, ["a"]),
      ("d[t=true].l", #"{"d":[{"t":true,"l":[{"k":"a"}]},{"t":false}]}"#, ["a"]),
      (#"a\.b"#, #"{"a.b":[{"k":"a"}]}"#, ["a"]),
      ("a.1", #"{"a":[[{"k":"x"}],[{"k":"a"}]]}"#, ["a"]),
    ]
    for (path, text, expected) in table {
      XCTAssertEqual(try keys("items=\(path),key=k", text), expected, path)
    }
  }

  func testWhatIsNoListWhereOneIsNamedIsAnError() {
    for (path, text) in [
      (".", "{}"), ("[]", "{}"), ("[].l", #"{"l":[]}"#), ("*", "[]"), ("a", #"{"a":{}}"#),
      ("a", #"{"a":null}"#), ("[t=f]", #"{"t":"f"}"#), ("a.b", #"{"a":[]}"#),
    ] {
      XCTAssertThrowsError(try page("items=\(path),key=k", text), path + " " + text)
    }
  }

  func testAKeyIsPutTogetherFromTheItemAndWhatStandsAroundIt() throws {
    let text = #"{"y":2026,"g":[{"n":"outer","t":"v1","l":[{"n":"a"},{"n":"b","y":7}]}]}"#
    XCTAssertEqual(
      try keys("items=g[].l,key={y}/{t}-{n}.bin", text), ["2026/v1-a.bin", "7/v1-b.bin"])
    XCTAssertEqual(
      try keys("items=*.l,key={@key}/{n}", #"{"x":{"l":[{"n":"a"}]}}"#), ["x/a"])
    XCTAssertEqual(try keys("items=.,key={u|file}", #"[{"u":"https://h/x/a%20b?c"}]"#), ["a b"])
    XCTAssertEqual(
      try keys(#"items=.,key=\{\@key"#, #"[{"{@key":"a"}]"#), ["a"], "marks are letters")
  }

  /// Each item without a title was looked for one in the whole document, over all other items:
  /// 20,000 of them took minutes.
  func testWhatItemsLackIsLookedForAroundThemOnce() throws {
    let filling = String(repeating: "x", count: 40)
    let items = (0..<20_000).map { #"{"k":"\#($0)","s":"\#(filling)"}"# }
    let text = #"{"l":["# + items.joined(separator: ",") + #"],"title":{"x":"T"}}"#
    let start = ContinuousClock.now
    let page = try page("items=l,key=k,title=title.x,version=none", text)
    XCTAssertLessThan(
      ContinuousClock.now - start, .seconds(120), "quadratic, it takes many minutes")
    XCTAssertEqual(page.usable.count, 20_000)
    XCTAssertEqual(page.usable["7"]?.title, "T")
  }

  func testASizeAloneAndADateAsYoungAsTheListSettleNothing() throws {
    let young = Golden.listedAt - 1
    let table = [
      (#"{"k":"a","s":1}"#, false), (#"{"k":"a","s":1,"v":"1"}"#, true),
      (#"{"k":"a","s":1,"m":\#(young)}"#, false), (#"{"k":"a","s":1,"m":\#(young - 1)}"#, true),
    ]
    for (item, isSettled) in table {
      let page = try page("items=.,key=k,size=s,version=v,modified=m", "[\(item)]")
      guard case .entry(_, let settled)? = page.entries.first else { return XCTFail(item) }
      XCTAssertEqual(settled, isSettled, item)
    }
  }

  func testAddressesAreRelativeToTheDocumentAndTheirValuesEncoded() throws {
    let text = #"[{"k":"a b","u":"/x y/z?"}]"#
    let table = [
      ("key=k", "https://h/d/a%20b"), ("key=k,url=/f/{k}", "https://h/f/a%20b"),
      ("key=k,url=https://c/{@address.2}/{u}", "https://c/list//x%20y/z%3F"),
    ]
    for (mapping, address) in table {
      XCTAssertEqual(
        try page("items=.," + mapping, text).usable["a b"]?.locators, [address], mapping)
    }
    let hostile = try page("items=.,key=k,url={u}", #"[{"k":"a","u":"ftp://h/a"}]"#)
    XCTAssertEqual(hostile.unusable.map(\.problem), [.locator(.scheme("ftp"))])
  }

  func testWhatAnItemLacksIsOneFailedItemOrNotKnown() throws {
    let mapping = "items=.,key=k,url=u,size=s,sha256=d,order=o,modified=m,title=t"
    let fields = [
      #""x":1"#, #""u":{}"#, #""u":"/a","s":-1"#, #""u":"/a","s":1.5"#, #""u":"/a","d":"ab""#,
      #""u":"/a","d":"sha256:12""#, #""u":"/a","o":"first""#,
    ]
    for field in fields {
      let page = try page(mapping, #"[{"k":"a","u":"/a"},{"k":"b",\#(field)}]"#)
      XCTAssertEqual(Set(page.usable.keys), ["a"], field)
      XCTAssertEqual(page.unusable.map(\.key), [CatalogKey("b")], field)
    }
    let text = #"[{"k":"a","u":"/a","s":null,"d":"md5:ab","m":"soon","t":null,"o":"3"}]"#
    let entry = try XCTUnwrap(try page(mapping, text).usable["a"])
    XCTAssertEqual(entry.version, .dateAndSize(date: "soon", size: nil))
    XCTAssertEqual(entry.order, 3)
    XCTAssertNil(entry.modified)
  }

  func testAnItemWithoutAKeyOrAListWithinAListMakesTheListingPartial() throws {
    let mapping = MappedFormat(try JSONMapping("items=[].l,key=k"))
    for text in [#"[{"l":[{"k":"a"},{}]}]"#, #"[{"l":[{"k":"a"}]},{"n":1}]"#] {
      let page = try mapping.page(try Golden.body(text), within: CatalogLimits())
      XCTAssertEqual(page.entries.count, 1, text)
      XCTAssertEqual(page.count, 2, text)
    }
  }

  func testPagesFollowAMemberACursorOrANumber() throws {
    let item = #""l":[{"k":"a"}]"#
    let table: [(String, String, String, String?)] = [
      ("n.u", #"{\#(item),"n":{"u":"?p=2"}}"#, "https://h/l?q=1", "https://h/l?p=2"),
      ("n", #"{\#(item),"n":null}"#, "https://h/l", nil),
      ("n", #"{\#(item),"n":""}"#, "https://h/l", nil),
      ("?c=n", #"{\#(item),"n":"x/=&"}"#, "https://h/l?q=1", "https://h/l?q=1&c=x/%3D%26"),
      ("?c=n", #"{\#(item),"n":"y"}"#, "https://h/l?c=x&q=1", "https://h/l?q=1&c=y"),
      ("?c=n", #"{\#(item)}"#, "https://h/l?c=x", nil),
      ("?page", #"{\#(item)}"#, "https://h/l", "https://h/l?page=2"),
      ("?page", #"{\#(item)}"#, "https://h/l?page=9&q=1", "https://h/l?q=1&page=10"),
      ("?page", #"{"l":[]}"#, "https://h/l?page=10", nil),
      (
        "links[rel=next].href", #"{\#(item),"links":[{"rel":"next","href":"b"}]}"#, "https://h/l",
        "https://h/b"
      ),
    ]
    for (next, text, url, expected) in table {
      let page = try page("items=l,key=k,next=" + next, text, url)
      XCTAssertEqual(page.next?.url, expected, next + " " + text)
    }
  }

  func testAServerThatDoesNotCountIsNotAskedForEver() throws {
    let format = MappedFormat(try JSONMapping("items=.,key=k,next=?page"))
    var body = try Golden.body(#"[{"k":"a"}]"#, "https://h/l")
    let next = try XCTUnwrap(format.page(body, within: CatalogLimits()).next)
    body.request = next
    assertThrows(
      CatalogError.pageLoop(url: "https://h/l"), try format.page(body, within: CatalogLimits()))
  }

  func testACountThatAgreesVouches() throws {
    let format = MappedFormat(try JSONMapping("items=l,key=k,count=total"))
    let page = try format.page(
      try Golden.body(#"{"total":"2","l":[{"k":"a"}]}"#), within: CatalogLimits())
    XCTAssertEqual(page.header.count, 2)
    XCTAssertEqual(page.claim, .unvouched)
    for text in [#"{"l":[]}"#, #"{"l":[],"total":-1}"#, #"{"l":[],"total":"many"}"#] {
      XCTAssertThrowsError(
        try format.page(try Golden.body(text), within: CatalogLimits()), text)
    }
  }

  func testTooManyItemsAreAnError() throws {
    var limits = CatalogLimits()
    limits.entries = 2
    let format = MappedFormat(try JSONMapping("items=[].l,key=k"))
    for text in [
      #"[{"l":[1,2,3]}]"#, #"[{"l":[1,2]},{"l":[3]}]"#, #"[{"l":[]},{"l":[]},{"l":[]}]"#,
    ] {
      assertThrows(
        CatalogError.limit(url: "https://h/data/", .entries, most: 2),
        try format.page(try Golden.body(text), within: limits))
    }
  }

  func testWhatIsWrongWithAMappingIsSaidInASentence() {
    let table: [(String, JSONMappingProblem)] = [
      ("", .noValue("")), ("items", .noValue("items")), ("key=a", .missing("items")),
      ("items=.", .missing("key")), ("items=.,key=a,color=b", .unknownName("color")),
      ("items=.,key=a,key=b", .twice("key")), ("items=a..b,key=a", .badPath("items", "a..b")),
      ("items=.a,key=a", .badPath("items", ".a")), ("items=[,key=a", .badPath("items", "[")),
      ("items=[a],key=a", .badPath("items", "[a]")), ("items=,key=a", .badPath("items", "")),
      ("items=.,key=", .badPath("key", "")), ("items=.,key={a", .badPath("key", "{a")),
      ("items=.,key=a}", .badPath("key", "a}")), ("items=.,key={}", .badPath("key", "{}")),
      ("items=.,key=a[]", .badPath("key", "a[]")), ("items=.,key={a|b}", .badPath("key", "{a|b}")),
      ("items=.,key=@name", .badPath("key", "@name")),
      ("items=.,key=@address.0", .badPath("key", "@address.0")),
      ("items=.,key=a,next=?", .badPath("next", "?")),
      ("items=.,key=a,next=?c=", .badPath("next", "?c=")),
    ]
    for (text, problem) in table {
      XCTAssertThrowsError(try JSONMapping(text), text) { error in
        XCTAssertEqual(error as? JSONMappingProblem, problem, text)
        XCTAssert("\(error)".hasSuffix("."), "\(error)")
      }
    }
    XCTAssertEqual(
      "\(JSONMappingProblem.missing("key"))", "the mapping has no 'key'; add key=PATH.")
  }

  /// The mapping was called "map", and what it didn't find wasn't told.
  func testAPathThatFindsNothingIsToldWithWhatIsThere() {
    let table: [(String, String, String)] = [
      ("items=.,key=k", #"{"a":[],"b":1}"#, "items at '.' (the document has a, b)"),
      ("items=a.b.c,key=k", #"{"a":{"b":{"x":1}}}"#, "items at 'a.b.c' ('a.b' has x)"),
      ("items=a[].l,key=k", #"{"a":{}}"#, "items at 'a[].l' ('a' is an empty object)"),
      ("items=[t=f].l.*,key=k", "{}", "items at '[t=f].l.*' (the document is an empty object)"),
      ("items=a,key=k", "[]", "items at 'a' (the document is a list)"),
      ("items=a,key=k", #"{"a":null}"#, "items at 'a' ('a' is null)"),
      ("items=a,key=k,count=n.m", #"{"a":[]}"#, "count at 'n.m' (the document has a)"),
      ("items=a,key=k,count=n", #"{"a":[],"n":"many"}"#, "count at 'n' ('many' is there)"),
    ]
    for (mapping, text, words) in table {
      XCTAssertThrowsError(try page(mapping, text), mapping) { error in
        XCTAssertEqual(
          "\(error)",
          """
          https://h/d/list gave JSON that has no \(words), where JSON that the mapping fits was \
          expected; check the address, or correct the mapping.
          """)
        XCTAssertEqual((error as? CatalogError)?.advice, .correctMapping)
      }
    }
  }

  func testAFieldThatIsNotThereIsToldWithItsPath() throws {
    let text = #"[{"k":"a","l":"b","s":-1},{"k":"b","u":"/b","s":"big"},{"l":"c"}]"#
    let mapping = "items=.,key={l}/{k},url=u,size=s"
    let page = try page(mapping, text.replacing(#""u""#, with: #""l":"x","u""#))
    let expected = "a whole number of bytes"
    XCTAssertEqual(
      page.unusable.map(\.problem),
      [
        .mapped(field: "url", path: "u", expected: nil),
        .mapped(field: "size", path: "s", expected: expected),
      ])
    let keyless = try XCTUnwrap(page.keyless.named.first)
    XCTAssertEqual(keyless.position, 3)
    let words = "it has no value at 'k', where its key is looked for. Correct the mapping"
    XCTAssert("\(keyless)".hasPrefix("entry 3 can't be used: " + words), "\(keyless)")
    let report = MirrorReport.Failure(key: "entry 3", keyless)
    XCTAssert(report.sentence.hasPrefix(words), report.sentence)
    XCTAssert("\(page.unusable[1])".contains("has at 's', where its size"), "\(page.unusable)")
  }
}
