/// A node of a page in HTML: an element, a text, or something else. It lasts as long as the call
/// that hands it over.
struct HTMLNode {
  private let tree: HTMLTree
  private let place: Int

  init(_ tree: HTMLTree, at place: Int) {
    self.tree = tree
    self.place = place
  }

  /// An element's name.
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

  /// The elements in it, one level down.
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
