import Console
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
  /// Tables that were made.
  var tables = 0
  /// Columns of others that were made, declared anew or filled.
  var columns = 0

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
    columns = report.made.count { $0.column != nil }
    tables = report.made.count - columns
  }

  /// `1 table made, 3 added, 1 changed`; empty where nothing was.
  var done: String {
    (made.map { "\($0) made" } + named.map { "\($0.count) \($0.done)" }).joined(separator: ", ")
  }

  /// `make 1 table, add 3, change 1`; empty where nothing would be.
  var planned: String {
    (made.map { "make \($0)" } + named.map { "\($0.verb) \($0.count)" }).joined(separator: ", ")
  }

  private var made: [String] {
    [(tables, "table"), (columns, "column")].filter { $0.0 > 0 }
      .map { Amounts.count($0.0, $0.1) }
  }

  private var named: [(count: Int, done: String, verb: String)] {
    [
      (added, "added", "add"), (changed, "changed", "change"), (deleted, "deleted", "delete"),
      (moved, "moved", "move"), (linked, "linked", "link"), (unlinked, "unlinked", "unlink"),
      (reordered, "reordered", "reorder"),
    ].filter { $0.0 > 0 }
  }
}
