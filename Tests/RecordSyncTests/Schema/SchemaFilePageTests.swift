import Foundation
import SyncText
import TestSupport
import XCTest
@testable import RecordSync

/// Pages of the documentation hold: the one on the schema file, whose schema takes and refuses what
/// the reader takes and refuses, and the guide for apps.
final class SchemaFilePageTests: XCTestCase {
  private func blocks() throws -> [String] {
    let path = "Sources/OneWaySynchronizer/OneWaySynchronizer.docc/SchemaFile.md"
    let page = try readText(Programs.package.appending(path: path))
    return page.split(separator: "\n```").filter { $0.hasPrefix("json\n") }
      .map { String($0.dropFirst("json\n".count)) }
  }

  private func schema() throws -> SchemaCheck {
    SchemaCheck(schema: try value(try XCTUnwrap(blocks().last)))
  }

  private func value(_ text: String) throws -> JSONValue {
    let bytes = Array(text.utf8)
    return try JSONValue(bytes, in: 0..<bytes.count, nesting: 32)
  }

  func testTheExampleIsReadAndFitsTheSchema() throws {
    let example = try XCTUnwrap(blocks().first)
    let overrides = try SchemaOverrides(json: Array(example.utf8))
    XCTAssertEqual(overrides.tables["users"]?.columns["age"]?.name, "person.age")
    XCTAssertEqual(overrides.tables["logs"]?.key, ["device", "number"])
    XCTAssertEqual(try schema().complaints(about: try value(example)), [])
  }

  /// Each member with each kind of value, and a word that isn't known.
  func testTheSchemaTakesWhatTheReaderTakes() throws {
    let places = [
      ("", ["acronyms", "rememberUnresolved", "deletedAt", "history", "tables", "odd"]),
      (
        #""tables":{"t":{"#,
        [
          "key", "position", "edits", "deletedAt", "history", "unknown", "columns", "relations",
          "odd",
        ]
      ),
      (
        #""tables":{"t":{"columns":{"c":{"#,
        ["name", "export", "ignoreNull", "transform", "date", "kind", "odd"]
      ),
      (
        #""tables":{"t":{"relations":{"r":{"#,
        ["name", "table", "column", "through", "position", "perParent", "odd"]
      ),
    ]
    let words = Transformer.names + ColumnType.Kind.named.map(\.name) + ["freeze", "seconds"]
    let values =
      ["true", "1", "null", "[]", "{}", #"["a"]"#, "[1]", #""?""#] + words.map { "\"\($0)\"" }
    let schema = try schema()
    var (taken, refused) = (0, 0)
    for (start, names) in places {
      for name in names {
        for value in values {
          let end = String(repeating: "}", count: start.count { $0 == "{" })
          let text = "{\(start)\"\(name)\":\(value)\(end)}"
          let isTaken = (try? SchemaOverrides(json: Array(text.utf8))) != nil
          if isTaken { taken += 1 } else { refused += 1 }
          XCTAssertEqual(try schema.complaints(about: self.value(text)) == [], isTaken, text)
        }
      }
    }
    XCTAssertGreaterThan(min(taken, refused), 100)
  }

  func testTheGuideForAppsIsCompiled() throws {
    try assertCompiled(
      "Sources/OneWaySynchronizer/OneWaySynchronizer.docc/UseRecords.md",
      in: "Tests/Clients/Records/RecordsGuideTests.swift")
  }
}
