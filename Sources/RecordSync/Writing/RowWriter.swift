import SyncDatabase
import SyncText

/// Writes rows, one at a time: inserts, changes, notes what was done, keeps what was edited here.
struct RowWriter {
  let finder: RowFinder
  let notes: PassNotes
  private let connection: Connection
  private let schema: RecordSchema
  private let tables: [TableAccess]
  /// By table: what gives a row whose parents aren't all there, where these aren't looked for.
  private let orphans: [SQL?]
  /// The columns by which rows hang on others and go on doing so: those of relations that were
  /// made.
  private let keptLinks: Set<MemberMap.ColumnPlace>

  init(_ finder: RowFinder, _ notes: PassNotes, keepsParents: Bool) {
    self.finder = finder
    self.notes = notes
    connection = finder.connection
    schema = finder.schema
    tables = finder.tables
    orphans = schema.orphans(tables)
    let made = schema.tables.flatMap(\.relations).filter { keepsParents && $0.isMade }
    keptLinks = Set(
      made.compactMap { relation in
        guard case .toMany(let table, let column, _) = relation.kind else { return nil }
        return .init(table: table, column: column)
      })
  }

  /// The row of a key, which then counts as named; of several that share it, the oldest. One that
  /// is marked as gone is taken where no other has the key.
  func look(for key: RecordKey, in table: Int) throws -> FoundRow? {
    var rows = try finder.search.rows(of: key, in: table)
    if rows.count > 1, let mark = schema.tables[table].mark {
      let live = rows.filter { $0.values[mark] == nil }
      rows = live.isEmpty ? [rows[0]] : live
    }
    guard let first = rows.first else { return nil }
    notes.seen[table].insert(first.address)
    for twin in rows.dropFirst() {
      notes.seen[table].insert(twin.address)
      notes.removals.addTwin(twin.address, key, in: table)
    }
    return first
  }

  func insert(_ row: DraftRow, _ values: [DraftRow.Given]) throws -> FoundRow {
    let table = schema.tables[row.table]
    var places: [Int] = []
    var stored: [StoredValue?] = []
    var result = [StoredValue?](repeating: nil, count: values.count)
    for (place, given) in values.enumerated() {
      guard case .value(let value) = given, !table.columns[place].isGenerated else { continue }
      places.append(place)
      stored.append(value)
      result[place] = value
    }
    let address = try write(in: row.table) {
      try requireWritten(connection.run(tables[row.table].insert(places), values: stored))
      guard table.rowNumber != nil else { return table.primaryKey.compactMap { result[$0] } }
      return [.integer(connection.lastInsertedRow)]
    }
    if table.key.isRowNumber { result[table.key.columns[0]] = address[0] }
    let key = RecordKey(table.key.columns.compactMap { result[$0] })
    notes.report.insert(key, at: notes.moment, in: row.table)
    notes.entanglement.insert(address, in: row.table)
    if table.rowNumber == nil, address.count < table.primaryKey.count,
      let found = try finder.search.rows(of: key, in: row.table).first
    {
      // A part of its address is a default.
      notes.seen[row.table].insert(found.address)
      return found
    }
    notes.seen[row.table].insert(address)
    return FoundRow(address: address, values: result)
  }

  /// A trigger, or what the table says of conflicts, may leave a row out without an error.
  private func requireWritten(_ count: Int) throws {
    guard count == 0 else { return }
    throw DatabaseError(
      code: .constraint, message: "a trigger left it out", path: connection.path)
  }

  func update(
    _ row: DraftRow, _ values: [DraftRow.Given], _ found: FoundRow
  ) throws -> FoundRow {
    let access = tables[row.table]
    var places = access.differences(between: found.values, and: values)
    guard !places.isEmpty else { return found }
    let table = access.schema
    let key = row.key ?? RecordKey(table.key.columns.compactMap { found.values[$0] })
    // A table of links may be made of it one day, which holds both.
    let others = places.filter {
      row.nested.contains($0) && found.values[$0] != nil
        && keptLinks.contains(.init(table: row.table, column: $0))
    }
    if !row.isTop, !others.isEmpty {
      notes.report.stay(key, in: row.table)
      for place in others {
        notes.crowded.insert(CrowdedLink(table: table.name, column: table.columns[place].name))
      }
      places.removeAll { others.contains($0) }
    }
    let edited = LocalEdits(found, table)
    let kept = places.filter { edited.protects($0) }
    if !kept.isEmpty { notes.report.keep(key, columns: kept, in: row.table) }
    places.removeAll { edited.protects($0) }
    guard !places.isEmpty else { return found }
    var result = found
    for place in places {
      if case .value(let value) = values[place] { result.values[place] = value }
    }
    result.address = try write(in: row.table) {
      try requireWritten(
        try connection.run(
          access.update(places), values: places.map { result.values[$0] } + found.address))
      // The row may be somewhere else now.
      guard table.rowNumber != nil else { return table.primaryKey.compactMap { result.values[$0] } }
      guard let column = table.rowNumberColumn, let number = result.values[column] else {
        return found.address
      }
      return [number]
    }
    notes.seen[row.table].insert(result.address)
    let hangs = places.contains {
      notes.childLinks[row.table].contains($0) && !row.nested.contains($0)
    }
    notes.entanglement.update(
      result.address, in: row.table, hangs: hangs, notes.name(of: row, key))
    tell(of: places, changed: row, key, from: found)
    return result
  }

  /// A child that came from another parent has moved, and one that had none is linked.
  private func tell(
    of places: [Int], changed row: DraftRow, _ key: RecordKey, from found: FoundRow
  ) {
    let columns = places.filter { !row.nested.contains($0) }
    if columns.count < places.count {
      let hadParent = places.contains { row.nested.contains($0) && found.values[$0] != nil }
      notes.report.adopt(key, hadParent: hadParent, in: row.table)
    }
    guard !columns.isEmpty else { return }
    notes.report.update(key, columns: columns, at: notes.moment, in: row.table)
  }

  /// Writes a row of which some parents weren't looked for: those of foreign keys of several
  /// columns, and those that a default names. Where one isn't there, the row is refused at once;
  /// SQLite would refuse all of the transaction at its end.
  ///
  /// - Parameter body: Writes it, and gives its address.
  /// - Returns: The address.
  private func write(
    in table: Int, _ body: () throws -> [StoredValue]
  ) throws -> [StoredValue] {
    guard let orphans = orphans[table] else { return try body() }
    var address: [StoredValue] = []
    try finder.attempt {
      address = try body()
      var isOrphan = false
      try connection.query(orphans, values: address) { _ in isOrphan = true }
      guard isOrphan else { return }
      // SQLITE_CONSTRAINT_FOREIGNKEY.
      throw DatabaseError(
        code: .constraint, sqliteCode: 787, message: "FOREIGN KEY constraint failed",
        path: connection.path)
    }
    return address
  }

  /// Whether a column of a row was edited here, so that it stays as it is, which is told.
  func keepsEdited(
    _ column: Int, _ key: RecordKey, at address: [StoredValue], in table: Int
  ) throws -> Bool {
    guard schema.tables[table].edits != nil, let row = try finder.row(at: address, in: table),
      LocalEdits(row, schema.tables[table]).protects(column)
    else { return false }
    notes.report.keep(key, columns: [column], in: table)
    return true
  }
}

extension RecordSchema {
  /// What gives a row of each table, by its address, if a parent that isn't looked for otherwise is
  /// missing; `nil` where all are.
  func orphans(_ tables: [TableAccess]) -> [SQL?] {
    tables.indices.map { place in
      let table = self.tables[place]
      let defaults = table.foreignKeys.filter { table.columns[$0.column].hasDefault }
      let keys = table.compositeForeignKeys + defaults.map(CompositeForeignKey.init)
      guard !keys.isEmpty else { return nil }
      let access = tables[place]
      let conditions: [SQL] = keys.map { key in
        let parent = tables[key.table]
        let isGiven: [SQL] = key.columns.map { "\(access.name).\(access.column($0)) IS NOT NULL" }
        let isMet: [SQL] = zip(key.columns, key.targets).map {
          "parent.\(parent.column($1)) = \(access.name).\(access.column($0))"
        }
        let isThere: SQL =
          "SELECT 1 FROM \(parent.name) AS parent WHERE \(isMet, separator: " AND ")"
        return "(\(isGiven, separator: " AND ") AND NOT EXISTS (\(isThere)))"
      }
      let isAddressed: [SQL] = access.address.map { "\($0) = ?" }
      return """
        SELECT 1 FROM \(access.name) WHERE \(isAddressed, separator: " AND ")
        AND (\(conditions, separator: " OR "))
        """
    }
  }
}

/// Which columns of a row were edited here and wait to be sent.
struct LocalEdits {
  private enum Columns {
    case none
    case all
    case some(Set<Int>)
  }

  private let columns: Columns

  /// What a row says of itself in the table's ``TableSchema/edits``.
  init(_ row: FoundRow, _ table: TableSchema) {
    guard let edits = table.edits, let value = row.values[edits] else {
      columns = .none
      return
    }
    switch value {
    case .integer(0), .text(""): columns = .none
    case .text(let text):
      let names = Self.names(text)
      let places = names.map { name in
        table.columns.firstIndex { $0.name.asciiLowercased == name.asciiLowercased }
      }
      // A mark that names no columns stands for the whole row.
      columns = places.contains(nil) ? .all : .some(Set(places.compactMap { $0 }))
    case .integer, .real, .blob: columns = .all
    }
  }

  var isEmpty: Bool {
    switch columns {
    case .none: true
    case .all: false
    case .some(let places): places.isEmpty
    }
  }

  func protects(_ column: Int) -> Bool {
    switch columns {
    case .none: false
    case .all: true
    case .some(let places): places.contains(column)
    }
  }

  private static func names(_ text: String) -> [String] {
    let bytes = Array(text.utf8)
    if let array = try? JSONValue(bytes, in: 0..<bytes.count, nesting: 1), array.isArray {
      return (array.elements ?? []).map { $0.string ?? "" }
    }
    return text.split(separator: ",").map(\.withoutOuterWhitespace)
  }
}
