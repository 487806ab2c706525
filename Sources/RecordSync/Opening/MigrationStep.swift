import SyncDatabase

/// What a migration may do with the database, as long as it runs. Statements that begin or end a
/// transaction are errors.
public struct MigrationStep {
  let connection: Connection

  /// Runs any number of statements. Never put a text together from what came from elsewhere.
  public func execute(_ statements: String) throws {
    try connection.execute(written: statements)
  }

  /// Runs one statement with values for its `?`.
  ///
  /// - Returns: How many rows it inserted, changed or deleted.
  @discardableResult
  public func run(_ statement: String, _ values: [RecordValue] = []) throws -> Int {
    try connection.run(SQL(written: statement, values: []), values: values.map(\.stored))
  }

  /// The rows of a query, each with its values in the order of the result's columns.
  public func rows(_ query: String, _ values: [RecordValue] = []) throws -> [[RecordValue]] {
    var rows: [[RecordValue]] = []
    try connection.query(
      SQL(written: query, values: []), values: values.map(\.stored)
    ) { row in
      rows.append(try (0..<row.columnCount).map { RecordValue(try row.value(Column(at: $0))) })
    }
    return rows
  }
}
