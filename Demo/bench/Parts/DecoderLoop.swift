import CSyncSQLite
import Foundation

/// What one writes by hand in Swift: objects decoded into a type, and one prepared statement.
enum DecoderLoop {
  private struct Item: Decodable {
    var id: Int64
    var name: String
    var email: String
    var age: Int64
    var score: Double
    var city: String
    var updated: String
  }

  private static let statement = """
    INSERT INTO items (id, name, email, age, score, city, updated) VALUES (?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (id) DO UPDATE SET name = excluded.name, email = excluded.email,
    age = excluded.age, score = excluded.score, city = excluded.city, updated = excluded.updated
    WHERE name IS NOT excluded.name OR email IS NOT excluded.email OR age IS NOT excluded.age
    OR score IS NOT excluded.score OR city IS NOT excluded.city
    OR updated IS NOT excluded.updated
    """

  static func run(_ file: String, into path: String) throws -> RecordPart.Finding {
    var handle: OpaquePointer?
    guard sqlite3_open(path, &handle) == SQLITE_OK, let handle else {
      throw BenchProblem(description: "\(path) can't be opened")
    }
    defer { sqlite3_close(handle) }
    let synchronous = try synchronous(handle)
    let data = try Data(contentsOf: URL(filePath: file))
    let began = ContinuousClock.now
    try write(try JSONDecoder().decode([Item].self, from: data), handle)
    let seconds = (ContinuousClock.now - began) / .seconds(1)
    return RecordPart.Finding(seconds: seconds, synchronous: synchronous)
  }

  private static func write(_ items: [Item], _ handle: OpaquePointer) throws {
    var insert: OpaquePointer?
    defer { sqlite3_finalize(insert) }
    try require(sqlite3_exec(handle, "BEGIN IMMEDIATE", nil, nil, nil) == SQLITE_OK, handle)
    try require(sqlite3_prepare_v2(handle, statement, -1, &insert, nil) == SQLITE_OK, handle)
    for item in items {
      sqlite3_bind_int64(insert, 1, item.id)
      bind(item.name, 2, insert)
      bind(item.email, 3, insert)
      sqlite3_bind_int64(insert, 4, item.age)
      sqlite3_bind_double(insert, 5, item.score)
      bind(item.city, 6, insert)
      bind(item.updated, 7, insert)
      try require(sqlite3_step(insert) == SQLITE_DONE, handle)
      sqlite3_reset(insert)
    }
    try require(sqlite3_exec(handle, "COMMIT", nil, nil, nil) == SQLITE_OK, handle)
  }

  private static func bind(_ text: String, _ place: Int32, _ insert: OpaquePointer?) {
    sqlite3_bind_text(insert, place, text, -1, csync_sqlite_transient())
  }

  private static func synchronous(_ handle: OpaquePointer) throws -> Int {
    var query: OpaquePointer?
    defer { sqlite3_finalize(query) }
    try require(
      sqlite3_prepare_v2(handle, "PRAGMA synchronous", -1, &query, nil) == SQLITE_OK, handle)
    try require(sqlite3_step(query) == SQLITE_ROW, handle)
    return Int(sqlite3_column_int(query, 0))
  }

  private static func require(_ holds: Bool, _ handle: OpaquePointer) throws {
    guard !holds else { return }
    throw BenchProblem(description: String(cString: sqlite3_errmsg(handle)))
  }
}
