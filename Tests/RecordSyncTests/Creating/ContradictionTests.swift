import SyncText
import TestSupport
import XCTest

@testable import RecordSync

/// Objects of one key that differ are never made one row without a word: what was inferred of the
/// first payload once merged the comments of two posts, and lost those of one.
final class ContradictionTests: XCTestCase {
  func testObjectsOfOneKeyThatDifferUnderSeveralParentsBelongToThese() async throws {
    let byKey = ["top_id INTEGER", "id INTEGER"]
    let vectors: [(payload: String, columns: [String])] = [
      // Keys that count under each parent.
      (
        #"[{"id":1,"notes":[{"id":0,"b":"a"}]},{"id":2,"notes":[{"id":0,"b":"c"}]}]"#,
        byKey + ["b TEXT", "position INTEGER"]
      ),
      // What a row is to each parent.
      (
        #"[{"id":1,"notes":[{"id":7,"n":"x","as":"y"}]},{"id":2,"notes":[{"id":7,"n":"x","as":"z"}]}]"#,
        byKey + ["n TEXT", "as TEXT", "position INTEGER"]
      ),
      // Twice under one parent.
      (
        #"[{"id":1,"notes":[{"id":1,"x":1},{"id":1,"x":2}]}]"#,
        ["top_id INTEGER", "position INTEGER", "id INTEGER", "x INTEGER"]
      ),
      // Twice, and the same.
      (
        #"[{"id":1,"notes":[{"id":1},{"id":1}]}]"#,
        ["top_id INTEGER", "position INTEGER", "id INTEGER"]
      ),
    ]
    for (payload, columns) in vectors {
      let database = try TestDatabase()
      try await assertKept(payload, in: database)
      XCTAssertEqual(try database.tables(), ["notes", "tops"], payload)
      XCTAssertEqual(try database.columns("notes"), columns, payload)
    }
  }

  func testAnObjectWhoseKeyHasOtherValuesElsewhereIsFlat() async throws {
    let vectors: [(payload: String, columns: [String])] = [
      // Keys of several kinds.
      (
        #"[{"id":1,"notes":{"type":"u","id":1}},{"id":2,"notes":{"type":"o","id":1}}]"#,
        ["notes_type TEXT", "notes_id INTEGER"]
      ),
      // A value and null; another list; another object.
      (
        #"[{"id":1,"notes":{"id":1,"x":null}},{"id":2,"notes":{"id":1,"x":2}}]"#,
        ["notes_id INTEGER", "notes_x INTEGER"]
      ),
      (
        #"[{"id":1,"notes":{"id":1,"x":[1,2]}},{"id":2,"notes":{"id":1,"x":[2,1]}}]"#,
        ["notes_id INTEGER", "notes_x JSON"]
      ),
      // Keys that are one number.
      (
        #"[{"id":1,"notes":{"id":1,"n":"x"}},{"id":2,"notes":{"id":1.0,"n":"y"}}]"#,
        ["notes_id REAL", "notes_n TEXT"]
      ),
      (
        #"[{"id":1,"notes":{"id":2.5,"n":"x"}},{"id":2,"notes":{"id":25e-1,"n":"y"}}]"#,
        ["notes_id REAL", "notes_n TEXT"]
      ),
      // Integers that no double tells apart.
      (
        #"[{"id":1,"notes":{"id":1,"x":9007199254740993}},{"id":2,"notes":{"id":1,"x":9007199254740992}}]"#,
        ["notes_id INTEGER", "notes_x INTEGER"]
      ),
    ]
    for (payload, columns) in vectors {
      let database = try TestDatabase()
      try await assertKept(payload, in: database)
      XCTAssertEqual(try database.tables(), ["tops"], payload)
      XCTAssertEqual(try database.columns("tops"), ["id INTEGER"] + columns, payload)
    }
    let other = try TestDatabase()
    try await assertKept(
      #"[{"id":1,"notes":{"id":1,"x":{"id":3}}},{"id":2,"notes":{"id":1,"x":{"id":4}}}]"#, in: other
    )
    XCTAssertEqual(
      try other.columns("tops"), ["id INTEGER", "notes_id INTEGER", "notes_x_id INTEGER"])
    XCTAssertEqual(try other.rows("SELECT id FROM notes_xes ORDER BY id"), ["3", "4"])
  }

  /// That nothing is told, a second sync has nothing to do, and all is equal.
  private func assertKept(_ payload: String, in database: TestDatabase) async throws {
    let report = try await database.create(payload, "tops")
    XCTAssertEqual(report.remarks, [], payload)
    try await assertEqual(database.create(payload, "tops").status, .unchanged, payload)
    try await assertTrue(database.sync(payload, "tops") { $0.isPlan = true }.isEqual, payload)
  }

  func testWhatTwoObjectsBothNameAndAgreeInIsOneRow() async throws {
    let payloads = [
      #"[{"id":1,"notes":[{"id":7,"x":1}]},{"id":2,"notes":[{"x":1.0,"id":7,"y":{"b":1,"a":2}}]}]"#,
      #"[{"id":1,"notes":[{"id":7}]},{"id":2,"notes":[{"id":"7","x":2}]}]"#,
    ]
    for payload in payloads {
      let database = try TestDatabase()
      try await database.create(payload, "tops")
      XCTAssertEqual(try database.tables(), ["notes", "tops", "tops_notes"], payload)
    }
  }

  func testRowsInArraysOfFlatObjectsHangOnEachRowThatHasThem() async throws {
    let vectors: [(payload: String, links: String, rows: [String])] = [
      // Flat objects have no key, in one another, too.
      (
        """
        [{"id":1,"labels":{"nodes":[{"id":"L","n":"ui"}]}},
        {"id":2,"labels":{"nodes":[{"id":"L","n":"ui"}]}}]
        """, "tops_labels_nodes", ["1|L|0", "2|L|0"]
      ),
      (
        """
        [{"id":1,"a":{"b":{"c":[{"id":7}]}}},{"id":2,"a":{"b":{"c":[{"id":7},{"id":8}]}}}]
        """, "tops_a_b_c", ["1|7|0", "2|7|0", "2|8|1"]
      ),
      // They have one, which is the same, and other values.
      (
        """
        [{"id":1,"user":{"id":5,"n":"a","badges":[{"id":7}]}},
        {"id":2,"user":{"id":5,"n":"b","badges":[{"id":7}]}}]
        """, "tops_user_badges", ["1|7|0", "2|7|0"]
      ),
    ]
    for (payload, links, rows) in vectors {
      let database = try TestDatabase()
      try await assertKept(payload, in: database)
      guard try database.tables().contains(links) else {
        XCTFail("no table of links: \(try database.tables()), \(payload)")
        continue
      }
      XCTAssertEqual(try database.table(links), rows, payload)
    }
  }

  /// A row under one other only is named by nothing else, however deep it stands; nor does the key
  /// of a flat object in between count for that of the row.
  func testRowsInArraysOfFlatObjectsNameTheOneRowThatHasThem() async throws {
    let vectors: [(payload: String, columns: [String], rows: [String])] = [
      (
        #"[{"id":1,"a":{"b":[{"id":7},{"id":8}]}},{"id":2,"a":{"b":[{"id":9}]}}]"#,
        ["id INTEGER", "top_id INTEGER", "position INTEGER"], ["7|1|0", "8|1|1", "9|2|0"]
      ),
      (
        """
        [{"id":1,"a":{"id":5,"n":1,"b":[{"id":7,"top_id":5}]}},
        {"id":2,"a":{"id":5,"n":2,"b":[{"id":8,"top_id":5}]}}]
        """, ["id INTEGER", "top_id INTEGER", "tops_id INTEGER", "position INTEGER"],
        ["7|5|1|0", "8|5|2|0"]
      ),
    ]
    for (payload, columns, rows) in vectors {
      let database = try TestDatabase()
      try await assertKept(payload, in: database)
      XCTAssertEqual(try database.columns("a_b"), columns, payload)
      XCTAssertEqual(try database.table("a_b"), rows, payload)
    }
  }

  func testARowThatStandsElsewhereWithOtherValuesIsNotMadeOneWithIt() async throws {
    let database = try TestDatabase()
    let report = try await database.create(
      #"[{"id":1,"name":"a","tops":[{"id":2,"name":"b"}]},{"id":2,"name":"c"}]"#, "tops")
    XCTAssertEqual(try database.columns("tops"), ["id INTEGER", "name TEXT"])
    XCTAssertEqual(try database.rows("SELECT id, name FROM tops"), ["1|a", "2|c"])
    XCTAssertEqual(try database.table("tops_tops"), ["1|2|b|0"])
    XCTAssertEqual(
      report.relations,
      [
        "relation tops.tops: rows of tops_tops, told by top_id and id: objects with the key 2 "
          + "differ in “name”"
      ])
  }

  func testOnlyTheRelationThatIsContradictedIsItsParents() async throws {
    let database = try TestDatabase()
    try await database.create(
      """
      [{"id":1,"notes":[{"id":0,"b":"a"}],"owner":{"id":3}},
      {"id":2,"notes":[{"id":0,"b":"c"}],"owner":{"id":3}}]
      """, "tops")
    XCTAssertEqual(try database.columns("tops"), ["id INTEGER", "owner_id INTEGER"])
    XCTAssertEqual(try database.table("notes"), ["1|0|a|0", "2|0|c|0"])
    XCTAssertEqual(try database.table("owners"), ["3"])
  }

  func testOfTwoRelationsToOneTableTheOtherIsKept() async throws {
    let database = try TestDatabase()
    try await database.create(
      """
      [{"id":1,"user":{"id":1,"n":"a"},"users":[{"id":5,"n":"x"}]},
      {"id":2,"user":{"id":1,"n":"b"},"users":[{"id":6,"n":"z"}]}]
      """, "tops")
    XCTAssertEqual(
      try database.columns("tops"), ["id INTEGER", "user_id INTEGER", "user_n TEXT"])
    XCTAssertEqual(try database.rows("SELECT id, n FROM users ORDER BY 1"), ["5|x", "6|z"])
  }

  func testAnObjectDiffersWhereWhatItAloneHoldsDiffers() async throws {
    let payload = """
      [{"id":1,"a":{"id":71,"b":[{"id":72,"x":1}]}},{"id":2,"a":{"id":71,"b":[{"id":72,"x":2}]}}]
      """
    let database = try TestDatabase()
    try await assertKept(payload, in: database)
    XCTAssertEqual(try database.columns("tops"), ["id INTEGER", "a_id INTEGER"])
    XCTAssertEqual(try database.table("a_b"), ["1|72|1|0", "2|72|2|0"])
  }

  func testArraysKeepTheirOrder() async throws {
    let database = try TestDatabase()
    let payload = """
      [{"id":1,"a":[{"id":9},{"id":4}],"b":[{"id":8},{"id":3}],"c":[{"x":2},{"x":1}]},
      {"id":2,"a":[],"b":[{"id":3},{"id":8}],"c":[]}]
      """
    try await assertKept(payload, in: database)
    XCTAssertEqual(try database.rows("SELECT id FROM a ORDER BY position"), ["9", "4"])
    XCTAssertEqual(
      try database.rows("SELECT top_id, b_id FROM tops_b ORDER BY top_id, position"),
      ["1|8", "1|3", "2|3", "2|8"])
    XCTAssertEqual(try database.rows("SELECT x FROM c ORDER BY position"), ["2", "1"])
    let exported = try await database.export("tops")
    XCTAssertTrue(exported.contains(#""a":[{"id":9},{"id":4}]"#), exported)
  }

  func testElementsOfOneKeyAreOneRowWhichIsToldAndNotPassedWithStrictness() async throws {
    let payload = #"[{"type":"node","id":1,"lat":52.1},{"type":"way","id":1}]"#
    let database = try TestDatabase()
    let report = try await database.create(payload, "elements")
    XCTAssertEqual(report.remarks, [.merged(table: "elements", key: "1", member: "type")])
    if let error = await thrown(
      RecordError.self, by: try await database.create(payload, "elements") { $0.isStrict = true })
    {
      XCTAssertEqual(
        error,
        .strict(table: "elements", .merged(.merged(table: "elements", key: "1", member: "type"))))
    }
  }

  func testAKeyOfAParentIsAForeignKeyOnlyWhereEveryValueHasItsRow() async throws {
    let database = try TestDatabase()
    let report = try await database.create(
      """
      [{"id":1,"body":"a","parent_id":null,"replies":[{"id":2,"body":"b","parent_id":1,
      "replies":[{"id":3,"body":"c","parent_id":2,"replies":[]}]}]}]
      """, "comments")
    XCTAssertEqual(report.tables["replies"]?.unresolved ?? [], [])
    XCTAssertEqual(
      try database.rows("SELECT id, parent_id, comment_id, reply_id FROM replies ORDER BY id"),
      ["2|1|1|NULL", "3|2|NULL|2"])
  }

  func testAPartOfAListLinksItsChildBesideThatOnWhichItHangs() async throws {
    let database = try TestDatabase()
    try await database.create(
      #"[{"id":1,"users":[{"id":7,"name":"a"}]},{"id":2,"users":[]}]"#, "issues")
    let report = try await database.create(
      #"[{"id":2,"users":[{"id":7,"name":"b"}]}]"#, "issues"
    ) { $0.operations = .keep }
    XCTAssertEqual(
      report.relations,
      [
        "relation issues.users: rows of users, linked by issues_users: 1 object, those of one key "
          + "the same, some under several rows"
      ])
    XCTAssertEqual(try database.table("users"), ["7|b|NULL|0"])
    XCTAssertEqual(try database.table("issues_users"), ["1|7|0", "2|7|0"])
    XCTAssertEqual(report.tables["users"]?.stayed ?? [], [])
    let again = try await database.create(
      #"[{"id":2,"users":[{"id":7,"name":"b"}]}]"#, "issues"
    ) { $0.operations = .keep }
    XCTAssertEqual(again.status, .unchanged)
    // What is said of all of them moves the child, and needs no links.
    let other = try TestDatabase()
    try await other.create(#"[{"id":1,"users":[{"id":7}]},{"id":2,"users":[]}]"#, "issues")
    let whole = try await other.create(
      #"[{"id":1,"users":[]},{"id":2,"users":[{"id":7}]}]"#, "issues")
    XCTAssertEqual(whole.made, [])
    XCTAssertEqual(whole.tables["users"]?.moved.map(\.description), ["7"])
  }
}
