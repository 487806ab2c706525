import SyncDatabase
import SyncFolder
import SyncText

/// Bytes of a digest that are here: where they lie, and how many they are.
struct HeldBytes: Hashable, Sendable {
  /// The item whose they are, or were.
  let key: CatalogKey
  let size: Int64
  let place: CopyOrigin
}

extension IndexAccess {
  /// Whether anything is here that something else could be made of.
  func holdsBytes() throws -> Bool {
    let sql: SQL = """
      SELECT EXISTS (SELECT 1 FROM items) OR EXISTS (SELECT 1 FROM quarantine) AS holds
      """
    return try connection.row(sql) { try $0.flag("holds") } ?? false
  }

  /// Where bytes of these digests lie, of those that are here. A digest takes one look into the
  /// table's own indices; rows aren't checked, as whatever is made of the bytes is.
  ///
  /// - Parameter isLost: Whether what is recorded isn't there any more, though the index wasn't
  ///   told so.
  /// - Throws: also `CancellationError`: for a million digests it takes seconds.
  func heldBytes(
    of digests: some Sequence<SHA256Digest>, unless isLost: (HeldBytes) -> Bool
  ) throws -> [SHA256Digest: HeldBytes] {
    var found: [SHA256Digest: HeldBytes] = [:]
    for (number, digest) in digests.enumerated() where found[digest] == nil {
      if number.isMultiple(of: 256) { try Task.checkCancellation() }
      let places = try connection.rows(HeldBytes.places, digest) { try HeldBytes($0) }
      found[digest] = places.lazy.compactMap(\.self).first { !isLost($0) }
    }
    return found
  }
}

extension HeldBytes {
  /// In the tree before the previews, and these before the quarantine, which may be emptied; the
  /// first few of each, where many have the same bytes.
  static let places: SQL = """
    SELECT * FROM (SELECT key, content_size AS size, NULL AS preview, NULL AS name FROM items
      WHERE substr(content_sha256, 1, 8) = substr(?1, 1, 8) AND content_sha256 = ?1 LIMIT 4)
    UNION ALL
    SELECT * FROM (SELECT key, held_preview_size, held_preview_name, NULL FROM items
      WHERE substr(held_preview_sha256, 1, 8) = substr(?1, 1, 8) AND held_preview_sha256 = ?1
      LIMIT 4)
    UNION ALL
    SELECT * FROM (SELECT key, size, NULL, name FROM quarantine
      WHERE substr(sha256, 1, 8) = substr(?1, 1, 8) AND sha256 = ?1 LIMIT 4)
    """

  /// `nil` for a row that names no place.
  fileprivate init?(_ row: borrowing Row) throws {
    key = try row.byteString("key")
    size = try row.integer("size")
    if let preview = try row.optionalText("preview") {
      place = .preview(name: preview)
    } else if let name = try row.optionalText("name") {
      // The run that moved it there, and the key, escaped.
      guard let slash = name.firstIndex(of: "/") else { return nil }
      place = .quarantined(batch: String(name[..<slash]), key)
    } else {
      place = .item(key)
    }
  }
}
