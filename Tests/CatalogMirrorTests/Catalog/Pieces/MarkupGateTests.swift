import XCTest

@testable import CatalogMirror

/// What counts as one tag, one text or one comment, where documents are written in every way.
final class MarkupGateTests: XCTestCase {
  /// What a gate says of a text, however it comes.
  private func excess(
    in text: String, _ language: MarkupGate.Language = .xml, line: UInt = #line
  ) -> CatalogError.Measure? {
    var limits = CatalogLimits()
    (limits.pieceBytes, limits.tagBytes, limits.attributes) = (40, 30, 3)
    let found = [1, 3, text.utf8.count].map { size -> CatalogError.Measure? in
      var gate = MarkupGate(PieceLimits(all: limits), language)
      var bytes = Array(text.utf8)[...]
      do throws(CatalogError) {
        while !bytes.isEmpty {
          try bytes.prefix(size).withUnsafeBufferPointer { piece throws(CatalogError) in
            try gate.take(UnsafeRawBufferPointer(piece))
          }
          bytes = bytes.dropFirst(size)
        }
        return nil
      } catch {
        guard case .limit(_, let measure, _) = error else { return nil }
        return measure
      }
    }
    XCTAssertTrue(found.allSatisfy { $0 == found[0] }, "\(text): \(found)", line: line)
    return found[0]
  }

  private let many = "<a b c d e>"
  private let long = String(repeating: "x", count: 41)

  func testAttributesAreCountedHoweverTheyAreWritten() {
    for three in [
      "b c d", "b='' c=\"\" d=e", "b = '1'\tc\n=\r\n2 d", "b='>'c='/'d='='", "b/c/d/",
      "b=c=d c d=<a",
    ] {
      for end in [">", "/>", " >"] {
        let tag = "<a \(three)\(end)"
        XCTAssertNil(excess(in: tag), tag)
        XCTAssertNil(excess(in: tag, .html), tag)
        let more = "<a \(three) e\(end)"
        XCTAssertEqual(excess(in: more), .attributes, more)
        XCTAssertEqual(excess(in: more, .html), .attributes, more)
      }
    }
    XCTAssertEqual(excess(in: "</a b c d e>"), .attributes)
  }

  func testAPageOfHTMLIsReadAsSuchWhateverItsFirstTag() {
    var limits = CatalogLimits()
    limits.attributes = 3
    func isTooLarge(_ text: String, _ mediaType: String?) -> Bool {
      var gate = PieceGate(limits, mediaType: mediaType)
      return Array(text.utf8).withUnsafeBytes { (try? gate.take($0)) == nil }
    }
    for start in ["<center>", "<table>", "<!-- x --><div>"] {
      let script = start + "<script>if (a <b c d e f g) {}</script>"
      XCTAssertFalse(isTooLarge(script, "text/html"), start)
      XCTAssertTrue(isTooLarge(script + many, "text/html"), start)
      XCTAssertTrue(isTooLarge(script, "application/xml"), start)
    }
  }

  func testOneTagOneTextAndOneCommentAreSo() {
    XCTAssertNil(excess(in: "<" + long.prefix(29) + ">" + long.prefix(40) + "</a>"))
    XCTAssertEqual(excess(in: "<" + long.prefix(30) + ">"), .tagBytes)
    XCTAssertEqual(excess(in: "<a b='" + long), .tagBytes)
    XCTAssertEqual(excess(in: "<a>" + long), .pieceBytes)
    for (start, end) in [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?x", "?>"), ("<!X", ">")] {
      let piece = start + long.prefix(36) + end
      XCTAssertNil(excess(in: piece + piece), piece)
      XCTAssertEqual(excess(in: start + long), .pieceBytes, start)
    }
    XCTAssertEqual(excess(in: "a < b <= " + long.prefix(32)), .pieceBytes)
  }

  func testWhatIsNoTagHidesNothingAndIsNotCounted() {
    for (start, end) in [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?x ", "?>")] {
      XCTAssertNil(excess(in: start + many + end), start)
      XCTAssertEqual(excess(in: start + end + many), .attributes, start)
    }
    // There, HTML and XML differ: the nearer end counts.
    for text in ["<!-->", "<!--->", "<!-- --!>"] {
      for language in [MarkupGate.Language.xml, .html] {
        XCTAssertEqual(excess(in: text + many, language), .attributes, text)
      }
    }
    for text in ["<![CDATA[>", "<?x>", "<!x>"] {
      XCTAssertEqual(excess(in: text + many, .html), .attributes, text)
    }
  }

  func testOnlyInHTMLAScriptIsNoMarkup() {
    for (name, other) in [("script", "style"), ("style", "script"), ("SCRIPT", "a")] {
      let script = "<\(name) a>if(a<b c d e){}</\(other)>"
      XCTAssertNil(excess(in: script + "</\(name)>", .html), name)
      XCTAssertNil(excess(in: "<html>" + script + "</\(name.lowercased())>", .unknown), name)
      XCTAssertEqual(excess(in: script, .xml), .attributes, name)
      XCTAssertEqual(excess(in: "<rss>" + script, .unknown), .attributes, name)
      XCTAssertEqual(excess(in: script + "</\(name) >" + many, .html), .attributes, name)
      XCTAssertEqual(excess(in: "<\(name)/>" + many, .html), .attributes, name)
      XCTAssertEqual(excess(in: "<\(name)s>" + many, .html), .attributes, name)
      XCTAssertEqual(excess(in: "<\(name)>" + long, .html), .pieceBytes, name)
    }
  }
}
