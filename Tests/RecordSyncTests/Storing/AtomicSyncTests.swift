import SyncDatabase
import Foundation
import SyncLock
import TestSupport
import XCTest

@testable import RecordSync

/// All of a payload, or nothing of it.
final class AtomicSyncTests: XCTestCase {
  private let users = """
    CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT, boss_id INTEGER REFERENCES users);
    INSERT INTO users VALUES (1, 'Ann', NULL), (2, 'Ben', NULL)
    """

  func testAPayloadThatIsCutChangesNothing() async throws {
    let database = try TestDatabase(users)
    let payload = #"[{"id": 1, "name": "A"}, {"id": 3, "name": "C"}]"#
    for end in 1..<payload.utf8.count {
      await assertThrows(
        PayloadProblem.self, try await database.sync(String(payload.prefix(end)), "users"))
    }
    XCTAssertEqual(try database.table("users"), ["1|Ann|NULL", "2|Ben|NULL"])
  }

  func testWithStrictnessTheFirstFaultEndsAllAndNothingIsWritten() async throws {
    for (element, table) in [
      (#"{"id": 3, "boss_id": 99}"#, "users"), (#"{"id": 3, "name": [1]}"#, "users"),
      (#"{"id": 3, "nonsense": 1}"#, "users"), (#"{"name": "x"}"#, "users"),
    ] {
      let database = try TestDatabase(users)
      await assertThrows(
        RecordError.self,
        try await database.sync(#"[{"id": 1, "name": "A"}, \#(element)]"#, table) {
          $0.isStrict = true
        }, "\(element)"
      ) {
        if case .strict("users", _) = $0 { true } else { false }
      }
      XCTAssertEqual(try database.table("users"), ["1|Ann|NULL", "2|Ben|NULL"], element)
    }
  }

  /// What was tried and taken back would leave other pages behind, and every reader would look again.
  func testARefusedRowLeavesNoByteBehind() async throws {
    let database = try TestDatabase(
      "users: email TEXT NOT NULL UNIQUE; users = (1, 'a'), (2, 'b'), (3, 'c')")
    let file = URL(filePath: database.path)
    let before = try Data(contentsOf: file)
    let report = try await database.sync(
      #"[{"id": 1, "email": "c"}, {"id": 2, "email": "c"}, {"id": 4, "email": "a"}]"#, "users"
    ) { $0.operations = .keep }
    XCTAssertEqual(report.status, .unchanged)
    XCTAssertEqual(report.tables["users"]?.refused.count, 3)
    XCTAssertEqual(try Data(contentsOf: file), before)
  }

  /// While rows of each depth are written, and when the last were and some were deleted.
  func testASyncThatIsCancelledLeavesTheOldState() async throws {
    let tables = """
      \(users); CREATE TABLE notes (id INTEGER PRIMARY KEY, user_id INTEGER REFERENCES users);
      CREATE INDEX notes_user ON notes (user_id);
      INSERT INTO notes VALUES (1, 1), (9999, 2)
      """
    let elements = (2...800).map {
      #"{"id": \#($0), "name": "n", "notes": [{"id": \#($0)}, {"id": \#($0 + 5_000)}]}"#
    }
    let payload = "[\(elements.joined(separator: ",")), {\"id\": 1, \"notes\": []}]"
    let moments: [@Sendable (RecordProgress) -> Bool] = [
      { $0.rows >= 1_000 }, { $0.rows >= 2_000 }, { $0.stage == .ending },
    ]
    for isDue in moments {
      let database = try TestDatabase(tables)
      let store = try await RecordStore(path: database.path)
      var options = RecordOptions()
      options.onProgress = { if isDue($0) { withUnsafeCurrentTask { $0?.cancel() } } }
      let sync = Task { [options] in
        try await store.sync(.text(payload), into: "users", options: options)
      }
      await assertThrows(CancellationError.self, try await sync.value)
      XCTAssertEqual(try database.table("users"), ["1|Ann|NULL", "2|Ben|NULL"])
      XCTAssertEqual(try database.table("notes"), ["1|1", "9999|2"])
      // The store is as good as before.
      let report = try await store.sync(.text(#"[{"id": 1}]"#), into: "users")
      XCTAssertEqual(report.tables["users"]?.refused.map(\.key?.integer), [2])
    }
  }

  func testOverManyWindowsReferencesDeletionsAndTheLastWordHold() async throws {
    let database = try TestDatabase(users)
    let count = 2_000
    let filler = String(repeating: "x", count: 120)
    var lines = (1...count).map {
      // Everybody's boss comes later, and the last one's is the first.
      #"{"id": \#($0), "name": "\#(filler)", "boss_id": \#($0 % count + 1)}"#
    }
    lines.append(#"{"id": 5, "name": "last"}"#)
    var payload = RecordPayload.text(lines.joined(separator: "\n"))
    payload.bounds.window = 64 << 10
    let report = try await database.sync(payload, "users")
    XCTAssertFalse(report.isPartial)
    XCTAssertEqual(report.tables["users"]?.inserted.count, count - 2)
    XCTAssertEqual(
      try database.rows(
        "SELECT count(*), count(boss_id), sum(boss_id = id % \(count) + 1) FROM users"),
      ["\(count)|\(count)|\(count)"])
    XCTAssertEqual(try database.rows("SELECT name FROM users WHERE id = 5"), ["last"])
    try await assertEqual(database.sync(payload, "users").status, .unchanged)
  }

  func testADeepTreeIsWritten() async throws {
    let database = try TestDatabase("nodes: node_id -> nodes")
    let depth = 250
    var payload = "{\"id\": \(depth)}"
    for id in (1..<depth).reversed() { payload = "{\"id\": \(id), \"nodes\": [\(payload)]}" }
    try await database.sync("[\(payload)]", "nodes")
    XCTAssertEqual(
      try database.rows("SELECT count(*), sum(node_id = id - 1) FROM nodes"),
      ["\(depth)|\(depth - 1)"])
  }

  func testAReaderSeesWholeStatesOnly() async throws {
    let database = try TestDatabase(users)
    try database.run("PRAGMA journal_mode = WAL")
    let states = (1...2).map { round in
      "[\((1...3_000).map { #"{"id": \#($0), "name": "r\#(round)"}"# }.joined(separator: ","))]"
    }
    try await database.sync(states[0], "users")
    let seen = Locked<[[String]]>([])
    @Sendable func look() throws -> [String] {
      try database.rows("SELECT min(name), max(name), count(*) FROM users")
    }
    try await database.sync(states[1], "users") { options in
      // Another connection looks while the sync is somewhere within.
      options.onProgress = { _ in seen.withLock { $0.append((try? look()) ?? []) } }
    }
    let told = seen.withLock { $0 }
    XCTAssertGreaterThan(told.count, 3)
    XCTAssertEqual(Set(told), [["r1|r1|3000"]])
    XCTAssertEqual(try look(), ["r2|r2|3000"])
  }
}
