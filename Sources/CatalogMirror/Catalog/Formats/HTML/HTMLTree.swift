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

/// Elements of a page in HTML, flat, in the order in which they stand there: 16 bytes for each
/// element and each text, and the bytes of texts and of the attributes that readers ask for.
final class HTMLTree {
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

  private var nodes: [Node] = []
  private var texts: [UInt8] = []
  /// Of each attribute its name, an equals sign, its value and a NUL.
  private var values: [UInt8] = []

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

  /// Adds a node after all others.
  func append(_ kind: Kind) {
    nodes.append(
      .init(
        kind: kind, end: UInt32(nodes.count + 1), text: UInt32(texts.count),
        values: UInt32(values.count)))
  }

  /// Adds an attribute to the last node.
  func append(_ attribute: HTMLAttribute, _ value: UnsafeBufferPointer<UInt8>?) {
    values += attribute.rawValue.utf8
    values.append(UInt8(ascii: "="))
    if let value { values += value }
    values.append(0)
  }

  /// Adds text to the last node.
  func append(_ text: UnsafeBufferPointer<UInt8>) { texts += text }

  /// Ends a node: what is added from now on isn't in it.
  func end(at place: Int) { nodes[place].end = UInt32(nodes.count) }

  func removeAll() {
    nodes.removeAll(keepingCapacity: true)
    texts.removeAll(keepingCapacity: true)
    values.removeAll(keepingCapacity: true)
  }
}
