import SyncDatabase
private import SyncEssentials
import SyncFiles

/// The table of items: its columns, in the order in which values are bound to them, and every
/// statement over it. Migrations aside, no other place names one of its columns to write it.
enum ItemTable {
  /// What the catalog said. The key comes first.
  static let entry: [Identifier] = [
    "key", "version", "size", "estimated_size", "sha256", "modified", "download_order", "locator",
    "other_locators", "title", "preview_locator", "preview_version", "preview_size",
    "preview_sha256", "extra", "line", "checks",
  ]
  /// The bytes that are held; all NULL when none are.
  static let content: [Identifier] = [
    "content_version", "content_size", "content_modified", "content_inode", "content_sha256",
    "content_etag", "content_last_modified",
  ]
  /// The preview that is held; all NULL when none is.
  static let preview: [Identifier] = [
    "held_preview_version", "held_preview_name", "held_preview_size", "held_preview_modified",
    "held_preview_sha256",
  ]
  /// What a row's checksum is over: in the table's own order, the columns before it.
  static let summed =
    entry.filter { !["line", "checks"].contains($0) } + content.prefix(5)
    + preview.prefix(4) + ["removing_to"] + content.suffix(2) + preview.suffix(1)

  /// All columns: a row's checksum is over those before it, in the table's own order.
  static let all: SQL = "SELECT * FROM items ORDER BY key"
  static let one: SQL = "SELECT * FROM items WHERE key = ?1"
  // Without a key to begin at: a search would pass over a damaged key that sorts before all others.
  static let firstPiece: SQL = "SELECT * FROM items ORDER BY key LIMIT ?1"
  static let piece: SQL = "SELECT * FROM items WHERE key >= ?1 ORDER BY key LIMIT ?2"
  // Left alone, the planner would walk the whole table, as that is in the order of the keys.
  static let lackingContent: SQL =
    "SELECT * FROM items INDEXED BY items_lacking_content WHERE lacks_content ORDER BY key"
  static let lackingPreview: SQL =
    "SELECT * FROM items INDEXED BY items_lacking_preview WHERE lacks_preview ORDER BY key"
  static let removing: SQL =
    "SELECT * FROM items INDEXED BY items_removing WHERE removing_to IS NOT NULL ORDER BY key"
  static let firstKey: SQL = "SELECT key FROM items WHERE key >= ?1 ORDER BY key LIMIT 1"
  static let keys: SQL = "SELECT key FROM items"
  static let lines: SQL = "SELECT line FROM items ORDER BY key"
  static let count: SQL = "SELECT count(*) AS count FROM items"
  static let sums: SQL = """
    SELECT count(*) AS items, count(content_version) AS contents,
      coalesce(sum(content_size), 0) AS content_bytes, count(held_preview_version) AS previews,
      coalesce(sum(held_preview_size), 0) AS preview_bytes, count(removing_to) AS removing
    FROM items
    """

  /// Values: those of an entry. What validates the content at one URL says nothing of another, so
  /// it goes with its locator.
  static let writeEntry: SQL = """
    INSERT INTO items (\(entry)) VALUES (\(parameters: entry.count))
    ON CONFLICT DO UPDATE SET \(taken(entry.dropFirst())),
      content_etag = CASE WHEN locator IS excluded.locator THEN content_etag END,
      content_last_modified = CASE WHEN locator IS excluded.locator THEN content_last_modified END
    """
  /// Values: those of an entry, then of its content. One statement for both is half the work for
  /// each file that is placed. A removal that had begun is off.
  static let writeEntryAndContent: SQL = """
    INSERT INTO items (\(entry + content)) VALUES (\(parameters: entry.count + content.count))
    ON CONFLICT DO UPDATE SET \(taken((entry + content).dropFirst())), removing_to = NULL
    """
  /// Values: the key, then those of a content, or NULL.
  static let writeContent: SQL =
    "UPDATE items SET \(bound(content)), removing_to = NULL WHERE key = ?1"
  /// Values: the key, then those of a preview, or NULL.
  static let writePreview: SQL = "UPDATE items SET \(bound(preview)) WHERE key = ?1"
  /// Values: the key, and the size, time and inode of the content's file; without an inode, the
  /// known one stays.
  static let writeStamp: SQL = """
    UPDATE items SET content_size = ?2, content_modified = ?3,
      content_inode = coalesce(?4, content_inode)
    WHERE key = ?1 AND content_version IS NOT NULL
    """
  /// Values: the key, the digest of the content's file, and the size and time in which it was read.
  static let writeDigest: SQL = """
    UPDATE items SET content_sha256 = ?2
    WHERE key = ?1 AND content_size = ?3 AND content_modified = ?4 AND content_sha256 IS NULL
    """
  /// Values: the key, and a name in quarantine or NULL.
  static let writeRemoval: SQL = "UPDATE items SET removing_to = ?2 WHERE key = ?1"
  static let delete: SQL = "DELETE FROM items WHERE key = ?1"

  /// Sets columns to what the insertion that found the row there would have inserted.
  private static func taken(_ columns: some Sequence<Identifier>) -> [SQL] {
    columns.map { "\($0) = excluded.\($0)" }
  }

  /// Sets columns to the values that follow the key.
  private static func bound(_ columns: [Identifier]) -> [SQL] {
    columns.enumerated().map { offset, column in "\(column) = \(parameter: offset + 2)" }
  }
}

extension IndexWriter {
  /// Records changes in their order. What a change says must be true and durable on disk already.
  package func record(_ changes: some Sequence<IndexChange>) throws {
    for change in changes {
      switch change {
      case .entry(let entry):
        try upsert(entry)
      case .content(let entry, let content):
        try connection.run(
          ItemTable.writeEntryAndContent, values: try entry.storedValues(and: content))
      case .touched(let key, let stamp):
        try connection.run(
          ItemTable.writeStamp, key, stamp.size, stamp.modifiedNanoseconds,
          stamp.inode.map { Int64(bitPattern: $0) })
      case .preview(let entry, let preview):
        try upsert(entry)
        try set(preview, of: entry.key)
      case .contentLost(let key):
        try set(nil as IndexedContent?, of: key)
      case .previewLost(let key):
        try set(nil as IndexedPreview?, of: key)
      }
    }
  }

  func upsert(_ entry: CatalogEntry) throws {
    try connection.run(ItemTable.writeEntry, values: try entry.storedValues())
  }

  func set(_ content: IndexedContent?, of key: CatalogKey) throws {
    let values = content?.storedValues ?? nulls(ItemTable.content)
    try connection.run(ItemTable.writeContent, values: [key.storedValue] + values)
  }

  private func set(_ preview: IndexedPreview?, of key: CatalogKey) throws {
    let values = preview?.storedValues ?? nulls(ItemTable.preview)
    try connection.run(ItemTable.writePreview, values: [key.storedValue] + values)
  }

  private func nulls(_ columns: [Identifier]) -> [StoredValue?] {
    Array(repeating: nil, count: columns.count)
  }
}

extension CatalogEntry {
  /// What is stored of it, in the order of ``ItemTable/entry``, and of its content.
  ///
  /// - Parameter content: Default: only the entry's values are given.
  func storedValues(and content: IndexedContent? = nil) throws -> [StoredValue?] {
    // Not a number says as little as no date, and SQLite has no place for it.
    let date = modified.flatMap { $0.isNaN ? nil : $0 }
    // Once, as each is put together anew.
    let locators = locators
    var values: [StoredValue?] = []
    values.reserveCapacity(ItemTable.entry.count + ItemTable.content.count)
    values.append(key.storedValue)
    values.append(version.storedValue)
    values.append(size?.storedValue)
    values.append(estimatedSize?.storedValue)
    values.append(sha256?.storedValue)
    values.append(date?.storedValue)
    values.append(order.storedValue)
    values.append(locators.first?.storedValue)
    values.append(try Self.others(of: locators)?.storedValue)
    values.append(title?.storedValue)
    values.append(preview?.locator.storedValue)
    values.append(preview?.version.storedValue)
    values.append(preview?.size?.storedValue)
    values.append(preview?.sha256?.storedValue)
    values.append(extra?.storedValue)
    values.append(line?.storedValue)
    values.append(StoredChecks(checks, of: key)?.storedValue)
    content?.store(in: &values)
    return values
  }

  private static func others(of locators: [String]) throws -> String? {
    guard locators.count > 1 else { return nil }
    let json = try JSONEncoder().encode(Array(locators.dropFirst()))
    return String(decoding: json, as: UTF8.self)
  }

  init(_ row: borrowing Row) throws {
    self.init(
      key: try row.byteString("key"), locators: try Self.locators(row),
      version: try row.version("version"))
    size = try row.optionalInteger("size")
    estimatedSize = try row.optionalInteger("estimated_size")
    sha256 = try row.optionalDigest("sha256")
    modified = try row.optionalReal("modified")
    order = Int(try row.integer("download_order"))
    title = try row.optionalText("title")
    if let locator = try row.optionalText("preview_locator") {
      var preview = Preview(locator: locator, version: try row.version("preview_version"))
      preview.size = try row.optionalInteger("preview_size")
      preview.sha256 = try row.optionalDigest("preview_sha256")
      self.preview = preview
    }
    extra = try row.optionalText("extra")
    line = try row.optionalLine("line")
    checks = try row.checks(of: key)
  }

  private static func locators(_ row: borrowing Row) throws -> [String] {
    guard let first = try row.optionalText("locator") else { return [] }
    guard let others = try row.optionalText("other_locators") else { return [first] }
    do {
      return [first] + (try JSONDecoder().decode([String].self, from: Data(others.utf8)))
    } catch is DecodingError {
      throw row.wrongType("other_locators", "not a JSON array of texts")
    }
  }
}

extension IndexedContent {
  /// What is stored of it, in the order of ``ItemTable/content``.
  var storedValues: [StoredValue?] {
    var values: [StoredValue?] = []
    values.reserveCapacity(ItemTable.content.count)
    store(in: &values)
    return values
  }

  fileprivate func store(in values: inout [StoredValue?]) {
    values.append(version.storedValue)
    values.append(size.storedValue)
    values.append(modifiedNanoseconds.storedValue)
    values.append(Int64(bitPattern: inode).storedValue)
    values.append(sha256?.storedValue)
    values.append(etag?.storedValue)
    values.append(lastModified?.storedValue)
  }

  init?(_ row: borrowing Row) throws {
    guard try !row.isNull("content_version") else { return nil }
    self.init(
      version: try row.version("content_version"), size: try row.integer("content_size"),
      modifiedNanoseconds: try row.integer("content_modified"),
      inode: UInt64(bitPattern: try row.integer("content_inode")),
      sha256: try row.optionalDigest("content_sha256"),
      etag: try row.optionalText("content_etag"),
      lastModified: try row.optionalText("content_last_modified"))
  }
}

extension IndexedPreview {
  /// What is stored of it, in the order of ``ItemTable/preview``.
  var storedValues: [StoredValue?] {
    [
      version.storedValue, name.storedValue, size.storedValue, modifiedNanoseconds.storedValue,
      sha256.storedValue,
    ]
  }

  init?(_ row: borrowing Row) throws {
    guard try !row.isNull("held_preview_version") else { return nil }
    self.init(
      version: try row.version("held_preview_version"), name: try row.text("held_preview_name"),
      size: try row.integer("held_preview_size"),
      modifiedNanoseconds: try row.integer("held_preview_modified"),
      sha256: try row.digest("held_preview_sha256"))
  }
}

extension IndexedItem {
  init(_ row: borrowing Row) throws {
    self.init(entry: try CatalogEntry(row))
    content = try IndexedContent(row)
    preview = try IndexedPreview(row)
    if let name = try row.optionalText("removing_to") { state = .removing(to: name) }
  }
}

extension ExpectedFiles {
  init(_ row: borrowing Row) throws {
    self.init(
      key: try row.byteString("key"), lacksContent: try row.flag("lacks_content"),
      lacksPreview: try row.flag("lacks_preview"))
    if try !row.isNull("content_version") {
      content = FileStamp(
        size: try row.integer("content_size"),
        modifiedNanoseconds: try row.integer("content_modified"),
        inode: UInt64(bitPattern: try row.integer("content_inode")))
      sha256 = try row.optionalDigest("content_sha256")
    }
    if try !row.isNull("held_preview_version") {
      preview = Preview(
        name: try row.text("held_preview_name"),
        stamp: FileStamp(
          size: try row.integer("held_preview_size"),
          modifiedNanoseconds: try row.integer("held_preview_modified"), inode: nil),
        sha256: try row.digest("held_preview_sha256"))
    }
  }
}
