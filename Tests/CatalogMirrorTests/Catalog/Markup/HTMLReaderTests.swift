import XCTest

@testable import CatalogMirror

/// A page in HTML is read as libxml2 tells of it, and handed over part by part.
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
    return try XCTUnwrap(HTMLReader.whole(Array(page.utf8), in: .utf8, outline))
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
    XCTAssertNil(HTMLReader.whole(Array("<!-- a -->".utf8)) { _ in true })
  }

  func testAnElementsTextIsAllThatIsInIt() throws {
    let page = Array("<pre>a<b>b<i>c</i></b><!-- x -->d</pre><script>e</script>f".utf8)
    let texts = HTMLReader.whole(page) { [$0.text] + $0.all(.pre).map(\.text) }
    XCTAssertEqual(texts, ["abcdef", "abcd"])
  }

  func testAnAttributeHasTheValueOfItsElement() throws {
    let page =
      "<a href='a&amp;b' class=\"c\" title=t></a><a class=d></a><a href href=e></a><a>f</a>"
    let values = HTMLReader.whole(Array(page.utf8)) { root in
      root.all(.a).map { [$0.attribute(.href), $0.attribute(.kind)] }
    }
    XCTAssertEqual(values, [["a&b", "c"], [nil, "d"], ["", nil], [nil, nil]])
  }

  func testThoseOfANameAreFoundAtWhateverDepthButNotInOneAnother() throws {
    let page = "<div><table id=a><tr><td><table id=b></table></table></div><p><table id=c></table>"
    let found = HTMLReader.whole(Array(page.utf8)) { $0.all(.table).map { $0.attribute(.id) } }
    XCTAssertEqual(found, ["a", "c"])
  }

  /// A server puts a whole page before its list.
  func testAnElementAfterTheOutermostIsTakenForOneInIt() throws {
    for start in ["", "<!DOCTYPE html>"] {
      let page = start + "<html><body><a>1</a></body></html>\n<a>2</a><html><body><a>3</a>"
      let links = HTMLReader.whole(Array(page.utf8)) { $0.all(.a).map(\.text) }
      XCTAssertEqual(links, ["1", "2", "3"], page)
    }
  }

  func testElementsNest256Deep() throws {
    // Around them are `html` and `body`.
    for (depth, expected) in [(254, 254), (255, nil), (100_000, nil)] as [(Int, Int?)] {
      let page = Array(String(repeating: "<b>x", count: depth).utf8)
      XCTAssertEqual(HTMLReader.whole(page) { $0.text.utf8.count }, expected, "\(depth)")
    }
  }

  func testAnElementAndATextTakeSixteenBytesEach() {
    XCTAssertEqual(MemoryLayout<HTMLTree.Node>.stride, 16)
  }

  /// Notes what it is told of its lists.
  private struct Notes: HTMLListReader {
    let lists: [HTMLName: HTMLParts] = [
      .pre: .children, .table: .all([.tr, .a]), .ul: .children, .a: .itself,
    ]
    var notes: [String] = []

    mutating func begin(_ list: HTMLNode, isOnBody: Bool, _ facts: HTMLFacts) -> Bool {
      let name = list.name?.rawValue ?? ""
      notes.append("\(name) \(list.attribute(.id) ?? "-")\(isOnBody ? " on body" : "")")
      return list.attribute(.id) != "no"
    }

    mutating func take(_ part: HTMLNode, of list: HTMLName, _ facts: HTMLFacts) {
      let name = part.name?.rawValue ?? (part.isText ? "text" : "?")
      notes.append("\(list): \(name) '\(part.text)' \(facts.title ?? "-") \(facts.base ?? "-")")
    }

    mutating func end(_ list: HTMLName, isShown: Bool) {
      notes.append("/\(list)\(isShown ? "" : " hides")")
    }
  }

  private func notes(_ page: String) throws -> [String] {
    try XCTUnwrap(HTMLReader.read(Array(page.utf8), by: Notes())).reader.notes
  }

  func testAListIsHandedOverPartByPart() throws {
    XCTAssertEqual(
      try notes("<title>t</title><base href=b><pre>a<b>c<i>d</i></b><!-- x -->e</pre>"),
      [
        "pre - on body", "pre: text 'a' t b", "pre: other 'cd' t b", "pre: ? '' t b",
        "pre: text 'e' t b", "/pre hides",
      ])
    XCTAssertEqual(
      try notes("<div><table id=x>n<tr><td>1</td></tr><tbody><tr><td>2</table></div>"),
      ["table x", "table: tr '1' - -", "table: tr '2' - -", "/table"])
  }

  func testOneListMayStandInAnotherButNotInOneOfItsName() throws {
    XCTAssertEqual(
      try notes("<table><tr><td>1<pre>2</pre><table><tr><td>3</table></table>"),
      [
        "table - on body", "pre -", "pre: text '2' - -", "/pre", "table: tr '123' - -", "/table",
      ])
    XCTAssertEqual(
      try notes("<ul id=no><li><a id=x>1</a></ul><ul><li><a>2</a></ul>"),
      [
        "ul no on body", "a x", "a: a '1' - -", "/a", "ul - on body", "a -", "a: a '2' - -", "/a",
        "ul: li '2' - -", "/ul",
      ])
  }

  func testTitleAndBaseAreKnownFromTheStartWhereverTheyStand() throws {
    for page in [
      "<html><head><base href=b><title>t</title></head><body><a>1</a>",
      "<html><body><a>1</a></body><base href=b><base href=c><head><title>t</title>",
    ] {
      let read = try XCTUnwrap(HTMLReader.read(Array(page.utf8), by: Notes()))
      XCTAssertEqual(
        read.reader.notes.filter { $0.hasPrefix("a:") },
        ["a: a '1' \(read.page.facts.title ?? "-") b"], page)
    }
  }
}

extension HTMLReader {
  /// Reads a page as a whole.
  static func whole<Value>(
    _ bytes: [UInt8], in charset: Charset = .bytes, _ read: @escaping (HTMLNode) -> Value?
  ) -> Value? {
    self.read(bytes, in: charset, by: WholePage(read: read))?.reader.value
  }
}

/// Takes the outermost element of a page.
private struct WholePage<Value>: HTMLListReader {
  let lists: [HTMLName: HTMLParts] = [.other: .itself]
  let read: (HTMLNode) -> Value?
  var value: Value?

  mutating func take(_ part: HTMLNode, of list: HTMLName, _ facts: HTMLFacts) {
    value = read(part)
  }
}
