private import SyncDatabase

/// What lies in the folder of one item, as far as a look at the files needs it.
package struct HeldFiles: Hashable, Sendable {
  /// The item.
  package var key: CatalogKey
  /// The state that its content was left in; `nil` when none is held.
  package var content: FileStamp?
  /// The digest of that content; `nil` also for a file that was adopted by its size and date.
  package var sha256: SHA256Digest?
  /// Its preview; `nil` when none is held.
  package var preview: Preview?

  /// A preview's file.
  package struct Preview: Hashable, Sendable {
    /// Its name within the previews' folder.
    package var name: String
    /// The state that it was left in.
    package var stamp: FileStamp
    /// The digest of its bytes.
    package var sha256: SHA256Digest
  }
}

extension IndexAccess {
  /// What the index says of the files of at most `count` items, in the order of the keys.
  ///
  /// - Parameter key: The item before the first one; `nil` for the first of all.
  package func heldFiles(after key: CatalogKey?, atMost count: Int) throws -> [HeldFiles] {
    try connection.rows(
      "SELECT * FROM items WHERE key >= ?1 ORDER BY key LIMIT ?2",
      // Nothing lies between a key and the same with a zero at its end.
      CatalogKey(bytes: key.map { $0.bytes + [0] } ?? []), Int64(count)
    ) { row in
      try row.requireChecksum(28)
      var held = HeldFiles(key: try row.key(0))
      if try !row.isNull(15) {
        held.content = FileStamp(
          size: try row.integer(16), modifiedNanoseconds: try row.integer(17),
          inode: UInt64(bitPattern: try row.integer(18)))
        held.sha256 = try row.optionalDigest(19)
      }
      if try !row.isNull(20) {
        held.preview = HeldFiles.Preview(
          name: try row.text(21),
          stamp: FileStamp(
            size: try row.integer(22), modifiedNanoseconds: try row.integer(23), inode: nil),
          sha256: try row.digest(27))
      }
      return held
    }
  }
}
