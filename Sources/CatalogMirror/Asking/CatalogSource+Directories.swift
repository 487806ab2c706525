import SyncFetching
import SyncLock
import SyncText
import SyncTransport

extension CatalogSource {
  /// The longest page of a directory that is looked for where a link names it without a slash.
  private static let longestPage = 8 << 20

  /// Makes directories of what a page of links names without a slash, and what is one: with a
  /// slash the source gives the same page as without. Where the name has an ending that files have,
  /// nobody asks. What the source doesn't tell is a link that isn't understood.
  ///
  /// - Returns: Whether the source told of each.
  func settleDirectories(of page: inout CatalogPage) async throws -> Bool {
    guard page.format == .listing else { return true }
    let doubtful = page.entries.compactMap { Self.doubtful($0) }
    let (found, untold) = try await withThrowingTaskGroup(of: (CatalogKey, Bool?).self) { group in
      var found: Set<CatalogKey> = []
      var untold: Set<CatalogKey> = []
      var waiting = doubtful[...]
      for _ in 0..<Self.width {
        guard let entry = waiting.popFirst() else { break }
        group.addTask { (entry.key, try await isDirectory(entry.url)) }
      }
      while let (key, answer) = try await group.next() {
        if answer ?? false { found.insert(key) }
        if answer == nil { untold.insert(key) }
        if let entry = waiting.popFirst() {
          group.addTask { (entry.key, try await isDirectory(entry.url)) }
        }
      }
      return (found, untold)
    }
    page.makeDirectories(of: found)
    page.leaveOut(untold)
    return untold.isEmpty
  }

  private static func doubtful(_ entry: ListedEntry) -> (key: CatalogKey, url: String)? {
    guard case .entry(let entry, _) = entry, let url = entry.locators.first, !url.contains("?"),
      MediaExtension.of(type: nil, url: url).isEmpty
    else { return nil }
    return (entry.key, url)
  }

  /// Whether it is a directory; `nil` where the source doesn't tell, as one that fails for a while.
  private func isDirectory(_ url: String) async throws -> Bool? {
    let type = Locked<String?>(nil)
    func body(_ url: String) async throws -> CatalogBody? {
      type.withLock { $0 = nil }
      return try await givenBody(of: CatalogRequest(url), atMost: Self.longestPage) { answer in
        type.withLock { $0 = answer.mediaType }
      }
    }
    do {
      guard let below = try await body(url + "/"), below.kind == .html,
        let plain = try await body(url)
      else { return false }
      return plain.bytes == below.bytes || plain.url == below.url
    } catch let error where !(error is CancellationError) {
      try Task.checkCancellation()
      return Self.isNoPage(error, of: type.withLock { $0 }) ? false : nil
    }
  }

  /// Whether it failed because there is no page: nothing, something forbidden, or what is no HTML.
  /// A folder of files lists none.
  private static func isNoPage(_ error: any Error, of mediaType: String?) -> Bool {
    switch error {
    case let error as TransportError: error.absence != nil
    case is FileSourceError: true
    default: mediaType.map { !["text/html", "application/xhtml+xml"].contains($0) } ?? false
    }
  }
}

extension CatalogPage {
  fileprivate mutating func makeDirectories(of keys: Set<CatalogKey>) {
    guard !keys.isEmpty else { return }
    for case .entry(let entry, _) in entries where keys.contains(entry.key) {
      guard let url = entry.locators.first else { continue }
      subdirectories.append(.init(url: url + "/", name: entry.key.bytes))
    }
    entries.removeAll { $0.key.map(keys.contains) ?? false }
  }

  /// Lists nothing of these names, and tells that their links aren't understood.
  fileprivate mutating func leaveOut(_ keys: Set<CatalogKey>) {
    for case .entry(let entry, _) in entries where keys.contains(entry.key) {
      notes.unreadLinks.add(String(decoding: entry.key.bytes, as: UTF8.self))
    }
    entries.removeAll { $0.key.map(keys.contains) ?? false }
  }
}
