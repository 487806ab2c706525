import TestSupport
import XCTest

@testable import RecordSync

/// Objects in each form that is compared and inserted as it stands in the text come to the same as the
/// usual way; and where nothing differs, or all is new, they do go that way.
final class TreeEqualityTests: XCTestCase {
  func testReferencesByKey() async throws { try await compare(.firm) }

  func testReferencesToTheOwnTable() async throws { try await compare(.senior) }

  func testAnOrderThatIsRecognised() async throws { try await compare(.order) }

  func testAnOrderThatIsDeclared() async throws { try await compare([.order, .declared]) }

  func testLinksInAnOrder() async throws { try await compare([.tags, .order]) }

  func testLinksInNoOrder() async throws { try await compare(.tags) }

  func testKeysThatCountBesideTheParents() async throws { try await compare(.pairs) }

  func testThreeLevels() async throws { try await compare(.marks) }

  func testColumnsThatAreFilledFromObjects() async throws { try await compare(.meta) }

  func testReferencesByObjects() async throws { try await compare(.boss) }

  func testAllTogether() async throws {
    try await compare([.firm, .senior, .order, .marks, .meta, .boss])
    try await compare([.firm, .declared, .order, .pairs, .tags])
  }

  private func compare(_ forms: TreeForms) async throws {
    for seed in seeds(usually: 8, atLeast: 2) {
      for key in ["INTEGER", "TEXT"] {
        try await compare(TreeSchema(forms: forms, key: key), seed: seed)
      }
    }
    let schema = TreeSchema(forms: forms, key: "INTEGER")
    let database = try TestDatabase(schema.statements)
    var random = SeededGenerator(seed: 1)
    var objects = TreeObjects(schema: schema, isPlain: true)
    let json = objects.payload(using: &random)
    let first = try fates(of: json, in: "users", over: database, overrides: schema.overrides)
    XCTAssertEqual(Set(first ?? []), [.new], "\(forms)")
    try await database.sync(json, "users", overrides: schema.overrides)
    let again = try fates(of: json, in: "users", over: database, overrides: schema.overrides)
    XCTAssertEqual(Set(again ?? []), [.same], "\(forms)")
  }

  private func compare(_ schema: TreeSchema, seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    var objects = TreeObjects(schema: schema, using: &random)
    let ways = try TwoWays(
      schema.statements, trigger: "users", overrides: schema.overrides,
      options: FamilyEqualityTests.change(seed)
    ) {
      $0.deleted.sort { $0.description < $1.description }
      $0.refused.sort { "\($0)" < "\($1)" }
    }
    for step in 0..<5 {
      try ways.edit(objects.edit(using: &random))
      let json = objects.payload(using: &random)
      try await ways.sync(
        json, into: "users",
        reading: schema.tables.map { table in
          "SELECT * FROM \(table) ORDER BY 1, \(table == "notes" ? "user_id" : "2")"
        },
        "\(schema.forms), \(schema.key), seed \(seed), step \(step): \(json)")
    }
  }
}

struct TreeForms: OptionSet {
  let rawValue: Int
  /// A reference by key to another table, and one to the own.
  static let firm = TreeForms(rawValue: 1)
  static let senior = TreeForms(rawValue: 2)
  /// An order of the notes, or of the tags.
  static let order = TreeForms(rawValue: 4)
  static let declared = TreeForms(rawValue: 8)
  /// Notes whose keys count beside the user's.
  static let pairs = TreeForms(rawValue: 16)
  /// What hangs on notes.
  static let marks = TreeForms(rawValue: 32)
  static let tags = TreeForms(rawValue: 64)
  /// Columns that are filled from objects within the user's.
  static let meta = TreeForms(rawValue: 128)
  /// Two references by objects, to one table.
  static let boss = TreeForms(rawValue: 256)
}

/// Users with notes, in some of the forms.
struct TreeSchema {
  let forms: TreeForms
  let key: String

  var tables: [String] {
    ["users", "notes", "firms", "bosses"] + (forms.contains(.marks) ? ["marks"] : [])
      + (forms.contains(.tags) ? ["tags", "users_tags"] : [])
  }

  var statements: String {
    var statements = [
      "CREATE TABLE firms (id \(key) PRIMARY KEY, title TEXT)",
      "INSERT INTO firms VALUES (\(quoted(1)), 'one'), (\(quoted(2)), 'two')",
      "CREATE TABLE bosses (id \(key) PRIMARY KEY, title TEXT)",
      "CREATE TABLE users (\(columns(of: "users").joined(separator: ", ")))",
      "CREATE TABLE notes (\(columns(of: "notes").joined(separator: ", ")))",
      "CREATE INDEX notes_user ON notes (user_id)",
    ]
    if forms.contains(.marks) {
      statements += [
        """
        CREATE TABLE marks (id \(key) PRIMARY KEY, m TEXT,
          note_id \(key) REFERENCES notes (id) ON DELETE CASCADE)
        """, "CREATE INDEX marks_note ON marks (note_id)",
      ]
    }
    if forms.contains(.tags) {
      let order = forms.contains(.order) ? "position INTEGER," : ""
      statements += [
        "CREATE TABLE tags (id \(key) PRIMARY KEY, label TEXT)",
        """
        CREATE TABLE users_tags (user_id \(key) REFERENCES users (id) ON DELETE CASCADE,
          tag_id \(key) REFERENCES tags (id), \(order) PRIMARY KEY (user_id, tag_id))
        """, "CREATE INDEX tags_user ON users_tags (tag_id)",
      ]
    }
    return statements.joined(separator: ";")
  }

  private func columns(of table: String) -> [String] {
    guard table == "notes" else {
      return ["id \(key) PRIMARY KEY", "name TEXT", "city TEXT"]
        + (forms.contains(.firm) ? ["firm_id \(key) REFERENCES firms (id)"] : [])
        + (forms.contains(.senior) ? ["senior_id \(key) REFERENCES users (id)"] : [])
        + (forms.contains(.boss)
          ? ["boss_id \(key) REFERENCES bosses (id)", "aide_id \(key) REFERENCES bosses (id)"] : [])
        + (forms.contains(.meta) ? ["meta_uid INTEGER", "meta_app TEXT", "meta_by TEXT"] : [])
    }
    let isPair = forms.contains(.pairs)
    return ["id \(key)\(isPair ? "" : " PRIMARY KEY")", "text TEXT"]
      + (forms.contains(.order) ? ["position INTEGER"] : [])
      + ["user_id \(key) REFERENCES users (id) ON DELETE CASCADE"]
      + (isPair ? ["PRIMARY KEY (user_id, id)"] : [])
  }

  var overrides: SchemaOverrides {
    var overrides = SchemaOverrides()
    if forms.contains(.declared) {
      overrides.tables["users", default: .init()].relations["notes", default: .init()]
        .position = "position"
    }
    if forms.contains(.meta) {
      let paths = [("meta_uid", "meta.uid"), ("meta_app", "meta.app.name"), ("meta_by", "meta.by")]
      for (column, path) in paths {
        overrides.tables["users", default: .init()].columns[column, default: .init()].name = path
      }
    }
    return overrides
  }

  /// A key in JSON.
  func key(_ number: Int) -> String { key == "TEXT" ? "\"k\(number)\"" : "\(number)" }

  func quoted(_ number: Int) -> String { key == "TEXT" ? "'k\(number)'" : "\(number)" }
}
