import XCTest

@testable import RecordSync

/// Declared paths through names that are spelled in several ways, or that mean something besides.
final class PathSpellingTests: SchemaTestCase {
  /// Each of 200 paths of 500 equal names takes as many steps; that many for each of its steps
  /// would take minutes.
  func testLongPathsTakeAsManyStepsAsTheyHaveParts() {
    let spelling = Spelling(acronyms: [])
    var map = MemberMap()
    for column in 0..<200 {
      let path = Array(repeating: "a", count: 500) + ["c\(column)"]
      let place = MemberMap.ColumnPlace(table: 0, column: column)
      map.add(path[...], MemberMap.Meaning(column: place), spelling)
    }
    var inside: MemberMap? = map
    for _ in 0..<500 { inside = inside?.meaning(of: [97], spelling)?.inside }
    XCTAssertEqual(inside?.meaning(of: Array("c199".utf8), spelling)?.column?.column, 199)
    XCTAssertEqual(inside?.meaning(of: Array("c0".utf8), spelling)?.column?.column, 0)
  }

  func testAPathThroughOneSpellingLeadsNotIntoAColumnOfAnother() throws {
    let schema = try schema("CREATE TABLE t (id INTEGER PRIMARY KEY, userId, user_id, city)") {
      $0.table("t") { $0.column("city") { $0.name = "user_id.city" } }
    }
    XCTAssertEqual(try schema.meaning("user_id", in: "t"), "t.user_id {}")
    XCTAssertEqual(try schema.meaning("userId", in: "t"), "t.userId")
    XCTAssertEqual(try schema.meaning("UserID", in: "t"), "t.userId")
  }

  func testAPathThroughOneSpellingLeadsNotIntoARelationOfAnother() throws {
    let schema = try schema(
      """
      people: company_id REFERENCES companies;
      users (id INTEGER PRIMARY KEY REFERENCES people, owner_id REFERENCES companies, city TEXT);
      companies:
      """
    ) { overrides in
      overrides.table("users") { users in
        users.relation("owner") { $0.name = "Company" }
        users.column("city") { $0.name = "Company.city" }
      }
    }
    XCTAssertEqual(try schema.meaning("Company", in: "users"), "→ Company {}")
    XCTAssertEqual(try schema.meaning("company", in: "users"), "→ company")
  }

  func testPathsThroughSeveralSpellingsOfANameLeadIntoAllOfThem() throws {
    let schema = try schema("t: userId, one, two, three, four, five") { overrides in
      overrides.table("t") { table in
        table.column("one") { $0.name = "user_id.a" }
        table.column("two") { $0.name = "userID.b" }
        for (column, path) in [("three", "a.user_id.a"), ("four", "a.userId.b"), ("five", "A.b.c")]
        { table.column(column) { $0.name = path } }
      }
    }
    for name in ["user_id", "userId", "userID", "UserId"] {
      XCTAssertEqual(try schema.meaning(name, in: "t"), "t.userId {}", name)
      for (inside, column) in [("a", "one"), ("b", "two")] {
        XCTAssertEqual(try schema.meaning(path: [name, inside], in: "t"), "t.\(column)", name)
      }
      for (inside, column) in [("a", "three"), ("b", "four")] {
        XCTAssertEqual(try schema.meaning(path: ["a", name, inside], in: "t"), "t.\(column)", name)
      }
    }
    XCTAssertEqual(try schema.meaning(path: ["a", "B", "C"], in: "t"), "t.five")
  }
}
