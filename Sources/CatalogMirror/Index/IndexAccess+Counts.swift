private import SyncDatabase

/// What the index holds, in numbers, for `status`.
package struct IndexCounts: Hashable, Sendable {
  /// Items known, held or not.
  package var items = 0
  /// Items whose content is held.
  package var contents = 0
  package var contentBytes: Int64 = 0
  /// Items whose preview is held.
  package var previews = 0
  package var previewBytes: Int64 = 0
  /// Items whose removal has begun and not ended.
  package var removing = 0
  package var quarantined = 0
  package var quarantinedBytes: Int64 = 0
  /// Items that failed in the last run.
  package var failures = 0

  package init() {}
}

extension IndexAccess {
  /// Counts everything; reads the whole table of items.
  package func counts() throws -> IndexCounts {
    var counts = IndexCounts()
    try connection.query(ItemTable.sums) { row in
      counts.items = Int(try row.integer("items"))
      counts.contents = Int(try row.integer("contents"))
      counts.contentBytes = try row.integer("content_bytes")
      counts.previews = Int(try row.integer("previews"))
      counts.previewBytes = try row.integer("preview_bytes")
      counts.removing = Int(try row.integer("removing"))
    }
    (counts.quarantined, counts.quarantinedBytes) = try quarantineSums()
    counts.failures = try failureCount()
    return counts
  }
}
