import SyncFetching
import SyncText

/// Which things of a page of links are directories.
extension CatalogSource {
  /// The longest page of a directory that is looked for where a link names it without a slash.
  private static let longestPage = 8 << 20

  /// Makes directories of what a page of links names without a slash, and what is one: with a
  /// slash the source gives the same page as without. Where the name has an ending that files have,
  /// nobody asks.
  func settleDirectories(of page: inout CatalogPage) async throws {
    guard page.format == .listing else { return }
    let doubtful = page.entries.compactMap { Self.doubtful($0) }
    let found = try await withThrowingTaskGroup(of: CatalogKey?.self) { group in
      var found: Set<CatalogKey> = []
      var waiting = doubtful[...]
      for _ in 0..<Self.width {
        guard let entry = waiting.popFirst() else { break }
        group.addTask { try await isDirectory(entry.url) ? entry.key : nil }
      }
      while let key = try await group.next() {
        if let key { found.insert(key) }
        if let entry = waiting.popFirst() {
          group.addTask { try await isDirectory(entry.url) ? entry.key : nil }
        }
      }
      return found
    }
    page.makeDirectories(of: found)
  }

  private static func doubtful(_ entry: ListedEntry) -> (key: CatalogKey, url: String)? {
    guard case .entry(let entry, _) = entry, let url = entry.locators.first, !url.contains("?"),
      MediaExtension.of(type: nil, url: url).isEmpty
    else { return nil }
    return (entry.key, url)
  }

  /// What can't be had is no directory.
  private func isDirectory(_ url: String) async throws -> Bool {
    guard let below = try await body(of: CatalogRequest(url + "/"), atMost: Self.longestPage),
      below.kind == .html,
      let plain = try await body(of: CatalogRequest(url), atMost: Self.longestPage)
    else { return false }
    return plain.bytes == below.bytes || plain.url == below.url && plain.kind == .html
  }
}

extension CatalogPage {
  /// Lists as directories what it lists as files.
  fileprivate mutating func makeDirectories(of keys: Set<CatalogKey>) {
    guard !keys.isEmpty else { return }
    for case .entry(let entry, _) in entries where keys.contains(entry.key) {
      guard let url = entry.locators.first else { continue }
      subdirectories.append(.init(url: url + "/", name: entry.key.bytes))
    }
    entries.removeAll { $0.key.map(keys.contains) ?? false }
  }
}
