/// What a list of changes says is gone.
struct RemovedKeys {
  private let keys: Set<CatalogKey>

  init?(_ completeness: Listing.Completeness) {
    guard case .changes(let removed) = completeness else { return nil }
    keys = removed
  }

  /// Whether an item is gone, or a directory that it lies below.
  func hold(_ key: CatalogKey) -> Bool {
    guard !keys.isEmpty else { return false }
    if keys.contains(key) { return true }
    return key.bytes.indices.contains { index in
      key.bytes[index] == UInt8(ascii: "/")
        && keys.contains(CatalogKey(bytes: Array(key.bytes[...index])))
    }
  }
}

/// Where a listing says nothing of what lies below: directories that can't be read, and what can't
/// be used, as it may be a directory of which nobody knows that (a link that leads nowhere just
/// now, a member that the server doesn't tell of).
struct UnseenPrefixes {
  private let prefixes: Set<[UInt8]>

  init(_ listing: Listing) {
    let unusable = listing.unusable.filter { !$0.isListedAsFile }.compactMap(\.key)
      .map { $0.bytes + [UInt8(ascii: "/")] }
    prefixes = Set(listing.unreadable.map(\.prefix) + unusable)
  }

  /// Whether a key lies below one of them.
  func hold(_ key: CatalogKey) -> Bool {
    guard !prefixes.isEmpty else { return false }
    return key.bytes.indices.contains { index in
      key.bytes[index] == UInt8(ascii: "/") && prefixes.contains(Array(key.bytes[...index]))
    }
  }
}

extension UnusableEntry {
  /// Whether the listing says that it is a file, which can only not stand beside another one.
  fileprivate var isListedAsFile: Bool {
    if case .collision = problem { true } else { false }
  }
}
