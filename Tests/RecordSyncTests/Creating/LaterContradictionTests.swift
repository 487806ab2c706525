@testable import RecordSync
import TestSupport
import XCTest

/// Relations that were made for one payload and that a later one contradicts: the same key with
/// other values in another place.
final class LaterContradictionTests: XCTestCase {
  func testRowsThatHungOnOneEachGetATableOfTheirOwnWithThoseThatHangThereNow() async throws {
    let database = try TestDatabase()
    try await database.create(
      #"[{"id":1,"notes":[{"id":8,"b":"x"},{"id":7,"b":"a"}]},{"id":3,"notes":[{"id":9,"c":[1]}]}]"#,
      "tops")
    let payload = #"[{"id":1,"notes":[{"id":7,"b":"a"}]},{"id":2,"notes":[{"id":7,"b":5}]}]"#
    let report = try await database.create(payload, "tops") { $0.operations = .keep }
    XCTAssertEqual(
      report.made.map(\.description),
      [
        "table tops_notes (top_id INTEGER → tops, id INTEGER, b TEXT, c JSON, position INTEGER): "
          + "2 objects in arrays under “notes” in tops",
        "relation tops.notes: rows of tops_notes, told by top_id and id: objects with the key 7 "
          + "differ in “b”",
      ])
    XCTAssertEqual(report.remarks, [])
    XCTAssertEqual(
      try database.rows("SELECT top_id, id, b, c FROM tops_notes ORDER BY top_id, position, id"),
      ["1|7|a|NULL", "1|8|x|NULL", "2|7|5|NULL", "3|9|NULL|[1]"])
    // The shared table stays as it was.
    XCTAssertEqual(try database.rows("SELECT id, top_id FROM notes"), ["7|1", "8|1", "9|3"])
    for creates in [true, false] {
      let again = try await database.sync(payload, "tops") {
        ($0.operations, $0.creates) = (.keep, creates)
      }
      XCTAssertEqual(again.status, .unchanged, "\(again.made) \(again.tables)")
    }
    let exported = try await database.export("tops")
    XCTAssertTrue(exported.contains(#""notes":[{"id":9,"b":null,"c":[1]}]"#), exported)
    try await assertTrue(database.sync(exported, "tops") { $0.isPlan = true }.isEqual, exported)
  }

  func testValuesOfTheEarlierTableComeIntoAColumnThatASchemaFileNames() async throws {
    let database = try TestDatabase()
    try await database.create(
      #"[{"id":1,"notes":[{"id":8,"b":"x"},{"id":7,"b":"a"}]},{"id":3,"notes":[{"id":9,"c":[1]}]}]"#,
      "tops")
    let payload = #"[{"id":1,"notes":[{"id":7,"b":"a"}]},{"id":2,"notes":[{"id":7,"b":5}]}]"#
    var overrides = SchemaOverrides()
    overrides.table("tops_notes") { $0.column("body") { $0.name = "b" } }
    try await database.create(payload, "tops", overrides: overrides) { $0.operations = .keep }
    XCTAssertEqual(
      try database.rows("SELECT top_id, id, body, c FROM tops_notes ORDER BY top_id, position, id"),
      ["1|7|a|NULL", "1|8|x|NULL", "2|7|5|NULL", "3|9|NULL|[1]"])
    for (said, creates) in [(overrides, true), (overrides, false), (SchemaOverrides(), true)] {
      let again = try await database.sync(payload, "tops", overrides: said) {
        ($0.operations, $0.creates) = (.keep, creates)
      }
      XCTAssertEqual(again.status, .unchanged, "\(again.made) \(again.tables)")
    }
    let exported = try await database.export("tops", overrides: overrides)
    XCTAssertTrue(exported.contains(#""b":"x""#), exported)
  }

  func testRowsThatWereLinkedGetATableOfTheirOwn() async throws {
    let database = try TestDatabase()
    try await database.create(
      #"[{"id":1,"cast":[{"id":7,"as":"x"}]},{"id":2,"cast":[{"id":6,"as":"y"},{"id":7,"as":"x"}]}]"#,
      "movies")
    XCTAssertEqual(try database.table("movies_cast").count, 3)
    let payload = #"""
      [{"id":1,"cast":[{"id":7,"as":"x"}]},{"id":2,"cast":[{"id":7,"as":"z"},{"id":6,"as":"y"}]}]
      """#
    let report = try await database.create(payload, "movies")
    XCTAssertEqual(
      report.relations,
      [
        "relation movies.cast: rows of movies_cast_2, told by movie_id and id: objects with the key "
          + "7 differ in “as”"
      ])
    XCTAssertEqual(
      try database.table("movies_cast_2"), ["1|7|x|0", "2|6|y|1", "2|7|z|0"])
    XCTAssertEqual(try database.table("movies_cast").count, 3, "stays")
    try await assertEqual(database.create(payload, "movies").status, .unchanged)
    try await assertEqual(database.sync(payload, "movies").status, .unchanged)
  }

  func testARowThatOthersNamedBecomesColumnsOfThese() async throws {
    let database = try TestDatabase()
    try await database.create(
      #"""
      [{"id":1,"owner_id":7,"owner":{"id":7,"name":"x","old":true}},
       {"id":2,"owner_id":7,"owner":{"id":7,"name":"x"}}, {"id":3,"owner_id":6,"owner":{"id":6}}]
      """#, "tops")
    XCTAssertEqual(try database.columns("tops"), ["id INTEGER", "owner_id INTEGER"])
    let payload = #"""
      [{"id":1,"owner_id":7,"owner":{"id":7,"name":"x"}},
       {"id":2,"owner_id":7,"owner":{"id":7,"name":"y"}}]
      """#
    let report = try await database.create(payload, "tops") { $0.operations = .keep }
    XCTAssertEqual(
      report.relations,
      ["relation tops.owner: columns: objects with the key 7 differ in “name”"])
    XCTAssertEqual(
      try database.table("tops"), ["1|7|7|x|1", "2|7|7|y|1", "3|6|6|NULL|NULL"])
    XCTAssertEqual(try database.table("owners"), ["6|NULL|NULL", "7|x|1"], "stays")
    for creates in [true, false] {
      let again = try await database.sync(payload, "tops") {
        ($0.operations, $0.creates) = (.keep, creates)
      }
      XCTAssertEqual(again.status, .unchanged, "\(again.made) \(again.tables)")
    }
    let exported = try await database.export("tops")
    XCTAssertTrue(exported.contains(#""owner_id":6"#), exported)
    XCTAssertTrue(exported.contains(#""owner":{"id":7,"name":"y","old":true}"#), exported)
  }

  /// The place in the array is a part of the key of rows that have none of their own.
  func testALaterMemberWithTheNameOfTheirPlaceHasAColumnOfItsOwn() async throws {
    let database = try TestDatabase()
    try await database.create(#"[{"id":1,"lines":[{"a":1},{"a":2}]}]"#, "tops")
    let payload = #"[{"id":1,"lines":[{"a":1,"position":true},{"a":2},{"a":3,"position":false}]}]"#
    try await database.create(payload, "tops")
    XCTAssertEqual(
      try database.rows("SELECT position, a, position_2 FROM lines ORDER BY 1"),
      ["0|1|1", "1|2|NULL", "2|3|0"])
    for creates in [true, false] {
      let again = try await database.sync(payload, "tops") { $0.creates = creates }
      XCTAssertEqual(again.status, .unchanged, "\(again.made) \(again.tables)")
    }
    let exported = try await database.export("tops")
    XCTAssertTrue(exported.contains(#"{"a":3,"position":false}"#), exported)
  }

  /// Where rows have relations of their own, or a program has said what they are.
  func testWhatCanNotBeTakenIsOneRowAndTold() async throws {
    let database = try TestDatabase()
    try await database.create(
      #"[{"id":1,"notes":[{"id":7,"b":"a","tags":[{"id":1}]}]}]"#, "tops")
    let payload = #"[{"id":1,"notes":[{"id":7,"b":"a"}]},{"id":2,"notes":[{"id":7,"b":"c"}]}]"#
    let report = try await database.create(payload, "tops")
    XCTAssertEqual(report.remarks, [.merged(table: "notes", key: "7", member: "b")])
    var overrides = SchemaOverrides()
    overrides.table("tops") { $0.relations["notes"] = SchemaOverrides.Relation() }
    let other = try TestDatabase()
    try await other.create(#"[{"id":1,"notes":[{"id":7,"b":"a"}]}]"#, "tops")
    let told = try await other.create(payload, "tops", overrides: overrides)
    XCTAssertEqual(
      told.remarks,
      [
        .merged(table: "notes", key: "7", member: "b"),
        .severalParents(table: "notes", under: "notes"),
      ])
  }
}
