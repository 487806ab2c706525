@testable import RecordSync
import XCTest

/// Tables whose rows are the rest of rows of other tables.
final class ExtensionTests: SchemaTestCase {
  private let tables = """
    CREATE TABLE firms (id INTEGER PRIMARY KEY);
    CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT, firm_id REFERENCES firms);
    CREATE TABLE employees (person_id INTEGER PRIMARY KEY REFERENCES people ON DELETE CASCADE,
      salary INTEGER);
    CREATE TABLE managers (employee_id INTEGER PRIMARY KEY REFERENCES employees(person_id),
      name TEXT, bonus INTEGER);
    CREATE TABLE teams (id INTEGER PRIMARY KEY, boss_id REFERENCES managers);
    """

  func testAnExtensionHasTheColumnsAndRelationsOfAllThatItExtends() throws {
    let schema = try schema(tables)
    let names = ["firms", "people", "employees", "managers"].map { schema.place(of: $0) }
    XCTAssertEqual(try schema.table("managers").base, names[2])
    XCTAssertEqual(try schema.table("employees").base, names[1])
    XCTAssertEqual(try schema.table("people").extensions, [names[2]])
    XCTAssertEqual(try schema.meaning("bonus", in: "managers"), "managers.bonus")
    XCTAssertEqual(try schema.meaning("salary", in: "managers"), "employees.salary")
    XCTAssertEqual(try schema.meaning("firm", in: "managers"), "→ firm")
    XCTAssertEqual(try schema.meaning("firmId", in: "managers"), "people.firm_id")
    XCTAssertEqual(try schema.meaning("teams", in: "managers"), "→ teams")
    XCTAssertNil(try schema.meaning("salary", in: "people"))
    XCTAssertNil(try schema.meaning("teams", in: "employees"))
    XCTAssertEqual(
      try schema.lines("managers").first, "managers: key employee_id; extends employees")
  }

  func testTheNearestTableHasAName() throws {
    let schema = try schema(tables)
    XCTAssertEqual(try schema.meaning("name", in: "managers"), "managers.name")
    XCTAssertEqual(try schema.meaning("name", in: "employees"), "people.name")
    XCTAssertEqual(
      schema.warnings, [.columnHidesColumn(table: "managers", base: "people", name: "name")])
  }

  func testTheKeyHasTheNameOfTheExtendedTablesKey() throws {
    let schema = try schema(tables)
    XCTAssertEqual(try schema.table("managers").key.jsonNames, ["id"])
    for name in ["id", "employee_id", "personID"] {
      XCTAssertEqual(try schema.meaning(name, in: "managers"), "managers.employee_id", name)
    }
    XCTAssertEqual(try schema.meaning("id", in: "people"), "people.id")
  }

  func testItsForeignKeyIsNoRelation() throws {
    let schema = try schema(tables)
    XCTAssertEqual(try schema.relations("employees"), [])
    XCTAssertEqual(try schema.relations("people"), ["firm: one firms, by firm_id"])
    XCTAssertEqual(try schema.relations("teams"), ["boss: one managers, by boss_id"])
  }

  func testWhatIsDeclaredToBeARelationIsOne() throws {
    for isFromTheBase in [true, false] {
      let schema = try schema(tables) { overrides in
        overrides.table(isFromTheBase ? "people" : "employees") { table in
          if isFromTheBase {
            table.relation("employment") { $0.table = "employees" }
          } else {
            table.relation("person") { $0.column = "person_id" }
          }
        }
      }
      XCTAssertNil(try schema.table("employees").base)
      XCTAssertEqual(try schema.relations("employees").first, "person: one people, by person_id")
      let name = isFromTheBase ? "employment" : "employee"
      XCTAssertEqual(
        try schema.relations("people").last, "\(name): one employees, by employees.person_id")
    }
  }

  func testAnotherKeyOrACircleExtendsNothing() throws {
    let declared = try schema(tables) { $0.table("people") { $0.key = ["name"] } }
    XCTAssertNil(try declared.table("employees").base)
    let circle = try schema(
      """
      a (id INTEGER PRIMARY KEY REFERENCES b); b (id INTEGER PRIMARY KEY REFERENCES a);
      c (id INTEGER PRIMARY KEY REFERENCES c); d (id INTEGER PRIMARY KEY REFERENCES a)
      """)
    XCTAssertEqual(circle.tables.map(\.base), [nil, nil, nil, nil])
  }

  func testARowNumberThatIsExtendedIsTheKey() throws {
    let schema = try schema(
      """
      CREATE TABLE places (pk INTEGER PRIMARY KEY, remote_id TEXT);
      CREATE TABLE bars (place_id TEXT PRIMARY KEY REFERENCES places);
      """)
    XCTAssertEqual(try schema.table("places").key.jsonNames, ["pk"])
    XCTAssertEqual(try schema.table("bars").key.jsonNames, ["pk"])
    XCTAssertNil(try schema.table("places").key.alternative)
  }

  func testAColumnWithTheNameOfTheExtendedTablesKeyLeavesTheKeyItsOwn() throws {
    let schema = try schema(
      """
      people: notes TEXT; bosses (person_id INTEGER PRIMARY KEY REFERENCES people, id TEXT);
      notes: boss_id REFERENCES bosses
      """)
    XCTAssertEqual(try schema.table("bosses").key.jsonNames, ["person_id"])
    XCTAssertEqual(try schema.meaning("id", in: "bosses"), "bosses.id")
    // A column of the extended table goes before a relation, as one of its own does.
    XCTAssertEqual(try schema.meaning("notes", in: "bosses"), "people.notes")
    XCTAssertEqual(
      schema.warnings,
      [
        .columnHidesRelation(table: "bosses", name: "notes"),
        .columnHidesColumn(table: "bosses", base: "people", name: "id"),
      ])
  }
}
