/// Which parts of a list in HTML are handed over.
enum HTMLParts {
  case itself
  /// What is in it, one level down: elements, texts, comments.
  case children
  /// The elements of these names in it, at whatever depth; not those in one another.
  case all([HTMLName])
}

/// What holds for all lists of a page in HTML, wherever it stands.
struct HTMLFacts: Equatable {
  var title: String?
  /// The address that the links of the page start from, as it is written; `nil` where they start
  /// from its own.
  var base: String?
}

/// Takes the lists of a page in HTML part by part, so that no more than a part is in memory.
///
/// A list is an element of one of the names that are asked for, at whatever depth, and not within
/// another of its name. One of one name may stand in one of another.
protocol HTMLListReader {
  /// The elements that are lists, and what of each is handed over.
  var lists: [HTMLName: HTMLParts] { get }

  /// A list begins.
  ///
  /// - Parameters:
  ///   - list: The element, and nothing of what is in it.
  ///   - isOnBody: Whether it lies in the page's body, one level down.
  ///   - facts: What holds for the page.
  /// - Returns: Whether its parts are wanted.
  mutating func begin(_ list: HTMLNode, isOnBody: Bool, _ facts: HTMLFacts) -> Bool

  /// Takes the next part of the list of a name.
  mutating func take(_ part: HTMLNode, of list: HTMLName, _ facts: HTMLFacts)

  /// A list that was wanted ends.
  ///
  /// - Parameter isShown: Whether nothing is in it but what is shown, so that no row hides in a
  ///   comment or a script that wasn't closed in time.
  mutating func end(_ list: HTMLName, isShown: Bool)
}

extension HTMLListReader {
  mutating func begin(_ list: HTMLNode, isOnBody: Bool, _ facts: HTMLFacts) -> Bool { true }
  mutating func end(_ list: HTMLName, isShown: Bool) {}
}

/// A page in HTML as its elements begin and end: hands the parts of its lists to a reader, and
/// remembers what holds for the whole.
final class HTMLPage {
  private let tree = HTMLTree()
  private(set) var reader: any HTMLListReader
  private(set) var outline: HTMLOutline
  /// What the reader was told of the page first.
  private var told: HTMLFacts?
  private let wanted: [(name: HTMLName, parts: HTMLParts)]
  /// The elements that haven't ended, from the outermost, and their places in the tree.
  private var open: [(name: HTMLName, place: Int)] = []
  private var lists: [HTMLOpenList] = []
  /// How many parts haven't ended; while there is one, all that is met is kept.
  private var openParts = 0
  private var run: (kind: HTMLTree.Kind, place: Int)?
  /// How much was met that isn't shown.
  private var unshown = 0
  private var hasRootEnded = false
  /// Whether elements stand deeper in one another than may be.
  private(set) var isTooDeep = false

  /// Deeper than any listing nests; as deep as elements of XML may.
  private static let mostDepth = 256

  /// A page of which nothing was met.
  ///
  /// - Parameter facts: What is known of it before.
  init(_ reader: some HTMLListReader, knowing facts: HTMLFacts? = nil) {
    self.reader = reader
    wanted = reader.lists.map { ($0, $1) }
    outline = HTMLOutline(knowing: facts)
  }

  var facts: HTMLFacts { outline.facts }

  /// Whether the reader was told other facts than those that hold.
  var wasGuessed: Bool { told.map { $0 != facts } ?? false }

  /// An element begins. One that begins after the outermost has ended is taken for one in that.
  func begin(_ name: HTMLName) {
    isTooDeep = isTooDeep || open.count - (hasRootEnded ? 1 : 0) == Self.mostDepth
    guard !isTooDeep else { return }
    endRun()
    open.append((name, tree.count))
    tree.append(.element(name))
  }

  func add(_ attribute: HTMLAttribute, _ value: UnsafeBufferPointer<UInt8>?) {
    if !isTooDeep { tree.append(attribute, value) }
  }

  func endTag() {
    guard !isTooDeep, let (name, place) = open.last else { return }
    let node = HTMLNode(tree, at: place)
    outline.begin(node, name, at: open.count)
    if name.isUnshown { unshown += 1 }
    for index in lists.indices where lists[index].begins(name, at: open.count) {
      lists[index].part = open.count
      openParts += 1
    }
    beginList(node, name)
    forget()
  }

  private func beginList(_ node: HTMLNode, _ name: HTMLName) {
    let isOwn = outline.wants(name, at: open.count)
    // Asked for each tag: by their places, since each list would be copied.
    guard isOwn || wanted.indices.contains(where: { wanted[$0].name == name }),
      !lists.indices.contains(where: { lists[$0].name == name })
    else { return }
    var list = HTMLOpenList(name: name, depth: open.count, isOwn: isOwn, unshown: unshown)
    if isOwn {
      list.parts = .itself
    } else if tell({ $0.begin(node, isOnBody: outline.isOnBody(at: open.count), $1) }) {
      list.parts = wanted.first { $0.name == name }?.parts
    }
    if case .itself? = list.parts {
      list.part = open.count
      openParts += 1
    }
    lists.append(list)
  }

  /// What is no element is met; outside of all it is none of the page's.
  func add(_ kind: HTMLTree.Kind, _ text: UnsafeBufferPointer<UInt8>) {
    guard !isTooDeep, open.count > (hasRootEnded ? 1 : 0) else { return }
    if kind == .unshown { unshown += 1 }
    guard openParts > 0 || lists.last?.takesText(at: open.count) ?? false else { return }
    if run?.kind != kind {
      endRun()
      run = (kind, tree.count)
      tree.append(kind)
    }
    tree.append(text)
  }

  /// The element that began last ends; the outermost does with the page.
  func end() {
    guard !isTooDeep else { return }
    endRun()
    if open.count > 1 { close() } else { hasRootEnded = true }
  }

  /// The page ends. False where it is none, or was not read to its end.
  func finish() -> Bool {
    guard !isTooDeep, !open.isEmpty else { return false }
    endRun()
    while !open.isEmpty { close() }
    return true
  }

  private func close() {
    let depth = open.count
    guard let (name, place) = open.popLast() else { return }
    if openParts > 0 { tree.end(at: place) }
    for index in lists.indices where lists[index].part == depth {
      give(place, of: lists[index])
      lists[index].part = nil
      openParts -= 1
    }
    if let list = lists.last, list.depth == depth {
      lists.removeLast()
      if list.parts != nil, !list.isOwn { reader.end(name, isShown: list.unshown == unshown) }
    }
    outline.end(at: depth)
    forget()
  }

  private func endRun() {
    guard let run else { return }
    self.run = nil
    if let list = lists.last, list.takesText(at: open.count) { give(run.place, of: list) }
    forget()
  }

  private func give(_ place: Int, of list: HTMLOpenList) {
    let node = HTMLNode(tree, at: place)
    if list.isOwn {
      outline.take(node, list.name)
    } else {
      tell { $0.take(node, of: list.name, $1) }
    }
  }

  private func tell<Value>(_ what: (inout any HTMLListReader, HTMLFacts) -> Value) -> Value {
    if told == nil { told = facts }
    return what(&reader, facts)
  }

  /// Forgets what was met, where no part of it is wanted any more.
  private func forget() {
    if openParts == 0, tree.count > 0 { tree.removeAll() }
  }
}

/// A list that hasn't ended.
private struct HTMLOpenList {
  let name: HTMLName
  let depth: Int
  /// Whether the page looks at it itself.
  let isOwn: Bool
  /// How much was met before it that isn't shown.
  let unshown: Int
  var parts: HTMLParts?
  /// The depth of the part that hasn't ended.
  var part: Int?

  func begins(_ element: HTMLName, at depth: Int) -> Bool {
    switch parts {
    case .children: depth == self.depth + 1
    case .all(let names): part == nil && names.contains(element)
    case .itself, nil: false
    }
  }

  /// Whether a text that lies so deep is a part.
  func takesText(at depth: Int) -> Bool {
    guard case .children? = parts else { return false }
    return depth == self.depth
  }
}
