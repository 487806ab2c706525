import SyncDatabase

/// The references of earlier syncs that led nowhere, during a pass.
final class RememberedReferences {
  private let finder: RowFinder
  private let notes: PassNotes
  private let writer: RowWriter
  private let connection: Connection
  private let schema: RecordSchema
  private let before: Set<UnresolvedMemory.Entry>
  /// Those of which the payload says nothing.
  private var entries: [UnresolvedMemory.Row: [UnresolvedMemory.Entry]]
  /// Whether something else is remembered now.
  private(set) var hasChanged = false

  /// `nil` where nothing is remembered.
  init?(_ writer: RowWriter) throws {
    self.writer = writer
    (finder, notes) = (writer.finder, writer.notes)
    connection = finder.connection
    schema = finder.schema
    guard schema.remembersUnresolved else { return nil }
    before = try UnresolvedMemory(connection: connection).entries()
    entries = Dictionary(grouping: before, by: \.row)
  }

  var isEmpty: Bool { entries.isEmpty }

  /// What a payload says of rows takes the place of what is remembered of their references.
  func forget(_ rows: [DraftRow]) {
    guard !entries.isEmpty else { return }
    for row in rows { forget(row) }
  }

  private func forget(_ row: DraftRow) {
    let table = schema.tables[row.table]
    guard let key = row.key else { return }
    let row = (given: row, place: UnresolvedMemory.Row(table: table.name, key: key))
    guard let known = entries[row.place] else { return }
    var names = Set(row.given.claims.map { table.relations[$0.relation].name })
    for (column, given) in zip(table.columns, row.given.values) where given != .absent {
      names.insert(column.name)
    }
    for (relation, column) in table.relations.compactMap({ relation in
      relation.kind.ownColumn.map { (relation, $0) }
    }) where names.contains(relation.name) || names.contains(table.columns[column].name) {
      names.formUnion([relation.name, table.columns[column].name])
    }
    entries[row.place] = known.filter { !names.contains($0.name) }
  }

  /// Links what is remembered and has got its target, and remembers what leads nowhere now.
  func settle() throws {
    var new = Set(try entries.values.joined().filter { try !link($0) })
    for table in schema.tables.indices {
      for reference in notes.report[table].unresolved {
        guard let key = reference.key, key.values.count == 1, reference.target.values.count == 1
        else { continue }
        new.insert(
          UnresolvedMemory.Entry(
            table: schema.tables[table].name, key: key, name: reference.name,
            target: reference.target, held: try held(by: reference, of: key, in: table)))
      }
    }
    hasChanged = new != before
    try UnresolvedMemory(connection: connection).replace(before, by: new)
  }

  private func held(
    by reference: UnresolvedReference, of key: RecordKey, in table: Int
  ) throws -> StoredValue? {
    guard case .toOne(let column, _, _)? = schema.tables[table].kind(named: reference.name)
    else { return nil }
    return try finder.search.rows(of: key, in: table).first?.values[column]
  }

  /// Links one; `false` if it has to wait further.
  private func link(_ entry: UnresolvedMemory.Entry) throws -> Bool {
    guard let place = schema.place(of: entry.table),
      let row = try finder.search.rows(of: entry.key, in: place).first,
      let kind = schema.tables[place].kind(named: entry.name)
    else { return true }
    let target = entry.target
    switch kind {
    case .toOne(let column, let table, let other):
      guard let found = try finder.search.rows(of: target, in: table).first,
        let value = found.values[other]
      else { return false }
      // Somebody has given it something else meanwhile.
      guard row.values[column] == entry.held else { return true }
      try set(column, of: row, to: value, entry.key, in: place, nested: false)
    case .toMany(let table, let column, let own), .inverseToOne(let table, let column, let own):
      guard let child = try finder.search.rows(of: target, in: table).first,
        let value = row.values[own]
      else { return false }
      guard child.values[column] == nil else { return true }
      try set(column, of: child, to: value, target, in: table, nested: true)
    case .manyToMany(let through, let here, let own, let there, let table, let other):
      guard let found = try finder.search.rows(of: target, in: table).first,
        let one = row.values[own], let two = found.values[other]
      else { return false }
      let isThere = try finder.search.rows(where: [here, there], are: [one, two], in: through)
      guard isThere.isEmpty else { return true }
      try connection.run(finder.tables[through].insert([here, there]), values: [one, two])
      notes.report[through].linked += 1
    }
    return true
  }

  private func set(
    _ column: Int, of row: FoundRow, to value: StoredValue, _ key: RecordKey, in table: Int,
    nested: Bool
  ) throws {
    var values = [DraftRow.Given](repeating: .absent, count: row.values.count)
    values[column] = .value(value)
    var draft = DraftRow(table: table, key: key, values: values, rights: .update, isTop: false)
    if nested { draft.nested = [column] }
    do {
      _ = try writer.update(draft, values, row)
    } catch let error as DatabaseError where error.code == .constraint {
      notes.report.refuse(key, error, in: table)
    }
  }
}

extension TableSchema {
  /// What a reference of this name is: a relation's, or that of a column which refers.
  fileprivate func kind(named name: String) -> Relation.Kind? {
    if let relation = relations.first(where: { $0.name == name }) { return relation.kind }
    guard let key = foreignKeys.first(where: { columns[$0.column].name == name }) else {
      return nil
    }
    return .toOne(column: key.column, table: key.table, target: key.target)
  }
}

/// References that led nowhere when they were synced: in a table of ours, which is made when there
/// is one to remember for the first time. Once their targets have come they are linked, unless the
/// rows that refer have been given something else meanwhile.
///
/// Rows whose key has several columns aren't remembered.
struct UnresolvedMemory {
  struct Entry: Hashable {
    var table: String
    var key: RecordKey
    var name: String
    var target: RecordKey
    var held: StoredValue?

    var row: Row { Row(table: table, key: key) }
  }

  struct Row: Hashable {
    var table: String
    var key: RecordKey
  }

  let connection: Connection

  func entries() throws -> Set<Entry> {
    guard try connection.hasTable("recordsync_unresolved") else { return [] }
    var entries: Set<Entry> = []
    try connection.query(
      "SELECT child, child_key, name, target_key, held FROM recordsync_unresolved"
    ) { row in
      guard let key = try row.value(1), let target = try row.value(3) else { return }
      entries.insert(
        Entry(
          table: try row.text("child"), key: RecordKey([key]), name: try row.text("name"),
          target: RecordKey([target]), held: try row.value(4)))
    }
    return entries
  }

  /// Remembers these instead of those. Within a transaction.
  func replace(_ old: Set<Entry>, by new: Set<Entry>) throws {
    guard old != new else { return }
    try connection.run(
      """
      CREATE TABLE IF NOT EXISTS recordsync_unresolved (
        child TEXT, child_key, name TEXT, target_key, held,
        PRIMARY KEY (child, child_key, name, target_key)
      ) WITHOUT ROWID
      """)
    for entry in old.subtracting(new) {
      try connection.run(
        """
        DELETE FROM recordsync_unresolved
        WHERE child = ? AND child_key = ? AND name = ? AND target_key = ?
        """, values: entry.address)
    }
    for entry in new.subtracting(old) {
      try connection.run(
        "INSERT INTO recordsync_unresolved VALUES (?, ?, ?, ?, ?)",
        values: entry.address + [entry.held])
    }
  }
}

extension UnresolvedMemory.Entry {
  fileprivate var address: [StoredValue?] {
    [.text(table), key.values[0], .text(name), target.values[0]]
  }
}
