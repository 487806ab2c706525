@testable import RecordSync
import XCTest

/// What identifies rows, and under which name.
final class KeyTests: SchemaTestCase {
  private func key(_ table: String, _ schema: RecordSchema) throws -> [String] {
    let table = try schema.table(table)
    return zip(table.key.columns, table.key.jsonNames).map { table.columns[$0].name + ": " + $1 }
  }

  func testThePrimaryKeyGoesBeforeIdAndThisBeforeRemoteId() throws {
    let schema = try schema(
      """
      a (code TEXT PRIMARY KEY, id INTEGER, remote_id INTEGER); b (remote_id INTEGER, id INTEGER);
      c (name TEXT, remoteID INTEGER); d (name TEXT); e (ID TEXT PRIMARY KEY)
      """)
    XCTAssertEqual(try key("a", schema), ["code: code"])
    XCTAssertEqual(try key("b", schema), ["id: id"])
    XCTAssertEqual(try key("c", schema), ["remoteID: id"])
    XCTAssertEqual(try key("d", schema), [])
    XCTAssertEqual(try key("e", schema), ["ID: id"])
    XCTAssertEqual(try schema.table("d").key.problem, .withoutKey(table: "d"))
    XCTAssertEqual(schema.warnings, [.withoutKey(table: "d")])
  }

  func testTheKeyIsFoundUnderItsNameInJSONAndUnderItsOwn() throws {
    let schema = try schema("CREATE TABLE c (remote_id INTEGER PRIMARY KEY, name TEXT)")
    for name in ["id", "ID", "remote_id", "remoteId", "remoteID"] {
      XCTAssertEqual(try schema.meaning(name, in: "c"), "c.remote_id", name)
    }
  }

  func testADeclaredKeyGoesBeforeAll() throws {
    let tables = "CREATE TABLE users (id INTEGER PRIMARY KEY, Email TEXT, team, no)"
    let one = try schema(tables) { $0.table("Users") { $0.key = ["email"] } }
    XCTAssertEqual(try key("users", one), ["Email: Email"])
    let two = try schema(tables) { overrides in
      overrides.table("users") { users in
        users.key = ["team", "no"]
        users.column("no") { $0.name = "number" }
      }
    }
    XCTAssertEqual(try key("users", two), ["team: team", "no: number"])
    XCTAssertFalse(try two.table("users").key.isRowNumber)
  }

  func testADeclaredNameReplacesTheKeysOwn() throws {
    let schema = try schema("CREATE TABLE users (remote_id INTEGER PRIMARY KEY)") {
      $0.table("users") { $0.column("remote_id") { $0.name = "user.key" } }
    }
    XCTAssertEqual(try schema.table("users").key.jsonNames, ["user.key"])
    XCTAssertNil(try schema.meaning("remote_id", in: "users"))
    XCTAssertNil(try schema.meaning("id", in: "users"))
    XCTAssertEqual(try schema.meaning(path: ["user", "key"], in: "users"), "users.remote_id")
  }

  func testSeveralColumnsAreAKeyWithoutBeingDeclared() throws {
    let schema = try schema(
      """
      cells (y INT, x INT, id INT, PRIMARY KEY (x, y)); a:;
      links (a_id REFERENCES a, b_id REFERENCES a, UNIQUE (a_id, b_id))
      """)
    XCTAssertEqual(try key("cells", schema), ["x: x", "y: y"])
    XCTAssertEqual(try key("links", schema), ["a_id: a_id", "b_id: b_id"])
  }

  func testARowNumberIsTheKeyInsteadOnlyWhereThereIsAnotherIdentity() throws {
    let schema = try schema(
      """
      a (pk INTEGER PRIMARY KEY, remote_id TEXT, name TEXT); b: remote_id TEXT;
      c (pk INTEGER PRIMARY KEY, name TEXT); d (pk INT PRIMARY KEY, remote_id TEXT);
      e (pk INTEGER PRIMARY KEY, remote_id TEXT REFERENCES d)
      """)
    XCTAssertEqual(try key("a", schema), ["remote_id: id"])
    XCTAssertEqual(try schema.table("a").key.alternative?.jsonName, "pk")
    XCTAssertEqual(try schema.lines("a").first, "a: key remote_id, or pk where only that comes")
    // Here `id` can't mean both.
    XCTAssertEqual(try key("b", schema), ["remote_id: remote_id"])
    XCTAssertEqual(try schema.table("b").key.alternative?.jsonName, "id")
    XCTAssertEqual(try schema.meaning("id", in: "b"), "b.id")
    XCTAssertEqual(try schema.meaning("remoteId", in: "b"), "b.remote_id")
    for table in ["c", "d", "e"] {
      XCTAssertEqual(try key(table, schema), ["pk: pk"])
      XCTAssertNil(try schema.table(table).key.alternative)
    }
    XCTAssertTrue(try schema.table("c").key.isRowNumber)
  }
}
