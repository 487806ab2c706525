/// A node of a page in HTML: an element, a text, or something else.
struct HTMLNode {
  private let tree: HTMLTree
  private let place: Int

  /// The outermost element; `nil` where there is none.
  init?(rootOf tree: HTMLTree) {
    guard tree.count > 0 else { return nil }
    self.init(tree, at: 0)
  }

  private init(_ tree: HTMLTree, at place: Int) {
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

  /// Whether nothing is in it but what is shown, so that no row hides in a comment or a script that
  /// wasn't closed in time.
  var isShownWhole: Bool {
    (place..<tree.end(of: place)).allSatisfy { place in
      switch tree.kind(at: place) {
      case .text: true
      case .unshown, .element(.script), .element(.style): false
      case .element: true
      }
    }
  }
}

extension HTMLNode {
  /// The text of the page's title.
  var title: String? { first(.head)?.first(.title)?.text }

  /// The address that the links of the page start from, as it is written; `nil` where they start
  /// from its own.
  var base: String? {
    all(.base).lazy.compactMap { $0.attribute(.href) }.first
  }

  /// Whether no script and no style is left open, so that the rest of the page is none.
  var isClosed: Bool {
    [.script, .style].allSatisfy { name in
      all(name).allSatisfy { !$0.text.lowercased().contains("</html") }
    }
  }
}
