import SyncDatabase
import TestSupport
import XCTest

@testable import RecordSync

/// What tables have to become for a payload: a decision, of which nothing is done.
final class SchemaGrowthTests: XCTestCase {
  func testEachPayloadHasItsChanges() throws {
    let users = "CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT, age INTEGER)"
    let rows: [(declared: [String], payload: String, changes: [String])] = [
      ([], #"[{"id": 1}]"#, ["table top (id INTEGER): 1 object of the payload"]),
      (
        [], #"[{"id": "a", "n": null}, {"id": 1}]"#,
        ["table top (id TEXT): 2 objects of the payload"]
      ),
      // A mixture of what could be rows and what couldn't is JSON, at whatever depth it is found.
      (
        [], #"[{"id": 1, "a": {"id": 1}}, {"id": 2, "a": {"x": 1}}]"#,
        ["table top (id INTEGER, a JSON): 2 objects of the payload"]
      ),
      (
        [], #"[{"id": 1, "a": {"id": 1}}, {"id": 2, "a": [{"id": 1}]}]"#,
        ["table top (id INTEGER, a JSON): 2 objects of the payload"]
      ),
      (
        [], #"[{"id": 1, "a": [{"id": 1}, null]}]"#,
        ["table top (id INTEGER, a JSON): 1 object of the payload"]
      ),
      (
        [], #"[{"id": 1, "a": [{"id": 1}, 2]}]"#,
        ["table top (id INTEGER, a JSON): 1 object of the payload"]
      ),
      // Keys of rows that stand elsewhere are references to these.
      (
        [], #"[{"id": 1, "a": {"id": 5}}, {"id": 2, "a": 5}]"#,
        [
          "table top (id INTEGER, a_id INTEGER → as): 2 objects of the payload",
          "table as (id INTEGER): 1 object under “a” in top",
        ]
      ),
      (
        [], #"[{"id": 1, "a": {"id": 5}}, {"id": 2, "a": 6}]"#,
        ["table top (id INTEGER, a JSON): 2 objects of the payload"]
      ),
      (
        [], #"[{"id": 1, "top": 2}, {"id": 2, "top": null}]"#,
        ["table top (id INTEGER, top_id INTEGER → top): 2 objects of the payload"]
      ),
      // What is there is taken, and only what it lacks is added.
      (
        [users], #"[{"id": 1, "user": {"id": 1, "Name": "Ann", "age": 5, "shoe": 41}}]"#,
        [
          "table top (id INTEGER, user_id INTEGER → users): 1 object of the payload",
          "column users.shoe INTEGER: 1 value",
        ]
      ),
      (
        [users, "CREATE TABLE top (id INTEGER PRIMARY KEY, user_id INTEGER REFERENCES users)"],
        #"[{"id": 1, "user": {"id": 1, "age": 5.5}, "user_id": 1}]"#,
        ["column users.age REAL, which was INTEGER: values came that it couldn't hold"]
      ),
      (
        ["CREATE TABLE top (id INTEGER PRIMARY KEY, user_id INTEGER)"],
        #"[{"id": 1, "user": {"id": 1}}]"#,
        [
          "table users (id INTEGER): 1 object under “user” in top",
          "column top.user INTEGER → users: 1 object under “user”",
        ]
      ),
      (
        ["CREATE TABLE top (id INTEGER PRIMARY KEY, a INTEGER, b REAL, c TEXT, d BOOLEAN, e JSON)"],
        #"[{"id": 1, "a": 1, "b": 1, "c": "", "d": false, "e": [1], "A": null}]"#, []
      ),
      // A spelling of a column's name is that column, unless both names come.
      (
        ["CREATE TABLE top (id INTEGER PRIMARY KEY, user_name TEXT)"],
        #"[{"id": 1, "userName": "a"}]"#, []
      ),
      (
        ["CREATE TABLE top (id INTEGER PRIMARY KEY, user_name TEXT)"],
        #"[{"id": 1, "userName": "a", "user_name": "b"}]"#, ["column top.userName TEXT: 1 value"]
      ),
      (
        ["CREATE TABLE top (id INTEGER PRIMARY KEY, name TEXT)"],
        #"[{"id": 1, "Name": "a", "name": "b"}]"#, ["column top.Name_2 TEXT for “Name”: 1 value"]
      ),
      (
        ["CREATE TABLE top (id INTEGER PRIMARY KEY, NAME TEXT)"],
        #"[{"id": 1, "Name": "a", "name": "b"}]"#, ["column top.name_2 TEXT for “name”: 1 value"]
      ),
      // A table of that name whose key the objects lack isn't theirs.
      (
        ["CREATE TABLE tags (code TEXT PRIMARY KEY)"], #"[{"id": 1, "tags": [{"id": 1}]}]"#,
        ["table top (id INTEGER, tags JSON): 1 object of the payload"]
      ),
    ]
    for (declared, payload, changes) in rows {
      let found = try decide(declared, payload)
      XCTAssertEqual(found.map(\.description), changes, payload)
    }
  }

  func testIntegersThatNoDoubleHoldsAreAskedForWhereFractionsCome() throws {
    let declared = ["CREATE TABLE top (id INTEGER PRIMARY KEY, n INTEGER)"]
    let payload = #"[{"id": 1, "n": 0.5}]"#
    XCTAssertEqual(try decide(declared, payload, isWide: true), [])
    XCTAssertEqual(
      try decide(declared, payload, isWide: true, isExact: true),
      [.widened(column: "n", table: "top", from: "INTEGER", to: .decimal)])
  }

  func testAPayloadWithoutAnyKeyIsAnError() {
    for payload in [#"[{"a": 1}]"#, "[1]", #"[{"id": null}]"#, #"[{"id": {}}]"#] {
      assertThrows(
        PayloadProblem.withoutKeys(
          table: "top", names: ["id", "_id", "uuid"], elements: 1, first: nil),
        try decide([], payload), payload)
    }
  }

  private func decide(
    _ declared: [String], _ payload: String, isWide: Bool = false, isExact: Bool = false
  ) throws -> [SchemaChange] {
    let connection = try Connection(in: .memory, named: "memory", options: ConnectionOptions())
    for statement in declared { try connection.run(SQL(written: statement, values: [])) }
    var present = try PresentTables(in: connection, SchemaOverrides(), creates: true)
    present.isExact = isExact
    var shape = PayloadShape(keyNames: present.keyNames, present.schema.spelling)
    var reader = PayloadReader(Array(payload.utf8))
    var window = PayloadWindow()
    while try reader.next(&window) {
      for element in window.elements { shape.add(element, in: window.tape) }
    }
    return try SchemaGrowth.changes(for: shape, of: "top", in: present, isWide: { _, _ in isWide })
  }
}
