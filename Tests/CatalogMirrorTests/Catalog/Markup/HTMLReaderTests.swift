import XCTest

@testable import CatalogMirror

/// A page in HTML is read into a tree of its own: what libxml2 tells of it, and no more.
///
/// libxml2's own tree took 120 bytes and more for each element and each text: sixty times the bytes
/// of a page of short tags.
final class HTMLReaderTests: XCTestCase {
  /// What is in an element, as names and texts.
  private func outline(_ page: String) throws -> String {
    func outline(_ node: HTMLNode) -> String {
      guard let name = node.name else { return node.isText ? "'\(node.text)'" : "?" }
      return "\(name)(" + node.children.map(outline).joined(separator: " ") + ")"
    }
    return try XCTUnwrap(HTMLReader.read(Array(page.utf8), in: .utf8, outline))
  }

  func testElementsAndTextsAreThoseOfThePage() throws {
    for (page, expected) in [
      ("<html><body><a>b</a>c<i>d</i></body></html>", "other(body(a('b') 'c' other('d')))"),
      ("<ul><li>a<li>b</ul>c", "other(body(ul(li('a') li('b')) 'c'))"),
      ("<pre>a&amp;b&#65;\n</pre>", "other(body(pre('a&bA\n')))"),
      ("<pre>a<!-- b --><!-- c -->d</pre>", "other(body(pre('a' ? 'd')))"),
      ("<pre>a<b></b>c</pre>", "other(body(pre('a' other() 'c')))"),
      ("<script>a<b></script><p>c", "other(head(script(?)) body(other('c')))"),
      ("<!-- a --><A>ü</A>", "other(body(a('ü')))"), ("<hr><hr>", "other(body(hr() hr()))"),
    ] {
      XCTAssertEqual(try outline(page), expected, page)
    }
    XCTAssertNil(HTMLReader.read(Array("<!-- a -->".utf8)) { _ in true })
  }

  func testAnElementsTextIsAllThatIsInIt() throws {
    let page = Array("<pre>a<b>b<i>c</i></b><!-- x -->d</pre><script>e</script>f".utf8)
    let texts = HTMLReader.read(page) { [$0.text] + $0.all(.pre).map(\.text) }
    XCTAssertEqual(texts, ["abcdef", "abcd"])
  }

  func testAnAttributeHasTheValueOfItsElement() throws {
    let page =
      "<a href='a&amp;b' class=\"c\" title=t></a><a class=d></a><a href href=e></a><a>f</a>"
    let values = HTMLReader.read(Array(page.utf8)) { root in
      root.all(.a).map { [$0.attribute(.href), $0.attribute(.kind)] }
    }
    XCTAssertEqual(values, [["a&b", "c"], [nil, "d"], ["", nil], [nil, nil]])
  }

  func testThoseOfANameAreFoundAtWhateverDepthButNotInOneAnother() throws {
    let page = "<div><table id=a><tr><td><table id=b></table></table></div><p><table id=c></table>"
    let found = HTMLReader.read(Array(page.utf8)) { $0.all(.table).map { $0.attribute(.id) } }
    XCTAssertEqual(found, ["a", "c"])
  }

  /// A server puts a whole page before its list.
  func testAnElementAfterTheOutermostIsTakenForOneInIt() throws {
    for start in ["", "<!DOCTYPE html>"] {
      let page = start + "<html><body><a>1</a></body></html>\n<a>2</a><html><body><a>3</a>"
      let links = HTMLReader.read(Array(page.utf8)) { $0.all(.a).map(\.text) }
      XCTAssertEqual(links, ["1", "2", "3"], page)
    }
  }

  func testElementsNest256Deep() throws {
    // Around them are `html` and `body`.
    for (depth, expected) in [(254, 254), (255, nil), (100_000, nil)] as [(Int, Int?)] {
      let page = Array(String(repeating: "<b>x", count: depth).utf8)
      XCTAssertEqual(HTMLReader.read(page) { $0.text.utf8.count }, expected, "\(depth)")
    }
  }

  func testAnElementAndATextTakeSixteenBytesEach() {
    XCTAssertEqual(MemoryLayout<HTMLTree.Node>.stride, 16)
  }
}
