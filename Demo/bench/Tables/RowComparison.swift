import Foundation
import SyncDatabase

/// How the rows of a database differ from those that it has to hold.
struct RowComparison {
  /// The database that holds exactly what is wanted.
  let wanted: URL
  let tables: [RecordTable]
  /// What gives a table's rows where a contender keeps them in its own way, by the table's name.
  var views: [String: String] = [:]

  /// How many rows are missing, too many or not as they should be.
  func differences(in database: URL) throws -> Int {
    var options = ConnectionOptions()
    (options.access, options.journal) = (.readWrite, .asItIs)
    let connection = try Connection(path: database.path, options: options)
    let journal = try connection.rows("PRAGMA journal_mode") { try $0.text(0) }
    guard journal == ["wal"] else {
      throw BenchProblem(
        description: "\(database.path): its journal is \(journal), and not everybody's (wal)")
    }
    try connection.run("ATTACH ?1 AS wanted", wanted.path)
    return try tables.reduce(0) { try $0 + differences(of: $1, connection) }
  }

  private func differences(of table: RecordTable, _ connection: Connection) throws -> Int {
    let columns = table.columns.joined(separator: ", ")
    let found = views[table.name] ?? "SELECT \(columns) FROM main.\(table.name)"
    let isSameRow = Self.all(table.columns.prefix(table.keyWidth)) { "found.\($0) = other.\($0)" }
    let isEqual = Self.all(table.columns[...]) { "found.\($0) IS other.\($0)" }
    let text = """
      WITH found AS (\(found)), other AS (SELECT \(columns) FROM wanted.\(table.name))
      SELECT
        (SELECT count(*) FROM other LEFT JOIN found ON \(isSameRow) WHERE NOT (\(isEqual))),
        (SELECT count(*) FROM found LEFT JOIN other ON \(isSameRow)
          WHERE other.\(table.columns[0]) IS NULL),
        (SELECT count(*) FROM found) - (SELECT count(*) FROM other)
      """
    let counts = try connection.rows(SQL(written: text, values: [])) { row in
      (try row.integer(0), try row.integer(1), try row.integer(2))
    }
    // Rows that are there twice show in their number alone.
    return counts.reduce(0) { $0 + Int(max($1.0 + $1.1, abs($1.2))) }
  }

  private static func all(_ columns: ArraySlice<String>, _ part: (String) -> String) -> String {
    columns.map(part).joined(separator: " AND ")
  }
}
