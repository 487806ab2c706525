@testable import RecordSync
import SyncDatabase
import TestSupport
import XCTest

/// Schemas that nobody thought of.
final class RandomSchemaTests: SchemaTestCase {
  func testEveryNameLeadsToWhatItNames() throws {
    for seed in 0..<40 as Range<UInt64> {
      var schemas = OddSchema(seed: seed)
      let connection = try database("PRAGMA user_version = 1")
      let statements = schemas.statements()
      for statement in statements { try connection.run(SQL(written: statement, values: [])) }
      let schema = try SchemaReader.read(connection)
      let story = "seed \(seed): " + statements.joined(separator: "; ")
      XCTAssertEqual(schema, try SchemaReader.read(connection), story)
      for place in schema.tables.indices { check(place, in: schema, story) }
      XCTAssertEqual(schema.jsonLines.count, schema.tables.count + schema.warnings.count + 1)
      XCTAssertFalse(schema.text.isEmpty)
    }
  }

  private func check(_ place: Int, in schema: RecordSchema, _ story: String) {
    let table = schema.tables[place]
    func meaning(_ name: String) -> MemberMap.Meaning? {
      schema.meaning(of: Array(name.utf8), in: schema.members[place])
    }
    for (column, own) in table.columns.enumerated() {
      let own = (name: own.name, place: MemberMap.ColumnPlace(table: place, column: column))
      XCTAssertEqual(meaning(own.name)?.column, own.place, "\(table.name).\(own.name), \(story)")
      for style in [NameStyle.snake, .camel] {
        let path = schema.exportedPath(of: own.place, in: place, style)
        XCTAssertEqual(path.flatMap { meaning($0[0]) }?.column, own.place, "\(own.name), \(story)")
      }
    }
    for (number, relation) in table.relations.enumerated() {
      let own = MemberMap.RelationPlace(table: place, relation: number, isKeys: false)
      XCTAssertEqual(meaning(relation.name)?.relation, own, "\(relation.name), \(story)")
    }
    for (column, name) in zip(table.key.columns, table.key.jsonNames) {
      XCTAssertEqual(
        meaning(name)?.column, .init(table: place, column: column), "key \(name), \(story)")
    }
  }
}

/// Tables of a few names in several spellings, that refer to each other at random.
private struct OddSchema {
  private var generator: SeededGenerator
  private let tables = ["users", "order_items", "Team", "categories", "a b"]
  private let names = [
    "name", "user", "userName", "user_name", "type", "user_type", "team", "orderItems", "category",
    "users", "position", "id", "remote_id", "imageURL", "x1", "team_ids", "größe",
  ]

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  mutating func statements() -> [String] { tables.map { table($0) } }

  private mutating func table(_ name: String) -> String {
    var lines: [String] = []
    var taken: Set<String> = []
    let key = ["id", "remote_id", "pk", "\(name)Id", "code"].randomElement(using: &generator) ?? ""
    let type = ["INTEGER", "TEXT"].randomElement(using: &generator) ?? ""
    taken.insert(key.lowercased())
    let extended =
      Int.random(in: 0..<6, using: &generator) == 0 ? tables.randomElement(using: &generator) : nil
    lines.append("\"\(key)\" \(type) PRIMARY KEY" + reference(to: extended))
    for name in names.shuffled(using: &generator).prefix(Int.random(in: 0..<6, using: &generator))
    where taken.insert(name.lowercased()).inserted {
      lines.append(
        "\"\(name)\" " + (["INTEGER", "TEXT", ""].randomElement(using: &generator) ?? ""))
    }
    for _ in 0..<Int.random(in: 0..<4, using: &generator) {
      let other = tables.randomElement(using: &generator) ?? ""
      let column = [other + "_id", other, "boss_id", other + "Id"].randomElement(using: &generator)
      guard let column, taken.insert(column.lowercased()).inserted else { continue }
      let unique = Int.random(in: 0..<4, using: &generator) == 0 ? " UNIQUE" : ""
      lines.append("\"\(column)\"" + unique + reference(to: other))
    }
    return "CREATE TABLE \"\(name)\" (" + lines.joined(separator: ", ") + ")"
  }

  private func reference(to table: String?) -> String {
    table.map { " REFERENCES \"\($0)\"" } ?? ""
  }
}
