@testable import RecordSync
import TestSupport
import XCTest

/// Under which names columns and relations leave, and that they come back by them.
final class ExportedNameTests: SchemaTestCase {
  private func names(_ table: String, _ style: NameStyle, _ schema: RecordSchema) throws -> [String]
  {
    let place = try XCTUnwrap(schema.place(of: table))
    return schema.tables[place].columns.indices.map { column in
      let path = schema.exportedPath(of: .init(table: place, column: column), in: place, style)
      return path?.joined(separator: ".") ?? "-"
    }
  }

  func testNamesAreSpelledInTheStyleThatIsAskedFor() throws {
    let schema = try schema(
      """
      CREATE TABLE users (remote_id INTEGER PRIMARY KEY, firstName TEXT, image_url TEXT,
        user_type TEXT, age INTEGER, "odd name" TEXT)
      """
    ) { $0.table("users") { $0.column("age") { $0.name = "person.Age" } } }
    XCTAssertEqual(
      try names("users", .snake, schema),
      ["id", "first_name", "image_url", "type", "person.Age", "odd name"])
    XCTAssertEqual(
      try names("users", .camel, schema),
      ["id", "firstName", "imageURL", "type", "person.Age", "odd name"])
  }

  func testANameThatWouldMeanAnotherColumnIsLeftAsItIs() throws {
    let schema = try schema("t: userId, user_id, t_type, type")
    XCTAssertEqual(try names("t", .snake, schema), ["id", "userId", "user_id", "t_type", "type"])
    XCTAssertEqual(try names("t", .camel, schema), ["id", "userID", "user_id", "tType", "type"])
  }

  func testAColumnThatANearerOneHidesHasNoName() throws {
    let schema = try schema(
      "people: name, age; bosses (person_id INTEGER PRIMARY KEY REFERENCES people, name)")
    let (bosses, people) = (0, 1)
    func path(_ table: Int, _ column: Int) -> [String]? {
      schema.exportedPath(of: .init(table: table, column: column), in: bosses, .snake)
    }
    XCTAssertEqual(path(bosses, 0), ["id"])
    XCTAssertEqual(path(bosses, 1), ["name"])
    XCTAssertEqual(path(people, 0), nil)
    XCTAssertEqual(path(people, 1), nil)
    XCTAssertEqual(path(people, 2), ["age"])
  }

  func testEveryColumnAndRelationIsFoundByItsNameInEitherStyle() throws {
    for schema in [try schema("\(Chinook.tables)"), try schema("\(Northwind.tables)")] {
      for (place, table) in schema.tables.enumerated() {
        for style in [NameStyle.snake, .camel] {
          var seen: Set<String> = []
          for column in table.columns.indices {
            let own = MemberMap.ColumnPlace(table: place, column: column)
            let path = try XCTUnwrap(schema.exportedPath(of: own, in: place, style))
            let meaning = schema.meaning(of: Array(path[0].utf8), in: schema.members[place])
            XCTAssertEqual(meaning?.column, own)
            XCTAssertTrue(seen.insert(path[0]).inserted)
          }
          for relation in table.relations.indices {
            for isKeys in [false, true] where !(isKeys && table.relations[relation].kind.isOwn) {
              let own = MemberMap.RelationPlace(table: place, relation: relation, isKeys: isKeys)
              let path = try XCTUnwrap(schema.exportedPath(of: own, in: place, style))
              let meaning = schema.meaning(of: Array(path[0].utf8), in: schema.members[place])
              XCTAssertEqual(meaning?.relation, own)
            }
          }
        }
      }
    }
  }
}
