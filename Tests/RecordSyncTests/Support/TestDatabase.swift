import Foundation
@testable import RecordSync
import SyncDatabase
import XCTest

/// A database of a test's own, made from statements (``ShortSQL``), synced by the real store, and read by another
/// connection.
final class TestDatabase: Sendable {
  let path: String
  private let folder: URL

  init(_ statements: String...) throws {
    folder = FileManager.default.temporaryDirectory
      .appending(path: "records-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    path = folder.appending(path: "data.sqlite").path
    let connection = try Connection(path: path, options: Self.asItIs(.create))
    // It is gone with the test, and need not outlive the machine.
    try connection.run("PRAGMA synchronous = OFF")
    for statement in ShortSQL.statements(statements.joined(separator: ";")) {
      try connection.run(SQL(written: statement, values: []))
    }
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// Runs a statement.
  func run(_ statement: String) throws {
    let connection = try Connection(path: path, options: Self.asItIs(.readWrite))
    try connection.run(SQL(written: statement, values: []))
  }

  /// Runs a statement on the database at a path, as another program would.
  static func other(_ path: String, _ statement: String) throws {
    let connection = try Connection(path: path, options: asItIs(.readWrite))
    try connection.run(SQL(written: statement, values: []))
  }

  /// The rows of a query, each as `1|a|NULL`, a blob in hexadecimal.
  func rows(_ query: String) throws -> [String] {
    let connection = try Connection(path: path, options: Self.asItIs(.readOnly))
    var rows: [String] = []
    try connection.query(SQL(written: query, values: []), values: []) { row in
      var parts: [String] = []
      while let value = try? row.value(Column(at: parts.count)) as StoredValue?? {
        parts.append(Self.text(value))
      }
      rows.append(parts.joined(separator: "|"))
    }
    return rows
  }

  /// All rows of a table, in the order of its first column.
  func table(_ name: String) throws -> [String] { try rows("SELECT * FROM \(name) ORDER BY 1") }

  /// Syncs JSON into a table; the elements stand where the path leads.
  @discardableResult
  func sync(
    _ json: String, _ table: String, items path: String? = nil,
    overrides: SchemaOverrides = SchemaOverrides(),
    _ change: (inout RecordOptions) -> Void = { _ in }
  ) async throws -> RecordReport {
    var payload = RecordPayload.text(json)
    if let path { payload.form = .items(try XCTUnwrap(PayloadPath(path))) }
    return try await sync(payload, table, overrides: overrides, change)
  }

  @discardableResult
  func sync(
    _ payload: RecordPayload, _ table: String, overrides: SchemaOverrides = SchemaOverrides(),
    _ change: (inout RecordOptions) -> Void = { _ in }
  ) async throws -> RecordReport {
    var options = RecordOptions()
    change(&options)
    let store = try await RecordStore(path: path, overrides: overrides)
    return try await store.sync(payload, into: table, options: options)
  }

  private static func asItIs(_ access: ConnectionOptions.Access) -> ConnectionOptions {
    var options = ConnectionOptions()
    options.access = access
    options.journal = .asItIs
    return options
  }

  private static func text(_ value: StoredValue?) -> String {
    switch value {
    case nil: "NULL"
    case .integer(let number)?: "\(number)"
    case .real(let number)?: "\(number)"
    case .text(let text)?: text
    case .blob(let bytes)?: bytes.map { String(format: "%02x", $0) }.joined()
    }
  }
}

extension SchemaOverrides {
  /// What is declared of one table.
  static func of(_ table: String, _ change: (inout Table) -> Void) -> SchemaOverrides {
    var overrides = SchemaOverrides()
    overrides.table(table, change)
    return overrides
  }
}
