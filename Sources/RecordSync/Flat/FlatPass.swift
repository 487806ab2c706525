import SyncDatabase
import SyncText

/// Compares the objects of a flat table with its rows as they stand in the text, and inserts and
/// changes rows from there: no value becomes one of ours that is only looked at.
///
/// What it can't see at once, it leaves to the usual way: objects with unknown members, values of
/// another type, rows that may have been edited here or be in each other's way. It leaves a window
/// whole where one object may name a row of another: where objects may mean one row several times,
/// which have to be merged, and where they have relations.
struct FlatPass {
  private let table: FlatTable
  private let access: TableAccess
  private var reader: FlatReader
  /// Whether new rows may be inserted by it, and others be changed.
  private let inserts: Bool
  private let updates: Bool
  /// Whether it counts which rows come first.
  private let keepsOrder: Bool
  /// How many windows go the usual way before it is tried again, and how many after the next one in
  /// which it doesn't pay.
  private var pause = 0
  private var nextPause = 1

  /// `nil` for a table where it can't be done.
  init?(
    _ schema: RecordSchema, _ place: Int, _ access: TableAccess, inserts: Bool, updates: Bool,
    _ connection: Connection
  ) throws {
    guard let table = FlatTable(schema, place),
      try !connection.hasTriggers(on: schema.tables[place]),
      // An index with another collation than the column's own leads to no key.
      try !access.isScanned(for: [table.key], by: connection)
    else { return nil }
    self.table = table
    self.access = access
    self.inserts = inserts
    // Where it counts which rows come first, all changes go the usual way.
    keepsOrder = try connection.hasUniqueIndexes(on: schema.tables[place], besides: table.key)
    self.updates = updates && !keepsOrder && !table.hasEdits
    reader = FlatReader(table, schema)
  }

  /// Tells the elements of a window apart, and writes nothing. `nil` if all have to go the usual
  /// way.
  ///
  /// - Parameter looked: Called for each element that was looked at.
  mutating func sort(
    _ window: PayloadWindow, _ connection: Connection, _ looked: () throws -> Void
  ) throws -> FlatWindow? {
    guard pause == 0 else {
      pause -= 1
      return nil
    }
    let highest = table.isKeyRowNumber && inserts ? try access.highestRow(by: connection) : .max
    let sorted = try connection.withCursor(access.findByKey) { cursor in
      try window.tape.bytes.withUnsafeBufferPointer { text in
        var sorted = FlatWindow()
        for (element, node) in window.elements.enumerated() {
          let shape = reader.read(node, in: window.tape)
          guard shape != .nested, let key = reader.key else { return nil as FlatWindow? }
          try looked()
          if shape == .flat, key.isNumber(above: highest) {
            sorted.addNew(element, key, reader.members)
            continue
          }
          let row = try Self.row(of: key, cursor, text)
          defer { cursor.reset() }
          let members = reader.members
          if let row, try shape == .flat && members.areHeld(by: cursor, in: window.tape, text) {
            sorted.addSame(row)
          } else if row == nil, shape == .flat, inserts {
            sorted.addNew(element, key, members)
          } else if let row, shape == .flat, updates {
            sorted.addChanged(element, row: row)
          } else {
            sorted.addOther(element, row: row)
          }
        }
        return sorted.order(text, keepsOrder: keepsOrder) ? sorted : nil
      }
    }
    notePromise(of: sorted)
    return sorted
  }

  private mutating func notePromise(of sorted: FlatWindow?) {
    guard let sorted, !sorted.isHopeless else {
      pause = nextPause
      nextPause = min(nextPause * 2, 16)
      return
    }
    nextPause = 1
  }

  /// The row number of a key, on whose row the cursor stands then.
  private static func row(
    of key: FlatKey, _ cursor: borrowing Cursor, _ text: UnsafeBufferPointer<UInt8>
  ) throws -> Int64? {
    try key.bind(to: cursor, text)
    return try cursor.step() ? cursor.integer(at: 0) : nil
  }

  /// Inserts the new rows, and gives the elements that the database, or their values, keep from
  /// that.
  ///
  /// - Parameter inserted: Called for each with its element, its key and its row number.
  func insert(
    _ sorted: FlatWindow, of window: PayloadWindow, _ connection: Connection,
    _ inserted: (_ element: Int, _ key: StoredValue, _ row: Int64) throws -> Void
  ) throws -> [Int] {
    var refused: [Int] = []
    var rest = sorted.new[...]
    try window.tape.bytes.withUnsafeBufferPointer { text in
      while let first = rest.first {
        let columns = sorted.members[first.members].map(\.column)
        try connection.withCursor(access.insert(columns)) { cursor in
          // All that give the same columns go through one statement.
          while let new = rest.first, sorted.members[new.members].give(columns) {
            if try sorted.members[new.members].insert(by: cursor, in: window.tape, text) {
              try inserted(new.element, new.key.stored(in: text), row(of: new.key, connection))
            } else {
              refused.append(new.element)
              // Those behind it must not come before it.
              if keepsOrder {
                refused += rest.dropFirst().map(\.element)
                rest = []
              }
            }
            rest = rest.dropFirst()
          }
        }
      }
    }
    return refused
  }

  /// The row number of the row that was inserted last.
  private func row(of key: FlatKey, _ connection: Connection) -> Int64 {
    if case .number(let number) = key, table.isKeyRowNumber { return number }
    return connection.lastInsertedRow
  }

  /// Changes rows to what their objects say, and gives the elements that the database, or their
  /// values, keep from that.
  ///
  /// - Parameter updated: Called for each with its element, its key, its row number and the columns
  ///   that changed.
  mutating func update(
    _ changed: [(element: Int, row: Int64)], of window: PayloadWindow, _ connection: Connection,
    _ updated: (_ element: Int, _ key: StoredValue, _ row: Int64, _ columns: [Int]) throws -> Void
  ) throws -> [Int] {
    var refused: [Int] = []
    try window.tape.bytes.withUnsafeBufferPointer { text in
      for (element, row) in changed {
        _ = reader.read(window.elements[element], in: window.tape)
        let columns = try update(row, window.tape, text, connection)
        guard let columns, let key = reader.key else {
          refused.append(element)
          continue
        }
        try updated(element, key.stored(in: text), row, columns)
      }
    }
    return refused
  }

  /// The columns that changed; `nil` where the usual way has to see to it.
  private func update(
    _ row: Int64, _ tape: borrowing JSONTape, _ text: UnsafeBufferPointer<UInt8>,
    _ connection: Connection
  ) throws -> [Int]? {
    let members = try connection.withCursor(access.findByAddress) { cursor in
      try cursor.bind(row, at: 1)
      return try cursor.step() ? reader.members.differing(from: cursor, in: tape, text) : []
    }
    let columns = members.map(\.column)
    guard !columns.isEmpty, !columns.contains(where: { $0 == table.rowNumberColumn }) else {
      return nil
    }
    return try connection.withCursor(access.update(columns)) { cursor in
      for (number, member) in members.enumerated() {
        guard try member.bind(to: cursor, at: number + 1, in: tape, text) else { return nil }
      }
      try cursor.bind(row, at: members.count + 1)
      return try cursor.runUnlessRefused() ? columns : nil
    }
  }
}

extension TableAccess {
  /// The highest row number of a table that has them.
  func highestRow(by connection: Connection) throws -> Int64 {
    let sql: SQL = "SELECT \(address[0]) FROM \(name) ORDER BY 1 DESC LIMIT 1"
    return try connection.row(sql) { try $0.integer(0) } ?? .min
  }
}
