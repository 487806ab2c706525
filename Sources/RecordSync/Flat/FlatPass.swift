import SyncDatabase
import SyncText

/// Compares the objects of a flat table with its rows as they stand in the text, and inserts new ones
/// from there: no value becomes one of ours that is only looked at.
///
/// What it can't see at once, it leaves to the usual way: rows that differ, objects with relations or
/// unknown members, values of another type. Windows whose objects may mean one row several times it
/// leaves whole, since these have to be merged.
struct FlatPass {
  private let table: FlatTable
  private let access: TableAccess
  private var reader: FlatReader
  /// Whether new rows may be inserted by it.
  private let inserts: Bool
  /// Whether it pays.
  private var isPromising = true

  /// `nil` for a table where it can't be done.
  init?(
    _ schema: RecordSchema, _ place: Int, _ access: TableAccess, inserts: Bool,
    _ connection: Connection
  ) throws {
    guard let table = FlatTable(schema, place),
      try !connection.hasTriggers(on: schema.tables[place])
    else { return nil }
    self.table = table
    self.access = access
    self.inserts = inserts
    reader = FlatReader(table, schema)
  }

  /// Tells the elements of a window apart, and writes nothing. `nil` if all have to go the usual way.
  mutating func sort(
    _ window: PayloadWindow, _ connection: Connection
  ) throws -> FlatWindow? {
    guard isPromising else { return nil }
    let highest = table.isKeyRowNumber ? try highestRow(connection) : nil
    return try connection.withCursor(access.findByKey) { cursor in
      try window.tape.bytes.withUnsafeBufferPointer { text in
        var sorted = FlatWindow()
        for (element, node) in window.elements.enumerated() {
          let isFlat = reader.read(node, in: window.tape)
          guard let key = reader.key else { return nil }
          if isFlat, inserts, let highest, case .number(let number) = key, number > highest {
            sorted.addNew(element, key)
            continue
          }
          let row = try Self.row(of: key, cursor, text)
          defer { cursor.reset() }
          guard let row else {
            if isFlat, inserts { sorted.addNew(element, key) } else { sorted.addOther(element) }
            continue
          }
          if try isFlat && reader.isHeld(by: cursor, in: window.tape, text) {
            sorted.addSame(row)
          } else {
            sorted.addOther(element, row: row)
          }
          if sorted.isHopeless {
            isPromising = false
            return nil
          }
        }
        return sorted.order(text) ? sorted : nil
      }
    }
  }

  /// The row number of a key, on whose row the cursor stands then.
  private static func row(
    of key: FlatKey, _ cursor: borrowing Cursor, _ text: UnsafeBufferPointer<UInt8>
  ) throws -> Int64? {
    try key.bind(to: cursor, text)
    return try cursor.step() ? cursor.integer(at: 0) : nil
  }

  private func highestRow(_ connection: Connection) throws -> Int64 {
    let sql: SQL = "SELECT \(access.address[0]) FROM \(access.name) ORDER BY 1 DESC LIMIT 1"
    return try connection.row(sql) { try $0.integer(0) } ?? .min
  }

  /// Inserts the new rows, and gives the elements that the database, or their values, keep from that.
  ///
  /// - Parameter inserted: Called for each with its element, its key and its row number.
  mutating func insert(
    _ new: [(element: Int, key: FlatKey)], of window: PayloadWindow, _ connection: Connection,
    _ inserted: (_ element: Int, _ key: StoredValue, _ row: Int64) throws -> Void
  ) throws -> [Int] {
    var refused: [Int] = []
    var rest = new[...]
    try window.tape.bytes.withUnsafeBufferPointer { text in
      while let first = rest.first {
        _ = reader.read(window.elements[first.element], in: window.tape)
        let columns = reader.members.map(\.column)
        try connection.withCursor(access.insert(columns)) { cursor in
          // All that give the same columns go through one statement.
          while let (element, key) = rest.first, reader.gives(columns) {
            if try reader.insert(by: cursor, in: window.tape, text) {
              let stored = key.stored(in: text)
              let row =
                if case .number(let number) = key, table.isKeyRowNumber { number } else {
                  connection.lastInsertedRow
                }
              try inserted(element, stored, row)
            } else {
              refused.append(element)
            }
            rest.removeFirst()
            guard let next = rest.first else { break }
            _ = reader.read(window.elements[next.element], in: window.tape)
          }
        }
      }
    }
    return refused
  }
}

extension FlatReader {
  /// Whether the row on which a cursor stands holds all that the object gives.
  func isHeld(
    by row: borrowing Cursor, in tape: borrowing JSONTape, _ text: UnsafeBufferPointer<UInt8>
  ) throws -> Bool {
    for member in members {
      // Before the columns stands the row number.
      guard try member.isHeld(by: row, at: 1 + member.column, in: tape, text) else { return false }
    }
    return true
  }

  /// Inserts the object. `false` if there is more to tell of its values, or the database refuses it.
  func insert(
    by statement: borrowing Cursor, in tape: borrowing JSONTape,
    _ text: UnsafeBufferPointer<UInt8>
  ) throws -> Bool {
    var parameter = 0
    for member in members {
      parameter += 1
      guard try member.bind(to: statement, at: parameter, in: tape, text) else { return false }
    }
    do {
      try statement.run()
      return true
    } catch let error as DatabaseError where error.code == .constraint {
      return false
    }
  }

  /// Whether the object that was read last gives these columns, in this order.
  func gives(_ columns: [Int]) -> Bool {
    guard members.count == columns.count else { return false }
    return zip(members, columns).allSatisfy { $0.column == $1 }
  }
}
