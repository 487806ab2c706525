@testable import RecordSync
import XCTest

/// Who listens hears of every commit that changed something.
final class StoreChangesTests: XCTestCase {
  func testOwnCommitsAndTheWritingOfOthersAreTold() async throws {
    let database = try TestDatabase("users: name TEXT; users = (1, 'Ann')")
    var store: RecordStore? = try await RecordStore(path: database.path)
    let changes = try XCTUnwrap(store).changes
    let first = try await store?.put(.text(#"{"id": 2, "name": "Ben"}"#), into: "users")
    try await store?.put(.text(#"{"id": 2, "name": "Ben"}"#), into: "users")
    _ = try await store?.verify(.text("[]"), against: "users")
    try await store?.lookForChanges()
    try database.run("UPDATE users SET name = 'X'")
    try await store?.lookForChanges()
    try await store?.lookForChanges()
    try database.run("UPDATE users SET name = 'Y'")
    let last = try await store?.sync(.text("[]"), into: "users")
    store = nil
    var told: [StoreChange] = []
    for await change in changes { told.append(change) }
    XCTAssertEqual(
      told,
      [
        .written(try XCTUnwrap(first)), .writtenElsewhere, .writtenElsewhere,
        .written(try XCTUnwrap(last)),
      ])
  }
}
