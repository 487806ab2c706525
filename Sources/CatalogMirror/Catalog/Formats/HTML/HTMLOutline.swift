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

  /// An element begins, so many deep, with its attributes.
  mutating func begin(_ element: HTMLNode, _ name: HTMLName, at depth: Int) {
    if name == .base, !isKnown, facts.base == nil { facts.base = element.attribute(.href) }
    if depth == 2, name == .head, !hasHead { (region, hasHead) = (.head, true) }
    if depth == 2, name == .body, !hasBody { (region, hasBody) = (.body, true) }
    if isOnBody(at: depth), names.count < Self.mostNames { names.append(name) }
  }

  /// Whether an element lies in the body, one level down.
  func isOnBody(at depth: Int) -> Bool { region == .body && depth == 3 }

  /// Whether an element's text is looked at.
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

  /// An element ends.
  mutating func end(at depth: Int) {
    if depth == 2 { region = nil }
  }
}

extension HTMLName {
  /// Whether what is in it isn't shown.
  var isUnshown: Bool { self == .script || self == .style }
}
