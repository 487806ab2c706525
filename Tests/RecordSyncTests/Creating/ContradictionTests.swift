import SyncText
import TestSupport
import XCTest

@testable import RecordSync

/// Objects of one key that differ are never made one row without a word: what was inferred of the
/// first payload once merged the comments of two posts, and lost those of one.
final class ContradictionTests: XCTestCase {
  func testObjectsOfOneKeyThatDifferUnderSeveralParentsStayWhole() async throws {
    let payloads = [
      // Keys that count under each parent.
      #"[{"id":1,"notes":[{"id":0,"b":"a"}]},{"id":2,"notes":[{"id":0,"b":"c"}]}]"#,
      // What a row is to each parent.
      #"[{"id":1,"notes":[{"id":7,"n":"x","as":"y"}]},{"id":2,"notes":[{"id":7,"n":"x","as":"z"}]}]"#,
      // Keys of several kinds.
      #"[{"id":1,"notes":{"type":"u","id":1}},{"id":2,"notes":{"type":"o","id":1}}]"#,
      // A value and null; another list; another object.
      #"[{"id":1,"notes":{"id":1,"x":null}},{"id":2,"notes":{"id":1,"x":2}}]"#,
      #"[{"id":1,"notes":{"id":1,"x":[1,2]}},{"id":2,"notes":{"id":1,"x":[2,1]}}]"#,
      #"[{"id":1,"notes":{"id":1,"x":{"id":3}}},{"id":2,"notes":{"id":1,"x":{"id":4}}}]"#,
      // Integers that no double tells apart.
      #"[{"id":1,"notes":{"id":1,"x":9007199254740993}},{"id":2,"notes":{"id":1,"x":9007199254740992}}]"#,
      // Twice under one parent.
      #"[{"id":1,"notes":[{"id":1,"x":1},{"id":1,"x":2}]}]"#,
    ]
    for payload in payloads {
      let database = try TestDatabase()
      let report = try await database.create(payload, "tops")
      XCTAssertEqual(try database.tables(), ["tops"], payload)
      XCTAssertEqual(try database.columns("tops"), ["id INTEGER", "notes JSON"], payload)
      XCTAssertEqual(report.made.flatMap(\.links).count, 1, payload)
      XCTAssertEqual(report.remarks, [], payload)
      try await assertEqual(database.create(payload, "tops").status, .unchanged, payload)
      try await assertTrue(database.sync(payload, "tops") { $0.isPlan = true }.isEqual, payload)
    }
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

  func testARowThatStandsElsewhereWithOtherValuesIsNotMadeOneWithIt() async throws {
    let database = try TestDatabase()
    let report = try await database.create(
      #"[{"id":1,"name":"a","tops":[{"id":2,"name":"b"}]},{"id":2,"name":"c"}]"#, "tops")
    XCTAssertEqual(try database.columns("tops"), ["id INTEGER", "name TEXT", "tops JSON"])
    XCTAssertEqual(try database.rows("SELECT id, name FROM tops"), ["1|a", "2|c"])
    XCTAssertEqual(
      report.made.flatMap(\.links),
      [
        "tops.tops is JSON: 1 object under “tops”, of which one differs from an object of its key "
          + "that stands elsewhere: they are no rows of one table"
      ])
  }

  func testTheEvidenceNamesTheKeyAndTheMember() async throws {
    let database = try TestDatabase()
    let report = try await database.create(
      #"[{"id":1,"notes":[{"id":0,"b":"a"}]},{"id":2,"notes":[{"id":0,"b":"c"}]}]"#, "tops")
    XCTAssertEqual(
      report.made.flatMap(\.links),
      [
        "tops.notes is JSON: 2 objects under “notes”, of which those with the key 0 differ in “b”: "
          + "they are no rows of one table"
      ])
  }

  func testOnlyTheRelationThatIsContradictedIsKeptSo() async throws {
    let database = try TestDatabase()
    try await database.create(
      """
      [{"id":1,"notes":[{"id":0,"b":"a"}],"owner":{"id":3}},
      {"id":2,"notes":[{"id":0,"b":"c"}],"owner":{"id":3}}]
      """, "tops")
    XCTAssertEqual(try database.columns("tops"), ["id INTEGER", "notes JSON", "owner_id INTEGER"])
  }

  func testOfTwoRelationsToOneTableTheOtherIsKept() async throws {
    let database = try TestDatabase()
    try await database.create(
      """
      [{"id":1,"user":{"id":1,"n":"a"},"users":[{"id":5,"n":"x"}]},
      {"id":2,"user":{"id":1,"n":"b"},"users":[{"id":6,"n":"z"}]}]
      """, "tops")
    XCTAssertEqual(try database.columns("tops"), ["id INTEGER", "user JSON"])
    XCTAssertEqual(try database.rows("SELECT id, n FROM users ORDER BY 1"), ["5|x", "6|z"])
  }

  func testOfBodiesThatFollowOnEachOtherTheLastCounts() throws {
    for (isNext, isContradicted) in [(false, true), (true, false)] {
      var shape = PayloadShape(keyNames: ["id"], Spelling())
      for (number, json) in [#"{"id":1,"n":"a"}"#, #"{"id":1,"n":"b"}"#].enumerated() {
        if number == 0 || isNext { shape.beginBody() }
        var tape = JSONTape(nesting: 8)
        tape.begin(Array(json.utf8))
        shape.add(try tape.append(at: 0).root, in: tape)
      }
      XCTAssertEqual(shape.objects[0].values.contradiction != nil, isContradicted)
    }
  }

  func testATableThatWasMadeBeforeIsKeptAndTheContradictionIsTold() async throws {
    let database = try TestDatabase()
    try await database.create(#"[{"id":1,"notes":[{"id":7,"b":"a"}]}]"#, "tops")
    let report = try await database.create(
      #"[{"id":1,"notes":[{"id":7,"b":"a"}]},{"id":2,"notes":[{"id":7,"b":"c"}]}]"#, "tops")
    XCTAssertEqual(report.remarks, [.merged(table: "notes", key: "7", member: "b")])
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

  func testAPartOfAListMovesNoChild() async throws {
    let database = try TestDatabase()
    try await database.create(
      #"[{"id":1,"users":[{"id":7,"name":"a"}]},{"id":2,"users":[]}]"#, "issues")
    let report = try await database.create(
      #"[{"id":2,"users":[{"id":7,"name":"b"}]}]"#, "issues"
    ) { $0.operations = .keep }
    XCTAssertEqual(try database.table("users"), ["7|b|1"])
    XCTAssertEqual(report.tables["users"]?.stayed.map(\.description), ["7"])
    XCTAssertEqual(report.tables["users"]?.moved, [])
    let whole = try await database.create(#"[{"id":2,"users":[{"id":7,"name":"b"}]}]"#, "issues")
    XCTAssertEqual(whole.tables["users"]?.moved.map(\.description), ["7"])
  }
}
