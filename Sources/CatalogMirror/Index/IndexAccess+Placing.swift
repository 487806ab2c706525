private import SyncDatabase
import SyncLedger

/// The intention to rename a staged file into its place.
package struct PlacementMark: Hashable, Sendable {
  /// The item.
  package var key: CatalogKey
  /// Where its bytes came from.
  package var locator: String?
  /// What will be held, in the state in which the file was staged; a rename changes nothing of it.
  package var content: IndexedContent

  /// A mark from its parts.
  package init(key: CatalogKey, locator: String?, content: IndexedContent) {
    self.key = key
    self.locator = locator
    self.content = content
  }
}

extension IndexAccess {
  /// Files that were about to be placed and not recorded, as after a crash.
  ///
  /// Look at the disk: a file that stands in its place in the marked state was placed, and is
  /// recorded with ``IndexWriter/recordPlaced(_:)`` once its rename is durable. What else stands
  /// there is none of them.
  package func unfinishedPlacements() throws -> [PlacementMark] {
    try connection.rows("SELECT * FROM placing ORDER BY key") { row in
      try row.requireChecksum("checksum")
      return PlacementMark(
        key: try row.byteString("key"), locator: try row.optionalText("locator"),
        content: IndexedContent(
          version: try row.version("version"), size: try row.integer("size"),
          modifiedNanoseconds: try row.integer("modified"),
          inode: UInt64(bitPattern: try row.integer("inode")),
          sha256: try row.optionalDigest("sha256"), etag: try row.optionalText("etag"),
          lastModified: try row.optionalText("last_modified")))
    }
  }

  /// Whether a file is about to be placed there, or was and isn't recorded.
  package func isPlacing(_ key: CatalogKey) throws -> Bool {
    try connection.row("SELECT 1 FROM placing WHERE key = ?1", key) { _ in true } ?? false
  }
}

extension IndexWriter {
  /// Says that a file is about to be placed. Record this before the rename, and when the file's
  /// bytes are durable.
  package func markPlacing(_ mark: PlacementMark) throws {
    // Of values as they are stored, the faster form: there is one for each file.
    var values = [mark.key.storedValue, mark.locator?.storedValue]
    values += mark.content.storedValues
    try connection.run(
      """
      INSERT OR REPLACE INTO placing (
        key, locator, version, size, modified, inode, sha256, etag, last_modified)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
      """,
      values: values)
  }

  /// Says that what was marked is recorded, or isn't coming.
  package func forgetPlacing(of keys: some Sequence<CatalogKey>) throws {
    for key in keys {
      try connection.run("DELETE FROM placing WHERE key = ?1", values: [key.storedValue])
    }
  }

  /// Records a file that turned out to be placed. Of an item that the index doesn't know, it
  /// learns what the mark tells; the next listing tells the rest.
  package func recordPlaced(_ mark: PlacementMark) throws {
    if try item(mark.key) == nil {
      var entry = CatalogEntry(
        key: mark.key, locators: mark.locator.map { [$0] } ?? [], version: mark.content.version)
      entry.size = mark.content.size
      entry.sha256 = mark.content.sha256
      try upsert(entry)
    }
    try set(mark.content, of: mark.key)
  }
}
