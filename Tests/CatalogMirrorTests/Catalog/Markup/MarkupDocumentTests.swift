import XCTest

@testable import CatalogMirror

/// Documents of XML, element by element.
final class MarkupDocumentTests: XCTestCase {
  private func document(_ text: String) throws -> MarkupDocument {
    try document(Array(text.utf8))
  }

  private func document(_ bytes: [UInt8]) throws -> MarkupDocument {
    try Golden.body(bytes, "https://h/doc.xml").xml(expected: .rss)
  }

  func testTheOutermostElementIsKnownBeforeAnythingInIt() throws {
    let root = try document("<a:r xmlns:a='n' x='1 &amp; 2' a:y='3'><broken").root
    XCTAssertEqual(root.name, "r")
    XCTAssertEqual(root.namespace, "n")
    XCTAssertEqual(root.attribute("x"), "1 & 2")
    XCTAssertEqual(root.attribute("y", in: "n"), "3")
    XCTAssertNil(root.attribute("y"))
    XCTAssertTrue(root.children.isEmpty)
  }

  func testEachElementIsGivenWholeAndInItsOrder() throws {
    let text = """
      <r> text <a>1<b k='&lt;&#233;'> 2<![CDATA[<3>]]></b><!-- no --><?p no?>4</a><c/> <a>5</a></r>
      """
    var found: [String] = []
    try document(text).forEach { element in
      let inner = element.first("b")
      found.append(
        "\(element.name): \(element.content), \(inner?.text ?? "-"), \(inner?.attribute("k") ?? "-")"
      )
    }
    XCTAssertEqual(found, ["a: 1 2<3>4, 2<3>, <é", "c: , -, -", "a: 5, -, -"])
  }

  func testOfAnInnerElementTheFirstOneCounts() throws {
    let text = "<r><x/><in><a/><b><in/></b></in><y/><in><c/></in></r>"
    var found: [String] = []
    XCTAssertTrue(try document(text).forEach(inFirst: "in") { found.append($0.name) })
    XCTAssertEqual(found, ["a", "b"])
    XCTAssertFalse(try document(text).forEach(inFirst: "out") { _ in XCTFail() })
  }

  func testAPrefixThatNothingDeclaresIsPartOfTheName() throws {
    var found: [String] = []
    try document("<r><p:item p:k='1'/></r>").forEach { element in
      found = [element.name, element.namespace, element.attribute("p:k") ?? "-"]
    }
    XCTAssertEqual(found, ["p:item", "", "1"])
  }

  func testLatin1IsDecodedWhereverItsPiecesEnd() throws {
    let head = #"<?xml version="1.0" encoding="ISO-8859-1"?><r><a>"#
    for count in [1, 3_990, 3_991, 20_000] {
      let bytes = Array(head.utf8) + [UInt8](repeating: 0xE9, count: count)
      var content = ""
      try document(bytes + Array("</a></r>".utf8)).forEach { content = $0.content }
      XCTAssertEqual(content, String(repeating: "é", count: count))
    }
  }

  func testWhatWasGivenOfABrokenDocumentIsFollowedByAnError() throws {
    for rest in ["", "</x>", "</r><r/>", "&;</r>", "</r> text", "<b></r>"] {
      var count = 0
      XCTAssertThrowsError(try document("<r><a/><a/>" + rest).forEach { _ in count += 1 }, rest) {
        XCTAssertEqual(self.finding($0), .brokenXML, rest)
      }
      XCTAssertEqual(count, 2, rest)
    }
  }

  func testAnErrorOfWhoTakesTheElementsEndsTheReading() throws {
    let stop = CatalogError.pageLoop(url: "https://h/")
    var count = 0
    XCTAssertThrowsError(
      try document("<r><a/><a/><a/>").forEach { _ throws(CatalogError) in
        count += 1
        if count == 2 { throw stop }
      }
    ) { XCTAssertEqual($0 as? CatalogError, stop) }
    XCTAssertEqual(count, 2)
  }

  /// Hidden from a look for a bracket by a quote that isn't one.
  func testDeclarationsAreRefusedWhereverTheyStand() throws {
    for declaration in ["<!ENTITY e 'no'>", "<!ATTLIST a k CDATA 'no'>"] {
      for text in [
        "<!DOCTYPE r [\(declaration)]><r><a/></r>",
        "<!DOCTYPE r SYSTEM \"x><!--\" [\(declaration)]><!-- --><r><a/></r>",
      ] {
        var values: [String?] = []
        XCTAssertThrowsError(
          try document(text).forEach { values.append($0.attribute("k")) }, text
        ) { XCTAssertEqual(self.finding($0), .declarations, text) }
        XCTAssertEqual(values.compactMap(\.self), [], text)
      }
    }
  }

  /// With a document type elsewhere, libxml2 takes it that the entity is declared there, and leaves
  /// it out: `caf&eacute;` was read as `caf`.
  func testAnEntityThatIsNotXMLsOwnIsAnErrorWhereverItStands() throws {
    for type in ["", "<!DOCTYPE r SYSTEM 'r.dtd'>", "<!DOCTYPE r PUBLIC '-//r' 'http://h/r'>"] {
      for inside in ["<a>caf&eacute;</a>", "<a k='caf&eacute;'/>", "&eacute;<a/>"] {
        let text = "\(type)<r><a/>\(inside)</r>"
        var count = 0
        XCTAssertThrowsError(try document(text).forEach { _ in count += 1 }, text) {
          XCTAssertEqual(self.finding($0), .unknownEntity, text)
        }
        XCTAssertEqual(count, 1, text)
      }
      XCTAssertThrowsError(try document("\(type)<r k='&eacute;'/>"), type) {
        XCTAssertEqual(self.finding($0), .unknownEntity, type)
      }
      var found: [String] = []
      try document("\(type)<r><a k='&amp;&lt;'>&gt;&apos;&quot;&#xE9;</a></r>").forEach {
        found += [$0.attribute("k") ?? "-", $0.content]
      }
      XCTAssertEqual(found, ["&<", ">'\"é"], type)
    }
  }

  func testTheEncodingIsTakenWhateverBlankStandsBeforeIt() throws {
    for blank in [" ", "\n", "\t", "\r\n"] {
      let head = "<?xml\(blank)version='1.0'\(blank)encoding='ISO-8859-1'?><r><a>"
      var content = ""
      try document(Array(head.utf8) + [0xE9] + Array("</a></r>".utf8)).forEach {
        content = $0.content
      }
      XCTAssertEqual(content, "é", blank.debugDescription)
    }
  }

  func testAnElementHoldsAMillionOthersAndAttributesAndTenMegabytes() throws {
    let text = String(repeating: "x", count: 1_000_000)
    let end = String(repeating: "x", count: 999_999)
    let long = String(repeating: text + "<b/>", count: 9)
    let marked = String(repeating: "<![CDATA[\(text)]]>", count: 9)
    for inside in [String(repeating: "<b/>", count: 999_999), long + end, marked + end] {
      var count = 0
      try document("<r><a>\(inside)</a></r>").forEach { _ in count += 1 }
      XCTAssertEqual(count, 1, "\(inside.prefix(20))")
    }
  }

  func testAnElementThatHoldsTooMuchIsAnError() throws {
    let many = String(repeating: "<b/>", count: 1_000_000)
    let attributes = String(repeating: "<b k='' l=''/>", count: 333_334)
    let text = String(repeating: "x", count: 1 << 20)
    let value = String(repeating: "x", count: 65_000)
    let long = String(repeating: text + "<b/>", count: 10)
    for inside in [
      many, attributes, long, String(repeating: "<b k='\(value)'/>", count: 154),
      "<b k='\(value)' l='\(value)'/>", "<![CDATA[\(text)x]]>", text + "x", "<!--\(text)x-->",
    ] {
      let text = "<r><a>\(inside)</a></r>"
      XCTAssertThrowsError(try document(text).forEach { _ in }, "\(text.prefix(20))") {
        XCTAssertEqual(self.finding($0), .hugeElement, "\(text.prefix(20))")
      }
    }
  }

  /// libxml2 has limits of its own for documents that come in pieces.
  func testManyLargeElementsAreNoMatter() throws {
    var count = 0
    let value = String(repeating: "x", count: 65_000)
    let long = String(repeating: "x", count: 100_000)
    let some = "<a k='\(value)'/><!--\(long)--><a>\(long)</a>"
    try document("<r>" + String(repeating: some, count: 200) + "</r>").forEach { _ in count += 1 }
    XCTAssertEqual(count, 400)
  }

  func testElementsNest256Deep() throws {
    func nested(_ depth: Int) -> String {
      String(repeating: "<a>", count: depth) + String(repeating: "</a>", count: depth)
    }
    XCTAssertNoThrow(try document(nested(256)).forEach { _ in })
    for depth in [257, 100_000] {
      XCTAssertThrowsError(try document(nested(depth)).forEach { _ in }, "\(depth)") {
        XCTAssertEqual(self.finding($0), .hugeElement, "\(depth)")
      }
    }
  }

  private func finding(_ error: any Error) -> CatalogError.Finding? {
    guard case .unreadable(_, _, let found)? = error as? CatalogError else { return nil }
    return found
  }
}
