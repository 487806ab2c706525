@testable import RecordSync
import TestSupport
import XCTest

/// Versions are kept of what a sync does to rows while it makes tables and columns for them, too.
final class GrowingHistoryTests: XCTestCase {
  private func keeping(
    _ policies: [String: SchemaOverrides.UnknownMembers] = [:]
  ) -> SchemaOverrides {
    var overrides = SchemaOverrides()
    overrides.keepsHistory = true
    for (table, policy) in policies { overrides.table(table) { $0.unknown = policy } }
    return overrides
  }

  /// The versions that nothing has ended are the rows.
  private func assertCurrent(
    _ database: TestDatabase, _ tables: [String], line: UInt = #line
  ) throws {
    for table in tables {
      let columns = try database.rows("SELECT name FROM pragma_table_info('\(table)')")
        .joined(separator: ", ")
      let kinds = columns.split(separator: ",").map { "typeof(\($0))" }.joined(separator: ", ")
      XCTAssertEqual(
        try database.rows(
          """
          SELECT \(columns), \(kinds) FROM \(table)_history
          WHERE history_end_run IS NULL ORDER BY 1, 2
          """),
        try database.rows("SELECT \(columns), \(kinds) FROM \(table) ORDER BY 1, 2"), table,
        line: line)
    }
  }

  func testLinksThatAreMadeInPlaceOfAColumnHaveVersions() async throws {
    for recordsUndo in [false, true] {
      let database = try TestDatabase()
      try await database.create(
        #"[{"id": 1, "tags": [{"id": 5, "n": 1}, {"id": 6}]}, {"id": 2, "tags": []}]"#, "items",
        overrides: keeping())
      let report = try await database.create(
        #"[{"id": 1}, {"id": 2, "tags": [{"id": 5}]}, {"id": 3, "tags": [{"id": 5}]}]"#, "items",
        overrides: keeping()
      ) { $0.recordsUndo = recordsUndo }
      XCTAssertEqual(try database.table("items_tags"), ["1|5|0", "1|6|1", "2|5|0", "3|5|0"])
      try assertCurrent(database, ["items", "tags", "items_tags"])
      XCTAssertEqual(
        try database.rows("SELECT DISTINCT history_run FROM items_tags_history"), ["2"])
      guard let undo = report.undo, recordsUndo else { continue }
      let store = try await RecordStore(path: database.path, overrides: keeping())
      try await store.undo(undo)
      // The links stay in the place of the column.
      XCTAssertEqual(try database.table("items_tags"), ["1|5|0", "1|6|1"])
      try assertCurrent(database, ["items", "tags", "items_tags"])
    }
  }

  func testWhatAColumnTakesFromExtraIsAVersionAndIsTakenBack() async throws {
    let database = try TestDatabase("y: n INTEGER")
    let extra = keeping(["y": .extra])
    try await database.sync(
      #"[{"id": 1, "n": 1, "color": "red"}, {"id": 2, "color": "blue"}]"#, "y", overrides: extra)
    let before = try database.table("y")
    let report = try await database.create(
      #"[{"id": 3, "color": "green"}]"#, "y", overrides: keeping()
    ) { ($0.operations, $0.recordsUndo) = (.keep, true) }
    XCTAssertEqual(
      try database.rows("SELECT id, extra, color FROM y"),
      ["1|NULL|red", "2|NULL|blue", "3|NULL|green"])
    try assertCurrent(database, ["y"])
    let store = try await RecordStore(path: database.path, overrides: keeping())
    let undone = try await store.undo(try XCTUnwrap(report.undo))
    XCTAssertEqual(undone.undone.map(\.description), ["dropped column y.color"])
    XCTAssertEqual(try database.table("y"), before)
    try assertCurrent(database, ["y"])
  }

  func testAColumnOfAnotherTypeHasNoVersionThatNobodyWrote() async throws {
    let database = try TestDatabase("")
    try await database.create(
      #"[{"id": 1, "n": 1}, {"id": 2, "n": 2}]"#, "things", overrides: keeping())
    // Written without versions: what was kept isn't what is there.
    try await database.create(#"[{"id": 2, "n": 7}]"#, "things") { $0.operations = .keep }
    try await database.create(
      #"[{"id": 3, "n": "many"}]"#, "things", overrides: keeping()
    ) { $0.operations = .keep }
    XCTAssertEqual(
      try database.rows(
        "SELECT id, n, typeof(n) FROM things_history WHERE history_end_run IS NULL ORDER BY id"),
      ["1|1|text", "2|2|integer", "3|many|text"])
    try await database.create(
      #"[{"id": 1, "n": "one"}, {"id": 2, "n": "two"}]"#, "things", overrides: keeping()
    ) { $0.operations = .keep }
    XCTAssertEqual(
      try database.rows(
        "SELECT id, n, history_run, history_end_run FROM things_history ORDER BY history_id"),
      [
        "1|1|1|3", "2|2|1|3", "3|many|2|NULL", "2|7|NULL|3", "1|one|3|NULL", "2|two|3|NULL",
      ])
    try assertCurrent(database, ["things"])
  }

  func testATableThatIsMadeHasNoNameOfAHistory() async throws {
    let database = try TestDatabase()
    let payload = #"[{"id": 1, "history": [{"id": 7}]}, {"id": 2, "history": [{"id": 7}]}]"#
    var overrides = keeping()
    // Its column history_id has the name of one of a history's own.
    overrides.table("issues_history_2") { $0.keepsHistory = false }
    for status in [RecordReport.Status.written, .unchanged] {
      let report = try await database.create(payload, "issues", overrides: overrides)
      XCTAssertEqual(report.status, status)
    }
    XCTAssertEqual(
      try database.tables().filter { !$0.hasSuffix("s_history") && !$0.hasSuffix("y_history") },
      ["history", "issues", "issues_history_2"])
    try assertCurrent(database, ["issues", "history"])
  }

  func testAnUndoLeavesNoHistoryOfATableThatIsGone() async throws {
    let database = try TestDatabase("users: name TEXT; users = (1, 'Ann')")
    let before = try database.declarations()
    let report = try await database.create(
      #"[{"id": 1, "tags": [{"id": 5, "n": 1}]}]"#, "posts", overrides: keeping()
    ) { $0.recordsUndo = true }
    XCTAssertEqual(
      try database.rows("SELECT history_name FROM recordsync_history ORDER BY 1"),
      ["posts_history", "tags_history"])
    let store = try await RecordStore(path: database.path, overrides: keeping())
    try await store.undo(try XCTUnwrap(report.undo))
    XCTAssertEqual(try database.declarations(), before)
  }
}
