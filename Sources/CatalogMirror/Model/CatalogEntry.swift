package import SyncText

/// One entry of a catalog: what it is called, how to tell whether it changed, and where its bytes
/// are.
package struct CatalogEntry: Hashable, Sendable {
  /// The key; also the path below the folder.
  package var key: CatalogKey
  /// Where the bytes are: absolute http, https or file URLs, tried in this order. Never empty in a
  /// listing.
  package var locators: [String]
  /// What tells this state of the item from another.
  package var version: ItemVersion
  /// The exact size in bytes; `nil` when the catalog gives none, or only a rounded one.
  package var size: Int64?
  /// A rounded size in bytes, for progress only, never checked.
  package var estimatedSize: Int64?
  /// The digest of the bytes.
  package var sha256: SHA256Digest?
  /// When the content was last modified, in seconds since 1970, where the zone is known.
  package var modified: Double?
  /// Smaller numbers are downloaded first.
  package var order: Int
  /// A name for people.
  package var title: String?
  /// A small stand-in that is fetched before the contents.
  package var preview: Preview?
  /// What else the catalog says of the entry: a JSON object as text.
  package var extra: String?
  /// What the line that it was read from is known by; `nil` where nothing tells all of it. Part of
  /// its equality: the same in other words is recorded anew.
  package var line: LineDigest?

  /// An entry with a key and one locator; everything else is unknown.
  package init(key: CatalogKey, locators: [String], version: ItemVersion = .unknown) {
    self.key = key
    self.locators = locators
    self.version = version
    order = 0
  }

  /// A small stand-in of an item.
  package struct Preview: Hashable, Sendable {
    /// Where its bytes are: an absolute URL.
    package var locator: String
    /// What tells this state of the preview from another.
    package var version: ItemVersion
    /// The exact size in bytes.
    package var size: Int64?
    /// The digest of the bytes.
    package var sha256: SHA256Digest?

    /// A preview with a locator; everything else is unknown.
    package init(locator: String, version: ItemVersion = .unknown) {
      self.locator = locator
      self.version = version
    }
  }
}
