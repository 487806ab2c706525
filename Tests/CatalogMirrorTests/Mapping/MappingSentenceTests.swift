import XCTest

@testable import CatalogMirror
@testable import SyncText

/// What a person is told whose mapping doesn't fit.
final class MappingSentenceTests: XCTestCase {
  private func page(_ mapping: String, _ text: String, _ url: String = "https://h/d/list")
    throws -> CatalogPage
  {
    let formats = CatalogFormats([MappedFormat(try JSONMapping(mapping))])
    return try formats.decode(Golden.body(text, url), as: .mapped)
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
