public import SyncText

/// One entry of a catalog, as a ``CatalogPage`` lists it: what it is called, how to tell whether it
/// changed, and where its bytes are.
public struct CatalogEntry: Hashable, Sendable, CustomReflectable {
  // Twelve bytes: an entry passes through many hands, and a dozen fields would be copied by each.
  private var form: Form

  /// The key; also the path below the folder.
  public var key: CatalogKey {
    get {
      switch form {
      case .open(let facts): facts.values.key
      case .packed(let block, let place): CatalogKey(bytes: Array(block.key(at: place)))
      }
    }
    set { change { $0.key = newValue } }
  }
  /// Where the bytes are: absolute http, https or file URLs, tried in this order. Never empty in a
  /// listing.
  public var locators: [String] {
    get { values.locators }
    set { change { $0.locators = newValue } }
  }
  /// What tells this state of the item from another.
  public var version: ItemVersion {
    get { values.version }
    set { change { $0.version = newValue } }
  }
  /// The exact size in bytes; `nil` when the catalog gives none, or only a rounded one.
  public var size: Int64? {
    get {
      switch form {
      case .open(let facts): facts.values.size
      case .packed(let block, let place): block.sizes(at: place).exact
      }
    }
    set { change { $0.size = newValue } }
  }
  /// A rounded size in bytes, for progress only, never checked.
  public var estimatedSize: Int64? {
    get { rare?.estimatedSize }
    set { if newValue != estimatedSize { change { $0.more.estimatedSize = newValue } } }
  }
  /// The digest of the bytes.
  public var sha256: SHA256Digest? {
    get { values.sha256 }
    set { change { $0.sha256 = newValue } }
  }
  /// Further digests of the bytes, which they are held against as they come. One that agrees proves
  /// as much as ``sha256`` only if its algorithm does (`ContentDigest.Algorithm.provesEquality`).
  /// Default: none.
  public var checks: [ContentDigest] {
    get { rare?.checks ?? [] }
    set { if newValue != checks { change { $0.more.checks = newValue } } }
  }
  /// When the content was last modified, in seconds since 1970, where the zone is known.
  public var modified: Double? {
    get { values.modified }
    set { change { $0.modified = newValue } }
  }
  /// Smaller numbers are downloaded first.
  public var order: Int {
    get { rare?.order ?? 0 }
    set { if newValue != order { change { $0.more.order = newValue } } }
  }
  /// A name for people.
  public var title: String? {
    get { rare?.title }
    set { change { $0.more.title = newValue } }
  }
  /// A small stand-in that is fetched before the contents.
  public var preview: Preview? {
    get { rare?.preview }
    set { change { $0.more.preview = newValue } }
  }
  /// What else the catalog says of the entry: a JSON object as text.
  public var extra: String? {
    get { rare?.extra }
    set { change { $0.more.extra = newValue } }
  }
  /// Where its bytes lie in a pack; of no account to its equality, and kept by no index.
  package var pack: PackPlace? {
    get {
      switch form {
      case .open(let facts): facts.values.pack
      case .packed(let block, let place): block.pack(at: place)
      }
    }
    set { change { $0.pack = newValue } }
  }
  /// What the line that it was read from is known by; `nil` where nothing tells all of it. Part of
  /// its equality: the same in other words is recorded anew.
  package var line: LineDigest? {
    get { values.line }
    set { change { $0.line = newValue } }
  }

  /// The rounded size of a directory's listing. What others say of a size without vouching for it,
  /// such as feeds, is often wrong.
  var roughSize: Int64? {
    guard case .dateAndSize(date: _?, size: nil) = version, size == nil else { return nil }
    return estimatedSize
  }

  /// Whether so many bytes are what the rounded size stands for; `false` where there is none.
  func isAbout(_ length: Int64) -> Bool { roughSize?.roundsWell(length) ?? false }

  /// The digest that tells the bytes from all others; `nil` where there is none.
  package var proof: ContentDigest? {
    sha256.map { ContentDigest($0) } ?? checks.first { $0.algorithm.provesEquality }
  }

  /// An entry with a key and one locator; everything else is unknown.
  public init(key: CatalogKey, locators: [String], version: ItemVersion = .unknown) {
    form = .open(Facts(EntryFacts(key: key, place: .listed(locators), version: version)))
  }

  /// An entry whose bytes lie where its key says in a directory, and whose key needs no encoding
  /// there (see `URLReference.isPlainPath`).
  init(plainKey key: CatalogKey, in directory: EntryPlace.Directory, version: ItemVersion) {
    form = .open(Facts(EntryFacts(key: key, place: .own(directory), version: version)))
  }

  /// An entry that stands at a place of a block.
  init(packed block: EntryBlock, _ place: UInt32) { form = .packed(block, place) }

  /// Packs it, if it isn't packed, and gives its place in the block; the first one says of what
  /// directory all of them are.
  func place(in writer: inout EntryBlock.Writer?) -> UInt32? {
    guard case .open(let facts) = form,
      let directory = facts.values.place.directory(of: facts.values.key, like: writer?.directory)
    else { return nil }
    if writer == nil { writer = EntryBlock.Writer(directory) }
    return writer?.add(facts.values, in: directory)
  }

  /// Puts the path of a directory before its key; its bytes stay where they are.
  mutating func move(beneath directory: inout EntryPlace.MovedDirectory) {
    change { facts in
      let place = directory.place(of: facts.place, facts.key)
      facts.move(to: facts.key.moved(beneath: directory.path), in: place)
    }
  }

  /// Whether it was made as one that lies where its plain key says.
  var isWhereItsKeySays: Bool { values.place.isOwn }

  /// The key where it lies; `nil` of an entry that isn't packed.
  var packedKey: PackedKey? {
    guard case .packed(let block, let place) = form else { return nil }
    return PackedKey(block: block, place: place)
  }

  /// The bytes of the key where they lie.
  var keyBytes: ArraySlice<UInt8> { packedKey?.bytes ?? key.bytes[...] }

  /// Whether all that is known of both is equal.
  public static func == (left: CatalogEntry, right: CatalogEntry) -> Bool {
    switch (left.form, right.form) {
    case (.open(let one), .open(let two)): one === two || one.values == two.values
    case (.packed(let one, let first), .packed(let two, let second))
    where one === two && first == second:
      true
    default: left.values == right.values
    }
  }

  /// Hashes what tells entries of one listing apart.
  public func hash(into hasher: inout Hasher) { hasher.combine(values) }

  private var values: EntryFacts {
    switch form {
    case .open(let facts): facts.values
    case .packed(let block, let place): block.facts(at: place)
    }
  }

  /// Of what few entries have, a packed one has only a rounded size.
  private var rare: RareFacts? {
    switch form {
    case .open(let facts): facts.values.rare
    case .packed(let block, let place):
      block.sizes(at: place).estimate.map { RareFacts(estimatedSize: $0) }
    }
  }

  private mutating func change(_ body: (inout EntryFacts) -> Void) {
    switch form {
    case .open(var facts):
      form = .packed(.nothing, 0)  // so that it is held once
      if !isKnownUniquelyReferenced(&facts) { facts = Facts(facts.values) }
      body(&facts.values)
      form = .open(facts)
    case .packed(let block, let place):
      let facts = Facts(block.facts(at: place))
      body(&facts.values)
      form = .open(facts)
    }
  }

  private enum Form {
    /// As it is made and changed.
    case open(Facts)
    /// As it is held, beside the others of its list.
    case packed(EntryBlock, UInt32)
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
    /// Where its bytes lie in a pack.
    package var hint = PackHint()

    /// A preview with a locator; everything else is unknown.
    public init(locator: String, version: ItemVersion = .unknown) {
      self.locator = locator
      self.version = version
    }
  }

  /// All that is known, as if it were the entry's own.
  public var customMirror: Mirror {
    Mirror(self, children: values.children, displayStyle: .struct)
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
