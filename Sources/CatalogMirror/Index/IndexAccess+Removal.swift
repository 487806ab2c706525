private import SyncDatabase
package import SyncText

package struct RemovalMark: Sendable {
  package var key: CatalogKey
  /// The name that its content will have in quarantine, so that it is found again after a crash.
  package var quarantineName: String

  package init(key: CatalogKey, quarantineName: String) {
    self.key = key
    self.quarantineName = quarantineName
  }
}

package struct QuarantinedFile: Hashable, Sendable {
  package var name: String
  package var key: CatalogKey
  package var size: Int64
  /// When it was moved there, in nanoseconds since 1970.
  package var removedNanoseconds: Int64
  /// The digest of its bytes; `nil` where none is known.
  package var sha256: SHA256Digest?

  package init(
    name: String, key: CatalogKey, size: Int64, removedNanoseconds: Int64,
    sha256: SHA256Digest? = nil
  ) {
    self.name = name
    self.key = key
    self.size = size
    self.removedNanoseconds = removedNanoseconds
    self.sha256 = sha256
  }
}

extension IndexAccess {
  /// What lies in quarantine since before a moment, oldest first.
  ///
  /// - Parameter moment: Nanoseconds since 1970. Default: everything.
  package func quarantined(before moment: Int64 = .max) throws -> [QuarantinedFile] {
    try connection.rows(
      """
      SELECT name, key, size, removed_at, sha256 FROM quarantine WHERE removed_at < ?1
      ORDER BY removed_at, name
      """, moment
    ) { row in
      try QuarantinedFile(row)
    }
  }

  func quarantineSums() throws -> (files: Int, bytes: Int64) {
    try connection.row(
      "SELECT count(*) AS files, coalesce(sum(size), 0) AS bytes FROM quarantine"
    ) { (Int(try $0.integer("files")), try $0.integer("bytes")) } ?? (0, 0)
  }

  /// Reads what the index says of the quarantine, as others will.
  /// - Throws: `.damaged` where one of them would.
  func checkQuarantine() throws {
    _ = try quarantineSums()
    try connection.query("SELECT name, key, size, removed_at, sha256 FROM quarantine") { row in
      _ = try QuarantinedFile(row)
    }
  }
}

extension QuarantinedFile {
  fileprivate init(_ row: borrowing Row) throws {
    self.init(
      name: try row.text("name"), key: try row.byteString("key"), size: try row.integer("size"),
      removedNanoseconds: try row.integer("removed_at"),
      sha256: try row.optionalDigest("sha256"))
  }
}

extension IndexWriter {
  /// Says which items are about to be moved into quarantine. Record this before the first move.
  ///
  /// The keys were read from the index: one that it can't find is damage, such as rows in another
  /// order than the search for them goes by.
  package func markRemoving(_ marks: some Sequence<RemovalMark>) throws {
    for mark in marks {
      let count = try connection.run(ItemTable.writeRemoval, mark.key, mark.quarantineName)
      guard count == 1 else {
        throw DatabaseError(
          code: .damaged, message: "an item that was read from it can't be found in it",
          path: connection.path)
      }
    }
  }

  /// Says that the removal of items is over: their rows go, and what now lies in quarantine is
  /// noted. Record this after the moves.
  ///
  /// - Parameters:
  ///   - keys: The items that are gone, also those that had no file to move.
  ///   - files: What was moved.
  package func finishRemoval(
    of keys: some Sequence<CatalogKey>, quarantined files: some Sequence<QuarantinedFile>
  ) throws {
    for key in keys { try connection.run(ItemTable.delete, key) }
    for file in files {
      try connection.run(
        """
        INSERT OR REPLACE INTO quarantine (name, key, size, removed_at, sha256)
        VALUES (?1, ?2, ?3, ?4, ?5)
        """,
        file.name, file.key, file.size, file.removedNanoseconds, file.sha256)
    }
  }

  /// Says that items stay after all: they lie where they lay before the mark.
  package func undoRemoval(of keys: some Sequence<CatalogKey>) throws {
    for key in keys { try connection.run(ItemTable.writeRemoval, key, nil) }
  }

  /// Says that files have left the quarantine. Record this after they were deleted.
  package func forgetQuarantined(_ names: some Sequence<String>) throws {
    for name in names { try connection.run("DELETE FROM quarantine WHERE name = ?1", name) }
  }
}
