private import Foundation
import SyncDatabase

extension IndexAccess {
  /// Hands every item to `body`, in the order of their keys, without holding more than one.
  package func forEachItem(_ body: (IndexedItem) throws -> Void) throws {
    try connection.query("SELECT * FROM items ORDER BY key") { try body(item(in: $0)) }
  }

  /// One item; `nil` when the index doesn't know the key.
  package func item(_ key: CatalogKey) throws -> IndexedItem? {
    try connection.row("SELECT * FROM items WHERE key = ?1", key) { try item(in: $0) }
  }

  /// The items of these keys; keys that the index doesn't know are left out.
  package func items(_ keys: some Collection<CatalogKey>) throws -> [CatalogKey: IndexedItem] {
    var items = [CatalogKey: IndexedItem](minimumCapacity: keys.count)
    for key in keys { items[key] = try item(key) }
    return items
  }

  /// How many items the index knows.
  package func itemCount() throws -> Int {
    try connection.row("SELECT count(*) FROM items") { Int(try $0.integer(0)) } ?? 0
  }

  /// The lines of the catalog that the items were read from.
  package func knownLines() throws -> KnownLines {
    KnownLines(
      try connection.rows("SELECT line FROM items ORDER BY key") { row in
        try row.optionalBlob(0).flatMap { LineDigest(bytes: $0) }
      })
  }

  /// The items with ``ExpectedFiles/lacksContent``, found without a look at the others; where the file
  /// is damaged, one may be missed.
  package func itemsLackingContent() throws -> [IndexedItem] {
    try connection.rows(
      "SELECT * FROM items INDEXED BY items_lacking_content WHERE lacks_content ORDER BY key"
    ) { try item(in: $0) }
  }

  /// The items with ``ExpectedFiles/lacksPreview``, as ``itemsLackingContent()``.
  package func itemsLackingPreview() throws -> [IndexedItem] {
    try connection.rows(
      "SELECT * FROM items INDEXED BY items_lacking_preview WHERE lacks_preview ORDER BY key"
    ) { try item(in: $0) }
  }

  /// Items of which a removal had begun and was not recorded as finished, as after a crash.
  ///
  /// Look at the disk: what lies in quarantine under the name of the mark is finished with
  /// ``IndexWriter/finishRemoval(of:quarantined:)``, what still lies at its path may be moved, or
  /// stay with ``IndexWriter/undoRemoval(of:)``.
  package func unfinishedRemovals() throws -> [IndexedItem] {
    // Left alone, the planner would walk the whole table, as that is in the order of the keys.
    try connection.rows(
      """
      SELECT * FROM items INDEXED BY items_removing WHERE removing_to IS NOT NULL ORDER BY key
      """
    ) { try item(in: $0) }
  }

  func item(in row: borrowing Row) throws -> IndexedItem {
    try row.requireChecksum(28)
    var item = IndexedItem(entry: try entry(in: row))
    if try !row.isNull(15) {
      item.content = IndexedContent(
        version: try row.version(15), size: try row.integer(16),
        modifiedNanoseconds: try row.integer(17),
        inode: UInt64(bitPattern: try row.integer(18)), sha256: try row.optionalDigest(19),
        etag: try row.optionalText(25), lastModified: try row.optionalText(26))
    }
    if try !row.isNull(20) {
      item.preview = IndexedPreview(
        version: try row.version(20), name: try row.text(21), size: try row.integer(22),
        modifiedNanoseconds: try row.integer(23), sha256: try row.digest(27))
    }
    if let name = try row.optionalText(24) { item.state = .removing(to: name) }
    return item
  }

  private func entry(in row: borrowing Row) throws -> CatalogEntry {
    var entry = CatalogEntry(
      key: try row.key(0), locators: try locators(in: row), version: try row.version(1))
    entry.size = try row.optionalInteger(2)
    entry.estimatedSize = try row.optionalInteger(3)
    entry.sha256 = try row.optionalDigest(4)
    entry.modified = try row.optionalReal(5)
    entry.order = Int(try row.integer(6))
    entry.title = try row.optionalText(9)
    if let locator = try row.optionalText(10) {
      var preview = CatalogEntry.Preview(locator: locator, version: try row.version(11))
      preview.size = try row.optionalInteger(12)
      preview.sha256 = try row.optionalDigest(13)
      entry.preview = preview
    }
    entry.extra = try row.optionalText(14)
    entry.line = try row.optionalBlob(31).flatMap { LineDigest(bytes: $0) }
    return entry
  }

  private func locators(in row: borrowing Row) throws -> [String] {
    guard let first = try row.optionalText(7) else { return [] }
    guard let others = try row.optionalText(8) else { return [first] }
    do {
      return [first] + (try JSONDecoder().decode([String].self, from: Data(others.utf8)))
    } catch is DecodingError {
      throw row.wrongType(8, "not a JSON array of texts")
    }
  }
}
