private import CSyncSQLite

/// What happened to rows: it can be kept in a file, read, turned round and applied.
///
/// The format is SQLite's own (sqlite.org, "The Session Extension"), the same on all systems,
/// behind a checksum. SQLite believes such bytes whatever they say: one flipped bit made it count
/// columns for minutes.
package struct Changeset: Sendable, Equatable {
  let bytes: [UInt8]

  /// A changeset that SQLite has made just now.
  init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// One that was kept; throws `.damaged` if that isn't what ``kept`` gave.
  package init(kept: [UInt8]) throws {
    bytes = Array(kept.dropFirst(8))
    guard kept.starts(with: Self.checksum(of: bytes)) else {
      throw DatabaseError(
        code: .damaged, message: "its bytes aren't those that were kept", path: Self.name)
    }
  }

  /// The bytes to be kept in a file or elsewhere.
  package var kept: [UInt8] { Self.checksum(of: bytes) + bytes }

  package static let empty = Changeset(bytes: [])

  /// Whether nothing changed.
  package var isEmpty: Bool { bytes.isEmpty }

  /// What takes the changes back.
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
    try walk { iterator in
      guard let change = RowChange(iterator, path: Self.name) else {
        throw Self.error(SQLITE_CORRUPT)
      }
      try body(change)
    }
  }

  /// Moves an iterator over all changes.
  func walk(_ body: (OpaquePointer) throws -> Void) throws {
    var bytes = bytes
    try bytes.withUnsafeMutableBytes { buffer in
      var iterator: OpaquePointer?
      let opened = sqlite3changeset_start(
        &iterator, Int32(clamping: buffer.count), buffer.baseAddress)
      guard opened == SQLITE_OK, let iterator else { throw Self.error(opened) }
      defer { sqlite3changeset_finalize(iterator) }
      while true {
        switch sqlite3changeset_next(iterator) {
        case SQLITE_ROW: try body(iterator)
        case SQLITE_DONE: return
        case let result: throw Self.error(result)
        }
      }
    }
  }

  /// What errors name instead of a file.
  private static let name = "(a changeset)"

  private static func checksum(of bytes: [UInt8]) -> [UInt8] {
    var checksum = RowChecksum()
    bytes.withUnsafeBytes { checksum.add($0) }
    return withUnsafeBytes(of: checksum.value.littleEndian, Array.init)
  }

  private static func error(_ result: Int32) -> DatabaseError {
    DatabaseError(result: result, handle: nil, path: name)
  }
}

extension RowChange {
  /// The change at which an iterator stands; `nil` when it stands at none.
  init?(_ iterator: OpaquePointer, path: String) {
    var table: UnsafePointer<CChar>?
    var (columns, operation, isIndirect) = (Int32(0), Int32(0), Int32(0))
    let result = sqlite3changeset_op(iterator, &table, &columns, &operation, &isIndirect)
    guard result == SQLITE_OK, let table else { return nil }
    self.init(
      table: String(cString: table), operation: Operation(operation), isIndirect: isIndirect != 0,
      columnCount: Int(columns), record: .changeset(iterator), path: path)
  }
}
