private import SyncText

/// The columns that are made by which rows are marked in place of being deleted: in each table that
/// is made but for those of links, and in the one that is synced.
struct MadeMarks {
  let present: PresentTables
  /// The table that is synced.
  let table: String

  func adding(to changes: [SchemaChange]) -> [SchemaChange] {
    var changes = changes
    for place in changes.indices {
      guard case .table(var made) = changes[place], let column = column(of: made.name) else {
        continue
      }
      if case .shared = made.evidence { continue }
      guard !has(column.name, among: made.columns.map(\.name)) else { continue }
      made.columns.append(column)
      changes[place] = .table(made)
    }
    return changes + addedToTop(changes)
  }

  private func addedToTop(_ changes: [SchemaChange]) -> [SchemaChange] {
    guard let top = present.schema.place(of: table), var column = column(of: table) else {
      return []
    }
    let own = present.schema.tables[top]
    let added = changes.compactMap { change -> String? in
      guard case .column(let column, table: own.name) = change else { return nil }
      return column.name
    }
    guard !has(column.name, among: own.columns.map(\.name) + added) else { return [] }
    if own.isStrict { column.type = .text }
    return [.column(column, table: own.name)]
  }

  private func column(of table: String) -> MadeColumn? {
    let name = present.saying(of: table)?.deletedAt ?? present.overrides.deletedAt
    return name.map { MadeColumn(name: $0, type: .timestamp, evidence: .marks) }
  }

  private func has(_ name: String, among others: [String]) -> Bool {
    others.contains { $0.asciiLowercased == name.asciiLowercased }
  }
}
