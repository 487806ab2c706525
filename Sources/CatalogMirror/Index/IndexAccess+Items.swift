import SyncDatabase
package import SyncFiles
package import SyncText

extension IndexAccess {
  /// Hands every item to `body`, in the order of their keys, without holding more than one.
  package func forEachItem(_ body: (IndexedItem) throws -> Void) throws {
    try connection.query(ItemTable.all) { try body(soundItem(in: $0)) }
  }

  /// One item; `nil` when the index doesn't know the key.
  package func item(_ key: CatalogKey) throws -> IndexedItem? {
    try connection.row(ItemTable.one, key) { try soundItem(in: $0) }
  }

  /// The items of these keys; keys that the index doesn't know are left out.
  package func items(_ keys: some Collection<CatalogKey>) throws -> [CatalogKey: IndexedItem] {
    var items = [CatalogKey: IndexedItem](minimumCapacity: keys.count)
    for key in keys { items[key] = try item(key) }
    return items
  }

  func keys<Value>(_ body: (CatalogKey) -> Value) throws -> [Value] {
    try connection.rows(ItemTable.keys) { body(try $0.byteString("key")) }
  }

  /// Whether the index knows an item at a place, below it, or where a directory above it has to be.
  func knowsItem(at place: CatalogKey) throws -> Bool {
    let slash = UInt8(ascii: "/")
    let ends = place.bytes.indices.filter { place.bytes[$0] == slash } + [place.bytes.endIndex]
    for end in ends where try item(CatalogKey(bytes: Array(place.bytes[..<end]))) != nil {
      return true
    }
    let below = place.bytes + [slash]
    return try firstKey(from: CatalogKey(bytes: below))?.bytes.starts(with: below) ?? false
  }

  /// The first key that the index knows from this one on.
  func firstKey(from key: CatalogKey) throws -> CatalogKey? {
    try connection.row(ItemTable.firstKey, key) { try $0.byteString("key") }
  }

  func itemCount() throws -> Int {
    try connection.row(ItemTable.count) { Int(try $0.integer("count")) } ?? 0
  }

  /// The lines of the catalog that the items were read from.
  package func knownLines() throws -> KnownLines {
    var lines: [LineDigest] = []
    try connection.withCursor(ItemTable.lines) { cursor in
      while try cursor.step() {
        // Nearly all have one.
        if let bytes = cursor.blob(at: 0), let line = LineDigest(bytes) {
          lines.append(line)
        } else {
          lines.append(cursor.isNull(at: 0) ? .zeros : try lineDigest(at: 0, of: cursor))
        }
      }
    }
    return KnownLines(digests: lines)
  }

  /// The items with ``ExpectedFiles/lacksContent``, found without a look at the others; where the
  /// file is damaged, one may be missed.
  package func itemsLackingContent() throws -> [IndexedItem] {
    try connection.rows(ItemTable.lackingContent) { try soundItem(in: $0) }
  }

  /// The items with ``ExpectedFiles/lacksPreview``, as ``itemsLackingContent()``.
  package func itemsLackingPreview() throws -> [IndexedItem] {
    try connection.rows(ItemTable.lackingPreview) { try soundItem(in: $0) }
  }

  /// Items of which a removal had begun and was not recorded as finished, as after a crash.
  ///
  /// Look at the disk: what lies in quarantine under the name of the mark is finished with
  /// ``IndexWriter/finishRemoval(of:quarantined:)``, what still lies at its path may be moved, or
  /// stay with ``IndexWriter/undoRemoval(of:)``.
  package func unfinishedRemovals() throws -> [IndexedItem] {
    try connection.rows(ItemTable.removing) { try soundItem(in: $0) }
  }

  func lineDigest(at column: Int, of cursor: borrowing Cursor) throws -> LineDigest {
    guard let line = cursor.blob(at: column).flatMap({ LineDigest($0) }) else {
      throw damage("a line's digest isn't one")
    }
    return line
  }

  func damage(_ message: String) -> DatabaseError {
    DatabaseError(code: .damaged, message: message, path: connection.path)
  }

  private func soundItem(in row: borrowing Row) throws -> IndexedItem {
    try row.requireSoundItem()
    return try IndexedItem(row)
  }
}

extension IndexWriter {
  /// Records the digest of a file of which none is known, if it is still held in the state in which
  /// it was read.
  ///
  /// - Returns: whether it was recorded.
  func record(
    _ sha256: SHA256Digest, of key: CatalogKey, readAs stamp: FileStamp
  ) throws -> Bool {
    try connection.run(
      ItemTable.writeDigest, key, sha256, stamp.size, stamp.modifiedNanoseconds) > 0
  }
}

/// What lies in the folder of one item, as far as a look at the files needs it.
package struct ExpectedFiles: Sendable {
  package var key: CatalogKey
  /// The state that its content was left in; `nil` when none is held.
  package var content: FileStamp?
  /// The digest of that content; `nil` also for a file that was adopted by its size and date.
  package var sha256: SHA256Digest?
  package var preview: Preview?
  /// Whether the content that is held isn't of the listed version, or none is held; also when no
  /// version can be told.
  package var lacksContent: Bool
  /// Whether a preview is listed and isn't held in that version, or held and isn't listed.
  package var lacksPreview: Bool

  package struct Preview: Sendable {
    package var name: String
    package var stamp: FileStamp
    package var sha256: SHA256Digest
  }
}

extension IndexAccess {
  /// What the index says of the files of at most `count` items, in the order of the keys.
  ///
  /// - Parameter key: The last one of the piece before; `nil` for the first piece.
  /// - Throws: `.damaged` also where the piece doesn't begin with that item, or isn't in order: a
  ///   damaged tree could lead past items, or round in a circle.
  package func expectedFiles(after key: CatalogKey?, atMost count: Int) throws -> [ExpectedFiles] {
    try piece(after: key, atMost: count, keyedBy: \.key) { try ExpectedFiles($0) }
  }

  /// At most `count` items, as ``expectedFiles(after:atMost:)``.
  func items(after key: CatalogKey?, atMost count: Int) throws -> [IndexedItem] {
    try piece(after: key, atMost: count, keyedBy: \.key) { try IndexedItem($0) }
  }

  private func piece<Item>(
    after key: CatalogKey?, atMost count: Int, keyedBy itsKey: (Item) -> CatalogKey,
    _ make: (borrowing Row) throws -> Item
  ) throws -> [Item] {
    var items: [Item] = []
    let read = { (row: borrowing Row) in
      try row.requireSoundItem()
      items.append(try make(row))
    }
    if let key {
      try connection.query(ItemTable.piece, key, Int64(count + 1), each: read)
    } else {
      try connection.query(ItemTable.firstPiece, Int64(count), each: read)
    }
    let isInOrder = zip(items, items.dropFirst()).allSatisfy { itsKey($0) < itsKey($1) }
    guard isInOrder, key == nil || items.first.map(itsKey) == key else {
      throw damage("its items don't follow each other")
    }
    if key != nil { items.removeFirst() }
    return items
  }
}

/// Items that are held and don't go in this run, where others would have to be placed. What was
/// found of a directory is remembered.
struct StayingItems {
  private let leaving: Set<CatalogKey>
  private var known: [CatalogKey: CatalogKey?] = [:]

  /// - Parameter leaving: The items that go, and those whose files aren't what is held any more.
  init(besides leaving: Set<CatalogKey>) {
    self.leaving = leaving
  }

  /// The item that stands where a directory above a place has to be, or the first one below the
  /// place itself; `nil` if there is none.
  mutating func inTheWay(of place: CatalogKey, _ index: some IndexAccess) throws -> CatalogKey? {
    try above(place, index) ?? below(place, index)
  }

  private mutating func above(
    _ place: CatalogKey, _ index: some IndexAccess
  ) throws -> CatalogKey? {
    guard let parent = place.directory else { return nil }
    if let known = known[parent] { return known }
    let found = try stays(parent, index) ? parent : try above(parent, index)
    known[parent] = .some(found)
    return found
  }

  private func below(_ place: CatalogKey, _ index: some IndexAccess) throws -> CatalogKey? {
    let beginning = place.bytes + [UInt8(ascii: "/")]
    var next = try index.firstKey(from: CatalogKey(bytes: beginning))
    while let key = next, key.bytes.starts(with: beginning) {
      if try stays(key, index) { return key }
      next = try index.firstKey(from: CatalogKey(bytes: key.bytes + [0]))
    }
    return nil
  }

  private func stays(_ key: CatalogKey, _ index: some IndexAccess) throws -> Bool {
    try !leaving.contains(key) && index.item(key)?.content != nil
  }
}
