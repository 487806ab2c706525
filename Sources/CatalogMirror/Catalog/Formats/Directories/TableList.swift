/// A table of which each row is read by itself.
struct TableList: DirectoryList {
  enum Row {
    case item(DirectoryRow)
    /// Of another kind, such as that of the titles.
    case none
    case foreign
  }

  fileprivate let read: @Sendable (HTMLNode) -> Row
  /// What the address of the table's first link ends with; `nil` where that is seen, or nobody
  /// asks.
  fileprivate var firstLink: String?

  mutating func take(_ part: HTMLNode, into page: DirectoryPage) -> Bool {
    if let wanted = firstLink, let link = part.all(.a).first {
      guard link.attribute(.href)?.hasSuffix(wanted) ?? false else { return false }
      firstLink = nil
    }
    for line in part.all(.tr) {
      switch read(line) {
      case .item(let row): page.take(row)
      case .none: continue
      case .foreign: return false
      }
    }
    return true
  }

  mutating func end(isShown: Bool, into page: DirectoryPage) -> Bool {
    isShown && firstLink == nil
  }
}

extension DirectoryListKind {
  /// A table whose attribute has a value.
  ///
  /// - Parameters:
  ///   - firstLink: What the address of its first link ends with. Default: whatever it is.
  ///   - row: Reads a row.
  static func table(
    _ attribute: HTMLAttribute, _ value: String, firstLink: String? = nil,
    row: @escaping @Sendable (HTMLNode) -> TableList.Row
  ) -> DirectoryListKind {
    DirectoryListKind(parts: .all(firstLink == nil ? [.tr] : [.tr, .a])) { table, _, _ in
      table.attribute(attribute) == value ? TableList(read: row, firstLink: firstLink) : nil
    }
  }

  /// The same, whose rows have cells of these classes, the first of them with the link.
  static func table(
    _ attribute: HTMLAttribute, _ value: String, firstLink: String? = nil, cells kinds: [String],
    row: @escaping @Sendable (_ href: String, _ cells: [HTMLNode]) -> DirectoryRow
  ) -> DirectoryListKind {
    table(attribute, value, firstLink: firstLink) { line in
      let cells = line.elements
      if cells.allSatisfy({ $0.name == .th }) { return .none }
      guard cells.map({ $0.attribute(.kind) }) == kinds,
        let href = cells[0].first(.a)?.attribute(.href)
      else { return .foreign }
      return .item(row(href, cells))
    }
  }
}
