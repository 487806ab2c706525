private import SyncDatabase

/// The intention to rename a staged file into its place.
package struct PlacementMark: Hashable, Sendable {
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
    try connection.rows("SELECT * FROM placing ORDER BY number") { row in
      try row.requireChecksum("checksum")
      return try row.placementMarks("marks")
    }.flatMap(\.self)
  }

  /// Where files are about to be placed, or were and aren't recorded. All are read for that.
  package func placingKeys() throws -> Set<CatalogKey> {
    Set(try unfinishedPlacements().map(\.key))
  }
}

extension IndexWriter {
  /// Says that files are about to be placed. Record this before the first rename, and when the
  /// files' bytes are durable.
  package func markPlacing(_ marks: [PlacementMark]) throws {
    guard !marks.isEmpty else { return }
    try connection.run(
      "INSERT INTO placing (marks) VALUES (?1)", values: [PlacementBatch(marks).storedValue])
  }

  /// Says that what was marked is recorded, or isn't coming.
  package func forgetPlacing(of keys: some Sequence<CatalogKey>) throws {
    let keys = Set(keys)
    let batches = try connection.rows("SELECT * FROM placing") { row in
      try row.requireChecksum("checksum")
      return (try row.integer("number"), left: try row.placementBatch("marks", without: keys))
    }
    for case (let number, let left?) in batches {
      if left.isEmpty {
        try connection.run("DELETE FROM placing WHERE number = ?1", number)
      } else {
        try connection.run("UPDATE placing SET marks = ?2 WHERE number = ?1", number, left)
      }
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

extension Row {
  fileprivate func placementMarks(_ column: Column) throws -> [PlacementMark] {
    let stored = try blob(column)
    do throws(PackedValueReader.Damage) {
      return try PlacementBatch.marks(in: stored)
    } catch {
      throw wrongType(column, "not marks as they were written")
    }
  }

  fileprivate func placementBatch(
    _ column: Column, without keys: Set<CatalogKey>
  ) throws -> PlacementBatch? {
    let stored = try blob(column)
    do throws(PackedValueReader.Damage) {
      return try PlacementBatch.without(keys, in: stored)
    } catch {
      throw wrongType(column, "not marks as they were written")
    }
  }
}
