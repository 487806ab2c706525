import Foundation
import RecordSync
import TestSupport
import XCTest

/// The program over a database whose tables an app's migrations made: it was said to be written by
/// a newer version of the program, and couldn't even be looked at.
final class AppDatabaseTests: RecordsTestCase {
  func testADatabaseWithMigrationsIsReadExportedAndSynced() async throws {
    let migration = RecordMigration("v1", "CREATE TABLE apps (id INTEGER PRIMARY KEY, name TEXT)")
    _ = try await RecordStore(.file(database), options: StoreOptions(migrations: [migration]))
    try write(#"[{"id":1,"name":"Ann"}]"#, to: "p.json")
    for arguments in [
      ["sync", "app.sqlite", "apps", "p.json"], ["verify", "app.sqlite", "apps", "p.json"],
      ["schema", "app.sqlite"], ["export", "app.sqlite", "apps"],
      ["get", "app.sqlite", "apps", "1"],
    ] {
      let outcome = try records(arguments)
      XCTAssertEqual(outcome.status, 0, "\(arguments): \(outcome.said)")
    }
  }
}
