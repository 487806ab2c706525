@testable import RecordSync
import XCTest

/// Relations that overrides name, adjust, or tell of where no foreign key does.
final class DeclaredRelationTests: SchemaTestCase {
  private let tables = """
    companies:; users: company_id REFERENCES companies, name TEXT;
    messages: sender_id REFERENCES users, receiver_id REFERENCES users, place INTEGER; tags:;
    user_tags (user_id REFERENCES users, tag_id REFERENCES tags, place INTEGER, at TEXT,
      PRIMARY KEY (user_id, tag_id))
    """

  private func users(
    _ adjust: @escaping (inout SchemaOverrides.Table) -> Void
  ) throws -> RecordSchema {
    try schema(tables) { $0.table("users", adjust) }
  }

  func testADerivedRelationGetsAnotherName() throws {
    let schema = try users {
      $0.relation("company") { ($0.name, $0.column) = ("employer", "company_id") }
    }
    XCTAssertEqual(try schema.relations("users").first, "employer: one companies, by company_id")
    XCTAssertEqual(try schema.meaning("employer", in: "users"), "→ employer")
    XCTAssertEqual(try schema.meaning("Employer", in: "users"), "→ employer")
    XCTAssertEqual(try schema.meaning("employer_id", in: "users"), "users.company_id")
    XCTAssertEqual(try schema.meaning("companyID", in: "users"), "users.company_id")
    XCTAssertNil(try schema.meaning("company", in: "users"))
  }

  func testTheColumnIsEnoughOrTheDerivedName() throws {
    let byColumn = try users {
      $0.relation("employer") { $0.column = "company_id" }
    }
    XCTAssertEqual(try byColumn.relations("users").first, "employer: one companies, by company_id")
    let byName = try users { $0.relation("Company") { $0.name = "employer" } }
    XCTAssertEqual(try byName.relations("users").first, "employer: one companies, by company_id")
    let byTable = try users { $0.relation("employer") { $0.table = "companies" } }
    XCTAssertEqual(try byTable.relations("users").first, "employer: one companies, by company_id")
  }

  func testSeveralForeignKeysGetANameEach() throws {
    let schema = try users { users in
      users.relation("sent") {
        $0.table = "messages"
        $0.column = "sender_id"
        $0.position = "place"
      }
      users.relation("messages") { ($0.table, $0.column) = ("messages", "receiver_id") }
    }
    XCTAssertEqual(
      try schema.relations("users").sorted(),
      [
        "company: one companies, by company_id",
        "messages: many messages, by messages.receiver_id",
        "sent: many messages, by messages.sender_id, ordered by messages.place",
        "user_tags: many user_tags, by user_tags.user_id, keys count beside the parent's",
      ])
    XCTAssertEqual(schema.warnings, [])
    XCTAssertEqual(try schema.meaning("message_ids", in: "users"), "→ messages*")
  }

  func testOneNameOfSeveralLeavesTheOthersWithout() throws {
    let schema = try users {
      $0.relation("sent") { ($0.table, $0.column) = ("messages", "sender_id") }
    }
    XCTAssertEqual(
      schema.warnings,
      [.unnamedToMany(table: "users", other: "messages", columns: ["messages.receiver_id"])])
    XCTAssertEqual(try schema.meaning("messages", in: "users"), "!")
  }

  func testATableOfLinksMayHoldMoreIfItIsDeclared() throws {
    let schema = try users {
      $0.relation("tags") {
        $0.name = "labels"
        $0.table = "tags"
        $0.through = "user_tags"
        $0.position = "place"
        $0.perParent = false
      }
    }
    XCTAssertEqual(
      try schema.relations("users").last,
      "labels: many tags, linked by user_tags.user_id, ordered by user_tags.place")
    XCTAssertEqual(try schema.meaning("label_ids", in: "users"), "→ labels*")
    XCTAssertNil(try schema.meaning("tags", in: "users"))
  }

  func testRelationsAreToldOfWithoutForeignKeys() throws {
    let schema = try schema(
      """
      authors: name; books: author_id INTEGER, title; genres:;
      books_genres (book_id INTEGER, genre_id INTEGER)
      """
    ) { overrides in
      overrides.table("books") { books in
        books.relation("author") { ($0.table, $0.column) = ("authors", "author_id") }
        books.relation("genres") { ($0.table, $0.through) = ("genres", "books_genres") }
      }
      overrides.table("authors") {
        $0.relation("books") { ($0.table, $0.column) = ("books", "author_id") }
      }
    }
    XCTAssertEqual(
      try schema.relations("books"),
      ["author: one authors, by author_id", "genres: many genres, linked by books_genres.book_id"])
    XCTAssertEqual(try schema.relations("authors"), ["books: many books, by books.author_id"])
    XCTAssertEqual(schema.warnings, [.withoutKey(table: "books_genres")])
  }

  func testBothSidesOfATableThatRefersToItselfAreDeclared() throws {
    let schema = try schema("nodes: up -> nodes, n INTEGER") { overrides in
      overrides.table("nodes") { nodes in
        nodes.relation("children") {
          $0.table = "nodes"
          $0.column = "up"
          $0.position = "n"
        }
        nodes.relation("parent") { $0.column = "up" }
      }
    }
    XCTAssertEqual(
      try schema.relations("nodes"),
      ["parent: one nodes, by up", "children: many nodes, by up, ordered by n"])
  }

  func testKeysMayCountBesideTheParentsOnly() throws {
    let schema = try users {
      $0.relation("sent") {
        $0.table = "messages"
        $0.column = "sender_id"
        $0.perParent = true
      }
    }
    XCTAssertEqual(
      try schema.table("users").relations.filter(\.isPerParent).map(\.name), ["sent", "user_tags"])
  }

  func testADeclaredRelationGoesBeforeADerivedOne() throws {
    let schema = try users {
      $0.relation("company") { ($0.table, $0.column) = ("messages", "sender_id") }
    }
    XCTAssertEqual(try schema.meaning("company", in: "users"), "→ company")
    XCTAssertEqual(
      try schema.relations("users").filter { $0.hasPrefix("company") },
      ["company: many messages, by messages.sender_id"])
  }

  func testAPathMayLeadToARelation() throws {
    let schema = try users { $0.relation("company") { $0.name = "data.employer" } }
    XCTAssertEqual(try schema.meaning(path: ["data", "employer"], in: "users"), "→ data.employer")
  }

  func testRelationsThatCannotBeAreErrors() {
    func check(
      _ name: String, _ problem: SchemaProblem, line: UInt = #line,
      _ adjust: @escaping (inout SchemaOverrides.Relation) -> Void
    ) {
      assertProblem(problem, line: line, tables) { $0.table("users") { $0.relation(name, adjust) } }
    }
    func fault(_ name: String, _ fault: SchemaProblem.RelationFault) -> SchemaProblem {
      .noRelation(name, table: "users", fault)
    }
    check("boss", fault("boss", .unknown)) { $0.name = "chief" }
    check("boss", fault("boss", .leadsNowhere(column: "name"))) { $0.column = "name" }
    check("boss", .noColumn("boss_id", table: "users")) { $0.column = "boss_id" }
    check("a", .noTable("groups")) { $0.table = "groups" }
    check("a", .noTable("groups")) { $0.through = "groups" }
    check("a", fault("a", .unrelated(table: "tags"))) { $0.table = "tags" }
    check("a", .noColumn("x", table: "tags")) { ($0.table, $0.column) = ("tags", "x") }
    check("a", fault("a", .withoutLink(through: "tags", to: "users"))) { $0.through = "tags" }
    check("a", fault("a", .withoutLink(through: "user_tags", to: "companies"))) {
      $0.through = "user_tags"
      $0.table = "companies"
    }
    check("a", fault("a", .toItself)) { $0.through = "messages" }
    check("company", fault("company", .notForThis("position"))) { $0.position = "name" }
    check("company", fault("company", .notForThis("perParent"))) { $0.perParent = true }
    check("user_tags", .noColumn("x", table: "user_tags")) { $0.position = "x" }
    check("company", .emptyName(of: "company", table: "users")) { $0.name = "a..b" }
    check(
      "messages",
      .ambiguousRelation(
        table: "users", other: "messages", columns: ["messages.sender_id", "messages.receiver_id"])
    ) { $0.name = "mail" }
  }

  func testANameThatSomethingElseHasIsAnErrorThatNamesBoth() {
    assertProblem(
      .sameName("name", table: "users", first: "name", second: "users.company_id"), tables
    ) { $0.table("users") { $0.relation("company") { $0.name = "name" } } }
    assertProblem(
      .sameName("x", table: "users", first: "users.company_id", second: "user_tags.user_id"), tables
    ) { overrides in
      overrides.table("users") { users in
        users.relation("company") { $0.name = "x" }
        users.relation("user_tags") { $0.name = "x" }
      }
    }
    assertProblem(.declaredTwice("users.company", "users.employer"), tables) { overrides in
      overrides.table("users") { users in
        users.relation("company") { $0.name = "x" }
        users.relation("employer") { $0.column = "company_id" }
      }
    }
  }
}
