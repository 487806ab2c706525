import RecordSync
import SyncDatabase

/// A condition in SQL, as a person writes it: the first line; the others are its values.
enum ConditionTarget {
  static func check(_ bytes: [UInt8]) throws {
    let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
    let values: [StoredValue?] = lines.dropFirst().map { line in
      Int64(line.text).map { .integer($0) } ?? .text(line.text)
    }
    // A line break may stand in one, too.
    let text = lines[0].text.replacing("\r", with: "\n")
    let connection = try FuzzedTables.open()
    let (version, changes) = (try Self.version(of: connection), connection.totalChanges)
    do {
      let condition = try connection.condition(text, values: values, over: "notes")
      try run(condition, on: connection)
    } catch let error as RecordError {
      guard case .condition = error else { throw error }
      try requireSentence("\(error)")
    }
    try require(connection.totalChanges == changes, "a condition wrote")
    try require(try Self.version(of: connection) == version, "a condition changed the schema")
    try require(try notes("1", of: connection) == [3, 2, 1], "a condition changed rows")
  }

  /// Whatever it says, it is one operand.
  private static func run(_ condition: SQL, on connection: Connection) throws {
    do {
      try require(try notes("0 AND \(condition)", of: connection) == [], "more than a condition")
      try require(try notes("1 OR \(condition)", of: connection) == [3, 2, 1], "less than one")
    } catch let error as DatabaseError {
      // What only rows tell: a number that overflows, a text that is too long.
      try require([.statement, .other, .misuse].contains(error.code), "\(error)")
    }
  }

  private static func notes(_ condition: SQL, of connection: Connection) throws -> [Int64] {
    try connection.rows("SELECT id FROM notes WHERE \(condition) ORDER BY id DESC") {
      try $0.integer(0)
    }
  }

  private static func version(of connection: Connection) throws -> Int64? {
    try connection.row("PRAGMA schema_version") { try $0.integer(0) }
  }
}
