/// An element's name in HTML, as far as a reader asks for it.
enum HTMLName: String, CaseIterable {
  case a, base, body, h1, head, hr, img, li, pre, script, span, style, table, td, th, time, title
  case tr, ul, use
  case other

  private static let known = Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue, $0) })

  init(named name: String) { self = Self.known[name] ?? .other }
}

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

  var count: Int { nodes.count }

  func kind(at place: Int) -> Kind { nodes[place].kind }

  /// The place of the first node that isn't in this one any more.
  func end(of place: Int) -> Int { Int(nodes[place].end) }

  func text(in place: Int) -> String {
    let end = end(of: place)
    let last = end < count ? Int(nodes[end].text) : texts.count
    return String(decoding: texts[Int(nodes[place].text)..<last], as: UTF8.self)
  }

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

  func append(_ kind: Kind) {
    nodes.append(
      .init(
        kind: kind, end: UInt32(nodes.count + 1), text: UInt32(texts.count),
        values: UInt32(values.count)))
  }

  func append(_ attribute: HTMLAttribute, _ value: UnsafeBufferPointer<UInt8>?) {
    values += attribute.rawValue.utf8
    values.append(UInt8(ascii: "="))
    if let value { values += value }
    values.append(0)
  }

  func append(_ text: UnsafeBufferPointer<UInt8>) { texts += text }

  /// Ends a node: what is added from now on isn't in it.
  func end(at place: Int) { nodes[place].end = UInt32(nodes.count) }

  func removeAll() {
    nodes.removeAll(keepingCapacity: true)
    texts.removeAll(keepingCapacity: true)
    values.removeAll(keepingCapacity: true)
  }
}

/// A node of a page in HTML: an element, a text, or something else. It lasts as long as the call
/// that hands it over.
struct HTMLNode {
  private let tree: HTMLTree
  private let place: Int

  init(_ tree: HTMLTree, at place: Int) {
    self.tree = tree
    self.place = place
  }

  var name: HTMLName? {
    if case .element(let name) = tree.kind(at: place) { name } else { nil }
  }

  var isText: Bool { tree.kind(at: place) == .text }

  var text: String { Task.isCancelled ? "" : tree.text(in: place) }

  /// What is in it, one level down; for a task that is cancelled, nothing more.
  var children: some Sequence<HTMLNode> {
    let end = tree.end(of: place)
    return sequence(state: place + 1) { place in
      guard place < end, !Task.isCancelled else { return HTMLNode?.none }
      defer { place = tree.end(of: place) }
      return HTMLNode(tree, at: place)
    }
  }

  var elements: [HTMLNode] { children.filter { $0.name != nil } }

  /// The first element of a name in it, one level down.
  func first(_ name: HTMLName) -> HTMLNode? { children.first { $0.name == name } }

  /// The value of an attribute; to a task that is cancelled, none has one.
  func attribute(_ name: HTMLAttribute) -> String? {
    Task.isCancelled ? nil : tree.value(of: name, at: place)
  }

  /// The elements of a name in it, at whatever depth, in their order; not those in one another.
  func all(_ name: HTMLName) -> [HTMLNode] {
    var found: [HTMLNode] = []
    var next = place
    let end = tree.end(of: place)
    while !Task.isCancelled, next < end {
      let isOne = tree.kind(at: next) == .element(name)
      if isOne { found.append(HTMLNode(tree, at: next)) }
      next = isOne ? tree.end(of: next) : next + 1
    }
    return found
  }
}

/// What is remembered of a page in HTML beside its lists.
struct HTMLOutline {
  private enum Region {
    case head, body
  }

  private(set) var facts: HTMLFacts
  private let isKnown: Bool
  /// The names of the first elements in the body, one level down: more than any server's list has
  /// around it.
  private(set) var names: [HTMLName] = []
  /// The text of the body's first element, where that is a heading.
  private(set) var heading: String?
  /// Whether no script and no style is left open, so that the rest of the page is none.
  private(set) var isClosed = true
  private var region: Region?
  private var hasHead = false
  private var hasBody = false

  private static let mostNames = 5

  init(knowing facts: HTMLFacts?) {
    self.facts = facts ?? HTMLFacts()
    isKnown = facts != nil
  }

  mutating func begin(_ element: HTMLNode, _ name: HTMLName, at depth: Int) {
    if name == .base, !isKnown, facts.base == nil { facts.base = element.attribute(.href) }
    if depth == 2, name == .head, !hasHead { (region, hasHead) = (.head, true) }
    if depth == 2, name == .body, !hasBody { (region, hasBody) = (.body, true) }
    if isOnBody(at: depth), names.count < Self.mostNames { names.append(name) }
  }

  /// Whether an element lies in the body, one level down.
  func isOnBody(at depth: Int) -> Bool { region == .body && depth == 3 }

  func wants(_ name: HTMLName, at depth: Int) -> Bool {
    switch name {
    case .script, .style: true
    case .title: depth == 3 && region == .head && facts.title == nil && !isKnown
    case .h1: isOnBody(at: depth) && names.count == 1
    default: false
    }
  }

  mutating func take(_ element: HTMLNode, _ name: HTMLName) {
    switch name {
    case .title: facts.title = element.text
    case .h1: heading = element.text
    default: if element.text.lowercased().contains("</html") { isClosed = false }
    }
  }

  mutating func end(at depth: Int) {
    if depth == 2 { region = nil }
  }
}

extension HTMLName {
  var isUnshown: Bool { self == .script || self == .style }
}
