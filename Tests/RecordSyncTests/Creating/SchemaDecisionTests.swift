import SyncDatabase
import TestSupport
import XCTest

@testable import RecordSync

/// What becomes of each relation of a payload, and why: a decision, of which nothing is done.
final class SchemaDecisionTests: DecisionTestCase {
  func testArraysAndObjectsWithKeysBecomeRows() throws {
    try assertDecided([
      // Keys and types.
      (
        [],
        #"[{"id": 1}]"#,
        [
          "table top (id INTEGER): 1 object of the payload"
        ]
      ),
      (
        [],
        #"[{"id": "a", "n": null}, {"id": 1}]"#,
        [
          "table top (id TEXT): 2 objects of the payload"
        ]
      ),
      (
        [],
        #"[{"id": 1, "a": null, "b": []}]"#,
        [
          "table top (id INTEGER): 1 object of the payload"
        ]
      ),
      // Objects with a key that are the same wherever they stand are shared.
      (
        [],
        #"[{"id": 1, "a": {"id": 5, "n": 1}}, {"id": 2, "a": {"id": 5}}]"#,
        [
          "table top (id INTEGER, a_id INTEGER → as): 2 objects of the payload",
          "table as (id INTEGER, n INTEGER): 2 objects under “a” in top",
          "relation top.a: rows of as, named by a_id: 2 objects, those of one key the same "
            + "wherever they stand",
        ]
      ),
      (
        [],
        #"[{"id": 1, "a": [{"id": 5}, {"id": 4}]}, {"id": 2, "a": [{"id": 6}]}]"#,
        [
          "table top (id INTEGER): 2 objects of the payload",
          "table a (id INTEGER, top_id INTEGER → top, position INTEGER): 3 objects in arrays "
            + "under “a” in top",
          "relation top.a: rows of a, which name theirs by top_id: 3 objects, those of one key "
            + "the same wherever they stand",
        ]
      ),
      (
        [],
        #"[{"id": 1, "a": [{"id": 5}]}, {"id": 2, "a": [{"id": 5}]}]"#,
        [
          "table top (id INTEGER): 2 objects of the payload",
          "table a (id INTEGER): 2 objects in arrays under “a” in top",
          "table top_a (top_id INTEGER → top, a_id INTEGER → a, position INTEGER): objects "
            + "under “a” hang on several rows of top",
          "relation top.a: rows of a, linked by top_a: 2 objects, those of one key the same, "
            + "some under several rows",
        ]
      ),
      (
        [],
        #"[{"id": 1, "tops": [{"id": 2}]}, {"id": 3, "tops": [{"id": 2}]}]"#,
        [
          "table top (id INTEGER): 2 objects of the payload",
          "table tops (id INTEGER): 2 objects in arrays under “tops” in top",
          "table top_tops (top_id INTEGER → top, top_id_2 INTEGER → tops, position INTEGER): "
            + "objects under “tops” hang on several rows of top",
          "relation top.tops: rows of tops, linked by top_tops: 2 objects, those of one key "
            + "the same, some under several rows",
        ]
      ),
      // Arrays whose objects differ from place to place own them: by key, unless that stands twice.
      (
        [],
        #"[{"id": 1, "a": [{"id": 0, "b": "x"}]}, {"id": 2, "a": [{"id": 0, "b": "y"}]}]"#,
        [
          "table top (id INTEGER): 2 objects of the payload",
          "table a (top_id INTEGER → top, id INTEGER, b TEXT, position INTEGER): 2 objects in "
            + "arrays under “a” in top",
          "relation top.a: rows of a, told by top_id and id: objects with the key 0 differ in "
            + "“b”",
        ]
      ),
      (
        [],
        #"[{"id": 1, "a": [{"id": 1, "x": 1}, {"id": 1, "x": 2}]}]"#,
        [
          "table top (id INTEGER): 1 object of the payload",
          "table a (top_id INTEGER → top, position INTEGER, id INTEGER, x INTEGER): 2 objects "
            + "in arrays under “a” in top",
          "relation top.a: rows of a, told by top_id and position: one key twice in an array",
        ]
      ),
      // or by place, where they have no key.
      (
        [],
        #"[{"id": 1, "a": [{"x": 1}, {"x": 2}]}]"#,
        [
          "table top (id INTEGER): 1 object of the payload",
          "table a (top_id INTEGER → top, position INTEGER, x INTEGER): 2 objects in arrays "
            + "under “a” in top",
          "relation top.a: rows of a, told by top_id and position: 2 objects, which have no key",
        ]
      ),
      (
        [],
        #"[{"id": 1, "a": [{"id": 3}, {"x": 1}]}]"#,
        [
          "table top (id INTEGER): 1 object of the payload",
          "table a (top_id INTEGER → top, position INTEGER, id INTEGER, x INTEGER): 2 objects "
            + "in arrays under “a” in top",
          "relation top.a: rows of a, told by top_id and position: 2 objects, of which not all "
            + "have the same key",
        ]
      ),
      // Null is a value, and an absent member says nothing.
      (
        [],
        #"[{"id": 1, "a": [{"id": 1, "x": null}]}, {"id": 2, "a": [{"id": 1, "x": 2}]}]"#,
        [
          "table top (id INTEGER): 2 objects of the payload",
          "table a (top_id INTEGER → top, id INTEGER, x INTEGER, position INTEGER): 2 objects "
            + "in arrays under “a” in top",
          "relation top.a: rows of a, told by top_id and id: objects with the key 1 differ in "
            + "“x”",
        ]
      ),
      // What differs in what it owns differs.
      (
        [],
        """
        [{"id": 1, "a": {"id": 1, "b": {"id": 2, "x": 1}}},
         {"id": 2, "a": {"id": 1, "b": {"id": 2, "x": 2}}}]
        """,
        [
          "table top (id INTEGER, a_id INTEGER for “a.id”, a_b_id INTEGER for “a.b.id”, a_b_x "
            + "INTEGER for “a.b.x”): 2 objects of the payload",
          "relation top.a: columns: objects with one key differ from place to place",
          "relation top.a.b: columns: objects with the key 2 differ in “x”",
        ]
      ),
    ])
  }

  func testAPayloadWithoutAnyKeyIsAnError() {
    for payload in [#"[{"a": 1}]"#, "[1]", #"[{"id": null}]"#, #"[{"id": {}}]"#] {
      assertThrows(
        PayloadProblem.withoutKeys(
          table: "top", names: ["id", "_id", "uuid"], elements: 1, first: nil),
        try decide([], payload), payload)
    }
  }
}
