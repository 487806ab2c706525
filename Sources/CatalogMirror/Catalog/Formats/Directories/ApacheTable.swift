/// Apache's `HTMLTable`: a row of `th` that names the columns, and as many `td` in each other row.
struct ApacheTable {
  private(set) var rows: [DirectoryRow] = []

  /// `nil` when the element isn't such a table.
  init?(_ table: HTMLNode, isTitled: Bool) {
    let lines = table.all(.tr).lazy.map { $0.elements }
    guard table.isShownWhole, let first = lines.first, first.allSatisfy({ $0.name == .th }) else {
      return nil
    }
    var header = ApacheHeader()
    for cell in first {
      let link = cell.first(.a) ?? cell
      header.take(cell.text.filter { !$0.isWhitespace || $0 == " " } + " ", link)
    }
    guard header.isHeader(isTitled: isTitled) else { return nil }
    let titles = first.map { $0.text.lowercased() }
    var isFirst = true
    for cells in lines.dropFirst() where cells.contains(where: { $0.name == .td }) {
      guard cells.count == titles.count, let row = Self.row(cells, titles) else { return nil }
      if !isFirst || !Self.isParent(cells, row.href) { rows.append(row) }
      isFirst = false
    }
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
