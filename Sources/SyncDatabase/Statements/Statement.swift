private import CSyncSQLite

/// A prepared statement: one SQL text, compiled once, run many times.
///
/// Internal to this target: a ``Connection`` prepares, binds, steps and resets.
final class Statement {
  let handle: OpaquePointer
  let sql: SQL.Text
  let path: String
  /// Whether rows of it are being read; a second use at that time needs a statement of its own.
  var isRunning = false
  var lastUse: UInt64 = 0

  // Beside the object: reading a property of a class costs more than the look-up itself, as Swift
  // checks at run time that nobody else changes it.
  private let columns: UnsafeMutablePointer<NamedColumns>
  private var compilations: Int32 = 0

  /// Compiles `sql`, which must be exactly one statement.
  init(_ sql: SQL.Text, database: OpaquePointer, path: String) throws {
    var handle: OpaquePointer?
    let (result, isAlone) = sql.withCText { text, count in
      var tail: UnsafePointer<CChar>?
      let result = sqlite3_prepare_v3(
        database, text, Int32(clamping: count + 1), UInt32(SQLITE_PREPARE_PERSISTENT), &handle,
        &tail)
      // SQLite compiles the first statement and says nothing of the others: they would never run.
      return (result, tail.map { Statement.isBlank($0) } ?? true)
    }
    guard result == SQLITE_OK else {
      throw DatabaseError(result: result, handle: database, sql: sql.string, path: path)
    }
    guard let handle else {
      throw DatabaseError(
        code: .misuse, message: "no statement in the text", sql: sql.string, path: path)
    }
    self.handle = handle
    self.sql = sql
    self.path = path
    columns = .allocate(capacity: 1)
    columns.initialize(to: NamedColumns())
    guard isAlone else {
      throw misuse("more than one statement in the text")
    }
  }

  deinit {
    sqlite3_finalize(handle)
    columns.deinitialize(count: 1)
    columns.deallocate()
  }

  func step() throws -> Bool {
    switch sqlite3_step(handle) {
    case SQLITE_ROW: true
    case SQLITE_DONE: false
    case let result: throw failure(result)
    }
  }

  /// Forgets where columns were if SQLite has compiled the statement anew, as it does by itself
  /// with the first step after a change of the schema: `*` then gives other columns.
  func noticeRecompilation() {
    let count = sqlite3_stmt_status(handle, SQLITE_STMTSTATUS_REPREPARE, 0)
    guard count != compilations else { return }
    compilations = count
    columns.pointee = NamedColumns()
  }

  /// The place of a column, whose existence is checked only if it is given by its name.
  func place(of column: Column) throws -> Int32 {
    guard let name = column.start else { return Int32(clamping: column.number) }
    return try columns.pointee.place(of: name, column.number) ?? find(name, column.number)
  }

  /// Makes the statement ready to run again and lets go of the values.
  func reset() {
    // The result repeats the error of the last step, which has been thrown already.
    sqlite3_reset(handle)
    sqlite3_clear_bindings(handle)
  }

  func misuse(_ message: String) -> DatabaseError {
    DatabaseError(code: .misuse, message: message, sql: sql.string, path: path)
  }

  func failure(_ result: Int32) -> DatabaseError {
    DatabaseError(
      result: result, handle: sqlite3_db_handle(handle), sql: sql.string, path: path)
  }

  private func find(_ name: UnsafePointer<UInt8>, _ count: Int) throws -> Int32 {
    let wanted = String(decoding: UnsafeBufferPointer(start: name, count: count), as: UTF8.self)
    let places = (0..<sqlite3_column_count(handle)).filter { place in
      sqlite3_column_name(handle, place).map { String(cString: $0) } == wanted
    }
    guard let place = places.first, places.count == 1 else {
      throw DatabaseError(
        code: .statement,
        message: "its result has \(places.isEmpty ? "no" : "more than one") column \(wanted)",
        sql: sql.string, path: path)
    }
    columns.pointee.add(name, count, at: place)
    return place
  }

  private static func isBlank(_ text: UnsafePointer<CChar>) -> Bool {
    var next = text
    while next.pointee != 0 {
      guard [0x20, 0x09, 0x0a, 0x0d, 0x3b].contains(next.pointee) else { return false }
      next += 1
    }
    return true
  }
}

extension SQL.Text {
  /// Its characters, with a NUL behind them.
  func withCText<Result>(_ body: (UnsafePointer<CChar>, _ count: Int) -> Result) -> Result {
    switch self {
    case .literal(let literal):
      body(
        UnsafeRawPointer(literal.utf8Start).assumingMemoryBound(to: CChar.self),
        literal.utf8CodeUnitCount)
    case .composed(let text): text.string.withCString { body($0, text.string.utf8.count) }
    }
  }
}
