@testable import RecordSync
import SyncDatabase
import XCTest

/// Two databases with the same tables, of which one goes the fast way; in the other a trigger that
/// does nothing makes them go the usual way.
struct TwoWays {
  private let fast, usual: TestDatabase
  private let overrides: SchemaOverrides
  private let options: (inout RecordOptions) -> Void
  private let sort: (inout TableReport) -> Void

  /// - Parameter sort: Sorts what may come in another order.
  init(
    _ statements: String, trigger table: String, overrides: SchemaOverrides = SchemaOverrides(),
    options: @escaping (inout RecordOptions) -> Void,
    sort: @escaping (inout TableReport) -> Void
  ) throws {
    (fast, usual) = (try TestDatabase(statements), try TestDatabase(statements))
    try usual.run("CREATE TRIGGER silent AFTER DELETE ON \(table) WHEN 0 BEGIN SELECT 1; END")
    (self.overrides, self.options, self.sort) = (overrides, options, sort)
  }

  /// Writes into both, as another program would.
  func edit(_ statement: String?) throws {
    guard let statement else { return }
    for database in [fast, usual] { try database.run(statement) }
  }

  /// Both come to the same: the report, the error and the rows that the queries give.
  func sync(_ json: String, into table: String, reading queries: [String], _ claim: String)
    async throws
  {
    let one = await outcome(of: fast, json, table)
    let other = await outcome(of: usual, json, table)
    XCTAssertEqual(one.status, other.status, claim)
    XCTAssertEqual(one.tables, other.tables, claim)
    XCTAssertEqual(one.error, other.error, claim)
    for query in queries {
      XCTAssertEqual(try fast.rows(query), try usual.rows(query), "\(query), \(claim)")
    }
  }

  private typealias Outcome = (
    status: RecordReport.Status?, tables: [String: TableReport], error: String?
  )

  private func outcome(of database: TestDatabase, _ json: String, _ table: String) async -> Outcome
  {
    do {
      let report = try await database.sync(json, table, overrides: overrides, options)
      let tables = report.tables.mapValues { report in
        var report = report
        sort(&report)
        return report
      }
      return (report.status, tables, nil)
    } catch {
      return (nil, [:], "\(error)")
    }
  }
}

/// How a payload's objects are compared with a table's rows where they stand; nil where the table goes
/// the usual way.
func tapeComparison(
  over connection: Connection, of table: String, overrides: SchemaOverrides = SchemaOverrides()
) throws -> TapeComparison? {
  let schema = try SchemaReader.read(connection, overrides: overrides)
  let place = try XCTUnwrap(schema.place(of: table))
  let tables = try schema.tables.map { try TableAccess($0) }
  return try TapeComparison(schema, place, tables, operations: .all, mayInsert: true, connection)
}

/// What is done with a payload's elements; nil where all go the usual way.
func fates(
  of payload: String, in table: String, over database: TestDatabase,
  overrides: SchemaOverrides = SchemaOverrides()
) throws -> [ComparedWindow.Fate]? {
  let connection = try Connection(path: database.path)
  var comparison = try XCTUnwrap(tapeComparison(over: connection, of: table, overrides: overrides))
  var (window, reader) = (PayloadWindow(), PayloadReader(Array(payload.utf8)))
  XCTAssertTrue(try reader.next(&window))
  return try comparison.compare(window, connection) { _ in }.map { Array($0.fates) }
}
