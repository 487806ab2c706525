/// An element's name in HTML, as far as a reader asks for it.
enum HTMLName: String, CaseIterable {
  case a, base, body, h1, head, hr, img, li, pre, script, span, style, table, td, th, time, title
  case tr, ul, use
  case other

  private static let known = Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue, $0) })

  /// The name that is so written, in small letters.
  init(named name: String) { self = Self.known[name] ?? .other }
}

/// An attribute in HTML that a reader asks for.
enum HTMLAttribute: String {
  case alt, datetime, href, id, summary
  case description = "aria-describedby"
  case kind = "class"
  case order = "data-order"
  case python = "data-requires-python"
  case reference = "xlink:href"
  case size = "data-size"
  case yanked = "data-yanked"
}

/// A page in HTML, flat, in the order in which it stands there: 16 bytes for each element and each
/// text, and the bytes of texts and of the attributes that readers ask for.
final class HTMLTree: Sendable {
  enum Kind: Equatable {
    case element(HTMLName)
    case text
    /// A comment, or what a script or a style sheet holds.
    case unshown
  }

  struct Node {
    let kind: Kind
    /// The place of the first node that isn't in it any more.
    var end: UInt32
    let text: UInt32
    /// Where its attributes begin.
    let values: UInt32
  }

  private let nodes: [Node]
  private let texts: [UInt8]
  /// Of each attribute its name, an equals sign, its value and a NUL.
  private let values: [UInt8]

  fileprivate init(_ nodes: [Node], texts: [UInt8], values: [UInt8]) {
    self.nodes = nodes
    self.texts = texts
    self.values = values
  }

  /// How many elements and texts there are.
  var count: Int { nodes.count }

  func kind(at place: Int) -> Kind { nodes[place].kind }

  /// The place of the first node that isn't in this one any more.
  func end(of place: Int) -> Int { Int(nodes[place].end) }

  func text(in place: Int) -> String {
    let end = end(of: place)
    let last = end < count ? Int(nodes[end].text) : texts.count
    return String(decoding: texts[Int(nodes[place].text)..<last], as: UTF8.self)
  }

  /// The value of a node's attribute.
  func value(of attribute: HTMLAttribute, at place: Int) -> String? {
    let last = place + 1 < count ? Int(nodes[place + 1].values) : values.count
    let name = attribute.rawValue.utf8
    var rest = values[Int(nodes[place].values)..<last]
    while let end = rest.firstIndex(of: 0) {
      let pair = rest[..<end]
      if pair.starts(with: name), pair.dropFirst(name.count).first == UInt8(ascii: "=") {
        return String(decoding: pair.dropFirst(name.count + 1), as: UTF8.self)
      }
      rest = rest[(end + 1)...]
    }
    return nil
  }
}

/// Puts a page's tree together from what is met in it.
struct HTMLTreeBuilder {
  private var nodes: [HTMLTree.Node] = []
  private var texts: [UInt8] = []
  private var values: [UInt8] = []
  /// The places of the elements that haven't ended, from the outermost.
  private var open: [Int] = []
  /// Whether what is met next goes on where the last text or comment ended.
  private var goesOn = false
  /// Whether elements stand deeper in one another than may be.
  private(set) var isTooDeep = false

  /// Deeper than any listing nests; as deep as elements of XML may.
  private static let mostDepth = 256

  /// An element begins. One that begins after the outermost has ended is taken for one in that.
  mutating func begin(_ name: HTMLName) {
    isTooDeep = isTooDeep || open.count == Self.mostDepth
    guard !isTooDeep else { return }
    open.append(nodes.count)
    append(.element(name))
    goesOn = false
  }

  /// The element that began last has this attribute.
  mutating func add(_ attribute: HTMLAttribute, _ value: UnsafeBufferPointer<UInt8>?) {
    guard !isTooDeep else { return }
    values += attribute.rawValue.utf8
    values.append(UInt8(ascii: "="))
    if let value { values += value }
    values.append(0)
  }

  /// What is no element is met; outside of all it is none of the page's.
  mutating func add(_ kind: HTMLTree.Kind, _ text: UnsafeBufferPointer<UInt8>) {
    guard !isTooDeep, !open.isEmpty else { return }
    if !goesOn || nodes.last?.kind != kind { append(kind) }
    texts += text
    goesOn = true
  }

  /// The element that began last ends.
  mutating func end() {
    guard !isTooDeep, let place = open.popLast() else { return }
    nodes[place].end = UInt32(nodes.count)
    goesOn = false
  }

  /// What was put together.
  mutating func tree() -> HTMLTree {
    while !open.isEmpty { end() }
    if !nodes.isEmpty { nodes[0].end = UInt32(nodes.count) }
    return HTMLTree(nodes, texts: texts, values: values)
  }

  private mutating func append(_ kind: HTMLTree.Kind) {
    nodes.append(
      .init(
        kind: kind, end: UInt32(nodes.count + 1), text: UInt32(texts.count),
        values: UInt32(values.count)))
  }
}
