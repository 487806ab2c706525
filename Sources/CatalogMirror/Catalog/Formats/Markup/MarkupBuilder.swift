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
  /// And so many bytes of text and of attributes.
  private static let mostBytes = 10_000_000

  /// Whether it has become more than one element may hold.
  var isTooBig: Bool {
    nodes.count + attributes.count > Self.mostParts
      || text.count + attributeBytes > Self.mostBytes
  }

  /// Whether all elements have ended.
  var isWhole: Bool { open.isEmpty && !nodes.isEmpty }

  /// An element begins, with these attributes.
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

  /// The element that began last ends.
  mutating func end() {
    guard let place = open.popLast() else { return }
    nodes[place].text = nodes[place].text.lowerBound..<text.count
    nodes[place].end = nodes.count
  }

  /// What was put together.
  func element() -> MarkupElement {
    MarkupElement(MarkupTree(nodes: nodes, attributes: attributes, text: text))
  }
}
