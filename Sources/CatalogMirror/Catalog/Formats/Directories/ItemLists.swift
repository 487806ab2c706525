import SyncText

/// Python's list: nothing but items, of one link each.
struct PythonList: DirectoryList {
  mutating func take(_ part: HTMLNode, into page: inout DirectoryPage) -> Bool {
    guard let name = part.name else { return true }
    guard name == .li, part.elements.count == 1, let href = part.first(.a)?.attribute(.href) else {
      return false
    }
    page.take(DirectoryRow(href: href))
    return true
  }
}

/// Apache's plain list: nothing but items, of nothing but a link each.
struct ApachePlainList: DirectoryList {
  private var isFirst = true
  private var hasParent = false

  init?(isTitled: Bool) {
    guard isTitled else { return nil }
  }

  /// At a server's root there is no parent.
  var rank: Int { hasParent ? 1 : 0 }

  mutating func take(_ item: HTMLNode, into page: inout DirectoryPage) -> Bool {
    if Self.isBlank(item) { return true }
    let parts = item.children.filter { !Self.isBlank($0) }
    guard item.name == .li, parts.count == 1, let link = parts.first,
      let href = link.attribute(.href), link.text.hasPrefix(" ")
    else { return false }
    if isFirst, ApacheHeader.isParent(link, href) {
      hasParent = true
    } else {
      page.take(DirectoryRow(href: href))
    }
    isFirst = false
    return true
  }

  private static func isBlank(_ node: HTMLNode) -> Bool {
    node.isText && node.text.allSatisfy(\.isWhitespace)
  }
}
