@testable import RecordSync
import XCTest

/// Declared names, values and extended tables on their way out.
final class ExportedNamesTests: XCTestCase {
  func testDeclaredNamesArePutTogetherAndSomeColumnsNeverLeave() async throws {
    let database = try TestDatabase(
      """
      CREATE TABLE users (remote_id INTEGER PRIMARY KEY, city TEXT, street TEXT, age INTEGER,
        secret TEXT, boss INTEGER REFERENCES users, computed AS (age + 1));
      INSERT INTO users (remote_id, city, street, age, secret, boss) VALUES
        (1, 'Oslo', NULL, 3, 's', NULL), (2, NULL, NULL, 4, 's', 1);
      """)
    var overrides = SchemaOverrides()
    overrides.table("users") { users in
      users.column("city") { $0.name = "home.Address.city" }
      users.column("street") { $0.name = "home.Address.street" }
      users.column("secret") { $0.export = false }
      users.relation("boss") { $0.name = "work.boss" }
      users.relation("staff") { ($0.table, $0.column) = ("users", "boss") }
    }
    let text = try await database.export("users", overrides: overrides) { $0.style = .camel }
    XCTAssertEqual(
      text,
      """
      [{"id":1,"home":{"Address":{"city":"Oslo","street":null}},"age":3,"work":{"boss":null},\
      "staff":[2]},\
      {"id":2,"home":{"Address":{"city":null,"street":null}},"age":4,"work":{"boss":1},"staff":[]}]
      """)
    let report = try await database.sync(text, "users", overrides: overrides)
    XCTAssertEqual(report.status, .unchanged, "\(report)")
  }

  func testAnObjectThatIsARelationTakesUpWhatNamesPutIntoIt() async throws {
    let database = try TestDatabase(
      "companies: name TEXT, city TEXT; users: company_name TEXT, company_id -> companies",
      "companies = (1, 'A', 'X'); users = (1, 'A', 1), (2, 'A', 1)")
    var overrides = SchemaOverrides()
    overrides.table("users") { $0.column("company_name") { $0.name = "company.name" } }
    let text = try await database.export("users", overrides: overrides)
    XCTAssertEqual(
      text,
      """
      [{"id":1,"company":{"id":1,"name":"A","city":"X"}},{"id":2,"company":{"id":1,"name":"A"}}]
      """)
    let report = try await database.sync(text, "users", overrides: overrides)
    XCTAssertEqual(report.status, .unchanged, "\(report)")
  }

  func testJSONSpeaksOfKeysWhereTheDatabaseRefersToAnotherColumn() async throws {
    let database = try TestDatabase(
      "users (_pk INTEGER PRIMARY KEY, id TEXT UNIQUE, name TEXT); notes: user_id -> users (_pk)",
      "users = (5, 'u', 'U'); notes = (1, 5), (2, 5), (3, NULL)")
    let keys = try await database.export("notes") { $0.relations = .keys }
    XCTAssertEqual(
      keys, #"[{"id":1,"user_id":"u"},{"id":2,"user_id":"u"},{"id":3,"user_id":null}]"#)
    let text = try await database.export("notes")
    let report = try await database.sync(text, "notes")
    XCTAssertEqual(report.status, .unchanged, "\(text): \(report)")
  }

  func testRowsOfAnExtendingTableHaveTheColumnsOfBoth() async throws {
    let database = try TestDatabase(
      "people: name TEXT; staff (person_id INTEGER PRIMARY KEY REFERENCES people, badge TEXT)",
      "bosses (staff_id INTEGER PRIMARY KEY REFERENCES staff, car TEXT); pets: person_id -> people",
      "people = (1, 'A'); staff = (1, 'b1'); bosses = (1, 'red'); pets = (8, 1)")
    let text = try await database.export("bosses")
    XCTAssertEqual(text, #"[{"id":1,"car":"red","badge":"b1","name":"A","pets":[{"id":8}]}]"#)
    let report = try await database.sync(text, "bosses")
    XCTAssertEqual(report.status, .unchanged, "\(report)")
  }

  func testDatesLeaveInTheFormThatIsAskedFor() async throws {
    let database = try TestDatabase(
      "a: at DATETIME, ms TIMESTAMP_INT",
      "a = (1, '2026-11-22T09:30:07.250Z', 1000), (2, 'soon', NULL)")
    let forms: [(ExportedDates, String, String)] = [
      (.rfc3339, #""2026-11-22T09:30:07.250Z""#, #""1970-01-01T00:00:01.000Z""#),
      (.seconds, "1795339807", "1"), (.milliseconds, "1795339807250", "1000"),
      (
        .pattern("%d.%m.%Y %H:%M:%S.%L 100%% %x%"), #""22.11.2026 09:30:07.250 100% %x%""#,
        #""01.01.1970 00:00:01.000 100% %x%""#
      ),
    ]
    for (form, at, ms) in forms {
      let text = try await database.export("a") { $0.dates = form }
      XCTAssertEqual(text, #"[{"id":1,"at":\#(at),"ms":\#(ms)},{"id":2,"at":"soon","ms":null}]"#)
    }
  }

  func testTransformersAreReversed() async throws {
    let database = try TestDatabase(
      """
      a: text TEXT, json JSON; a = (1, 'a & b', '{"a":[1,2]}')
      """)
    var overrides = SchemaOverrides()
    overrides.table("a") { $0.column("text") { $0.transform = .named("html-entities") } }
    let text = try await database.export("a", overrides: overrides)
    XCTAssertEqual(text, #"[{"id":1,"text":"a &amp; b","json":{"a":[1,2]}}]"#)
  }
}
