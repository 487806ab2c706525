private import Foundation
private import SyncDatabase
import SyncFiles

extension IndexWriter {
  /// Records changes in their order. What a change says must be true and durable on disk already.
  package func record(_ changes: some Sequence<IndexChange>) throws {
    for change in changes {
      switch change {
      case .entry(let entry):
        try upsert(entry)
      case .content(let entry, let content):
        try upsert(entry, content)
      case .touched(let key, let stamp):
        try connection.run(
          """
          UPDATE items SET content_size = ?2, content_modified = ?3,
            content_inode = coalesce(?4, content_inode)
          WHERE key = ?1 AND content_version IS NOT NULL
          """,
          key, stamp.size, stamp.modifiedNanoseconds,
          stamp.inode.map { Int64(bitPattern: $0) })
      case .preview(let entry, let preview):
        try upsert(entry)
        try set(preview, of: entry.key)
      case .contentLost(let key):
        try set(nil as IndexedContent?, of: key)
      case .previewLost(let key):
        try set(nil as IndexedPreview?, of: key)
      case .forgotten(let key):
        try connection.run("DELETE FROM items WHERE key = ?1", key)
      }
    }
  }

  /// With content, one statement for both: half the work for each file that is placed.
  func upsert(_ entry: CatalogEntry, _ content: IndexedContent) throws {
    try connection.run(
      """
      INSERT INTO items (
        key, version, size, estimated_size, sha256, modified, download_order, locator,
        other_locators, title, preview_locator, preview_version, preview_size, preview_sha256,
        extra, content_version, content_size, content_modified, content_inode, content_sha256,
        content_etag, content_last_modified, line)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18,
        ?19, ?20, ?21, ?22, ?23)
      ON CONFLICT DO UPDATE SET
        version = ?2, size = ?3, estimated_size = ?4, sha256 = ?5, modified = ?6,
        download_order = ?7, locator = ?8, other_locators = ?9, title = ?10,
        preview_locator = ?11, preview_version = ?12, preview_size = ?13, preview_sha256 = ?14,
        extra = ?15, content_version = ?16, content_size = ?17, content_modified = ?18,
        content_inode = ?19, content_sha256 = ?20, content_etag = ?21,
        content_last_modified = ?22, removing_to = NULL, line = ?23
      """,
      entry.key, entry.version, entry.size, entry.estimatedSize, entry.sha256,
      Self.stored(entry.modified), entry.order, entry.locators.first,
      try otherLocators(of: entry), entry.title, entry.preview?.locator, entry.preview?.version,
      entry.preview?.size, entry.preview?.sha256, entry.extra, content.version, content.size,
      content.modifiedNanoseconds, Int64(bitPattern: content.inode), content.sha256,
      content.etag, content.lastModified, entry.line)
  }

  // What validates the content at one URL says nothing of another, so it goes with its locator.
  func upsert(_ entry: CatalogEntry) throws {
    try connection.run(
      """
      INSERT INTO items (
        key, version, size, estimated_size, sha256, modified, download_order, locator,
        other_locators, title, preview_locator, preview_version, preview_size, preview_sha256,
        extra, line)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)
      ON CONFLICT DO UPDATE SET
        version = ?2, size = ?3, estimated_size = ?4, sha256 = ?5, modified = ?6,
        download_order = ?7, locator = ?8, other_locators = ?9, title = ?10,
        preview_locator = ?11, preview_version = ?12, preview_size = ?13, preview_sha256 = ?14,
        extra = ?15, line = ?16,
        content_etag = CASE WHEN locator IS ?8 THEN content_etag END,
        content_last_modified = CASE WHEN locator IS ?8 THEN content_last_modified END
      """,
      entry.key, entry.version, entry.size, entry.estimatedSize, entry.sha256,
      Self.stored(entry.modified), entry.order, entry.locators.first,
      try otherLocators(of: entry), entry.title, entry.preview?.locator, entry.preview?.version,
      entry.preview?.size, entry.preview?.sha256, entry.extra, entry.line)
  }

  func set(_ content: IndexedContent?, of key: CatalogKey) throws {
    try connection.run(
      """
      UPDATE items SET
        content_version = ?2, content_size = ?3, content_modified = ?4, content_inode = ?5,
        content_sha256 = ?6, content_etag = ?7, content_last_modified = ?8, removing_to = NULL
      WHERE key = ?1
      """,
      key, content?.version, content?.size, content?.modifiedNanoseconds,
      content.map { Int64(bitPattern: $0.inode) }, content?.sha256, content?.etag,
      content?.lastModified)
  }

  private func set(_ preview: IndexedPreview?, of key: CatalogKey) throws {
    try connection.run(
      """
      UPDATE items SET
        held_preview_version = ?2, held_preview_name = ?3, held_preview_size = ?4,
        held_preview_modified = ?5, held_preview_sha256 = ?6
      WHERE key = ?1
      """,
      key, preview?.version, preview?.name, preview?.size, preview?.modifiedNanoseconds,
      preview?.sha256)
  }

  /// Not a number says as little as no date, and SQLite has no place for it.
  private static func stored(_ date: Double?) -> Double? { date.flatMap { $0.isNaN ? nil : $0 } }

  private func otherLocators(of entry: CatalogEntry) throws -> String? {
    guard entry.locators.count > 1 else { return nil }
    let json = try JSONEncoder().encode(Array(entry.locators.dropFirst()))
    return String(decoding: json, as: UTF8.self)
  }
}
