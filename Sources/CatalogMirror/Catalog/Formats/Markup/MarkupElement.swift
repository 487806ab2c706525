import SyncText

/// An element of a document of XML, with all that is in it.
struct MarkupElement {
  private let tree: MarkupTree
  private let place: Int

  init(_ tree: MarkupTree, at place: Int = 0) {
    self.tree = tree
    self.place = place
  }

  /// Its name without a prefix.
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

  /// All text in it, without blanks around.
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
  /// All text in it, one piece after the other.
  let text: [UInt8]

  init(nodes: [Node], attributes: [Attribute], text: [UInt8]) {
    self.nodes = nodes
    self.attributes = attributes
    self.text = text
  }
}
