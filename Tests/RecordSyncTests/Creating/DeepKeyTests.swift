import TestSupport
import XCTest
@testable import RecordSync

/// Objects that are told apart by members within others.
final class DeepKeyTests: XCTestCase {
  private let pods = """
    {"kind": "PodList", "metadata": {"resourceVersion": "9"}, "items": [
      {"metadata": {"uid": "a1", "name": "web-1", "labels": {"app": "web"},
         "ownerReferences": [{"kind": "ReplicaSet", "name": "web"}]},
       "spec": {"nodeName": "n1", "containers": [{"name": "web"}, {"name": "proxy"}]},
       "status": {"phase": "Running"}},
      {"metadata": {"uid": "b2", "name": "web-2"}, "spec": {"nodeName": "n2", "containers": []},
       "status": {"phase": "Pending", "message": "no room"}}]}
    """

  private func key(_ paths: String..., table: String = "pods") -> SchemaOverrides {
    .of(table) { $0.key = paths }
  }

  /// As Kubernetes lists pods.
  func testAKeyWithinAnObjectIsAFlatColumn() async throws {
    let database = try TestDatabase()
    let first = try await database.sync(
      pods, "pods", items: "items", overrides: key("metadata.uid")
    ) { $0.creates = true }
    XCTAssertEqual(
      try database.columns("pods").prefix(4),
      ["metadata_uid TEXT", "metadata_name TEXT", "metadata_labels_app TEXT", "spec_nodeName TEXT"])
    XCTAssertTrue(
      first.relations.contains("relation pods.metadata: columns: the key stands in them"),
      "\(first.relations)")
    XCTAssertEqual(
      try database.rows("SELECT pod_id, name FROM spec_containers ORDER BY 1, 2"),
      ["a1|proxy", "a1|web"])
    XCTAssertEqual(
      try database.rows("SELECT metadata_uid, metadata_name, status_phase FROM pods ORDER BY 1"),
      ["a1|web-1|Running", "b2|web-2|Pending"])
    let before = try database.declarations()
    // With what was said, and without: the table itself knows.
    for (overrides, creates) in [
      (key("metadata.uid"), true), (key("metadata.uid"), false), (key("metadata_uid"), true),
      (SchemaOverrides(), false), (SchemaOverrides(), true),
    ] {
      let again = try await database.sync(pods, "pods", items: "items", overrides: overrides) {
        $0.creates = creates
      }
      XCTAssertEqual(again.status, .unchanged, "\(overrides) \(creates)")
    }
    XCTAssertEqual(try database.declarations(), before)
    let exported = try await database.export("pods")
    XCTAssertTrue(exported.contains(#""metadata":{"uid":"a1","name":"web-1""#), exported)
    let other = try TestDatabase()
    try await other.sync(exported, "pods", overrides: key("metadata.uid")) { $0.creates = true }
    XCTAssertEqual(try other.table("pods"), try database.table("pods"))
    let less = pods.replacing("b2", with: "c3")
    let third = try await database.sync(less, "pods", items: "items") { $0.creates = true }
    XCTAssertEqual(third.tables["pods"]?.inserted.count, 1)
    XCTAssertEqual(third.tables["pods"]?.deleted.count, 1)
    XCTAssertEqual(try database.rows("SELECT metadata_uid FROM pods ORDER BY 1"), ["a1", "c3"])
  }

  func testSeveralPathsAreOneKeyWhateverElseTheObjectsAre() async throws {
    let members = """
      [{"user": {"id": 1, "name": "Ann"}, "group": {"id": 7}, "role": "x"},
       {"user": {"id": 1, "name": "Anna"}, "group": {"id": 8}, "role": "y"},
       {"user": {"id": 2, "name": "Ben"}, "group": {"id": 7}, "role": "z"}]
      """
    let database = try TestDatabase()
    let overrides = key("user.id", "group.id", table: "members")
    try await database.sync(members, "members", overrides: overrides) { $0.creates = true }
    XCTAssertEqual(
      try database.columns("members"),
      ["user_id INTEGER", "group_id INTEGER", "user_name TEXT", "role TEXT"])
    XCTAssertEqual(
      try database.rows("SELECT * FROM members ORDER BY 1, 2"),
      ["1|7|Ann|x", "1|8|Anna|y", "2|7|Ben|z"])
    XCTAssertEqual(try database.tables(), ["members"])
    for creates in [true, false] {
      let again = try await database.sync(members, "members") { $0.creates = creates }
      XCTAssertEqual(again.status, .unchanged)
    }
  }

  func testNamesWithDotsStandInQuotesAndSpellingsAreOne() async throws {
    let database = try TestDatabase()
    let objects = """
      [{"meta": {"a.b": "x", "n": 1}}, {"meta": {"a.b": "y", "n": 2}}]
      """
    try await database.sync(objects, "things", overrides: key(#"meta."a.b""#, table: "things")) {
      $0.creates = true
    }
    XCTAssertEqual(try database.columns("things"), ["meta_a.b TEXT", "meta_n INTEGER"])
    let again = try await database.sync(objects, "things")
    XCTAssertEqual(again.status, .unchanged)
    let spelled = #"[{"metaData": {"theKey": 1}, "n": 2}]"#
    try await database.sync(spelled, "others", overrides: key("metaData.theKey", table: "others")) {
      $0.creates = true
    }
    XCTAssertEqual(try database.columns("others"), ["metaData_theKey INTEGER", "n INTEGER"])
  }

  /// The schema file says how the column is called, and what becomes of names to come.
  func testASchemaFileNamesTheColumnOfTheKey() async throws {
    let file = """
      {"tables": {"pods": {"key": "uid", "unknown": "extra",
        "columns": {"uid": {"name": "metadata.uid"}}}}}
      """
    let overrides = try SchemaOverrides(json: Array(file.utf8))
    let database = try TestDatabase()
    try await database.sync(pods, "pods", items: "items", overrides: overrides) {
      $0.creates = true
    }
    XCTAssertEqual(
      try database.columns("pods"),
      [
        "uid TEXT", "metadata_name TEXT", "metadata_labels JSON", "metadata_ownerReferences JSON",
        "extra JSON",
      ])
    XCTAssertEqual(
      try database.rows("SELECT uid, metadata_name FROM pods ORDER BY 1"), ["a1|web-1", "b2|web-2"])
    let again = try await database.sync(pods, "pods", items: "items", overrides: overrides) {
      $0.creates = true
    }
    XCTAssertEqual(again.status, .unchanged)
  }

  func testAColumnThatIsThereIsTakenByItsWayOrByItsFlatName() async throws {
    let list = #"[{"m": {"id": 1}, "n": 5}, {"m": {"id": 2}, "n": 6}]"#
    for creates in [false, true] {
      let database = try TestDatabase("CREATE TABLE things (m_id INTEGER PRIMARY KEY, n INTEGER)")
      try await database.sync(list, "things", overrides: key("m.id", table: "things")) {
        $0.creates = creates
      }
      XCTAssertEqual(try database.columns("things"), ["m_id INTEGER", "n INTEGER"])
      XCTAssertEqual(try database.table("things"), ["1|5", "2|6"])
      let named = SchemaOverrides.of("things") { things in
        things.key = ["m.id"]
        things.column("m_id") { $0.name = "m.id" }
      }
      let again = try await database.sync(list, "things", overrides: named) {
        $0.creates = creates
      }
      XCTAssertEqual(again.status, .unchanged)
    }
    let other = try TestDatabase("CREATE TABLE things (id INTEGER PRIMARY KEY)")
    let overrides = key("m.id", table: "things")
    await assertThrows(
      saying: "no column “m.id”", try await other.sync(list, "things", overrides: overrides))
  }

  func testAnObjectWithoutTheKeyIsSkippedAndNoneAtAllIsAnError() async throws {
    let database = try TestDatabase()
    let report = try await database.sync(
      #"[{"m": {"id": 1}}, {"m": null}, {"m": 7}, {"m": {"n": 2}}]"#, "things",
      overrides: key("m.id", table: "things")
    ) { $0.creates = true }
    XCTAssertEqual(report.tables["things"]?.skipped, 3)
    XCTAssertEqual(try database.rows("SELECT m_id FROM things"), ["1"])
    await assertThrows(
      PayloadProblem.self,
      try await database.sync(
        #"[{"m": {"x": 1}}]"#, "others", overrides: key("m.id", table: "others")
      ) { $0.creates = true }
    ) {
      if case .withoutKeys(_, ["m.id"], _, _) = $0 { true } else { false }
    }
  }

  /// A last element that tells of what is wrong with it, as a pod's does, is none without a key.
  func testAMessageBesideAKeyWithinAnObjectIsNoError() async throws {
    let database = try TestDatabase()
    let list = """
      [{"m": {"id": 1}, "code": 0, "message": "x"}, {"m": {"id": 2}, "code": 404, "message": "y"}]
      """
    let overrides = key("m.id", table: "things")
    try await database.sync(list, "things", overrides: overrides) { $0.creates = true }
    let less = #"[{"m": {"id": 2}, "code": 404, "message": "y", "error": "z"}]"#
    try await database.sync(less, "things")
    XCTAssertEqual(try database.rows("SELECT m_id FROM things"), ["2"])
  }
}
