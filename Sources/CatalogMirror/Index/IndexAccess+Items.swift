import SyncDatabase
import SyncText

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

  /// What `body` makes of every key.
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

  /// How many items the index knows.
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

  /// The error of content that makes no sense.
  func damage(_ message: String) -> DatabaseError {
    DatabaseError(code: .damaged, message: message, path: connection.path)
  }

  private func soundItem(in row: borrowing Row) throws -> IndexedItem {
    try row.requireSoundItem()
    return try IndexedItem(row)
  }
}
