public import SyncText

/// One entry of a catalog: what it is called, how to tell whether it changed, and where its bytes
/// are.
public struct CatalogEntry: Hashable, Sendable {
  /// The key; also the path below the folder.
  public var key: CatalogKey
  /// Where the bytes are: absolute http, https or file URLs, tried in this order. Never empty in a
  /// listing.
  public var locators: [String]
  /// What tells this state of the item from another.
  public var version: ItemVersion
  /// The exact size in bytes; `nil` when the catalog gives none, or only a rounded one.
  public var size: Int64?
  /// A rounded size in bytes, for progress only, never checked.
  public var estimatedSize: Int64?
  /// The digest of the bytes.
  public var sha256: SHA256Digest?
  /// Further digests of the bytes, which they are held against as they come. One that agrees proves
  /// as much as ``sha256`` only if its algorithm does (``ContentDigest/Algorithm/provesEquality``).
  /// Default: none.
  public var checks: [ContentDigest] = []
  /// When the content was last modified, in seconds since 1970, where the zone is known.
  public var modified: Double?
  /// Smaller numbers are downloaded first.
  public var order: Int
  /// A name for people.
  public var title: String?
  /// A small stand-in that is fetched before the contents.
  public var preview: Preview?
  /// What else the catalog says of the entry: a JSON object as text.
  public var extra: String?
  /// What the line that it was read from is known by; `nil` where nothing tells all of it. Part of
  /// its equality: the same in other words is recorded anew.
  package var line: LineDigest?

  /// The digest that tells the bytes from all others; `nil` where there is none.
  package var proof: ContentDigest? {
    sha256.map { ContentDigest($0) } ?? checks.first { $0.algorithm.provesEquality }
  }

  /// An entry with a key and one locator; everything else is unknown.
  public init(key: CatalogKey, locators: [String], version: ItemVersion = .unknown) {
    self.key = key
    self.locators = locators
    self.version = version
    order = 0
  }

  /// A small stand-in of an item.
  public struct Preview: Hashable, Sendable {
    /// Where its bytes are: an absolute URL.
    public var locator: String
    /// What tells this state of the preview from another.
    public var version: ItemVersion
    /// The exact size in bytes.
    public var size: Int64?
    /// The digest of the bytes.
    public var sha256: SHA256Digest?

    /// A preview with a locator; everything else is unknown.
    public init(locator: String, version: ItemVersion = .unknown) {
      self.locator = locator
      self.version = version
    }
  }
}
