@testable import RecordSync
import XCTest

/// What is read of tables and columns, whatever they are declared with.
final class TableReadingTests: SchemaTestCase {
  func testOnlyTablesAreRead() throws {
    let schema = try schema(
      """
      CREATE TABLE notes (id INTEGER PRIMARY KEY AUTOINCREMENT, text TEXT);
      CREATE VIEW shown AS SELECT id, text FROM notes;
      CREATE VIRTUAL TABLE found USING fts5(text);
      CREATE TABLE recordsync_state (name TEXT PRIMARY KEY);
      CREATE TEMP TABLE passing (id INTEGER PRIMARY KEY);
      CREATE TRIGGER noted AFTER INSERT ON notes BEGIN
        INSERT INTO found (rowid, text) VALUES (new.id, new.text);
      END;
      INSERT INTO notes (text) VALUES ('a');
      ANALYZE;
      """)
    XCTAssertEqual(schema.tables.map(\.name), ["notes"])
    XCTAssertEqual(schema.warnings, [])
  }

  func testATableOfTheSameNameElsewhereIsAnother() throws {
    let schema = try schema("notes: text TEXT; CREATE TEMP TABLE notes (number INTEGER)")
    XCTAssertEqual(try schema.table("notes").columns.map(\.name), ["id", "text"])
  }

  func testNamesMayHoldAnything() throws {
    let schema = try schema(
      """
      CREATE TABLE "my ""odd"" table" ("a b" INTEGER PRIMARY KEY, "c""d`e]f" TEXT, "ünï" TEXT);
      CREATE TABLE "of'it" ("x.y" INTEGER PRIMARY KEY, "my" REFERENCES "my ""odd"" table");
      """)
    XCTAssertEqual(
      try schema.table(#"MY "odd" TABLE"#).columns.map(\.name), ["a b", #"c"d`e]f"#, "ünï"])
    XCTAssertEqual(try schema.relations("of'it"), [#"my: one my "odd" table, by my"#])
    XCTAssertEqual(try schema.meaning("x.y", in: "of'it"), "of'it.x.y")
    XCTAssertEqual(try schema.meaning("of'it", in: #"my "odd" table"#), "→ of'it")
    XCTAssertNil(try schema.meaning("", in: "of'it"))
    XCTAssertNil(try schema.meaning("ünÏ", in: #"my "odd" table"#))
  }

  func testColumnsAreReadWithWhatIsDeclared() throws {
    let table = try schema(
      """
      people ( id INTEGER PRIMARY KEY, name VARCHAR(20) NOT NULL COLLATE NOCASE,
        nick TEXT COLLATE RTRIM DEFAULT NULL, age INT DEFAULT 1, born DATE,
        shout TEXT GENERATED ALWAYS AS (upper(name)) VIRTUAL, initial TEXT AS (substr(name, 1,
        1)) STORED, whatever)
      """
    ).table("people")
    XCTAssertEqual(table.columns.map(\.isRequired).firstIndex(of: true), 1)
    XCTAssertEqual(
      table.columns.map(\.isGenerated), [false, false, false, false, false, true, true, false])
    XCTAssertEqual(table.columns.filter(\.hasDefault).map(\.name), ["age"])
    XCTAssertEqual(table.columns.prefix(3).map(\.collation), [.binary, .noCase, .trimmed])
    XCTAssertEqual(table.columns[0].type.kind, .integer)
    XCTAssertEqual(table.columns[1].type.kind, .text)
    XCTAssertEqual(table.columns[4].type.kind, .date(.text))
    XCTAssertEqual(table.columns[7].type.kind, .any)
    XCTAssertFalse(table.isStrict)
  }

  func testAComputedColumnTakesNoName() throws {
    let schema = try schema(
      "users: name TEXT, company_id -> firms, company TEXT AS (name || '!'); firms:")
    XCTAssertEqual(try schema.meaning("company", in: "users"), "→ company")
  }

  func testTheRowNumberIsKnownUnderANameThatIsFree() throws {
    let schema = try schema(
      """
      a (x PRIMARY KEY); b (RowID TEXT, x PRIMARY KEY); c (rowid, _rowid_, oid, x PRIMARY KEY);
      d (x PRIMARY KEY) WITHOUT ROWID
      """)
    XCTAssertEqual(schema.tables.map(\.rowNumber), [.rowid, .underscored, nil, nil])
    XCTAssertEqual(schema.tables.map(\.key.isRowNumber), [false, false, false, false])
    XCTAssertEqual(try schema.table("d").columns.map(\.isRequired), [true])
  }

  func testOnlyAnIntegerPrimaryKeyIsTheRowNumber() throws {
    let schema = try schema(
      """
      a (id integer primary key); b (id INT PRIMARY KEY); c (id INTEGER PRIMARY KEY DESC);
      d (id INTEGER PRIMARY KEY) WITHOUT ROWID; e (id INTEGER, PRIMARY KEY (id DESC));
      f (id INTEGER PRIMARY KEY) STRICT
      """)
    XCTAssertEqual(schema.tables.map(\.key.isRowNumber), [true, false, false, false, true, true])
    XCTAssertTrue(try schema.table("f").isStrict)
  }

  func testUniqueColumnsAreThoseOfWholeIndexesOverColumns() throws {
    let table = try schema(
      """
      users (id TEXT PRIMARY KEY, a UNIQUE, b, c, d, UNIQUE (c, b));
      CREATE UNIQUE INDEX some ON users (d) WHERE d > 0;
      CREATE UNIQUE INDEX small ON users (lower(d)); CREATE INDEX plain ON users (b)
      """
    ).table("users")
    XCTAssertEqual(table.uniques, [[1], [3, 2]])
    XCTAssertTrue(table.isUnique(0))
    XCTAssertTrue(table.isUnique(1))
    XCTAssertFalse(table.isUnique(4))
  }

  func testForeignKeysComeInTheirOrderAndOnce() throws {
    let table = try schema(
      """
      a: code TEXT UNIQUE;
      b: x REFERENCES A ON DELETE CASCADE, y REFERENCES a(CODE) ON DELETE SET NULL,
        z REFERENCES a ON DELETE SET DEFAULT, w REFERENCES a ON DELETE RESTRICT,
        FOREIGN KEY (X) REFERENCES a (id)
      """
    ).table("b")
    XCTAssertEqual(table.foreignKeys.map(\.column), [1, 2, 3, 4])
    XCTAssertEqual(table.foreignKeys.map(\.target), [0, 1, 0, 0])
    XCTAssertEqual(table.foreignKeys.map(\.onDelete), [.cascade, .setNull, .setDefault, .restrict])
  }

  func testForeignKeysThatGiveNoRelationAreToldOf() throws {
    let schema = try schema(
      """
      a: code TEXT; pair (x, y, PRIMARY KEY (x, y)); CREATE VIEW seen AS SELECT id FROM a;
      b: gone_id REFERENCES gone, no_id REFERENCES a(none),
        pair_id REFERENCES pair, seen_id REFERENCES seen(id), code_id REFERENCES a(code),
        p, q, FOREIGN KEY (p, q) REFERENCES pair
      """)
    XCTAssertEqual(
      schema.warnings,
      [
        .danglingForeignKey(table: "b", column: "gone_id", to: "gone"),
        .danglingForeignKey(table: "b", column: "no_id", to: "a.none"),
        .danglingForeignKey(table: "b", column: "pair_id", to: "pair"),
        .danglingForeignKey(table: "b", column: "seen_id", to: "seen.id"),
        .repeatableTarget(table: "b", column: "code_id", to: "a.code"),
        .compositeForeignKey(table: "b", columns: ["p", "q"]),
      ])
    XCTAssertEqual(try schema.relations("b"), [])
    XCTAssertEqual(try schema.meaning("gone_id", in: "b"), "b.gone_id")
  }
}
