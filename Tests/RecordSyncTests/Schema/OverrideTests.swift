@testable import RecordSync
import XCTest

/// What overrides change about columns and their names, and which of them can't be taken.
final class OverrideTests: SchemaTestCase {
  private let users = """
    CREATE TABLE users (id INTEGER PRIMARY KEY, age INTEGER, first_name TEXT, birth INTEGER,
      company TEXT, city TEXT, position INTEGER)
    """

  func testADeclaredNameReplacesTheColumnsOwn() throws {
    let schema = try schema(users) {
      $0.table("users") { $0.column("AGE") { $0.name = "ageOfPerson" } }
    }
    XCTAssertEqual(try schema.meaning("ageOfPerson", in: "users"), "users.age")
    XCTAssertEqual(try schema.meaning("age_of_person", in: "users"), "users.age")
    XCTAssertNil(try schema.meaning("age", in: "users"))
  }

  func testADeclaredNameGoesBeforeALiteralOneAndThisBeforeAnotherSpelling() throws {
    let schema = try schema("CREATE TABLE t (id INTEGER PRIMARY KEY, user_id, userId, x)") {
      $0.table("t") { $0.column("x") { $0.name = "userID" } }
    }
    XCTAssertEqual(try schema.meaning("userID", in: "t"), "t.x")
    XCTAssertEqual(try schema.meaning("user_id", in: "t"), "t.user_id")
    XCTAssertEqual(try schema.meaning("userId", in: "t"), "t.userId")
  }

  func testAColumnsNameIsFreeWhenItHasAnother() throws {
    let schema = try schema(users) { overrides in
      overrides.table("users") { users in
        users.column("age") { $0.name = "birth" }
        users.column("birth") { $0.name = "age" }
      }
    }
    XCTAssertEqual(try schema.meaning("birth", in: "users"), "users.age")
    XCTAssertEqual(try schema.meaning("age", in: "users"), "users.birth")
  }

  /// Each step of a path looked at all steps below it twice: a path of 22 equal names took minutes.
  func testAPathOfManyEqualNamesIsReadAtOnceAndOneTooLongIsAnError() throws {
    for count in [22, 99] {
      let path = String(repeating: "a.", count: count) + "b"
      let schema = try schema(users) {
        $0.table("users") {
          $0.column("city") { $0.name = path }
          $0.column("company") { $0.name = String(repeating: "a.", count: count) + "c" }
        }
      }
      var map = schema.members[0]
      for _ in 0..<count { map = try XCTUnwrap(schema.meaning(of: [97], in: map)?.inside) }
      XCTAssertNotNil(schema.meaning(of: [98], in: map)?.column)
      XCTAssertNotNil(schema.meaning(of: [99], in: map)?.column)
    }
    XCTAssertThrowsError(
      try schema(users) {
        $0.table("users") {
          $0.column("city") { $0.name = String(repeating: "a.", count: 5_000) + "b" }
        }
      }
    ) { XCTAssertEqual($0 as? SchemaProblem, .emptyName(of: "city", table: "users")) }
  }

  func testAPathLeadsIntoObjects() throws {
    let schema = try schema(
      """
      users: company_id REFERENCES companies, city TEXT, street TEXT, note TEXT; companies:
      """
    ) { overrides in
      overrides.table("users") { users in
        users.column("city") { $0.name = "company.address.city" }
        users.column("street") { $0.name = "company.address.streetName" }
        users.column("note") { $0.name = "meta.note" }
      }
    }
    XCTAssertEqual(try schema.meaning("company", in: "users"), "→ company {}")
    XCTAssertEqual(try schema.meaning("Company", in: "users"), "→ company {}")
    XCTAssertEqual(try schema.meaning("meta", in: "users"), "{}")
    XCTAssertEqual(
      try schema.meaning(path: ["company", "address", "city"], in: "users"), "users.city")
    XCTAssertEqual(
      try schema.meaning(path: ["company", "address", "street_name"], in: "users"), "users.street")
    XCTAssertEqual(try schema.meaning(path: ["meta", "note"], in: "users"), "users.note")
    XCTAssertNil(try schema.meaning("city", in: "users"))
  }

  func testOneNameMayBeAColumnAndTheBeginningOfAPath() throws {
    let schema = try schema(users) {
      $0.table("users") { $0.column("city") { $0.name = "company.city" } }
    }
    XCTAssertEqual(try schema.meaning("company", in: "users"), "users.company {}")
  }

  func testWhatIsSaidAboutAColumnIsKept() throws {
    let schema = try schema(users) { overrides in
      overrides.table("users") { users in
        users.position = "Position"
        users.edits = "city"
        users.unknown = .extra
        users.column("age") {
          $0.export = false
          $0.ignoreNull = true
          $0.kind = .decimal
        }
        users.column("birth") { $0.date = .seconds }
      }
    }
    let table = try schema.table("users")
    XCTAssertEqual(table.position, 6)
    XCTAssertEqual(table.edits, 5)
    XCTAssertEqual(table.unknown, .extra)
    XCTAssertFalse(table.columns[1].isExported)
    XCTAssertTrue(table.columns[1].ignoresNull)
    XCTAssertEqual(table.columns[1].type.kind, .decimal)
    XCTAssertEqual(table.columns[1].type.affinity, .integer)
    XCTAssertEqual(table.columns[3].type.kind, .date(.seconds))
  }

  func testFurtherAcronymsKeepTheirCase() throws {
    let schema = try schema("CREATE TABLE t (id INTEGER PRIMARY KEY, gps_vat TEXT)") {
      $0.acronyms = ["gps", "vat"]
    }
    XCTAssertEqual(try schema.meaning("GPSVAT", in: "t"), "t.gps_vat")
  }

  func testReservedWordsFindAColumnWithTheTablesNameBeforeIt() throws {
    let schema = try schema(
      """
      users: user_type TEXT, userDescription TEXT, signed INTEGER, user_signed INTEGER;
      news: user_type TEXT
      """)
    XCTAssertEqual(try schema.meaning("type", in: "users"), "users.user_type")
    XCTAssertEqual(try schema.meaning("user_type", in: "users"), "users.user_type")
    XCTAssertEqual(try schema.meaning("description", in: "users"), "users.userDescription")
    XCTAssertEqual(try schema.meaning("signed", in: "users"), "users.signed")
    XCTAssertNil(try schema.meaning("type", in: "news"))
    XCTAssertEqual(try schema.lines("users")[2], "  user_type        text, in JSON also “type”")
  }

  func testNamesThatAreNotThereAreErrors() {
    assertProblem(.noTable("people"), users) { $0.table("people") { _ in } }
    assertProblem(.noColumn("nick", table: "users"), users) {
      $0.table("users") { $0.column("nick") { _ in } }
    }
    assertProblem(.noColumn("nick", table: "users"), users) {
      $0.table("USERS") { $0.key = ["id", "nick"] }
    }
    assertProblem(.noColumn("place", table: "users"), users) {
      $0.table("users") { $0.position = "place" }
    }
    assertProblem(.noColumn("dirty", table: "users"), users) {
      $0.table("users") { $0.edits = "dirty" }
    }
    assertProblem(.withoutKey(table: "users"), users) { $0.table("users") { $0.key = [] } }
  }

  func testANameThatTwoColumnsClaimIsAnErrorThatNamesBoth() {
    assertProblem(
      .sameName("city", table: "users", first: "city", second: "age"), users
    ) { $0.table("users") { $0.column("age") { $0.name = "city" } } }
    assertProblem(
      .sameName("a.b", table: "users", first: "age", second: "birth"), users
    ) { overrides in
      overrides.table("users") { users in
        users.column("age") { $0.name = "a.b" }
        users.column("birth") { $0.name = "a.b" }
      }
    }
    assertProblem(
      .sameName("id", table: "t", first: "remote_id", second: "x"),
      "CREATE TABLE t (remote_id INTEGER PRIMARY KEY, x)"
    ) { $0.table("t") { $0.column("x") { $0.name = "id" } } }
  }

  func testANameWithoutLettersAndATableTwiceAreErrors() {
    for name in ["", ".", "a.", ".a", "a..b"] {
      assertProblem(.emptyName(of: "age", table: "users"), users) {
        $0.table("users") { $0.column("age") { $0.name = name } }
      }
    }
    assertProblem(.declaredTwice("USERS", "users"), users) {
      $0.table("users") { _ in }
      $0.table("USERS") { _ in }
    }
    assertProblem(.declaredTwice("users.AGE", "users.age"), users) {
      $0.table("users") {
        $0.column("age") { _ in }
        $0.column("AGE") { _ in }
      }
    }
  }
}
