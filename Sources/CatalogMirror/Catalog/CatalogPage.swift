/// What one body gave.
package struct CatalogPage: Hashable, Sendable {
  /// The format that read it.
  package var format: CatalogFormat.Name
  /// The entries with a key, in their order. Keys of a directory's page are names in that
  /// directory.
  package var entries: [ListedEntry] = []
  /// The lines of entries that the index has already; they aren't among `entries`.
  package var known: [KnownLine] = []
  /// What has no key; it isn't among `entries`.
  package private(set) var keyless = KeylessEntries()
  /// The positions of `entries` in the page, counted from 1; empty when none is missing between.
  package var positions: [UInt32] = []
  /// What the page says of the whole listing.
  package var header = CatalogHeader()
  /// The next page of the chain, absolute and allowed by ``LocatorRules``.
  package var next: String?
  /// The directories in this directory.
  package var subdirectories: [Subdirectory] = []
  /// Whether the page says that it belongs to a whole list.
  package var claim: CompletenessClaim

  /// An empty page.
  package init(format: CatalogFormat.Name, claim: CompletenessClaim) {
    self.format = format
    self.claim = claim
  }

  /// How many entries the page has, known or not, with a key or without.
  package var count: Int { entries.count + known.count + keyless.count }

  /// Takes the next entry, at its position in the page, counted from 1.
  mutating func take(_ entry: ListedEntry, at position: Int) {
    guard entry.key != nil else { return keyless.add(at: position) }
    let isGapless = positions.isEmpty && position == entries.count + 1
    if !isGapless, positions.isEmpty {
      positions = entries.indices.map { UInt32($0 + 1) }
    }
    entries.append(entry)
    if !isGapless { positions.append(UInt32(position)) }
  }

  /// A directory that a directory's page names.
  package struct Subdirectory: Hashable, Sendable, Codable {
    /// Its URL, ending with a slash.
    package var url: String
    /// Its name, which stands before its keys with a slash between.
    package var name: [UInt8]

    /// A directory.
    package init(url: String, name: [UInt8]) {
      self.url = url
      self.name = name
    }
  }
}

/// What a page says of the whole listing, where it says anything.
package struct CatalogHeader: Hashable, Sendable {
  /// A name of the catalog, for people.
  package var title: String?
  /// The state of the catalog.
  package var revision: CatalogRevision?
  /// The number of entries on all pages together.
  package var count: Int64?

  /// Nothing.
  package init() {}
}

/// What a page by itself says about being the whole.
package enum CompletenessClaim: Hashable, Sendable {
  /// It is all there is: `complete` is true, or a directory's own page.
  case whole
  /// The catalog itself says that it isn't all there is.
  case window
  /// Nothing is said: of unknown origin, whole only by a matching count or a person's word.
  case unvouched
}
