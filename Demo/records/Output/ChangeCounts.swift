import RecordSync

/// How many rows and links were changed in which way.
struct ChangeCounts: Equatable {
  var added = 0
  var changed = 0
  var deleted = 0
  var moved = 0
  var linked = 0
  var unlinked = 0
  var reordered = 0

  /// Of one table.
  init(_ table: TableReport) {
    added = table.inserted.count
    changed = table.updated.count
    deleted = table.deleted.count
    moved = table.moved.count
    linked = table.linked
    unlinked = table.unlinked
    reordered = table.reordered
  }

  /// Of all tables together.
  init(_ report: RecordReport) {
    for table in report.tables.values {
      let more = ChangeCounts(table)
      added += more.added
      changed += more.changed
      deleted += more.deleted
      moved += more.moved
      linked += more.linked
      unlinked += more.unlinked
      reordered += more.reordered
    }
  }

  /// `3 added, 1 changed`; empty where nothing was.
  var done: String {
    named.map { "\($0.count) \($0.done)" }.joined(separator: ", ")
  }

  /// `add 3, change 1`; empty where nothing would be.
  var planned: String {
    named.map { "\($0.verb) \($0.count)" }.joined(separator: ", ")
  }

  private var named: [(count: Int, done: String, verb: String)] {
    [
      (added, "added", "add"), (changed, "changed", "change"), (deleted, "deleted", "delete"),
      (moved, "moved", "move"), (linked, "linked", "link"), (unlinked, "unlinked", "unlink"),
      (reordered, "reordered", "reorder"),
    ].filter { $0.0 > 0 }
  }
}
