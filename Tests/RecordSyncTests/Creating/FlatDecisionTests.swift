import SyncDatabase
import TestSupport
import XCTest

@testable import RecordSync

/// What becomes of objects that are no shared rows: columns, or JSON, and why.
final class FlatDecisionTests: DecisionTestCase {
  func testObjectsWithMoreNamesThanAreToldApartAreJSON() throws {
    let names = (0...OutlinePlace.mostNames).map { #""n\#($0)": 1"# }.joined(separator: ", ")
    try assertDecided(
      [#"{"id": 5, \#(names)}"#, #"[{"id": 5, \#(names)}]"#, "[{\(names)}]"].map { value in
        (
          [], #"[{"id": 1, "a": \#(value)}]"#,
          [
            "table top (id INTEGER, a JSON): 1 object of the payload",
            "relation top.a: JSON: objects with more than 1500 names",
          ]
        )
      })
  }

  func testMoreNamesThanATableHasColumnsAreAnErrorThatNamesTheTable() async throws {
    let names = (0...OutlinePlace.mostNames).map { #""n\#($0)":1"# }.joined(separator: ",")
    let declared = """
      CREATE TABLE owners (id INTEGER PRIMARY KEY);
      CREATE TABLE t (id INTEGER PRIMARY KEY, owner_id INTEGER REFERENCES owners)
      """
    for (payload, table) in [
      (#"[{"id":1,\#(names)}]"#, "t"), (#"[{"id":1,"owner":{"id":2,\#(names)}}]"#, "owners"),
    ] {
      let database = try TestDatabase(declared)
      if let error = await thrown(
        RecordError.self, by: try await database.create(payload, "t"))
      {
        XCTAssertEqual(error, .table(table, .tooManyNames))
      }
    }
  }

  func testObjectsWithoutAKeyBecomeColumnsAndMixturesJSON() throws {
    try assertDecided([
      // Other objects are flat, two deep.
      (
        [],
        #"[{"id": 1, "a": {"x": 1, "b": {"y": 2, "c": {"z": 3}}}}]"#,
        [
          "table top (id INTEGER, a_x INTEGER for “a.x”, a_b_y INTEGER for “a.b.y”, a_b_c JSON "
            + "for “a.b.c”): 1 object of the payload",
          "relation top.a: columns: 1 object, which has no key",
          "relation top.a.b: columns: 1 object, which has no key",
          "relation top.a.b.c: JSON: objects that stand in 2 objects",
        ]
      ),
      (
        [],
        #"[{"id": 1, "a": {"type": "u", "id": 1}}, {"id": 2, "a": {"type": "o", "id": 1}}]"#,
        [
          "table top (id INTEGER, a_type TEXT for “a.type”, a_id INTEGER for “a.id”): 2 "
            + "objects of the payload",
          "relation top.a: columns: objects with the key 1 differ in “type”",
        ]
      ),
      (
        [],
        #"[{"id": 1, "a": {}}]"#,
        [
          "table top (id INTEGER, a JSON): 1 object of the payload",
          "relation top.a: JSON: objects without names",
        ]
      ),
      // Lists in flat objects are those of the row.
      (
        [],
        #"[{"id": 1, "a": {"b": [{"x": 1}], "c": {"id": 2}}}]"#,
        [
          "table top (id INTEGER, a_c_id INTEGER → a_cs): 1 object of the payload",
          "table a_b (top_id INTEGER → top, position INTEGER, x INTEGER): 1 object in arrays "
            + "under “a.b” in top",
          "table a_cs (id INTEGER): 1 object under “a.c” in top",
          "relation top.a: columns: 1 object, which has no key",
          "relation top.a.b: rows of a_b, told by top_id and position: 1 object, which has no "
            + "key",
          "relation top.a.c: rows of a_cs, named by a_c_id: 1 object, those of one key the "
            + "same wherever they stand",
        ]
      ),
      // Lists below rows that no other row can name are JSON.
      (
        [],
        #"[{"id": 1, "a": [{"b": [{"x": 1}], "c": {"x": 1}, "d": {"id": 1}}]}]"#,
        [
          "table top (id INTEGER): 1 object of the payload",
          "table a (top_id INTEGER → top, position INTEGER, b JSON, c_x INTEGER for “c.x”, "
            + "d_id INTEGER → ds): 1 object in arrays under “a” in top",
          "table ds (id INTEGER): 1 object under “d” in a",
          "relation top.a: rows of a, told by top_id and position: 1 object, which has no key",
          "relation a.b: JSON: the row above has no key of one column",
          "relation a.c: columns: 1 object, which has no key",
          "relation a.d: rows of ds, named by d_id: 1 object, those of one key the same "
            + "wherever they stand",
        ]
      ),
      // A mixture is JSON, at whatever place it is found.
      (
        [],
        #"[{"id": 1, "a": {"id": 1}}, {"id": 2, "a": [{"id": 1}]}]"#,
        [
          "table top (id INTEGER, a JSON): 2 objects of the payload",
          "relation top.a: JSON: values of several kinds",
        ]
      ),
      (
        [],
        #"[{"id": 1, "a": [{"id": 1}, null]}]"#,
        [
          "table top (id INTEGER, a JSON): 1 object of the payload",
          "relation top.a: JSON: values of several kinds",
        ]
      ),
      (
        [],
        #"[{"id": 1, "a": {"x": 1}}, {"id": 2, "a": 5}]"#,
        [
          "table top (id INTEGER, a JSON): 2 objects of the payload",
          "relation top.a: JSON: values of several kinds",
        ]
      ),
      (
        [],
        #"[{"id": 1, "a": {"x": 1}, "A": {"x": 2}}]"#,
        [
          "table top (id INTEGER, a JSON, A_2 JSON for “A”): 1 object of the payload",
          "relation top.a: JSON: two names are spellings of one",
          "relation top.A: JSON: two names are spellings of one",
        ]
      ),
      // A mixture of objects with a key and others is flat.
      (
        [],
        #"[{"id": 1, "a": {"id": 1}}, {"id": 2, "a": {"x": 1}}]"#,
        [
          "table top (id INTEGER, a_id INTEGER for “a.id”, a_x INTEGER for “a.x”): 2 objects "
            + "of the payload",
          "relation top.a: columns: 2 objects, of which not all have the same key",
        ]
      ),
      // Plain values beside objects are keys where each has its object.
      (
        [],
        #"[{"id": 1, "a": {"id": 5}}, {"id": 2, "a": 5}]"#,
        [
          "table top (id INTEGER, a_id INTEGER → as): 2 objects of the payload",
          "table as (id INTEGER): 1 object under “a” in top",
          "relation top.a: rows of as, named by a_id: 1 object, those of one key the same "
            + "wherever they stand",
        ]
      ),
      (
        [],
        #"[{"id": 1, "a": {"id": 5}}, {"id": 2, "a": 6}]"#,
        [
          "table top (id INTEGER, a JSON): 2 objects of the payload",
          "relation top.a: JSON: plain values beside objects whose keys they aren't",
        ]
      ),
      (
        [],
        #"[{"id": 1, "a": [{"id": 5}, 2]}]"#,
        [
          "table top (id INTEGER, a JSON): 1 object of the payload",
          "relation top.a: JSON: plain values beside objects whose keys they aren't",
        ]
      ),
      (
        [],
        #"[{"id": 1, "top": 2}, {"id": 2, "top": null}]"#,
        [
          "table top (id INTEGER, top INTEGER): 2 objects of the payload"
        ]
      ),
      // Of two relations to one table that differ, the one that contradicts itself is its own.
      (
        [],
        """
        [{"id": 1, "user": {"id": 1, "n": "a"}, "users": [{"id": 5, "n": "x"}]},
         {"id": 2, "user": {"id": 1, "n": "b"}, "users": [{"id": 6}]}]
        """,
        [
          "table top (id INTEGER, user_id INTEGER for “user.id”, user_n TEXT for “user.n”): 2 "
            + "objects of the payload",
          "table users (id INTEGER, n TEXT, top_id INTEGER → top, position INTEGER): 2 objects "
            + "in arrays under “users” in top",
          "relation top.user: columns: objects with the key 1 differ in “n”",
          "relation top.users: rows of users, which name theirs by top_id: 2 objects, those of "
            + "one key the same wherever they stand",
        ]
      ),
      (
        [],
        #"[{"id": 1, "user": {"id": 1, "n": "a"}, "users": [{"id": 1, "n": "x"}]}]"#,
        [
          "table top (id INTEGER, user_id INTEGER for “user.id”, user_n TEXT for “user.n”): 1 "
            + "object of the payload",
          "table users (top_id INTEGER → top, id INTEGER, n TEXT, position INTEGER): 1 object "
            + "in arrays under “users” in top",
          "relation top.user: columns: objects with the key 1 differ in “n”",
          "relation top.users: rows of users, told by top_id and id: objects with the key 1 "
            + "differ in “n”",
        ]
      ),
      // A null of another spelling has a column of its own, so that it clears no value.
      (
        [],
        #"[{"id": 1, "Name": "a", "name": null}]"#,
        ["table top (id INTEGER, Name TEXT, name_2 TEXT for “name”): 1 object of the payload"]
      ),
    ])
  }

  func testAnObjectOfMoreNamesThanAColumnEachIsJSON() throws {
    for (count, columns) in [(64, 65), (65, 2)] {
      let names = (0..<count).map { "\"k\($0)\": \($0)" }.joined(separator: ",")
      guard case .table(let table)? = try decide([], "[{\"id\": 1, \"a\": {\(names)}}]").first
      else {
        return XCTFail("no table")
      }
      XCTAssertEqual(table.columns.count, columns)
    }
  }
}
