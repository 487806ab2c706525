import SyncEngine

extension RowDeleter {
  /// Requires that of no relation, nor of the table that is synced, more rows are to go than a rule
  /// allows. What the database itself deletes with them doesn't count, and is told.
  func requireLimit(_ rule: RemovalLimit) throws {
    guard rule != .unlimited else { return }
    var (refused, most) = (nil as (table: Int, count: Int, all: Int)?, 0)
    for (group, rows) in notes.removals.inOrder where !group.unlinks {
      let coming = rows.rows.count { !notes.stays($0, of: group) }
      guard coming > 0 else { continue }
      let count = rows.gone + coming
      most = max(most, count)
      // Those of the table that is synced were counted with the new ones.
      let new = group.column == nil ? notes.report.insertedCount(of: group.table) : 0
      let all = max(rows.count - new, count)
      if count > refused?.count ?? 0, !rule.allows(removals: count, of: all) {
        refused = (group.table, count, all)
      }
    }
    guard let refused else { return }
    // What goes with them comes to light as they go; all of that is taken back.
    try? delete { _ in false }
    let cascaded = notes.schema.tables.indices.reduce(0) { $0 + notes.report[$1].cascaded }
    throw RecordError.removalRefused(
      table: notes.schema.tables[refused.table].name, count: refused.count, of: refused.all,
      allowing: most > refused.count ? most : nil, cascaded: cascaded)
  }
}
