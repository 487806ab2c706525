private import SyncDatabase
package import SyncFiles
package import SyncText

/// What lies in the folder of one item, as far as a look at the files needs it.
package struct ExpectedFiles: Hashable, Sendable {
  package var key: CatalogKey
  /// The state that its content was left in; `nil` when none is held.
  package var content: FileStamp?
  /// The digest of that content; `nil` also for a file that was adopted by its size and date.
  package var sha256: SHA256Digest?
  /// Its preview; `nil` when none is held.
  package var preview: Preview?
  /// Whether the content that is held isn't of the listed version, or none is held; also when no
  /// version can be told.
  package var lacksContent: Bool
  /// Whether a preview is listed and isn't held in that version, or held and isn't listed.
  package var lacksPreview: Bool

  /// A preview's file.
  package struct Preview: Hashable, Sendable {
    /// Its name within the previews' folder.
    package var name: String
    /// The state that it was left in.
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
    var files: [ExpectedFiles] = []
    let read = { (row: borrowing Row) in
      try row.requireSoundItem()
      files.append(try ExpectedFiles(row))
    }
    if let key {
      try connection.query(ItemTable.piece, key, Int64(count + 1), each: read)
    } else {
      try connection.query(ItemTable.firstPiece, Int64(count), each: read)
    }
    let isInOrder = zip(files, files.dropFirst()).allSatisfy { $0.key < $1.key }
    guard isInOrder, key == nil || files.first?.key == key else {
      throw DatabaseError(
        code: .damaged, message: "its items don't follow each other", path: connection.path)
    }
    if key != nil { files.removeFirst() }
    return files
  }
}
