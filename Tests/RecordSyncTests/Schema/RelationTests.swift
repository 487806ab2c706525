@testable import RecordSync
import XCTest

/// What foreign keys tell of, and what it is called.
final class RelationTests: SchemaTestCase {
  private let blog = """
    users: name TEXT; notes: userId -> users, position INTEGER; tags:;
    note_tags (note_id REFERENCES notes, tag_id REFERENCES tags, PRIMARY KEY (note_id, tag_id))
    """

  func testAForeignKeyIsOneOfTheOtherAndManyOfThis() throws {
    let schema = try schema(blog)
    XCTAssertEqual(
      try schema.relations("notes"),
      ["user: one users, by userId", "tags: many tags, linked by note_tags.note_id"])
    XCTAssertEqual(
      try schema.relations("users"),
      ["notes: many notes, by notes.userId, ordered by notes.position"])
    XCTAssertEqual(try schema.relations("tags"), ["notes: many notes, linked by note_tags.tag_id"])
    XCTAssertEqual(
      try schema.relations("note_tags"),
      ["note: one notes, by note_id", "tag: one tags, by tag_id"])
    XCTAssertEqual(schema.warnings, [])
  }

  func testKeysStandUnderTheSingularAndTheTablesOwnName() throws {
    let schema = try schema(blog)
    for name in ["tag_ids", "tagIDs", "tagIds", "tags_ids"] {
      XCTAssertEqual(try schema.meaning(name, in: "notes"), "→ tags*", name)
    }
    for name in ["user_id", "userId", "userID"] {
      XCTAssertEqual(try schema.meaning(name, in: "notes"), "notes.userId", name)
    }
    XCTAssertEqual(try schema.meaning("tags", in: "notes"), "→ tags")
    XCTAssertEqual(try schema.meaning("user", in: "notes"), "→ user")
  }

  func testAForeignKeyThatIsUniqueIsOneOnBothSides() throws {
    let schema = try schema("users:; categories: user_id UNIQUE REFERENCES users")
    XCTAssertEqual(
      try schema.relations("users"), ["category: one categories, by categories.user_id"])
    XCTAssertEqual(try schema.meaning("category", in: "users"), "→ category")
    XCTAssertEqual(try schema.meaning("categories", in: "users"), "→ category")
    XCTAssertNil(try schema.meaning("category_id", in: "users"))
  }

  func testATableMayReferToItself() throws {
    let schema = try schema("categories: parent_id REFERENCES categories")
    XCTAssertEqual(
      try schema.relations("categories"),
      ["parent: one categories, by parent_id", "categories: many categories, by parent_id"])
  }

  func testSeveralForeignKeysToOneTableLeaveTheirManyWithoutAName() throws {
    let schema = try schema(
      "users:; messages: sender_id REFERENCES users, receiver_id REFERENCES users")
    let columns = ["messages.sender_id", "messages.receiver_id"]
    XCTAssertEqual(
      schema.warnings, [.unnamedToMany(table: "users", other: "messages", columns: columns)])
    XCTAssertEqual(try schema.relations("users"), [])
    XCTAssertEqual(
      try schema.relations("messages"),
      ["sender: one users, by sender_id", "receiver: one users, by receiver_id"])
    let meaning = schema.meaning(
      of: Array("messages".utf8), in: schema.members[try XCTUnwrap(schema.place(of: "users"))])
    XCTAssertEqual(
      meaning?.problem, .ambiguousRelation(table: "users", other: "messages", columns: columns))
  }

  func testTwoWaysToOneTableOfManyAreAmbiguousAsWell() throws {
    let schema = try schema(
      """
      users:; tags: user_id REFERENCES users;
      user_tags (user_id REFERENCES users, tag_id REFERENCES tags, PRIMARY KEY (user_id, tag_id))
      """)
    XCTAssertEqual(
      schema.warnings,
      [
        .unnamedToMany(
          table: "users", other: "tags", columns: ["tags.user_id", "user_tags.user_id"])
      ])
    XCTAssertEqual(
      try schema.relations("tags"),
      ["user: one users, by user_id", "users: many users, linked by user_tags.tag_id"])
  }

  func testForeignKeysBothWaysAreNotSeveral() throws {
    let schema = try schema("users: team_id REFERENCES teams; teams: owner_id REFERENCES users")
    XCTAssertEqual(
      try schema.relations("teams"),
      ["owner: one users, by owner_id", "users: many users, by users.team_id"])
    XCTAssertEqual(schema.warnings, [])
  }

  func testAColumnGoesBeforeARelationInWhateverSpelling() throws {
    let schema = try schema(
      """
      orders: orderLines TEXT, customer TEXT, customer_id REFERENCES customers;
      order_lines: order_id REFERENCES orders; customers:
      """)
    XCTAssertEqual(
      schema.warnings,
      [
        .columnHidesRelation(table: "orders", name: "customer"),
        .columnHidesRelation(table: "orders", name: "order_lines"),
      ])
    XCTAssertEqual(try schema.meaning("order_lines", in: "orders"), "orders.orderLines")
    XCTAssertEqual(try schema.meaning("customer", in: "orders"), "orders.customer")
    XCTAssertEqual(try schema.relations("orders"), [])
  }

  func testAToOneGoesBeforeAToMany() throws {
    let schema = try schema("users: team_id REFERENCES team; team: boss_id REFERENCES users")
    XCTAssertEqual(schema.warnings, [.toOneHidesToMany(table: "users", name: "team")])
    XCTAssertEqual(try schema.relations("users"), ["team: one team, by team_id"])
  }

  func testAColumnWithTheNameOfItsToOneTakesPlainValues() throws {
    let schema = try schema("users: company -> companies; companies:")
    XCTAssertEqual(try schema.meaning("company", in: "users"), "users.company → company")
    XCTAssertEqual(try schema.meaning("company_id", in: "users"), "users.company")
    XCTAssertEqual(schema.warnings, [])
  }

  func testTwoToOnesOfOneNameKeepTheFirst() throws {
    let schema = try schema("users: a_id REFERENCES firms, aId REFERENCES firms; firms:")
    XCTAssertEqual(
      try schema.relations("users"), ["a: one firms, by a_id", "aId: one firms, by aId"])
  }

  func testARelationWhoseSingularIsTakenHasTheTablesOwnName() throws {
    let schema = try schema("users: profile TEXT; profiles: user_id UNIQUE REFERENCES users")
    XCTAssertEqual(schema.warnings, [.columnHidesRelation(table: "users", name: "profile")])
    XCTAssertEqual(try schema.relations("users"), ["profiles: one profiles, by profiles.user_id"])
    XCTAssertEqual(try schema.meaning("profiles", in: "users"), "→ profiles")
    XCTAssertEqual(try schema.meaning("profile", in: "users"), "users.profile")
  }
}
