private import CSyncSQLite

/// A row that was inserted, updated or deleted, valid only within the closure that it is given to
/// (it can't be copied out).
package struct RowChange: ~Copyable {
  package let table: String
  /// What happened to the row.
  package let operation: Operation
  /// Whether a trigger or a foreign key did it rather than a statement.
  package let isIndirect: Bool
  package let columnCount: Int
  private let record: ChangeRecord
  private let path: String

  /// What happens to a row.
  package enum Operation: Sendable, Equatable {
    case inserted
    /// Some of its columns are others. In a changeset, never those of its key: a row whose key
    /// changes is one deleted and one inserted there.
    case updated
    case deleted
  }

  /// A column's content on one side of a change.
  package enum Part: Sendable, Equatable {
    /// This was, or is, stored; `nil` is NULL.
    case stored(StoredValue?)
    /// There is no such row on this side; or, in a changeset, an update left the column as it was.
    case absent
  }

  init(
    table: String, operation: Operation, isIndirect: Bool, columnCount: Int, record: ChangeRecord,
    path: String
  ) {
    self.table = table
    self.operation = operation
    self.isIndirect = isIndirect
    self.columnCount = columnCount
    self.record = record
    self.path = path
  }

  /// What a column held before, its place counted from 0.
  package func old(_ place: Int) throws -> Part {
    guard operation != .inserted else { return .absent }
    return try part(place) { record.old(Int32(place), &$0) }
  }

  /// What a column holds afterwards, its place counted from 0.
  package func new(_ place: Int) throws -> Part {
    guard operation != .deleted else { return .absent }
    return try part(place) { record.new(Int32(place), &$0) }
  }

  /// What a column of the row that stands in the way holds, as told to a rule for conflicts.
  func present(_ place: Int) throws -> Part {
    try part(place) { record.present(Int32(place), &$0) }
  }

  private func part(_ place: Int, _ read: (inout OpaquePointer?) -> Int32) throws -> Part {
    guard (0..<columnCount).contains(place) else {
      throw DatabaseError(
        code: .misuse, message: "column \(place) of \(columnCount) of \(table)", path: path)
    }
    var value: OpaquePointer?
    let result = read(&value)
    guard result == SQLITE_OK else { throw DatabaseError(result: result, handle: nil, path: path) }
    guard let value else { return .absent }
    return .stored(try StoredValue?(value, path: path))
  }
}

extension RowChange.Operation {
  /// From SQLite's number for it.
  init(_ operation: Int32) {
    self =
      switch operation {
      case SQLITE_INSERT: .inserted
      case SQLITE_DELETE: .deleted
      default: .updated
      }
  }
}

/// Where the values of a changed row are read from.
enum ChangeRecord {
  /// The row that a statement of this connection is about to change.
  case statement(OpaquePointer)
  /// The row of a changeset at which an iterator stands.
  case changeset(OpaquePointer)

  func old(_ place: Int32, _ value: inout OpaquePointer?) -> Int32 {
    switch self {
    case .statement(let handle): sqlite3_preupdate_old(handle, place, &value)
    case .changeset(let iterator): sqlite3changeset_old(iterator, place, &value)
    }
  }

  func new(_ place: Int32, _ value: inout OpaquePointer?) -> Int32 {
    switch self {
    case .statement(let handle): sqlite3_preupdate_new(handle, place, &value)
    case .changeset(let iterator): sqlite3changeset_new(iterator, place, &value)
    }
  }

  func present(_ place: Int32, _ value: inout OpaquePointer?) -> Int32 {
    switch self {
    case .statement: SQLITE_MISUSE
    case .changeset(let iterator): sqlite3changeset_conflict(iterator, place, &value)
    }
  }
}

extension StoredValue? {
  /// A value of SQLite's own.
  fileprivate init(_ value: OpaquePointer, path: String) throws {
    let count = Int(sqlite3_value_bytes(value))
    switch sqlite3_value_type(value) {
    case SQLITE_INTEGER: self = .integer(sqlite3_value_int64(value))
    case SQLITE_FLOAT: self = .real(sqlite3_value_double(value))
    case SQLITE_TEXT:
      let bytes = UnsafeBufferPointer(start: sqlite3_value_text(value), count: count)
      guard let text = String(validating: bytes, as: UTF8.self) else {
        throw DatabaseError(
          code: .wrongType, message: "a changed row: the text is not UTF-8", path: path)
      }
      self = .text(text)
    case SQLITE_BLOB:
      let start = sqlite3_value_blob(value)
      self = .blob(Array(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count)))
    default: self = nil
    }
  }
}
