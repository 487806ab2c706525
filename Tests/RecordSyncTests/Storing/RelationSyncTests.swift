@testable import RecordSync
import XCTest

/// Tables that hang on each other.
final class RelationSyncTests: XCTestCase {
  private let people = """
    CREATE TABLE companies (id INTEGER PRIMARY KEY, name TEXT);
    CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT,
      company_id INTEGER REFERENCES companies);
    CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT, user_id INTEGER REFERENCES users);
    CREATE TABLE tags (id INTEGER PRIMARY KEY, name TEXT);
    CREATE TABLE user_tags (user_id INTEGER REFERENCES users ON DELETE CASCADE,
      tag_id INTEGER REFERENCES tags ON DELETE CASCADE, PRIMARY KEY (user_id, tag_id));
    CREATE INDEX notes_user ON notes (user_id);
    INSERT INTO companies VALUES (1, 'Acme');
    INSERT INTO users VALUES (1, 'Ann', 1), (2, 'Ben', NULL);
    INSERT INTO notes VALUES (1, 'one', 1), (2, 'two', 1), (3, 'three', 2);
    INSERT INTO tags VALUES (1, 'red'), (2, 'blue');
    INSERT INTO user_tags VALUES (1, 1), (1, 2)
    """

  func testATargetIsFoundOrMadeWrittenAndLinked() async throws {
    let database = try TestDatabase(people)
    let report = try await database.sync(
      """
      [{"id": 1, "company": {"id": 1, "name": "Acme Inc."}},
       {"id": 2, "company": {"id": 7, "name": "New"}}]
      """, "users")
    XCTAssertEqual(try database.table("companies"), ["1|Acme Inc.", "7|New"])
    XCTAssertEqual(try database.table("users"), ["1|Ann|1", "2|Ben|7"])
    XCTAssertEqual(report.tables["companies"]?.inserted.map(\.integer), [7])
  }

  func testNullUnlinksAndKeepsTheTargetAndAbsenceLeavesIt() async throws {
    let database = try TestDatabase(people)
    try await database.sync(#"[{"id": 1}, {"id": 2}]"#, "users")
    XCTAssertEqual(try database.table("users"), ["1|Ann|1", "2|Ben|NULL"])
    try await database.sync(#"[{"id": 1, "company": null}, {"id": 2}]"#, "users")
    XCTAssertEqual(try database.table("users"), ["1|Ann|NULL", "2|Ben|NULL"])
    XCTAssertEqual(try database.table("companies"), ["1|Acme"])
  }

  func testAReferenceByKeyIsLinkedIfTheRowIsThereAndElseReported() async throws {
    let database = try TestDatabase(people)
    let report = try await database.sync(
      #"[{"id": 1, "company_id": 99}, {"id": 2, "company": 1}]"#, "users")
    XCTAssertEqual(try database.table("users"), ["1|Ann|1", "2|Ben|1"])
    XCTAssertEqual(
      report.tables["users"]?.unresolved,
      [
        UnresolvedReference(
          key: RecordKey([.integer(1)]), name: "company_id", target: RecordKey([.integer(99)]))
      ])
  }

  func testChildrenThatAreNotNamedAnyMoreAreDeletedAndMovedOnesStay() async throws {
    let database = try TestDatabase(people)
    let report = try await database.sync(
      """
      [{"id": 1, "notes": [{"id": 1, "text": "uno"}, {"id": 9, "text": "new"}]},
       {"id": 2, "notes": [{"id": 2}]}]
      """, "users")
    XCTAssertEqual(try database.table("notes"), ["1|uno|1", "2|two|2", "9|new|1"])
    XCTAssertEqual(report.tables["notes"]?.deleted.map(\.integer), [3])
  }

  func testAnEmptyArrayDeletesChildrenAndNullUnlinksThem() async throws {
    let database = try TestDatabase(people)
    try await database.sync(#"[{"id": 1, "notes": []}, {"id": 2, "notes": null}]"#, "users")
    XCTAssertEqual(try database.table("notes"), ["3|three|NULL"])
  }

  func testLinksFollowTheArrayAndNothingIsDeletedWithThem() async throws {
    let database = try TestDatabase(people)
    let report = try await database.sync(
      """
      [{"id": 1, "tags": [{"id": 2}, {"id": 3, "name": "green"}]},
       {"id": 2, "tag_ids": [1, 3, 44]}]
      """, "users")
    XCTAssertEqual(try database.table("tags"), ["1|red", "2|blue", "3|green"])
    XCTAssertEqual(
      try database.rows("SELECT * FROM user_tags ORDER BY 1, 2"), ["1|2", "1|3", "2|1", "2|3"])
    XCTAssertEqual(report.tables["user_tags"]?.linked, 3)
    XCTAssertEqual(report.tables["user_tags"]?.unlinked, 1)
    XCTAssertEqual(report.tables["users"]?.unresolved.map(\.target.integer), [44])
  }

  func testTheSamePayloadAgainWritesNothing() async throws {
    let database = try TestDatabase(people)
    let payload = """
      [{"id": 1, "name": "A", "company": {"id": 5, "name": "X"},
        "notes": [{"id": 8, "text": "n"}], "tags": [{"id": 2}]},
       {"id": 2}, {"id": 3, "company_id": 5, "notes": [{"id": 1}], "tag_ids": [1]}]
      """
    try await database.sync(payload, "users")
    let report = try await database.sync(payload, "users")
    XCTAssertEqual(report.status, .unchanged)
    XCTAssertEqual(report.tables, [:])
  }

  func testReferencesForwardBackwardInACircleAndToOneself() async throws {
    let database = try TestDatabase(
      "people: boss_id -> people, friend_id INTEGER NOT NULL REFERENCES people")
    let payload = """
      [{"id": 1, "boss_id": 2, "friend_id": 3}, {"id": 2, "boss_id": 1, "friend_id": 2},
       {"id": 3, "boss_id": null, "friend_id": 1}]
      """
    let report = try await database.sync(payload, "people")
    XCTAssertEqual(try database.table("people"), ["1|2|3", "2|1|2", "3|NULL|1"])
    XCTAssertEqual(report.tables["people"]?.updated ?? [], [])
  }

  func testATreeIsKeptAtEveryDepth() async throws {
    let database = try TestDatabase(
      "nodes: name TEXT, parent_id -> nodes",
      "nodes = (1, 'a', NULL), (2, 'b', 1), (3, 'c', 2), (4, 'd', NULL)")
    try await database.sync(
      """
      [{"id": 1, "nodes": [{"id": 3, "nodes": [{"id": 5, "name": "e"}]}]}]
      """, "nodes")
    XCTAssertEqual(try database.table("nodes"), ["1|a|NULL", "3|c|1", "5|e|3"])
  }

  func testARowsChildrenStayWhereAnObjectDoesNotSpeakOfThem() async throws {
    let database = try TestDatabase(
      "nodes: name TEXT, parent_id -> nodes",
      "nodes = (1, 'a', NULL), (2, 'b', 1), (3, 'c', 2), (4, 'd', NULL)")
    try await database.sync(#"[{"id": 1, "name": "A"}]"#, "nodes")
    XCTAssertEqual(try database.table("nodes"), ["1|A|NULL", "2|b|1", "3|c|2"])
  }

  func testARefusedNewRowTakesItsChildrenWithIt() async throws {
    let database = try TestDatabase("users: name TEXT NOT NULL; notes: user_id -> users")
    let report = try await database.sync(
      #"[{"id": 1, "notes": [{"id": 1}]}, {"id": 2, "name": "b", "notes": [{"id": 2}]}]"#, "users")
    XCTAssertEqual(try database.table("notes"), ["2|2"])
    XCTAssertEqual(report.tables["users"]?.refused.map(\.key?.integer), [1])
    XCTAssertEqual(report.tables["notes"]?.refused.map(\.key?.integer), [1])
  }

  func testADeletionThatTheDatabaseForbidsIsRefusedAlone() async throws {
    let database = try TestDatabase(people)
    let report = try await database.sync("[]", "users")
    XCTAssertEqual(try database.table("users"), ["1|Ann|1", "2|Ben|NULL"])
    XCTAssertEqual(report.tables["users"]?.refused.map(\.key?.integer), [1, 2])
    try database.run("DELETE FROM notes WHERE user_id = 2")
    try await database.sync("[]", "users")
    XCTAssertEqual(try database.table("users"), ["1|Ann|1"])
  }

  func testChildrenWithoutKeyAreSkippedAndReported() async throws {
    let database = try TestDatabase(people)
    let report = try await database.sync(
      #"[{"id": 1, "notes": [{"text": "x"}, {"id": 1}, null, 7, {"id": 2}]}, {"id": 2}]"#, "users")
    XCTAssertEqual(try database.table("notes"), ["1|one|1", "2|two|1", "3|three|2"])
    XCTAssertEqual(report.tables["notes"]?.skipped, 2)
    XCTAssertEqual(report.tables["users"]?.unresolved.map(\.target.integer), [7])
  }

  func testNestedRowsAreGovernedByTheirOwnOperations() async throws {
    let payload = """
      [{"id": 1, "company": {"id": 9, "name": "New"}, "notes": [{"id": 1, "text": "uno"}, {"id": 7}],
        "tags": [{"id": 2, "name": "BLUE"}, {"id": 5, "name": "green"}]}, {"id": 2}]
      """
    for (operations, companies, notes, tags, links) in [
      (Operations.all, 2, ["1|uno|1", "3|three|2", "7|NULL|1"], 3, ["1|2", "1|5"]),
      (.keep, 2, ["1|uno|1", "2|two|1", "3|three|2", "7|NULL|1"], 3, ["1|1", "1|2", "1|5"]),
      ([.insert, .update], 1, ["1|one|1", "2|two|1", "3|three|2"], 2, ["1|1", "1|2"]),
      ([.update, .deleteRelations], 1, ["1|one|1", "3|three|2"], 2, ["1|2"]),
      ([.update, .updateRelations], 1, ["1|uno|1", "2|two|1", "3|three|2"], 2, ["1|1", "1|2"]),
    ] {
      let database = try TestDatabase(people)
      try await database.sync(payload, "users") { $0.operations = operations }
      XCTAssertEqual(try database.table("companies").count, companies, "\(operations)")
      XCTAssertEqual(try database.table("notes"), notes, "\(operations)")
      XCTAssertEqual(try database.table("tags").count, tags, "\(operations)")
      XCTAssertEqual(
        try database.rows("SELECT * FROM user_tags ORDER BY 1, 2"), links, "\(operations)")
    }
  }

  func testTwoRelationsToOneTableAreIndependentAndTheirRowIsOne() async throws {
    let database = try TestDatabase(
      "users: name TEXT; mails: sender_id -> users, reader_id -> users")
    let report = try await database.sync(
      """
      [{"id": 1, "sender": {"id": 1, "name": "A"}, "reader": {"id": 1}},
       {"id": 2, "sender": {"id": 2}, "reader": null}]
      """, "mails")
    XCTAssertEqual(try database.table("mails"), ["1|1|1", "2|2|NULL"])
    XCTAssertEqual(try database.table("users"), ["1|A", "2|NULL"])
    XCTAssertEqual(report.tables["users"]?.inserted.map(\.integer), [1, 2])
  }

  func testALinkThatWaitsIsWrittenThoughAnotherRowIsFollowedToItsOwn() async throws {
    let database = try TestDatabase(
      "nodes: parent_id -> nodes, friend_id -> nodes; tags:",
      "node_tags (node_id -> nodes, tag_id -> tags, PRIMARY KEY (node_id, tag_id))")
    try await database.sync(
      """
      [{"id": 4, "friend_id": 6, "parent": {"id": 2, "parent_id": 6, "tag_ids": [4]}},
       {"id": 6, "tags": [{"id": 4}]}]
      """, "nodes")
    XCTAssertEqual(try database.table("node_tags"), ["2|4", "6|4"])
  }

  func testNullForChildrenThatNeedTheirParentIsRefusedAndTold() async throws {
    let database = try TestDatabase(
      "users:; notes: user_id INTEGER NOT NULL REFERENCES users; users = (1), (2)",
      "notes = (1, 1), (2, 1), (3, 2)")
    let report = try await database.sync(
      #"[{"id": 1, "notes": null}, {"id": 2, "notes": []}]"#, "users")
    XCTAssertEqual(try database.table("notes"), ["1|1", "2|1"])
    let reason = "NOT NULL constraint failed: notes.user_id"
    XCTAssertEqual(
      report.tables["notes"]?.refused,
      [1, 2].map { RefusedRow(key: RecordKey([.integer($0)]), reason: reason) })
    XCTAssertTrue(report.isPartial)
  }

  func testKeysInAnArrayMayBeOfSeveralTypesAndStandBesideObjects() async throws {
    let database = try TestDatabase(people)
    let report = try await database.sync(
      """
      [{"id": 1, "note_ids": [1, "3"], "tag_ids": ["2"]},
       {"id": 2, "notes": ["2"], "tags": [1, "2", {"id": 3, "name": "green"}]}]
      """, "users")
    XCTAssertEqual(try database.table("notes"), ["1|one|1", "2|two|2", "3|three|1"])
    XCTAssertEqual(
      try database.rows("SELECT * FROM user_tags ORDER BY 1, 2"), ["1|2", "2|1", "2|2", "2|3"])
    XCTAssertEqual(report.tables["users"]?.mismatched ?? [], [])
    let texts = try TestDatabase(
      "users:; tags (id TEXT PRIMARY KEY NOT NULL)",
      "user_tags (user_id -> users, tag_id TEXT REFERENCES tags, PRIMARY KEY (user_id, tag_id))",
      "tags = ('1'), ('2')")
    try await texts.sync(#"[{"id": 1, "tag_ids": [1, "2"]}]"#, "users")
    XCTAssertEqual(try texts.table("user_tags"), ["1|1", "1|2"])
  }
}
