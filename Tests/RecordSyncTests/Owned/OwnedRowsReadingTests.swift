import TestSupport
import XCTest

@testable import RecordSync

/// What stands beside a sync of rows that a list owns: verify, undo, export, single rows, the
/// schema, and tables in which the position wasn't declared.
final class OwnedRowsReadingTests: XCTestCase {
  private let declared = OwnedRowsTests.declared
  private let payload = """
    [{"id": 1, "note": null, "lines": [{"sku": "b", "n": 2, "product": null},
    {"sku": "a", "n": 1, "product": null}]}]
    """

  private func store(_ database: TestDatabase) async throws -> RecordStore {
    try await RecordStore(path: database.path, overrides: declared)
  }

  private func skus(_ database: TestDatabase) throws -> [String] {
    try database.rows("SELECT sku FROM lines ORDER BY order_id, position")
  }

  func testExportHasTheListsOrderAndNoPositions() async throws {
    let database = try TestDatabase(OwnedRowsTests.orders)
    try await database.sync(payload, "orders", overrides: declared)
    let exported = try await database.export("orders", overrides: declared)
    XCTAssertEqual(
      exported,
      #"[{"id":1,"note":null,"lines":[{"sku":"b","n":2,"product":null},"#
        + #"{"sku":"a","n":1,"product":null}]}]"#)
    let again = try await database.sync(exported, "orders", overrides: declared)
    XCTAssertEqual(again.status, .unchanged)
    let copy = try TestDatabase(OwnedRowsTests.orders)
    try await copy.sync(exported, "orders", overrides: declared)
    XCTAssertEqual(try copy.table("lines"), try database.table("lines"))
  }

  /// Rows of two parents had the same key in an export of their own table, and it couldn't be read.
  func testRowsThatWereMadeNameTheirParentWhereNothingElseDoes() async throws {
    let payload = """
      [{"id":1,"files":[{"path":"q"},{"path":"r"}],"notes":[{"id":1,"t":"x"},{"id":2,"t":"y"}]},
      {"id":2,"files":[{"path":"s"}],"notes":[{"id":1,"t":"z"}]}]
      """
    let database = try TestDatabase()
    try await database.create(payload, "tops")
    try await assertEqual(
      database.export("notes"),
      #"[{"top_id":1,"id":1,"t":"x","position":0},{"top_id":1,"id":2,"t":"y","position":1},"#
        + #"{"top_id":2,"id":1,"t":"z","position":0}]"#)
    try await assertEqual(database.export("tops"), payload.replacing("\n", with: ""))
    let copy = try TestDatabase()
    try await copy.create(payload, "tops")
    for table in ["notes", "files"] {
      let exported = try await database.export(table)
      try await assertEqual(database.sync(exported, table).status, .unchanged)
      try copy.run("DELETE FROM \(table)")
      try await copy.sync(exported, table)
      XCTAssertEqual(try copy.table(table), try database.table(table))
    }
  }

  func testThePositionIsExportedWhereThatIsSaid() async throws {
    var overrides = declared
    overrides.table("lines") { $0.column("position") { $0.export = true } }
    let database = try TestDatabase(OwnedRowsTests.orders)
    try await database.sync(payload, "orders", overrides: overrides)
    let exported = try await database.export("orders", overrides: overrides)
    XCTAssertTrue(exported.contains(#""position":1,"sku":"a""#), exported)
    let again = try await database.sync(exported, "orders", overrides: overrides)
    XCTAssertEqual(again.status, .unchanged)
  }

  func testAPlanTellsDifferencesOfOrderAlone() async throws {
    let database = try TestDatabase(OwnedRowsTests.orders)
    try await database.sync(payload, "orders", overrides: declared)
    let store = try await store(database)
    var options = RecordOptions()
    options.isPlan = true
    let equal = try await store.sync(.text(payload), into: "orders", options: options)
    XCTAssertFalse(equal.hasChanges)
    let other = #"[{"id": 1, "lines": [{"sku": "a", "n": 1}, {"sku": "b", "n": 2}]}]"#
    let unequal = try await store.sync(.text(other), into: "orders", options: options)
    XCTAssertEqual(unequal.tables["lines"]?.updated.map(\.columns), [["sku", "n"], ["sku", "n"]])
    XCTAssertEqual(try skus(database), ["b", "a"])
  }

  func testASyncIsTakenBack() async throws {
    let database = try TestDatabase(OwnedRowsTests.orders)
    try await database.sync(payload, "orders", overrides: declared)
    let store = try await store(database)
    var options = RecordOptions()
    options.recordsUndo = true
    let report = try await store.sync(
      .text(#"[{"id": 1, "lines": [{"sku": "x"}]}]"#), into: "orders", options: options)
    XCTAssertEqual(try skus(database), ["x"])
    let undo = try XCTUnwrap(report.undo)
    try await store.undo(undo)
    XCTAssertEqual(try skus(database), ["b", "a"])
    let again = try await store.sync(.text(payload), into: "orders")
    XCTAssertEqual(again.status, .unchanged)
  }

  func testOneObjectIsPutWithItsList() async throws {
    let database = try TestDatabase(OwnedRowsTests.orders)
    let store = try await store(database)
    try await store.put(.text(#"{"id": 1, "lines": [{"sku": "a"}]}"#), into: "orders")
    XCTAssertEqual(try database.table("lines"), ["1|0|a|NULL|NULL"])
  }

  func testWhereItIsNotDeclaredObjectsMayCarryTheirPosition() async throws {
    let database = try TestDatabase(OwnedRowsTests.orders)
    let carried = """
      [{"id": 1, "lines": [{"position": 7, "sku": "a", "n": 1}, {"position": 3, "sku": "b"}]}]
      """
    try await database.sync(carried, "orders")
    XCTAssertEqual(
      try database.rows("SELECT position, sku FROM lines ORDER BY 1"), ["3|b", "7|a"])
    // These are keys, and what isn't named stays.
    try await database.sync(
      #"[{"id": 1, "lines": [{"position": 7, "sku": "x"}, {"position": 3}]}]"#, "orders")
    XCTAssertEqual(
      try database.rows("SELECT position, sku, n FROM lines ORDER BY 1"), ["3|b|NULL", "7|x|1"])
    let exported = try await database.export("orders")
    XCTAssertTrue(exported.contains(#""position":3"#), exported)
    let again = try await database.sync(exported, "orders")
    XCTAssertEqual(again.status, .unchanged)
    // And where no object of the list carries one, its place is the key.
    try await database.sync(#"[{"id": 1, "lines": [{"sku": "p"}, {"sku": "q"}]}]"#, "orders")
    XCTAssertEqual(
      try database.rows("SELECT position, sku FROM lines ORDER BY 1"), ["0|p", "1|q"])
  }

  func testWhereItIsDeclaredTheOrderDecidesWhateverTheObjectsCarry() async throws {
    let database = try TestDatabase(OwnedRowsTests.orders)
    let carried = #"[{"id": 1, "lines": [{"position": 1, "sku": "a", "n": 1}, "#
    try await database.sync(
      carried + #"{"position": 2, "sku": "b", "n": 2}]}]"#, "orders", overrides: declared)
    XCTAssertEqual(
      try database.rows("SELECT position, sku, n FROM lines ORDER BY 1"), ["0|a|1", "1|b|2"])
    // An absent member is cleared, also where all others agree.
    try await database.sync(
      carried + #"{"position": 2, "sku": "b"}]}]"#, "orders", overrides: declared)
    XCTAssertEqual(
      try database.rows("SELECT position, sku, n FROM lines ORDER BY 1"), ["0|a|1", "1|b|NULL"])
  }

  func testTheSchemaTellsIt() async throws {
    let database = try TestDatabase(OwnedRowsTests.orders)
    let store = try await store(database)
    let shown = try await store.schema().text
    XCTAssertTrue(
      shown.contains(
        "ordered by lines.position, which tells them apart beside the parent's key"), shown)
  }
}
