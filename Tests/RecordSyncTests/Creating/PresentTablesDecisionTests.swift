import SyncDatabase
import TestSupport
import XCTest

@testable import RecordSync

/// What is there already is not decided again.
final class PresentTablesDecisionTests: DecisionTestCase {
  func testWhatIsThereIsTaken() throws {
    let users = "CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT, age INTEGER)"
    try assertDecided([
      // What is there is taken, and only what it lacks is added.
      (
        [users],
        #"[{"id": 1, "user": {"id": 1, "Name": "Ann", "age": 5, "shoe": 41}}]"#,
        [
          "table top (id INTEGER, user_id INTEGER → users): 1 object of the payload",
          "column users.shoe INTEGER: 1 value",
          "relation top.user: rows of users, named by user_id: 1 object, those of one key the "
            + "same wherever they stand",
        ]
      ),
      (
        [users, "CREATE TABLE top (id INTEGER PRIMARY KEY, user_id INTEGER REFERENCES users)"],
        #"[{"id": 1, "user": {"id": 1, "age": 5.5}, "user_id": 1}]"#,
        [
          "column users.age REAL, which was INTEGER: values came that it couldn't hold"
        ]
      ),
      (
        ["CREATE TABLE top (id INTEGER PRIMARY KEY, user_id INTEGER)"],
        #"[{"id": 1, "user": {"id": 1}}]"#,
        [
          "table users (id INTEGER): 1 object under “user” in top",
          "column top.user INTEGER → users: 1 object under “user”",
          "relation top.user: rows of users, named by user: 1 object, those of one key the "
            + "same wherever they stand",
        ]
      ),
      (
        ["CREATE TABLE top (id INTEGER PRIMARY KEY, a INTEGER, b REAL, c TEXT, d BOOLEAN, e JSON)"],
        #"[{"id": 1, "a": 1, "b": 1, "c": "", "d": false, "e": [1], "A": null}]"#,
        // A null of its own, which would clear the other one's value.
        ["column top.A_2 TEXT for “A”: 0 values"]
      ),
      // A spelling of a column's name is that column, unless both names come.
      (
        ["CREATE TABLE top (id INTEGER PRIMARY KEY, user_name TEXT)"],
        #"[{"id": 1, "userName": "a"}]"#,
        []
      ),
      (
        ["CREATE TABLE top (id INTEGER PRIMARY KEY, user_name TEXT)"],
        #"[{"id": 1, "userName": "a", "user_name": "b"}]"#,
        [
          "column top.userName TEXT: 1 value"
        ]
      ),
      (
        ["CREATE TABLE top (id INTEGER PRIMARY KEY, name TEXT)"],
        #"[{"id": 1, "Name": "a", "name": "b"}]"#,
        [
          "column top.Name_2 TEXT for “Name”: 1 value"
        ]
      ),
      (
        ["CREATE TABLE top (id INTEGER PRIMARY KEY, NAME TEXT)"],
        #"[{"id": 1, "Name": "a", "name": "b"}]"#,
        [
          "column top.name_2 TEXT for “name”: 1 value"
        ]
      ),
      // A table whose key the objects lack isn't theirs, nor one whose rows go with others.
      (
        ["CREATE TABLE tags (code TEXT PRIMARY KEY)"],
        #"[{"id": 1, "tags": [{"id": 1}]}]"#,
        [
          "table top (id INTEGER): 1 object of the payload",
          "table top_tags (top_id INTEGER → top, position INTEGER, id INTEGER): 1 object in "
            + "arrays under “tags” in top",
          "relation top.tags: rows of top_tags, told by top_id and position: 1 object, which "
            + "has no key",
        ]
      ),
      (
        [
          users,
          "CREATE TABLE notes (id INTEGER PRIMARY KEY, user_id INTEGER REFERENCES users ON DELETE CASCADE)",
        ],
        #"[{"id": 1, "notes": [{"id": 1}]}]"#,
        [
          "table top (id INTEGER): 1 object of the payload",
          "table top_notes (top_id INTEGER → top, id INTEGER, position INTEGER): 1 object in "
            + "arrays under “notes” in top",
          "relation top.notes: rows of top_notes, told by top_id and id: rows of notes go with "
            + "others",
        ]
      ),
    ])
  }

  func testIntegersThatNoDoubleHoldsAreAskedForWhereFractionsCome() throws {
    let declared = ["CREATE TABLE top (id INTEGER PRIMARY KEY, n INTEGER)"]
    let payload = #"[{"id": 1, "n": 0.5}]"#
    // The column stays; a fraction beside such integers is kept in one of ours.
    XCTAssertEqual(
      try decide(declared, payload, isWide: true).map(\.description),
      ["column top.extra JSON: values that can't stand in n"])
    XCTAssertEqual(
      try decide(declared, payload, isWide: true, isExact: true),
      [.widened(column: "n", table: "top", from: "INTEGER", to: .decimal)])
  }
}
