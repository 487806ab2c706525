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

extension IndexAccess {
  /// Reads all that the index keeps besides the items, as `status` and the other looks do.
  ///
  /// A run needs little of it, and would pass over damage in the rest for good; a look, which may
  /// change nothing, would find it each time and send the user to a run. So each run reads all of
  /// it before it does anything. It is little: 1,000 runs, the failures of the last one, some
  /// values, and what lies in quarantine. What was announced and not finished, a run reads anyway.
  /// - Throws: `.damaged` where a look would.
  func checkAllButItems() throws {
    try checkValues()
    _ = try failureCount()
    _ = try failures()
    _ = try recentRuns(limit: .max)
    try checkQuarantine()
  }
}
