import TestSupport
import XCTest
@testable import RecordSync

/// Rows of which a payload says that they are gone.
final class DeletedMarkTests: XCTestCase {
  private func payload(
    _ json: String, _ mark: String, items: String? = nil
  ) throws -> RecordPayload {
    var payload = RecordPayload.text(json)
    payload.deleted = try XCTUnwrap(DeletedMark(mark), mark)
    if let items { payload.form = .items(try XCTUnwrap(PayloadPath(items))) }
    return payload
  }

  private func database() throws -> TestDatabase {
    try TestDatabase("users: name TEXT; users = (1, 'Ann'), (2, 'Ben'), (3, 'Cid')")
  }

  private func keep(_ options: inout RecordOptions) { options.operations = .keep }

  func testWhatAMarkMeans() throws {
    let objects: [(mark: String, gone: [String], there: [String])] = [
      (
        "deleted", [#"true"#, "1", #""2024-01-01""#, #"{"reason": "x"}"#, #""true""#],
        ["false", "0", "null", #""""#, #""false""#, "{}", "[]"]
      ),
      ("deleted=gone", [#""gone""#], [#""Gone""#, "true", #"["gone"]"#, "null"]),
      ("deleted=true", ["true", #""true""#], ["1", "false"]), ("deleted=-1", ["-1"], ["1"]),
      ("deleted=", [#""""#], ["null", #""x""#]),
    ]
    for (mark, gone, there) in objects {
      for (value, isGone) in gone.map({ ($0, true) }) + there.map({ ($0, false) }) {
        for (mark, object) in [
          (mark, "{\"id\": 1, \"deleted\": \(value)}"),
          ("\"@x\".\(mark)", "{\"id\": 1, \"@x\": {\"deleted\": \(value)}}"),
        ] {
          var reader = PayloadReader(Array(object.utf8))
          var window = PayloadWindow()
          XCTAssertTrue(try reader.next(&window))
          let found = try XCTUnwrap(DeletedMark(mark)).marks(window.elements[0], in: window.tape)
          XCTAssertEqual(found, isGone, "\(mark) \(object)")
        }
      }
    }
    XCTAssertEqual(DeletedMark("a.b[]"), PayloadPath("a.b").map { .keys($0) })
    XCTAssertEqual(DeletedMark(#""a=b"=c=d"#), PayloadPath(#""a=b""#).map { .value($0, "c=d") })
    for text in ["", "=x", "a[].b", "a{}", "a[]=x", ".a", "[]"] {
      XCTAssertNil(DeletedMark(text), text)
    }
  }

  func testMarkedRowsGoAlsoForAPartAndOthersStay() async throws {
    let json =
      #"[{"id": 1, "name": "Anna"}, {"id": 2, "name": "x", "deleted": true}, {"id": 9, "deleted": true}]"#
    for isPart in [true, false] {
      let database = try database()
      let report = try await database.sync(try payload(json, "deleted"), "users") {
        if isPart { keep(&$0) }
      }
      XCTAssertEqual(
        try database.table("users"), isPart ? ["1|Anna", "3|Cid"] : ["1|Anna"])
      XCTAssertEqual(report.tables["users"]?.deleted.contains(RecordKey([.integer(2)])), true)
      let again = try await database.sync(try payload(json, "deleted"), "users") {
        if isPart { keep(&$0) }
      }
      XCTAssertEqual(again.status, .unchanged)
    }
  }

  /// Each in the form that its documentation gives.
  func testFormsOfServices() async throws {
    let forms: [(mark: String, items: String?, json: String)] = [
      // Google Calendar: Events: list.
      ("status=cancelled", "items", #"{"items": [{"id": 2, "status": "cancelled"}]}"#),
      // Microsoft Graph: delta query.
      (#""@removed""#, "value", #"{"value": [{"id": "2", "@removed": {"reason": "deleted"}}]}"#),
      // Kinto: tombstones.
      ("deleted", "data", #"{"data": [{"id": 2, "last_modified": 1, "deleted": true}]}"#),
      // Lists of keys, of objects, and absent ones.
      ("deleted[]", "items", #"{"items": [], "deleted": [2, "7", null]}"#),
      ("sync.gone[]", "items", #"{"sync": {"gone": [{"id": 2}]}, "items": [{"id": 3}]}"#),
    ]
    for (mark, items, json) in forms {
      for creates in [false, true] {
        let database = try database()
        try await database.sync(try payload(json, mark, items: items), "users") {
          keep(&$0)
          $0.creates = creates
        }
        XCTAssertEqual(try database.table("users"), ["1|Ann", "3|Cid"], mark)
        XCTAssertEqual(try database.columns("users"), ["id INTEGER", "name TEXT"], mark)
      }
    }
    for json in [#"{"items": []}"#, #"{"items": [], "deleted": null}"#] {
      let database = try database()
      try await database.sync(try payload(json, "deleted[]", items: "items"), "users") { keep(&$0) }
      XCTAssertEqual(try database.table("users").count, 3)
    }
  }

  func testTheLaterOfTwoObjectsCountsAndAnObjectBeforeAKey() async throws {
    let cases: [(json: String, mark: String, rows: [String])] = [
      (#"[{"id": 2, "gone": 1}, {"id": 2, "name": "B"}]"#, "gone", ["1|Ann", "2|B", "3|Cid"]),
      (#"[{"id": 2, "name": "B"}, {"id": "2", "gone": 1}]"#, "gone", ["1|Ann", "3|Cid"]),
      (#"[{"id": 8, "name": "B"}, {"id": 8, "gone": 1}]"#, "gone", ["1|Ann", "2|Ben", "3|Cid"]),
      (
        #"{"x": [{"id": 2, "name": "B"}], "gone": [2, 3]}"#, "gone[]", ["1|Ann", "2|B"]
      ),
    ]
    for (json, mark, rows) in cases {
      let database = try database()
      let items = mark == "gone[]" ? "x" : nil
      try await database.sync(try payload(json, mark, items: items), "users") { keep(&$0) }
      XCTAssertEqual(try database.table("users"), rows, json)
    }
  }

  /// The same across windows, and with elements that are set aside.
  func testTheLaterCountsFurtherApartThanAWindow() async throws {
    let filling = (100..<400).map { "{\"id\": \($0), \"name\": \"n\"}" }.joined(separator: ",")
    for isGoneLast in [true, false] {
      let gone = #"{"id": 2, "gone": true}"#
      let (first, last) =
        isGoneLast ? (#"{"id": 2, "name": "B"}"#, gone) : (gone, #"{"id": 2, "name": "B"}"#)
      let database = try database()
      var payload = try payload("[\(first),\(filling),\(last)]", "gone")
      payload.bounds.window = 512
      try await database.sync(payload, "users") { keep(&$0) }
      XCTAssertEqual(
        try database.rows("SELECT name FROM users WHERE id = 2"), isGoneLast ? [] : ["B"])
      XCTAssertEqual(try database.table("users").count, isGoneLast ? 302 : 303)
    }
  }

  func testTheLimitCountsThemAmongTheRowsOfWhichThePayloadSpeaks() async throws {
    let rows = (1...20).map { "(\($0), 'n')" }.joined(separator: ", ")
    let json = "[\((1...12).map { "{\"id\": \($0), \"gone\": 1}" }.joined(separator: ","))]"
    for operations in [Operations.keep, .all] {
      let database = try TestDatabase("users: name TEXT; users = \(rows)")
      await assertThrows(
        RecordError.removalRefused(
          table: "users", count: operations == .keep ? 12 : 20, of: 20),
        try await database.sync(try self.payload(json, "gone"), "users") {
          $0.operations = operations
          $0.removalLimit = .share(0.5)
        })
      XCTAssertEqual(try database.table("users").count, 20)
      try await database.sync(try payload(json, "gone"), "users") {
        $0.operations = .keep
        $0.removalLimit = .share(0.6)
      }
      XCTAssertEqual(try database.table("users").count, 8)
    }
  }

  func testWhatLiesOutOfScopeStays() async throws {
    let database = try TestDatabase("users: team; users = (1, 'a'), (2, 'b'), (3, 'a')")
    try await database.sync(
      try payload(#"[{"id": 2, "gone": 1}, {"id": 3, "gone": 1}]"#, "gone"), "users"
    ) {
      keep(&$0)
      $0.scope = RecordScope(condition: "team = ?", values: ["a"])
    }
    XCTAssertEqual(try database.table("users"), ["1|a", "2|b"])
  }

  func testAnObjectThatStandsAloneDeletesItsRowAndNothingElse() async throws {
    for creates in [false, true] {
      let database = try database()
      try await database.sync(try payload(#"{"id": 2, "gone": true}"#, "gone"), "users") {
        $0.creates = creates
      }
      XCTAssertEqual(try database.table("users"), ["1|Ann", "3|Cid"])
    }
  }

  func testWhatHangsOnARowGoesAsTheDatabaseSays() async throws {
    let database = try TestDatabase(
      "users: name; notes: user_id INTEGER REFERENCES users ON DELETE CASCADE",
      "logs: user_id INTEGER REFERENCES users; users = (1, 'Ann'), (2, 'Ben')",
      "notes = (5, 1), (6, 2); logs = (7, 2)")
    let report = try await database.sync(
      try payload(#"[{"id": 1, "gone": 1}, {"id": 2, "gone": 1}]"#, "gone"), "users"
    ) { keep(&$0) }
    XCTAssertEqual(try database.table("users"), ["2|Ben"])
    XCTAssertEqual(try database.table("notes"), ["6|2"])
    XCTAssertEqual(report.tables["users"]?.refused.count, 1)
  }

  /// By its number in the payload, and its place there.
  func testAnElementIsNamedByWhereItStands() async throws {
    let database = try database()
    let json = #"{"a": {"gone": 1}, "b": {"id": null}}"#
    await assertThrows(
      saying: #"element 2, at byte 24: {"name":"b","id": null}"#,
      try await database.sync(try self.payload(json, "gone", items: "{name}"), "users"))
  }

  func testAnObjectWithoutAKeyIsSkipped() async throws {
    let database = try database()
    let report = try await database.sync(
      try payload(#"[{"id": 1}, {"name": "Ben", "gone": 1}]"#, "gone"), "users"
    ) { keep(&$0) }
    XCTAssertEqual(report.tables["users"]?.skipped, 1)
    XCTAssertEqual(try database.table("users").count, 3)
  }

  /// Only what changed is asked for, page by page; what was deleted comes as such.
  func testAListOfWhatIsNewDeletesWhatItSays() async throws {
    let server = try FaultServer { request, _ in
      FaultAnswer(
        text: request.path.contains("page=2")
          ? #"{"items": [{"id": 5, "at": 9}], "removed": [3], "next": null}"#
          : #"{"items": [{"id": 1, "at": 7, "gone": false}, {"id": 2, "gone": true}], "next": "?page=2"}"#,
        headers: [("Content-Type", "application/json")])
    }
    addTeardownBlock { server.stop() }
    for (mark, rows) in [("gone", ["1|7", "3|4", "5|9"]), ("removed[]", ["1|7", "2|5", "5|9"])] {
      let database = try TestDatabase("users: at INTEGER; users = (1, 3), (2, 5), (3, 4)")
      var address = RecordAddress(server.url("/u"))
      address.paging = .next(try XCTUnwrap(PayloadPath("next")))
      address.since = RecordSince(column: "at", parameter: "since")
      var payload = RecordPayload.address(address)
      payload.form = .items(try XCTUnwrap(PayloadPath("items")))
      payload.deleted = DeletedMark(mark)
      try await database.sync(payload, "users")
      XCTAssertEqual(try database.table("users"), rows, mark)
    }
    XCTAssertEqual(server.requests.first?.path, "/u?since=5")
  }
}
