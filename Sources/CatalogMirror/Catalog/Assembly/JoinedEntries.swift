import SyncText

/// The entries of a listing whose keys are listed more than once, each put together.
struct JoinedEntries {
  private var left: [CatalogKey: ListedEntry] = [:]
  private var taken: Set<CatalogKey> = []

  init() {}

  /// Puts together what a listing says of these keys.
  ///
  /// - Throws: ``CatalogError/duplicateKey(_:)`` where it contradicts itself, or where a key may be
  ///   listed only once.
  init(of keys: Set<CatalogKey>, in verdict: ListingVerdict) throws(CatalogError) {
    for (_, node) in verdict.nodes {
      guard let page = node.readPage else { continue }
      for entry in page.entries {
        guard let key = entry.key, keys.contains(key) else { continue }
        guard page.terms.repetition == .joined,
          let joined = left[key].map({ $0.joined(with: entry) }) ?? entry
        else { throw .duplicateKey(key) }
        left[key] = joined
      }
    }
  }

  /// What counts of an entry as it is met on a page: the entry itself, or all that is said of its
  /// key where that is met for the first time; `nil` from then on.
  mutating func take(_ entry: ListedEntry, of key: CatalogKey) -> ListedEntry? {
    guard !left.isEmpty || !taken.isEmpty else { return entry }
    guard let joined = left.removeValue(forKey: key) else {
      return taken.contains(key) ? nil : entry
    }
    taken.insert(key)
    return joined
  }
}

extension ListedEntry {
  /// What two entries of one key say together; `nil` where they contradict. What only one of them
  /// says, the other doesn't contradict.
  func joined(with other: ListedEntry) -> ListedEntry? {
    switch (self, other) {
    case (.entry(let one, let isSettled), .entry(let two, let isOtherSettled)):
      guard let entry = one.joined(with: two) else { return nil }
      let settled = [(one, isSettled), (two, isOtherSettled)].filter {
        $0.0.version == entry.version
      }
      return .entry(entry, settled: !settled.isEmpty && settled.allSatisfy(\.1))
    case (.unusable(let one), .unusable(let two)): return one.problem == two.problem ? self : nil
    case (.entry, .unusable), (.unusable, .entry): return nil
    }
  }
}

extension CatalogEntry {
  /// What two entries of one key say together; `nil` where they contradict.
  fileprivate func joined(with other: CatalogEntry) -> CatalogEntry? {
    var entry = self
    guard entry.join(\.size, other), entry.join(\.sha256, other), entry.join(\.modified, other),
      entry.join(\.estimatedSize, other), entry.join(\.title, other),
      entry.join(\.preview, other), entry.join(\.extra, other), order == other.order,
      line == other.line, let version = version.joined(with: other.version)
    else { return nil }
    for check in other.checks where !entry.checks.contains(check) {
      guard !entry.checks.contains(where: { $0.algorithm == check.algorithm }) else { return nil }
      entry.checks.append(check)
    }
    if locators != other.locators {
      // Only the digest says that the same bytes are at several addresses.
      guard let proof, proof == other.proof else { return nil }
      entry.locators += other.locators.filter { !locators.contains($0) }
    }
    entry.version = version
    return entry
  }

  /// Takes a fact of another one where it has none itself; says whether the two agree.
  private mutating func join<Fact: Equatable>(
    _ fact: WritableKeyPath<CatalogEntry, Fact?>, _ other: CatalogEntry
  ) -> Bool {
    guard let told = other[keyPath: fact] else { return true }
    guard let own = self[keyPath: fact] else {
      self[keyPath: fact] = told
      return true
    }
    return own == told
  }
}

extension ItemVersion {
  /// The version of what has both; `nil` where nothing has. A date counts for less than what the
  /// bytes or the source's own words tell.
  fileprivate func joined(with other: ItemVersion) -> ItemVersion? {
    switch (self, other) {
    case _ where self == other: self
    case (.unknown, let told), (let told, .unknown): told
    case (.dateAndSize(let date, let size), .dateAndSize(let otherDate, let otherSize)):
      (date ?? otherDate) == (otherDate ?? date) && (size ?? otherSize) == (otherSize ?? size)
        ? .dateAndSize(date: date ?? otherDate, size: size ?? otherSize) : nil
    case (.dateAndSize, let told), (let told, .dateAndSize): told
    default: nil
    }
  }
}
