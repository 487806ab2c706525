public import SyncText

/// One entry of a catalog: what it is called, how to tell whether it changed, and where its bytes
/// are.
public struct CatalogEntry: Hashable, Sendable {
  // One reference: an entry passes through many hands, and a dozen fields would be copied by each.
  private var facts: Facts

  /// The key; also the path below the folder.
  public var key: CatalogKey {
    get { facts.values.key }
    set { change { $0.key = newValue } }
  }
  /// Where the bytes are: absolute http, https or file URLs, tried in this order. Never empty in a
  /// listing.
  public var locators: [String] {
    get { facts.values.locators }
    set { change { $0.locators = newValue } }
  }
  /// What tells this state of the item from another.
  public var version: ItemVersion {
    get { facts.values.version }
    set { change { $0.version = newValue } }
  }
  /// The exact size in bytes; `nil` when the catalog gives none, or only a rounded one.
  public var size: Int64? {
    get { facts.values.size }
    set { change { $0.size = newValue } }
  }
  /// A rounded size in bytes, for progress only, never checked.
  public var estimatedSize: Int64? {
    get { facts.values.rare?.estimatedSize }
    set { if newValue != estimatedSize { change { $0.more.estimatedSize = newValue } } }
  }
  /// The digest of the bytes.
  public var sha256: SHA256Digest? {
    get { facts.values.sha256 }
    set { change { $0.sha256 = newValue } }
  }
  /// Further digests of the bytes, which they are held against as they come. One that agrees proves
  /// as much as ``sha256`` only if its algorithm does (`ContentDigest.Algorithm.provesEquality`).
  /// Default: none.
  public var checks: [ContentDigest] {
    get { facts.values.rare?.checks ?? [] }
    set { if newValue != checks { change { $0.more.checks = newValue } } }
  }
  /// When the content was last modified, in seconds since 1970, where the zone is known.
  public var modified: Double? {
    get { facts.values.modified }
    set { change { $0.modified = newValue } }
  }
  /// Smaller numbers are downloaded first.
  public var order: Int {
    get { facts.values.rare?.order ?? 0 }
    set { if newValue != order { change { $0.more.order = newValue } } }
  }
  /// A name for people.
  public var title: String? {
    get { facts.values.rare?.title }
    set { change { $0.more.title = newValue } }
  }
  /// A small stand-in that is fetched before the contents.
  public var preview: Preview? {
    get { facts.values.rare?.preview }
    set { change { $0.more.preview = newValue } }
  }
  /// What else the catalog says of the entry: a JSON object as text.
  public var extra: String? {
    get { facts.values.rare?.extra }
    set { change { $0.more.extra = newValue } }
  }
  /// What the line that it was read from is known by; `nil` where nothing tells all of it. Part of
  /// its equality: the same in other words is recorded anew.
  package var line: LineDigest? {
    get { facts.values.line }
    set { change { $0.line = newValue } }
  }

  /// The digest that tells the bytes from all others; `nil` where there is none.
  package var proof: ContentDigest? {
    sha256.map { ContentDigest($0) } ?? checks.first { $0.algorithm.provesEquality }
  }

  /// An entry with a key and one locator; everything else is unknown.
  public init(key: CatalogKey, locators: [String], version: ItemVersion = .unknown) {
    facts = Facts(EntryFacts(key: key, place: .listed(locators), version: version))
  }

  /// An entry whose bytes lie where its key says in a directory, and whose key needs no encoding
  /// there (see `URLReference.isPlainPath`).
  init(plainKey key: CatalogKey, in directory: EntryPlace.Directory, version: ItemVersion) {
    facts = Facts(EntryFacts(key: key, place: .own(directory), version: version))
  }

  /// Whether it was made as one that lies where its plain key says.
  var isWhereItsKeySays: Bool { facts.values.place.isOwn }

  /// Whether all that is known of both is equal.
  public static func == (left: CatalogEntry, right: CatalogEntry) -> Bool {
    left.facts === right.facts || left.facts.values == right.facts.values
  }

  /// Hashes what tells entries of one listing apart.
  public func hash(into hasher: inout Hasher) { hasher.combine(facts.values) }

  /// Changes what is known here, and in no copy.
  private mutating func change(_ body: (inout EntryFacts) -> Void) {
    if !isKnownUniquelyReferenced(&facts) { facts = Facts(facts.values) }
    body(&facts.values)
  }

  private final class Facts: @unchecked Sendable {  // changed only by who alone holds it
    // So no two can meet in it, and looking for that would take a twentieth of a listing's time.
    @exclusivity(unchecked) var values: EntryFacts

    init(_ values: EntryFacts) {
      self.values = values
    }
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

extension CatalogEntry: CustomReflectable {
  /// All that is known, as if it were the entry's own.
  public var customMirror: Mirror {
    Mirror(self, children: facts.values.children, displayStyle: .struct)
  }
}

/// The key of a catalog entry: bytes from an untrusted party, compared as bytes.
public typealias CatalogKey = ByteString

extension CatalogKey {
  /// The key of the directory that it names a place in; `nil` where that is the mirror's own.
  var directory: CatalogKey? {
    bytes.lastIndex(of: UInt8(ascii: "/")).map { CatalogKey(bytes: Array(bytes[..<$0])) }
  }
}
