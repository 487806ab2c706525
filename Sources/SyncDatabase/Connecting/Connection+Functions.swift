private import CSyncSQLite

/// A function of a program's own that statements may call.
///
/// The same arguments always give the same value, so that an index may be made of it. A file with
/// such an index is read without the function, and can't be written without it.
package struct SQLFunction: Sendable {
  let name: StaticString
  let count: Int
  let body: @Sendable (borrowing SQLArguments) throws -> StoredValue?

  /// A function of so many arguments. What `body` throws is an error of the statement.
  package init(
    _ name: StaticString, arguments count: Int,
    body: @escaping @Sendable (borrowing SQLArguments) throws -> StoredValue?
  ) {
    self.name = name
    self.count = count
    self.body = body
  }
}

/// What a function is called with, valid only within the call.
package struct SQLArguments: ~Copyable {
  private let values: UnsafeMutablePointer<OpaquePointer?>?
  private let count: Int

  fileprivate init(_ values: UnsafeMutablePointer<OpaquePointer?>?, _ count: Int) {
    self.values = values
    self.count = count
  }

  /// The bytes of a text in UTF-8, or of a blob, counted from 0; `nil` for NULL and numbers.
  package func bytes(_ place: Int) -> UnsafeBufferPointer<UInt8>? {
    guard (0..<count).contains(place), let value = values?[place] else { return nil }
    switch sqlite3_value_type(value) {
    case SQLITE_TEXT:
      // Asked for first, since it may change how the text is kept.
      let start = sqlite3_value_text(value)
      return UnsafeBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
    case SQLITE_BLOB:
      let start = sqlite3_value_blob(value)?.assumingMemoryBound(to: UInt8.self)
      return UnsafeBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
    default: return nil
    }
  }
}

extension Connection {
  package func define(_ function: SQLFunction) throws {
    let context = Unmanaged.passRetained(FunctionBody(function)).toOpaque()
    let traits = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS
    // Where this fails, too, SQLite lets go of the context.
    let result = sqlite3_create_function_v2(
      handle, function.name.description, Int32(function.count), traits, context,
      { call, count, values in
        guard let context = sqlite3_user_data(call) else { return }
        let body = Unmanaged<FunctionBody>.fromOpaque(context).takeUnretainedValue()
        body.answer(call, SQLArguments(values, Int(count)))
      }, nil, nil, { context in context.map { Unmanaged<FunctionBody>.fromOpaque($0).release() } })
    try check(result)
  }
}

private final class FunctionBody {
  private let function: SQLFunction

  init(_ function: SQLFunction) {
    self.function = function
  }

  func answer(_ call: OpaquePointer?, _ arguments: borrowing SQLArguments) {
    do {
      Self.give(try function.body(arguments), to: call)
    } catch {
      sqlite3_result_error(call, "\(function.name): \(error)", -1)
    }
  }

  private static func give(_ value: StoredValue?, to call: OpaquePointer?) {
    switch value {
    case nil: sqlite3_result_null(call)
    case .integer(let number): sqlite3_result_int64(call, number)
    case .real(let number): sqlite3_result_double(call, number)
    case .text(let text):
      sqlite3_result_text(
        call, text, Int32(clamping: text.utf8.count), csync_sqlite_transient())
    case .blob(let bytes):
      guard !bytes.isEmpty else { return sqlite3_result_zeroblob(call, 0) }
      sqlite3_result_blob64(call, bytes, UInt64(bytes.count), csync_sqlite_transient())
    }
  }
}
