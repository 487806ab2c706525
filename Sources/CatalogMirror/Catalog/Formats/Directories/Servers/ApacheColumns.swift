import SyncText

/// Apache's `HTMLTable`: a row of `th` that names the columns, and as many `td` in each other row.
struct ApacheTable: DirectoryList {
  private let isTitled: Bool
  /// The texts of the row that names the columns, once that has come.
  private var titles: [String]?
  private var isFirst = true

  init(isTitled: Bool) {
    self.isTitled = isTitled
  }

  mutating func take(_ line: HTMLNode, into page: DirectoryPage) -> Bool {
    let cells = line.elements
    guard let titles else { return takeTitles(cells) }
    guard cells.contains(where: { $0.name == .td }) else { return true }
    guard cells.count == titles.count, let row = Self.row(cells, titles) else { return false }
    if !isFirst || !Self.isParent(cells, row.href) { page.take(row) }
    isFirst = false
    return true
  }

  private mutating func takeTitles(_ cells: [HTMLNode]) -> Bool {
    guard cells.allSatisfy({ $0.name == .th }) else { return false }
    var header = ApacheHeader()
    for cell in cells {
      let link = cell.first(.a) ?? cell
      header.take(cell.text.filter { !$0.isWhitespace || $0 == " " } + " ", link)
    }
    titles = cells.map { $0.text.lowercased() }
    return header.isHeader(isTitled: isTitled)
  }

  mutating func end(isShown: Bool, into page: DirectoryPage) -> Bool {
    isShown && titles != nil
  }

  private static func isParent(_ cells: [HTMLNode], _ href: String) -> Bool {
    let isMarked = cells.contains(where: ApacheHeader.isParentIcon)
    return cells.contains { cell in
      cell.first(.a).map { ApacheHeader.isParent($0, href, isMarked: isMarked) } ?? false
    }
  }

  private static func row(_ cells: [HTMLNode], _ titles: [String]) -> DirectoryRow? {
    func cell(_ title: String) -> HTMLNode? {
      titles.firstIndex(of: title).map { cells[$0] }
    }
    guard let href = cell("name")?.first(.a)?.attribute(.href) else { return nil }
    let date = cell("last modified").flatMap { ApacheHeader.date(from: $0.text) }
    let text = cell("size")?.text.split(whereSeparator: \.isWhitespace).first
    let size = text.flatMap { ListedSize($0) }
    return DirectoryRow(href: href, date: date, size: size?.asRounded)
  }
}

/// Apache's `FancyIndexing` without a table: a `pre` with a row in each line, below a header row.
struct ApacheColumns: DirectoryList {
  private let isTitled: Bool
  private var columns = ApacheHeader()
  private var isInHeader = true
  private var link: String?
  /// The text after the row's link: date, size, description.
  private var told = ""
  /// Whether nothing but blanks and icons stand before, in this line.
  private var isAtStart = false
  /// Whether the parent's row may still come, as the first one.
  private var isFirst = true
  /// Whether the row's icon says that it is the parent's.
  private var isMarked = false
  private var isParent = false

  init(isTitled: Bool) {
    self.isTitled = isTitled
  }

  mutating func take(_ node: HTMLNode, into page: DirectoryPage) -> Bool {
    guard isInHeader else { return takeRow(node, into: page) }
    // The header row ends with a rule, or with its line where rules are switched off.
    let text = node.name == .hr ? "\n" : node.text
    let end = text.firstIndex(where: \.endsLine) ?? text.endIndex
    columns.take(String(text[..<end]), node)
    guard end < text.endIndex else { return true }
    isInHeader = false
    isAtStart = true
    return columns.isHeader(isTitled: isTitled)
  }

  mutating func end(isShown: Bool, into page: DirectoryPage) -> Bool {
    endRow(into: page)
    return isShown && !isInHeader
  }

  /// Takes what comes next; false where a line begins as none of Apache's does.
  private mutating func takeRow(_ node: HTMLNode, into page: DirectoryPage) -> Bool {
    if node.isText {
      takeText(node.text, into: page)
    } else if isAtStart, node.name == .a, let href = node.attribute(.href) {
      // An icon may be a link of its own, before the name's.
      let isIcon = node.text.isEmpty && node.first(.img) != nil
      guard !isIcon else {
        isMarked = ApacheHeader.isParentIcon(node)
        return true
      }
      link = href
      isParent = ApacheHeader.isParent(node, href, isMarked: isMarked)
      isAtStart = false
    } else if isAtStart {
      isMarked = ApacheHeader.isParentIcon(node)
      return node.name == .img || node.name == .hr
    } else {
      // A description may hold what its author likes, links too.
      told += node.text
    }
    return true
  }

  private mutating func takeText(_ text: String, into page: DirectoryPage) {
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.endsLine)
    told += lines[0]
    guard lines.count > 1, let last = lines.last else { return }
    endRow(into: page)
    isAtStart = last.allSatisfy(\.isWhitespace)
  }

  private mutating func endRow(into page: DirectoryPage) {
    if let link, !(isFirst && isParent) {
      let date = columns.hasDate ? ApacheHeader.date(from: told) : nil
      let rest = told.split(separator: " ").dropFirst(date == nil ? 0 : 2)
      let size = columns.hasSize && date != nil ? rest.first.flatMap { ListedSize($0) } : nil
      page.take(DirectoryRow(href: link, date: date, size: size?.asRounded))
    }
    if link != nil { isFirst = false }
    link = nil
    told = ""
    isMarked = false
  }
}

extension Character {
  /// Whether a line of the page ends with it; a proxy may write both bytes.
  fileprivate var endsLine: Bool { self == "\n" || self == "\r\n" }
}

struct ApacheHeader {
  private var text = ""
  private var sorts = false

  /// Takes a part of the row, as text and as what it is.
  mutating func take(_ text: String, _ node: HTMLNode) {
    self.text += text
    if node.attribute(.href)?.contains("?C=N;O=") ?? false { sorts = true }
  }

  /// Whether it is one. Without the links that sort, the page's title has to speak for it.
  func isHeader(isTitled: Bool) -> Bool {
    let isWorded = text.drop { $0.isWhitespace }.hasPrefix("Name ") && (hasDate || hasSize)
    return sorts || isTitled && isWorded
  }

  var hasDate: Bool { text.lowercased().contains("last modified") }

  var hasSize: Bool { text.contains("Size") }

  /// Whether a link leads to the parent. Apache writes it as a path from its own root, which behind
  /// another server isn't that of the page.
  static func isParent(_ link: HTMLNode, _ href: String, isMarked: Bool = false) -> Bool {
    href.hasSuffix("/") && (isMarked || link.text.withoutOuterWhitespace == "Parent Directory")
  }

  /// Whether it is the icon of a row that is the parent's, or has that in it.
  static func isParentIcon(_ node: HTMLNode) -> Bool {
    node.all(.img).contains { $0.attribute(.alt) == "[PARENTDIR]" }
  }

  static func date(from text: String) -> (text: String, stamp: ListingDate)? {
    let date = text.split(whereSeparator: \.isWhitespace).prefix(2).joined(separator: " ")
    return ListingDate(local: date).map { (date, $0) }
  }
}
