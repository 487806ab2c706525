import SyncText

/// The directory listing of Python's `http.server` (`SimpleHTTPRequestHandler.list_directory` of
/// Python 3.11; the same since 2.4 but for its first lines), known by its title "Directory listing
/// for …", the same in its one `h1`, and a list of nothing but links between two rules.
///
/// It tells neither date nor size: each item is asked for with its own validator. A link to a
/// directory is listed as a directory, and one that leads nowhere as a file, which then fails when
/// it is fetched. A name that isn't UTF-8 is written so that it can't be asked for, and is one
/// failed item. Names that begin with a dot are listed.
package struct PythonFormat: CatalogFormat {
  package let name = CatalogFormatName.python
  package let noun = "the directory listing of Python's http.server"

  package func recognises(_ body: CatalogBody) -> Bool {
    let head = body.head
    return head.hasPrefix("<") && head.prefix(512).contains("<title>Directory listing for ")
  }

  package func page(
    _ body: CatalogBody, within limits: CatalogLimits
  ) throws(CatalogError) -> CatalogPage {
    try body.directoryPage(by: self, within: limits, Self.rows)
  }

  private static func rows(under root: HTMLNode) -> [DirectoryRow]? {
    guard let title = root.title, title.lowercased().hasPrefix("directory listing for "),
      let parts = root.first(.body)?.elements,
      parts.map(\.name) == [.h1, .hr, .ul, .hr], parts[0].text == title,
      parts[2].isShownWhole
    else { return nil }
    var rows: [DirectoryRow] = []
    for item in parts[2].elements {
      guard item.name == .li, item.elements.count == 1,
        let href = item.first(.a)?.attribute(.href)
      else { return nil }
      rows.append(DirectoryRow(href: href))
    }
    return rows
  }
}

extension CatalogFormatName {
  /// The directory listing of Python's `http.server`.
  package static let python = Self("python")
}
