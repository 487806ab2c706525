@testable import RecordSync
import TestSupport
import XCTest

/// Overrides that stand in a file.
final class SchemaFileTests: SchemaTestCase {
  private func overrides(_ text: String) throws -> SchemaOverrides {
    try SchemaFile.overrides(in: Array(text.utf8))
  }

  func testAFileSaysAllThatAProgramCan() throws {
    var expected = SchemaOverrides()
    expected.acronyms = ["gps", "vat"]
    expected.remembersUnresolved = true
    expected.table("users") { users in
      users.key = ["remote_id"]
      users.position = "place"
      users.edits = "dirty"
      users.unknown = .extra
      users.column("age") {
        $0.name = "person.age"
        $0.export = false
        $0.ignoreNull = true
        $0.transform = Transformer.named("html-entities")
        $0.date = .seconds
        $0.kind = .integer
      }
      users.relation("tags") {
        $0.name = "labels"
        $0.table = "tags"
        $0.through = "user_tags"
        $0.column = "user_id"
        $0.position = "place"
        $0.perParent = false
      }
    }
    expected.table("cells") { $0.key = ["x", "y"] }
    let text = """
      {"acronyms": ["gps", "vat"], "rememberUnresolved": true, "tables": {
        "users": {"key": "remote_id", "position": "place", "edits": "dirty", "unknown": "extra",
          "columns": {"age": {"name": "person.age", "export": false, "ignoreNull": true,
            "transform": "html-entities", "date": "seconds", "kind": "integer"}},
          "relations": {"tags": {"name": "labels", "table": "tags", "through": "user_tags",
            "column": "user_id", "position": "place", "perParent": false}}},
        "cells": {"key": ["x", "y"]}}}
      """
    XCTAssertEqual(try overrides(text), expected)
    XCTAssertEqual(try overrides("\u{FEFF}" + text), expected)
  }

  func testAnEmptyFileOfJSONSaysNothing() throws {
    XCTAssertEqual(try overrides("{}"), SchemaOverrides())
    XCTAssertEqual(try overrides(#"{"tables": {"t": {}}}"#).tables, ["t": .init()])
  }

  func testWhatIsNotUnderstoodIsAnErrorThatSaysWhere() {
    let rows: [(String, SchemaProblem)] = [
      ("[]", .file(.expected("an object"), at: "")),
      (#"{"table": {}}"#, .file(.unknownMember("table"), at: "")),
      (#"{"tables": []}"#, .file(.expected("an object"), at: "tables")),
      (#"{"tables": {"a": {"keys": "x"}}}"#, .file(.unknownMember("keys"), at: "tables.a")),
      (
        #"{"tables": {"a": {"key": 1}}}"#,
        .file(.expected("a text or a list of texts"), at: "tables.a.key")
      ),
      (
        #"{"tables": {"a": {"key": []}}}"#,
        .file(.expected("a text or a list of texts"), at: "tables.a.key")
      ),
      (
        #"{"tables": {"a": {"columns": {"b": {"export": "no"}}}}}"#,
        .file(.expected("true or false"), at: "tables.a.columns.b.export")
      ),
      (
        #"{"tables": {"a": {"columns": {"b": {"name": null}}}}}"#,
        .file(.expected("a text"), at: "tables.a.columns.b.name")
      ),
      (
        #"{"tables": {"a": {"columns": {"b": {"nmae": "c"}}}}}"#,
        .file(.unknownMember("nmae"), at: "tables.a.columns.b")
      ),
      (
        #"{"tables": {"a": {"relations": {"b": {"export": true}}}}}"#,
        .file(.unknownMember("export"), at: "tables.a.relations.b")
      ),
      (
        #"{"tables": {"a": {"unknown": "keep"}}}"#,
        .file(.unknownWord("keep", known: ["evolve", "freeze", "extra"]), at: "tables.a.unknown")
      ),
      (
        #"{"tables": {"a": {"columns": {"b": {"date": "days"}}}}}"#,
        .file(
          .unknownWord("days", known: ["text", "milliseconds", "seconds"]),
          at: "tables.a.columns.b.date")
      ),
      (
        #"{"tables": {"a": {"columns": {"b": {"transform": "rot13"}}}}}"#,
        .file(.unknownWord("rot13", known: Transformer.names), at: "tables.a.columns.b.transform")
      ),
      (#"{"acronyms": ["a", 1]}"#, .file(.expected("a list of texts"), at: "acronyms")),
      (#"{"rememberUnresolved": 1}"#, .file(.expected("true or false"), at: "rememberUnresolved")),
    ]
    for (text, problem) in rows { assertThrows(problem, try overrides(text), text) }
  }

  func testAFileThatIsNoJSONIsAnErrorThatSaysAtWhichByte() {
    for text in ["", "{", "{\"tables\": {}, }", "{} {}", #"{"tables": {"a": {}, "a": {}}}"#] {
      XCTAssertThrowsError(try overrides(text), text) { error in
        guard case .file(.notJSON(_, let offset), at: "")? = error as? SchemaProblem else {
          return XCTFail("\(error)")
        }
        XCTAssertLessThanOrEqual(offset, text.utf8.count)
      }
    }
  }
}
