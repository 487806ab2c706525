import Foundation
@testable import RecordSync
import SyncDatabase
import TestSupport
import XCTest

/// What tests of schemas share: databases made from their statements.
class SchemaTestCase: XCTestCase {
  /// A new database with these tables (``ShortSQL``).
  func database(_ statements: String) throws -> Connection {
    let directory = try temporaryFolder()
    var options = ConnectionOptions()
    options.synchronous = .off
    options.journal = .rollback
    options.trustsSchema = true
    let connection = try Connection(
      path: directory.appending(path: "test.sqlite").path, options: options)
    let text = ShortSQL.statements(statements).joined(separator: ";")
    try connection.transaction { try connection.execute(written: text) }
    return connection
  }

  /// What is understood of such a database.
  func schema(
    _ statements: String, _ adjust: (inout SchemaOverrides) -> Void = { _ in }
  ) throws -> RecordSchema {
    var overrides = SchemaOverrides()
    adjust(&overrides)
    return try SchemaReader.read(try database(statements), overrides: overrides)
  }

  /// Asserts that reading such a database fails with this problem.
  func assertProblem(
    _ expected: SchemaProblem, line: UInt = #line, _ statements: String,
    _ adjust: (inout SchemaOverrides) -> Void
  ) {
    XCTAssertThrowsError(try schema(statements, adjust), line: line) { error in
      XCTAssertEqual(error as? SchemaProblem, expected, line: line)
    }
  }
}

extension RecordSchema {
  /// The table of this name.
  func table(_ name: String, line: UInt = #line) throws -> TableSchema {
    tables[try XCTUnwrap(place(of: name), name, line: line)]
  }

  /// The lines about a table, as people see them: its heading, its columns, its relations.
  func lines(_ table: String) throws -> [String] {
    let name = try self.table(table).name
    let paragraph = text.components(separatedBy: "\n\n").first { $0.hasPrefix(name + ": ") }
    return try XCTUnwrap(paragraph).split(separator: "\n").map(String.init)
  }

  /// The relations of a table in words: `company: one companies, by company_id`.
  func relations(_ name: String) throws -> [String] {
    let table = try table(name)
    return try lines(name).suffix(table.relations.count).map { line in
      let words = line.split(separator: "  ", maxSplits: 1).map {
        $0.trimmingCharacters(in: .whitespaces)
      }
      return words.joined(separator: ": ")
    }
  }

  /// What a name means to a table: the column or the relation, a star behind the name of one whose
  /// keys come; `nil` for nothing.
  func meaning(_ name: String, in table: String) throws -> String? {
    let map = members[try XCTUnwrap(place(of: table))]
    guard let meaning = meaning(of: Array(name.utf8), in: map) else { return nil }
    return describe(meaning)
  }

  /// What the end of a path means.
  func meaning(path: [String], in table: String) throws -> String? {
    var map = members[try XCTUnwrap(place(of: table))]
    for name in path.dropLast() {
      map = try XCTUnwrap(meaning(of: Array(name.utf8), in: map)?.inside)
    }
    return try meaning(of: Array(XCTUnwrap(path.last).utf8), in: map).map(describe)
  }

  private func describe(_ meaning: MemberMap.Meaning) -> String {
    var parts: [String] = []
    if let place = meaning.column {
      parts.append(tables[place.table].name + "." + tables[place.table].columns[place.column].name)
    }
    if let place = meaning.relation {
      let relation = tables[place.table].relations[place.relation]
      parts.append("→ " + relation.name + (place.isKeys ? "*" : ""))
    }
    if meaning.inside != nil { parts.append("{}") }
    if meaning.problem != nil { parts.append("!") }
    return parts.joined(separator: " ")
  }
}
