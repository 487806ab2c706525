import SyncText

/// An element of a document of XML, with all that is in it.
struct MarkupElement {
  private let tree: MarkupTree
  private let place: Int

  init(_ tree: MarkupTree, at place: Int = 0) {
    self.tree = tree
    self.place = place
  }

  var name: String { tree.nodes[place].name.local }

  /// The address of its namespace; empty where it is in none.
  var namespace: String { tree.nodes[place].name.namespace }

  var children: [MarkupElement] {
    var children: [MarkupElement] = []
    var next = place + 1
    while next < tree.nodes[place].end {
      children.append(MarkupElement(tree, at: next))
      next = tree.nodes[next].end
    }
    return children
  }

  var content: String { String(decoding: tree.text[tree.nodes[place].text], as: UTF8.self) }

  var text: String { content.withoutOuterWhitespace }

  func isCalled(_ name: String, in namespace: String) -> Bool {
    self.name == name && self.namespace == namespace
  }

  /// The value of an attribute without a namespace, or with this one.
  func attribute(_ name: String, in namespace: String = "") -> String? {
    tree.attributes[tree.nodes[place].attributes].first {
      $0.name.local == name && $0.name.namespace == namespace
    }?.value
  }

  func all(_ name: String, in namespace: String = "") -> [MarkupElement] {
    children.filter { $0.isCalled(name, in: namespace) }
  }

  func first(_ name: String, in namespace: String = "") -> MarkupElement? {
    all(name, in: namespace).first
  }
}

/// An element and all that is in it, flat, in the order in which it stands there.
final class MarkupTree: Sendable {
  struct Name {
    /// Without a prefix, but for one that nothing declares.
    var local: String
    /// Empty where there is none.
    var namespace: String
  }

  struct Attribute {
    var name: Name
    var value: String
  }

  struct Node {
    var name: Name
    var attributes: Range<Int>
    var text: Range<Int>
    /// The place of the first element that isn't in it any more.
    var end: Int
  }

  let nodes: [Node]
  let attributes: [Attribute]
  let text: [UInt8]

  init(nodes: [Node], attributes: [Attribute], text: [UInt8]) {
    self.nodes = nodes
    self.attributes = attributes
    self.text = text
  }
}

/// Puts an element together from what is met in a document.
struct MarkupBuilder {
  private var nodes: [MarkupTree.Node] = []
  private var attributes: [MarkupTree.Attribute] = []
  private var text: [UInt8] = []
  /// The places of those that haven't ended, from the outermost.
  private var open: [Int] = []
  private var attributeBytes = 0

  /// An element may hold so many others and attributes: more than the hashes of the pieces of a
  /// file of a terabyte.
  private static let mostParts = 1_000_000
  private static let mostBytes = 10_000_000

  /// Whether it has become more than one element may hold.
  var isTooBig: Bool {
    nodes.count + attributes.count > Self.mostParts
      || text.count + attributeBytes > Self.mostBytes
  }

  /// Whether all elements have ended.
  var isWhole: Bool { open.isEmpty && !nodes.isEmpty }

  mutating func begin(_ name: MarkupTree.Name, _ own: [MarkupTree.Attribute]) {
    open.append(nodes.count)
    attributes += own
    attributeBytes += own.reduce(0) { $0 + $1.value.utf8.count }
    nodes.append(
      .init(
        name: name, attributes: (attributes.count - own.count)..<attributes.count,
        text: text.count..<text.count, end: nodes.count + 1))
  }

  mutating func add(_ piece: UnsafeBufferPointer<UInt8>) { text += piece }

  mutating func end() {
    guard let place = open.popLast() else { return }
    nodes[place].text = nodes[place].text.lowerBound..<text.count
    nodes[place].end = nodes.count
  }

  func element() -> MarkupElement {
    MarkupElement(MarkupTree(nodes: nodes, attributes: attributes, text: text))
  }
}

/// A document of XML that is read element by element, so that not all of it is in memory.
struct MarkupDocument {
  private let body: CatalogBody
  private let format: CatalogFormatName
  private let source: MarkupSource
  /// The outermost element, and nothing of what is in it.
  let root: MarkupElement

  fileprivate init(_ body: CatalogBody, _ format: CatalogFormatName) throws(CatalogError) {
    self.body = body
    self.format = format
    guard let opening = MarkupOpening(body.bytes), !opening.declares,
      let source = MarkupSource(body.bytes, encoding: opening.encoding)
    else { throw Self.unreadable(body, format) }
    self.source = source
    var root: MarkupElement?
    let ending = MarkupParser(source, .root) { element in
      root = element
      return false
    }.read()
    guard let root else { throw Self.unreadable(body, format, ending) }
    self.root = root
  }

  /// Gives each element directly in the outermost one, whole, one after the other.
  ///
  /// What was given counts only when this returns: what comes later may not be well-formed.
  ///
  /// - Parameters:
  ///   - inner: Gives those directly in the first element of this name in their place.
  ///   - take: Gets them; what it throws ends the reading.
  /// - Returns: Whether there is such an inner element; true where none is asked for.
  @discardableResult
  func forEach(
    inFirst inner: String? = nil, _ take: (MarkupElement) throws(CatalogError) -> Void
  ) throws(CatalogError) -> Bool {
    try withoutActuallyEscaping(take) { take throws(CatalogError) in
      var failure: CatalogError?
      let selection = inner.map { MarkupParser.Selection.inFirst($0) } ?? .inRoot
      let parser = MarkupParser(source, selection) { element in
        do throws(CatalogError) {
          try take(element)
          return true
        } catch {
          failure = error
          return false
        }
      }
      let ending = parser.read()
      if let failure { throw failure }
      guard ending == .atEnd else { throw Self.unreadable(body, format, ending) }
      return inner == nil || parser.hasEntered
    }
  }

  private static func unreadable(
    _ body: CatalogBody, _ format: CatalogFormatName, _ ending: MarkupParser.Ending = .broken
  ) -> CatalogError {
    guard body.opening.first == UInt8(ascii: "<"), body.kind == .xml else {
      return body.unreadable(expected: .format(format))
    }
    if ending == .atDeclaration || body.markup?.declares == true {
      return body.unreadable(expected: .format(format), found: .declarations)
    }
    let found: CatalogError.Finding =
      switch ending {
      case .atEntity: .unknownEntity
      case .atTooMuch: .hugeElement
      case .atDeclaration, .atEnd, .broken, .stopped: .brokenXML
      }
    return body.unreadable(expected: .format(format), found: found)
  }
}

extension CatalogBody {
  /// The body as a document of XML.
  /// - Throws: ``CatalogError/unreadable(url:expected:found:)`` for any other, or one with
  ///   declarations of its own.
  func xml(expected format: CatalogFormatName) throws(CatalogError) -> MarkupDocument {
    try MarkupDocument(self, format)
  }
}
