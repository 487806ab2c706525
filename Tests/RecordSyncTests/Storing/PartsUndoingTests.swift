@testable import RecordSync
import TestSupport
import XCTest

/// What a sync made for its payload goes with its rows, as far as nothing else came into it.
final class PartsUndoingTests: XCTestCase {
  private let payload = #"""
    [{"id": 1, "owner": {"id": 7}, "tags": [{"id": 1}], "notes": [{"id": 5, "size": {"w": 1}}]},
     {"id": 2, "tags": [{"id": 1}], "notes": [{"n": 3}], "Name": "a", "name": "b"}]
    """#

  /// Syncs a payload; gives what takes it back, as it is kept in a file.
  private func made(
    _ payload: String, in database: TestDatabase, _ table: String = "tops"
  ) async throws -> RecordUndo {
    let report = try await database.create(payload, table) { $0.recordsUndo = true }
    return try RecordUndo(bytes: try XCTUnwrap(report.undo).bytes)
  }

  private func undo(_ undo: RecordUndo, in database: TestDatabase) async throws -> [String] {
    try await RecordStore(path: database.path).undo(undo).undone.map(\.description)
  }

  func testADatabaseIsWhatItWas() async throws {
    for start in ["", "CREATE TABLE tops (id INTEGER PRIMARY KEY, name TEXT)"] {
      let database = try TestDatabase()
      if !start.isEmpty {
        try database.run(start)
        try database.run("INSERT INTO tops VALUES (1, 'x'), (9, 'y')")
      }
      let before = try database.declarations()
      let parts = try await undo(try await made(payload, in: database), in: database)
      XCTAssertFalse(parts.isEmpty)
      XCTAssertEqual(parts.filter { !$0.hasPrefix("dropped") }, [])
      XCTAssertEqual(try database.declarations(), before, start)
      if !start.isEmpty { XCTAssertEqual(try database.table("tops"), ["1|x", "9|y"]) }
    }
  }

  func testTablesThatMakeUpACircleGoTogether() async throws {
    let database = try TestDatabase()
    let payload = #"[{"id": 1, "owner": {"id": 2, "tops": [{"id": 1}]}}]"#
    let parts = try await undo(try await made(payload, in: database), in: database)
    XCTAssertEqual(parts.filter { !$0.hasPrefix("dropped") }, [])
    XCTAssertEqual(try database.declarations(), [])
  }

  func testWhatCameSinceIsAReasonToStay() async throws {
    let rows: [(since: String, left: [String])] = [
      ("INSERT INTO owners VALUES (8)", ["left table owners: rows that came since are in it"]),
      (
        "CREATE VIEW v AS SELECT * FROM owners",
        ["left table owners: something else needs it"]
      ),
      ("CREATE VIEW v AS SELECT w FROM tops", ["left column tops.w: something else needs it"]),
      ("CREATE INDEX o ON owners (id)", ["left table owners: something else needs it"]),
      (
        "CREATE TRIGGER o AFTER INSERT ON owners BEGIN SELECT 1; END",
        ["left table owners: something else needs it"]
      ),
      ("CREATE INDEX w ON tops (w)", ["left column tops.w: something else needs it"]),
      (
        "INSERT INTO tops (id, w) VALUES (3, 1)",
        ["left column tops.w: values that came since are in it"]
      ),
      (
        "CREATE TABLE pets (id INTEGER PRIMARY KEY, owner_id INTEGER REFERENCES owners)",
        ["left table owners: something else needs it"]
      ),
    ]
    for (since, left) in rows {
      let database = try TestDatabase("CREATE TABLE tops (id INTEGER PRIMARY KEY)")
      let undo = try await made(#"[{"id": 1, "owner": {"id": 7}, "w": 2}]"#, in: database)
      try database.run(since)
      let parts = try await self.undo(undo, in: database)
      XCTAssertEqual(parts.filter { !$0.hasPrefix("dropped") }, left, since)
      XCTAssertEqual(parts.count, 3, since)
      XCTAssertEqual(try database.rows("SELECT id FROM tops WHERE id < 3"), [], since)
      XCTAssertEqual(try database.rows("PRAGMA foreign_key_check"), [], since)
    }
  }

  func testAColumnOfAnotherTypeStaysAndIsTold() async throws {
    let database = try TestDatabase("t: n INTEGER; t = (1, 5)")
    let undo = try await made(#"[{"id": 1, "n": 2.5}]"#, in: database, "t")
    let parts = try await self.undo(undo, in: database)
    XCTAssertEqual(parts, ["left column t.n: it took the place of another"])
    XCTAssertEqual(try database.table("t"), ["1|5.0"])
  }

  /// Changes tell columns by their places: what was `b` is in the place of `a` meanwhile.
  func testAnUndoIsRefusedOnceColumnsStandInAnotherOrder() async throws {
    let database = try TestDatabase("t: a INTEGER, b INTEGER; t = (1, 5, 6)")
    let undo = try await made(#"[{"id": 1, "a": 6}]"#, in: database, "t")
    try await database.create(#"[{"id": 1, "a": 6.5}]"#, "t")
    XCTAssertEqual(try database.table("t"), ["1|6|6.5"])
    let error = await thrown(RecordError.self, by: try await self.undo(undo, in: database))
    XCTAssertEqual(error, .undo(.otherTable("t")))
    XCTAssertEqual(try database.table("t"), ["1|6|6.5"])
  }

  func testAnUndoOfAnEarlierVersionIsStillRead() async throws {
    let database = try TestDatabase("t: a INTEGER; t = (1, 5)")
    let undo = try await made(#"[{"id": 1, "a": 6}]"#, in: database, "t")
    var changes = undo.changes
    changes.note = []
    let earlier = try RecordUndo(bytes: changes.kept)
    XCTAssertNil(earlier.columns)
    XCTAssertNotEqual(earlier.bytes, undo.bytes)
    let parts = try await self.undo(earlier, in: database)
    XCTAssertEqual(parts, [])
    XCTAssertEqual(try database.table("t"), ["1|5"])
    for place in undo.bytes.indices {
      var damaged = undo.bytes
      damaged[place] ^= 1
      XCTAssertThrowsError(try RecordUndo(bytes: damaged))
    }
  }
}
