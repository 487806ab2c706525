import SyncDatabase
import XCTest

@testable import RecordSync

/// What a pass made for itself is gone when it ends, so that the next one may make it again.
final class PassEndingTests: XCTestCase {
  func testRowsThatLackAnIndexAreRemovedTwiceByOneStore() async throws {
    let database = try TestDatabase(
      "things:; boxes (id INTEGER PRIMARY KEY REFERENCES things, code TEXT)",
      "things = (1), (2), (3); boxes = (1, 'a'), (2, 'b'), (3, 'c')")
    var overrides = SchemaOverrides()
    overrides.tables["boxes"] = .init()
    overrides.tables["boxes"]?.key = ["code"]
    let store = try await RecordStore(path: database.path, overrides: overrides)
    let options = RecordOptions()
    for (code, left) in [("a", ["b", "c"]), ("b", ["c"])] {
      try await store.put(.text(#"{"code": "\#(code)"}"#), into: "boxes")
      let keys: Set = [RecordKey([.text(code)])]
      let report = try await store.write(over: "boxes", options) { try $0.remove(keys) }
      XCTAssertEqual(report.tables["boxes"]?.deleted, Array(keys))
      XCTAssertEqual(try database.rows("SELECT code FROM boxes ORDER BY 1"), left)
    }
    let made = try await store.database.withConnection {
      try $0.rows("SELECT name FROM temp.sqlite_schema") { try $0.text("name") }
    }
    XCTAssertEqual(made, [])
  }
}
