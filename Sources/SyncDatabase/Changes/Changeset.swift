private import CSyncSQLite

/// What happened to rows: it can be kept in a file, read and turned round.
///
/// The format is SQLite's own (sqlite.org, "The Session Extension"), the same on all systems,
/// behind a checksum. SQLite believes such bytes whatever they say: one flipped bit made it count
/// columns for minutes.
package struct Changeset: Sendable, Equatable {
  let bytes: [UInt8]
  /// What a program keeps with it. Default nothing.
  package var note: [UInt8] = []

  /// A changeset that SQLite has made just now.
  init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// One that was kept; throws `.damaged` if that isn't what ``kept`` gave.
  package init(kept: [UInt8]) throws {
    let isNoted = kept.starts(with: Self.mark)
    let sealed = isNoted ? kept.dropFirst(Self.mark.count) : kept[...]
    let rest = Array(sealed.dropFirst(8))
    let count = isNoted ? rest.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) } : 0
    let start = isNoted ? 4 + count : 0
    guard sealed.starts(with: Self.checksum(of: rest)), start <= rest.count else {
      throw DatabaseError(
        code: .damaged, message: "its bytes aren't those that were kept", path: Self.name)
    }
    bytes = Array(rest[start...])
    if isNoted { note = Array(rest[4..<start]) }
  }

  /// The bytes to be kept. Without a note, they are what versions before notes keep and read.
  package var kept: [UInt8] {
    guard !note.isEmpty else { return Self.checksum(of: bytes) + bytes }
    let count = UInt32(note.count).littleEndian
    let rest = withUnsafeBytes(of: count, Array.init) + note + bytes
    return Self.mark + Self.checksum(of: rest) + rest
  }

  /// What a changeset with a note begins with.
  private static let mark = Array("changes with a note\n".utf8)

  package static let empty = Changeset(bytes: [])

  package var isEmpty: Bool { bytes.isEmpty }

  package func inverted() throws -> Changeset {
    var count: Int32 = 0
    var start: UnsafeMutableRawPointer?
    let result = bytes.withUnsafeBytes {
      sqlite3changeset_invert(Int32(clamping: $0.count), $0.baseAddress, &count, &start)
    }
    defer { sqlite3_free(start) }
    guard result == SQLITE_OK else { throw Self.error(result) }
    return Changeset(bytes: Array(UnsafeRawBufferPointer(start: start, count: Int(count))))
  }

  /// Hands every change to `body`: table after table, and within one in no order.
  package func forEach(_ body: (borrowing RowChange) throws -> Void) throws {
    guard !isEmpty else { return }
    var bytes = bytes
    try bytes.withUnsafeMutableBytes { buffer in
      var iterator: OpaquePointer?
      let opened = sqlite3changeset_start(
        &iterator, Int32(clamping: buffer.count), buffer.baseAddress)
      guard opened == SQLITE_OK, let iterator else { throw Self.error(opened) }
      defer { sqlite3changeset_finalize(iterator) }
      while true {
        switch sqlite3changeset_next(iterator) {
        case SQLITE_ROW: try body(RowChange(iterator))
        case SQLITE_DONE: return
        case let result: throw Self.error(result)
        }
      }
    }
  }

  /// What errors name instead of a file.
  fileprivate static let name = "(a changeset)"

  private static func checksum(of bytes: [UInt8]) -> [UInt8] {
    var checksum = RowChecksum()
    bytes.withUnsafeBytes { checksum.add($0) }
    return withUnsafeBytes(of: checksum.value.littleEndian, Array.init)
  }

  fileprivate static func error(_ result: Int32) -> DatabaseError {
    DatabaseError(result: result, handle: nil, path: name)
  }
}

/// A row that was inserted, updated or deleted, valid only within the closure that it is given to
/// (it can't be copied out).
package struct RowChange: ~Copyable {
  package let table: String
  package let operation: Operation
  package let columnCount: Int
  /// Stands at the row's change.
  private let iterator: OpaquePointer

  package enum Operation: Sendable, Equatable {
    case inserted
    /// Some of its columns are others, never those of its key: a row whose key changes is one
    /// deleted and one inserted.
    case updated
    case deleted
  }

  fileprivate init(_ iterator: OpaquePointer) throws {
    var table: UnsafePointer<CChar>?
    var (columns, number, isIndirect) = (Int32(0), Int32(0), Int32(0))
    let result = sqlite3changeset_op(iterator, &table, &columns, &number, &isIndirect)
    guard result == SQLITE_OK, let table else { throw Changeset.error(SQLITE_CORRUPT) }
    self.table = String(cString: table)
    operation =
      switch number {
      case SQLITE_INSERT: .inserted
      case SQLITE_DELETE: .deleted
      default: .updated
      }
    columnCount = Int(columns)
    self.iterator = iterator
  }

  /// What a column held before, its place counted from 0; an inner `nil` is NULL. `nil` where there
  /// was no such row, and where an update left the column as it was.
  package func old(_ place: Int) throws -> StoredValue?? {
    operation == .inserted ? nil : try part(place, sqlite3changeset_old)
  }

  /// What a column holds afterwards, as ``old(_:)``.
  package func new(_ place: Int) throws -> StoredValue?? {
    operation == .deleted ? nil : try part(place, sqlite3changeset_new)
  }

  private func part(
    _ place: Int,
    _ read: (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Int32
  ) throws -> StoredValue?? {
    guard (0..<columnCount).contains(place) else {
      throw DatabaseError(
        code: .misuse, message: "column \(place) of \(columnCount) of \(table)",
        path: Changeset.name)
    }
    var value: OpaquePointer?
    let result = read(iterator, Int32(place), &value)
    guard result == SQLITE_OK else { throw Changeset.error(result) }
    guard let value else { return nil }
    return .some(try StoredValue?(value))
  }
}

extension StoredValue? {
  fileprivate init(_ value: OpaquePointer) throws {
    let count = Int(sqlite3_value_bytes(value))
    switch sqlite3_value_type(value) {
    case SQLITE_INTEGER: self = .integer(sqlite3_value_int64(value))
    case SQLITE_FLOAT: self = .real(sqlite3_value_double(value))
    case SQLITE_TEXT:
      let bytes = UnsafeBufferPointer(start: sqlite3_value_text(value), count: count)
      guard let text = String(validating: bytes, as: UTF8.self) else {
        throw DatabaseError(
          code: .wrongType, message: "a changed row: the text is not UTF-8",
          path: Changeset.name)
      }
      self = .text(text)
    case SQLITE_BLOB:
      let start = sqlite3_value_blob(value)
      self = .blob(Array(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count)))
    default: self = nil
    }
  }
}
