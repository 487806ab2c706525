import XCTest

@testable import RecordSync

/// What was made of payloads is read, written and exported by the names that tables of ours keep,
/// without `--create` and without a schema file.
final class MadeNamesTests: XCTestCase {
  private let pods = """
    CREATE TABLE pods (metadata_uid TEXT PRIMARY KEY, metadata_name TEXT, app TEXT,
      status_phase TEXT, restarts INTEGER);
    CREATE TABLE pods_containers (pod_uid TEXT NOT NULL REFERENCES pods ON DELETE CASCADE,
      position INTEGER NOT NULL, name TEXT, limits_cpu TEXT, ports JSON,
      PRIMARY KEY (pod_uid, position))
    """
  private let podsPayload =
    #"[{"metadata":{"uid":"u1","name":"web-1","labels":{"app.kubernetes.io/name":"web"}},"#
    + #""status":{"phase":"Running","restart.count":0},"spec":{"containers":[{"name":"web","#
    + #""resources":{"limits":{"cpu":"1"}},"ports":[80]},{"name":"log","#
    + #""resources":{"limits":{"cpu":null}},"ports":null}]}},"#
    + #"{"metadata":{"uid":"u2","name":"web-2","labels":{"app.kubernetes.io/name":"web"}},"#
    + #""status":{"phase":"Pending","restart.count":3},"spec":{"containers":[]}}]"#

  private func madePods() throws -> TestDatabase {
    let database = try TestDatabase(pods)
    try database.name(columns: [
      "pods.metadata_uid": "metadata.uid", "pods.metadata_name": "metadata.name",
      "pods.app": #"metadata.labels."app.kubernetes.io/name""#,
      "pods.status_phase": "status.phase", "pods.restarts": #"status."restart.count""#,
      "pods_containers.limits_cpu": "resources.limits.cpu",
    ])
    try database.name(
      "spec.containers", in: "pods", "pod_uid", of: "pods_containers", position: "position")
    return database
  }

  func testPathsLeadToColumnsAndListsAndBackAgain() async throws {
    let database = try madePods()
    let first = try await database.sync(podsPayload, "pods")
    XCTAssertTrue(first.tables.values.allSatisfy { $0.unknown.isEmpty }, "\(first)")
    XCTAssertEqual(
      try database.table("pods"), ["u1|web-1|web|Running|0", "u2|web-2|web|Pending|3"])
    XCTAssertEqual(
      try database.table("pods_containers"), ["u1|0|web|1|[80]", "u1|1|log|NULL|NULL"])
    let again = try await database.sync(podsPayload, "pods")
    XCTAssertEqual(again.status, .unchanged, "\(again)")
    let text = try await database.export("pods")
    let back = try await database.sync(text, "pods")
    XCTAssertEqual(back.status, .unchanged, "\(text): \(back)")
    let copy = try madePods()
    try await copy.sync(text, "pods")
    for table in ["pods", "pods_containers"] {
      XCTAssertEqual(try copy.table(table), try database.table(table), text)
    }
    let copied = try await copy.export("pods")
    XCTAssertEqual(copied, text)
    XCTAssertFalse(text.contains("position") || text.contains("pod_uid"), text)
  }

  func testNullOnTheWayClearsAllBelowAndAnAbsentLeafLeavesItself() async throws {
    let database = try madePods()
    try await database.sync(podsPayload, "pods")
    try await database.sync(
      """
      [{"metadata": {"uid": "u1"}, "status": null}, {"metadata": {"uid": "u2", "labels": 7}}]
      """, "pods")
    XCTAssertEqual(
      try database.table("pods"), ["u1|web-1|web|NULL|NULL", "u2|web-2|web|Pending|3"])
  }

  func testWithCreateTheyHoldAsWell() async throws {
    let database = try madePods()
    let first = try await database.sync(podsPayload, "pods") { $0.creates = true }
    XCTAssertEqual(first.made, [])
    let again = try await database.sync(podsPayload, "pods") { $0.creates = true }
    XCTAssertEqual(again.status, .unchanged, "\(again)")
    XCTAssertEqual(try database.table("pods_containers").count, 2)
  }

  /// As version 0.9 made it: one name each, with dots or quotes or none.
  func testNamesOfAnOlderVersionAreOneNameEach() async throws {
    let database = try TestDatabase(
      """
      CREATE TABLE notes (id INTEGER PRIMARY KEY, a TEXT, q TEXT, Name_2 TEXT, Name TEXT);
      CREATE TABLE recordsync_names (table_name TEXT NOT NULL, column_name TEXT NOT NULL,
        json_name TEXT NOT NULL, PRIMARY KEY (table_name, column_name)) WITHOUT ROWID;
      INSERT INTO recordsync_names VALUES ('notes', 'a', 'a.b'), ('notes', 'q', '"q".r'),
        ('notes', 'Name_2', 'name')
      """)
    let payload = #"[{"id":1,"a.b":"x","\"q\".r":"y","name":"small","Name":"large"}]"#
    let first = try await database.sync(payload, "notes")
    XCTAssertEqual(first.tables["notes"]?.unknown, [:])
    XCTAssertEqual(try database.table("notes"), ["1|x|y|small|large"])
    let text = try await database.export("notes")
    XCTAssertEqual(text, payload)
    // What grows there keeps them, and paths stand beside them.
    let more = #"[{"id":1,"a.b":"z","A":"capital","in":{"side":1}}]"#
    try await database.sync(more, "notes") { $0.creates = true }
    try database.run("ALTER TABLE notes ADD COLUMN deep TEXT")
    try database.name(columns: ["notes.deep": "a.b"])
    XCTAssertEqual(
      try database.rows(
        "SELECT column_name, json_name, json_path FROM recordsync_names ORDER BY 1"),
      [
        "A_2|A|NULL", "Name_2|name|NULL", "a|a.b|NULL", "deep|a.b|a.b", "in_side|in.side|in.side",
        #"q|"q".r|NULL"#,
      ])
    try await database.sync(#"[{"id":1,"a":{"b":"deep"}}]"#, "notes")
    XCTAssertEqual(try database.rows("SELECT a, deep, A_2 FROM notes"), ["z|deep|capital"])
  }

  func testAKeyThatWasMadeIsNoRowNumber() async throws {
    let statements = "CREATE TABLE users (number INTEGER PRIMARY KEY, remote_id INTEGER, id TEXT)"
    let database = try TestDatabase(statements)
    let payload = #"[{"id":"a","number":1,"remote_id":5},{"id":"a","number":2,"remote_id":5}]"#
    try await database.sync(payload, "users")
    XCTAssertEqual(try database.table("users").count, 1, "by the column id")
    let made = try TestDatabase(statements)
    try made.name(columns: ["users.number": "number"])
    try await made.sync(payload, "users")
    XCTAssertEqual(try made.table("users"), ["1|5|a", "2|5|a"])
  }

  func testWhatIsGoneOrUnreadableSaysNothing() async throws {
    let database = try TestDatabase("posts: title TEXT; comments: body TEXT, post_id -> posts")
    try database.name(columns: ["posts.gone": "a.b", "away.column": "x"])
    try database.run(
      "INSERT INTO recordsync_names VALUES ('posts', 'title', 'title', 'never.\"closed')")
    try database.name("talk", in: "posts", "gone_id", of: "comments")
    try database.name("talk.more", in: "posts", "post_id", of: "away")
    try database.name("x", in: "away", "post_id", of: "comments")
    try database.run(
      "INSERT INTO recordsync_relations VALUES ('posts', 'post_id', 'comments', '', 'a..b', 'q')")
    try await database.sync(
      #"[{"id": 1, "title": "t", "comments": [{"id": 2, "body": "b"}]}]"#, "posts")
    XCTAssertEqual(try database.table("comments"), ["2|b|1"])
    XCTAssertEqual(try database.table("posts"), ["1|t"])
  }
}
