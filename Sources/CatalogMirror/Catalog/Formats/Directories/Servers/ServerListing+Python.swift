extension ServerListing {
  /// The directory listing of Python's `http.server` (`SimpleHTTPRequestHandler.list_directory` of
  /// Python 3.11; the same since 2.4 but for its first lines), known by its title "Directory
  /// listing for …", the same in its one `h1`, and a list of nothing but links between two rules.
  ///
  /// It tells neither date nor size: each item is asked for with its own validator. A link to a
  /// directory is listed as a directory, and one that leads nowhere as a file, which then fails
  /// when it is fetched. A name that isn't UTF-8 is written so that it can't be asked for, and is
  /// one failed item. Names that begin with a dot are listed.
  static let python = ServerListing(
    name: .python, noun: "the directory listing of Python's http.server",
    begins: {
      $0.hasPrefix("<") && $0.prefix(512).contains("<title>Directory listing for ")
    },
    lists: [.ul: .init(parts: .children) { _, isOnBody, _ in isOnBody ? PythonList() : nil }],
    frames: { page in
      page.names == [.h1, .hr, .ul, .hr] && page.hasTitleAsHeading
        && page.facts.title?.lowercased().hasPrefix("directory listing for ") ?? false
    })
}

/// Python's list: nothing but items, of one link each.
struct PythonList: DirectoryList {
  mutating func take(_ part: HTMLNode, into page: DirectoryPage) -> Bool {
    guard let name = part.name else { return true }
    guard name == .li, part.elements.count == 1, let href = part.first(.a)?.attribute(.href) else {
      return false
    }
    page.take(DirectoryRow(href: href))
    return true
  }
}
