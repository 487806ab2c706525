/// Apache's `HTMLTable`: a row of `th` that names the columns, and as many `td` in each other row.
struct ApacheTable: DirectoryList {
  private let isTitled: Bool
  /// The texts of the row that names the columns, once that has come.
  private var titles: [String]?
  private var isFirst = true

  init(isTitled: Bool) {
    self.isTitled = isTitled
  }

  mutating func take(_ line: HTMLNode, into page: inout DirectoryPage) -> Bool {
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

  mutating func end(isShown: Bool, into page: inout DirectoryPage) -> Bool {
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
