import SyncDatabase
import SyncText

/// Compares the elements of a window, with the children under them, with their rows as they stand
/// in the text, and inserts and changes rows from there: no value becomes one of ours that is only
/// looked at.
///
/// It does an element with all that stands in it, or leaves all of it to the general way: where
/// anything but its own columns differs, where a child comes or goes. It leaves a window whole
/// where one element may have a say in what becomes of another.
struct TapeComparison {
  let table: FlatTable
  let relations: [ComparedRelation]
  let access: TableAccess
  private var reader: FlatReader
  var childReaders: [FlatReader]
  private let inserts: Bool
  /// Whether rows without children may be changed by it.
  private let updates: Bool
  /// Whether rows may be in each other's way by more than their keys.
  private let keepsOrder: Bool
  private let rowNumberColumn: Int?
  /// Whether children that aren't named go.
  let deletes: Bool
  /// How many windows go the general way before it is tried again, and how many after the next one
  /// in which it doesn't pay.
  private var pause = 0
  private var nextPause = 1

  /// `nil` for a table where it can't be done.
  init?(
    _ schema: RecordSchema, _ place: Int, _ tables: [TableAccess], operations: Operations,
    mayInsert: Bool, _ connection: Connection
  ) throws {
    guard let table = FlatTable(schema, place),
      try !connection.hasTriggers(on: schema.tables[place]),
      // An index with another collation than the column's own leads to no key.
      try !tables[place].isScanned(for: [table.key], by: connection)
    else { return nil }
    let insertsChildren = mayInsert && operations.contains(.insertRelations)
    relations = try schema.tables[place].relations.indices.compactMap {
      try ComparedRelation($0, of: table, schema, tables, mayInsert: insertsChildren, connection)
    }
    self.table = table
    access = tables[place]
    inserts = mayInsert && operations.contains(.insert)
    deletes = operations.contains(.deleteRelations)
    let isUnique = try connection.hasUniqueIndexes(on: schema.tables[place], besides: table.key)
    keepsOrder =
      try isUnique
      || relations.contains {
        try $0.inserts && connection.hasUniqueIndexes(on: $0.access.schema, besides: $0.table.key)
      }
    let hasEdits = schema.tables[place].edits != nil
    updates = operations.contains(.update) && !isUnique && !hasEdits
    rowNumberColumn = schema.tables[place].rowNumberColumn
    reader = FlatReader(table, schema, relations: relations.map(\.place))
    childReaders = relations.map { FlatReader($0.table, schema) }
  }

  /// Tells the elements of a window apart, and writes nothing. `nil` if all have to go the general
  /// way.
  ///
  /// - Parameter looked: Called with the number of rows since the last call.
  mutating func compare(
    _ window: PayloadWindow, _ connection: Connection, _ looked: (Int) throws -> Void
  ) throws -> ComparedWindow? {
    guard pause == 0 else {
      pause -= 1
      return nil
    }
    var compared = ComparedWindow(relations: relations.count)
    let isTold = try window.tape.bytes.withUnsafeBufferPointer { text in
      guard try compareParents(of: window, text, connection, looked, &compared) else {
        return false
      }
      for relation in relations.indices where !compared.claims[relation].isEmpty {
        let isTold = try compareChildren(
          relation, window.tape, text, connection, looked, &compared)
        guard isTold else { return false }
      }
      return compared.namesEachOnce(text, besides: sharedRelations)
    }
    guard isTold else {
      rest()
      return nil
    }
    // No new row may come before another that has to be written.
    if keepsOrder, compared.fates.contains(.other) { compared.refuseNew() }
    if compared.isHopeless { rest() } else { nextPause = 1 }
    return compared
  }

  private var sharedRelations: Set<Int> {
    Set(relations.indices.filter { relations[$0].column == nil })
  }

  private mutating func rest() {
    pause = nextPause
    nextPause = min(nextPause * 2, 16)
  }

  /// Inserts the new elements with their children, none of them where the database or a value keeps
  /// one from that; and changes rows, those that it may.
  mutating func write(
    _ compared: inout ComparedWindow, of window: PayloadWindow, _ connection: Connection
  ) throws {
    let insertion = TapeInsertion(comparison: self, connection: connection)
    if try !insertion.run(&compared, window) { rest() }
    try window.tape.bytes.withUnsafeBufferPointer { text in
      for element in compared.elements(.changed) {
        let isDone = try update(compared, element, window.tape, text, connection)
        if !isDone { compared.setFate(.other, of: element) }
      }
    }
  }

  /// `false` where the database or a value keeps the row from being changed.
  private func update(
    _ compared: ComparedWindow, _ element: Int, _ tape: borrowing JSONTape,
    _ text: UnsafeBufferPointer<UInt8>, _ connection: Connection
  ) throws -> Bool {
    let parent = compared.parents[element]
    let members = compared.members[parent.members]
    guard let row = parent.row else { return false }
    return try connection.withCursor(access.update(members.map(\.column))) { cursor in
      guard try members.bind(to: cursor, in: tape, text) else { return false }
      try cursor.bind(row, at: members.count + 1)
      return try cursor.runUnlessRefused()
    }
  }
}

// MARK: - The elements

extension TapeComparison {
  /// `false` where more stands there than can be told.
  private mutating func compareParents(
    of window: PayloadWindow, _ text: UnsafeBufferPointer<UInt8>, _ connection: Connection,
    _ looked: (Int) throws -> Void, _ compared: inout ComparedWindow
  ) throws -> Bool {
    let highest = table.isKeyRowNumber ? try access.highestRow(by: connection) : .max
    return try connection.withCursor(access.findByKey) { cursor in
      for node in window.elements {
        let shape = reader.read(node, in: window.tape)
        guard shape != .nested, let key = reader.key else { return false }
        try looked(1)
        if key.isNumber(above: highest) {
          addNew(key, shape, &compared)
        } else {
          try key.bind(to: cursor, text)
          defer { cursor.reset() }
          if try !cursor.step() {
            addNew(key, shape, &compared)
          } else if try shape == .flat
            && reader.members.areHeld(by: cursor, in: window.tape, text)
          {
            // Here, since a call would hold on to all of this value once for each row.
            compared.addParent(key, cursor.integer(at: 0), .same, [])
          } else {
            try addDifferent(key, shape, by: cursor, window.tape, text, &compared)
          }
        }
        for (relation, value) in reader.nested { compared.addClaim(relation, value) }
      }
      return true
    }
  }

  private func addNew(
    _ key: FlatKey, _ shape: FlatReader.Shape, _ compared: inout ComparedWindow
  ) {
    let mayInsert = shape == .flat && inserts
    compared.addParent(key, nil, mayInsert ? .new : .other, mayInsert ? reader.members : [])
  }

  /// Adds an element that says something else than the row on which a cursor stands.
  private func addDifferent(
    _ key: FlatKey, _ shape: FlatReader.Shape, by cursor: borrowing Cursor,
    _ tape: borrowing JSONTape, _ text: UnsafeBufferPointer<UInt8>,
    _ compared: inout ComparedWindow
  ) throws {
    let row = cursor.integer(at: 0)
    guard shape == .flat else { return compared.addParent(key, row, .other, []) }
    let different = try reader.members.differing(from: cursor, in: tape, text)
    let mayChange =
      updates && reader.nested.isEmpty && !different.contains { $0.column == rowNumberColumn }
    compared.addParent(key, row, mayChange ? .changed : .other, mayChange ? different : [])
  }
}

extension TableAccess {
  func highestRow(by connection: Connection) throws -> Int64 {
    let sql: SQL = "SELECT \(address[0]) FROM \(name) ORDER BY 1 DESC LIMIT 1"
    return try connection.row(sql) { try $0.integer(0) } ?? .min
  }
}
