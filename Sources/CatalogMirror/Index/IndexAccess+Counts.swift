private import SyncDatabase

/// What the index holds, in numbers, for `status`.
package struct IndexCounts: Hashable, Sendable {
  /// Items known, held or not.
  package var items = 0
  /// Items whose content is held.
  package var contents = 0
  /// Their bytes.
  package var contentBytes: Int64 = 0
  /// Items whose preview is held.
  package var previews = 0
  /// Their bytes.
  package var previewBytes: Int64 = 0
  /// Items whose removal has begun and not ended.
  package var removing = 0
  /// Files in quarantine.
  package var quarantined = 0
  /// Their bytes.
  package var quarantinedBytes: Int64 = 0
  /// Items that failed in the last run.
  package var failures = 0

  /// All zero.
  package init() {}
}

extension IndexAccess {
  /// Counts everything; reads the whole table of items.
  package func counts() throws -> IndexCounts {
    var counts = IndexCounts()
    try connection.query(
      """
      SELECT count(*), count(content_version), coalesce(sum(content_size), 0),
        count(held_preview_version), coalesce(sum(held_preview_size), 0), count(removing_to),
        (SELECT count(*) FROM quarantine), (SELECT coalesce(sum(size), 0) FROM quarantine),
        (SELECT count(*) FROM failures)
      FROM items
      """
    ) { row in
      counts.items = Int(try row.integer(0))
      counts.contents = Int(try row.integer(1))
      counts.contentBytes = try row.integer(2)
      counts.previews = Int(try row.integer(3))
      counts.previewBytes = try row.integer(4)
      counts.removing = Int(try row.integer(5))
      counts.quarantined = Int(try row.integer(6))
      counts.quarantinedBytes = try row.integer(7)
      counts.failures = Int(try row.integer(8))
    }
    return counts
  }
}
