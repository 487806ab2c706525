import SyncDatabase

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
