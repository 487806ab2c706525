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

  func testAllTogether() async throws {
    try await compare([.firm, .senior, .order, .marks, .meta])
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
}

/// Users with notes, in some of the forms.
private struct TreeSchema {
  let forms: TreeForms
  let key: String

  var tables: [String] {
    ["users", "notes", "firms"] + (forms.contains(.marks) ? ["marks"] : [])
      + (forms.contains(.tags) ? ["tags", "users_tags"] : [])
  }

  var statements: String {
    var statements = [
      "CREATE TABLE firms (id \(key) PRIMARY KEY, title TEXT)",
      "INSERT INTO firms VALUES (\(quoted(1)), 'one'), (\(quoted(2)), 'two')",
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

/// Random users, most of them as they were before.
private struct TreeObjects {
  let schema: TreeSchema
  /// How many of a hundred values are told in another way than the usual.
  let odd: Int
  let repeated: Int
  /// How many of a hundred things are other ones than before.
  let changing: Int

  init(schema: TreeSchema, using random: inout SeededGenerator) {
    self.schema = schema
    odd = random.oneIn(2) ? 4 : 0
    repeated = random.oneIn(4) ? 4 : 0
    changing = [0, 4, 25].randomElement(using: &random) ?? 0
  }

  init(schema: TreeSchema, isPlain: Bool) {
    self.schema = schema
    (odd, repeated, changing) = (0, 0, 0)
  }

  func edit(using random: inout SeededGenerator) -> String? {
    guard random.oneIn(3) else { return nil }
    let forms = schema.forms
    let note = schema.quoted(Int.random(in: 3...26, using: &random))
    let edits =
      [
        "DELETE FROM notes WHERE id = \(note)",
        "UPDATE notes SET text = 'other' WHERE id = \(note)",
        "DELETE FROM users WHERE id = \(schema.quoted(3))",
      ]
      + (forms.contains(.firm)
        ? ["UPDATE users SET firm_id = \(schema.quoted(2))", "UPDATE users SET firm_id = NULL"]
        : [])
      + (forms.contains(.senior) ? ["UPDATE users SET senior_id = NULL"] : [])
      + (forms.contains(.meta) ? ["UPDATE users SET meta_app = NULL, meta_uid = 3"] : [])
      + (forms.isSuperset(of: [.order, .tags])
        ? [
          "DELETE FROM tags WHERE id = \(schema.quoted(2))", "UPDATE users_tags SET position = 7",
          "UPDATE users_tags SET position = 9 - position",
        ]
        : [])
      + (forms.contains(.order)
        ? [
          "UPDATE notes SET position = NULL", "UPDATE notes SET position = 2 * position + 3",
          "UPDATE notes SET position = 9 - position", "UPDATE notes SET position = position - 1",
        ] : [])
      + (forms.contains(.marks)
        ? ["UPDATE marks SET m = 'other'", "DELETE FROM marks WHERE note_id = \(note)"] : [])
    return edits.randomElement(using: &random)
  }

  mutating func payload(using random: inout SeededGenerator) -> String {
    var users = Array(1...8).filter { _ in !isLucky(changing, &random) }
    if changing > 0, random.oneIn(4) { users.shuffle(using: &random) }
    if isLucky(repeated * 4, &random) { users += users.prefix(1) }
    return list(users.map { user($0, &random) })
  }

  private func user(_ user: Int, _ random: inout SeededGenerator) -> String {
    let forms = schema.forms
    var members = ["\"id\":\(oddly(schema.key(user), &random))", #""name":"n\#(user)""#]
    members.append("\"city\":\(oddly("\"c\(user % 3)\"", &random))")
    if forms.contains(.firm) {
      let firm = isLucky(changing, &random) ? Int.random(in: 1...4, using: &random) : 1 + user % 2
      members.append("\"firm_id\":\(oddly(schema.key(firm), &random))")
    }
    if forms.contains(.senior) {
      let senior = isLucky(changing, &random) ? Int.random(in: 1...9, using: &random) : user / 2
      members.append("\"senior_id\":\(senior == 0 ? "null" : oddly(schema.key(senior), &random))")
    }
    if !isLucky(changing / 2, &random) { members.append("\"notes\":\(notes(user, &random))") }
    if forms.contains(.meta) { members.append("\"meta\":\(meta(user, &random))") }
    if forms.contains(.tags) { members.append("\"tags\":\(tags(user, &random))") }
    if changing > 0, random.oneIn(5) { members.shuffle(using: &random) }
    return "{" + members.joined(separator: ",") + "}"
  }

  private func meta(_ user: Int, _ random: inout SeededGenerator) -> String {
    if isLucky(odd, &random) {
      return ["null", "5", "[]", "{}"].randomElement(using: &random) ?? "{}"
    }
    var app = isLucky(changing, &random) ? #"{"name":"b"}"# : #"{"name":"a\#(user)"}"#
    if user % 4 == 0 || isLucky(odd, &random) { app = "null" }
    var members = ["\"uid\":\(oddly("\(user)", &random))", "\"app\":\(oddly(app, &random))"]
    if isLucky(odd, &random) { members.append("\"unknown\":[{}]") }
    if user % 2 == 0 { members.append(#""by":"x""#) }
    if changing > 0, random.oneIn(5) { members.shuffle(using: &random) }
    return "{" + members.joined(separator: ",") + "}"
  }

  private func notes(_ user: Int, _ random: inout SeededGenerator) -> String {
    if isLucky(odd, &random) { return ["null", "[]", "[3]"].randomElement(using: &random) ?? "[]" }
    // Where keys count beside the user's, several users have the same.
    var numbers =
      schema.forms.contains(.pairs) ? [user % 2, 3, 4] : Array(user * 3..<user * 3 + 3)
    if isLucky(repeated, &random) { numbers.append(Int.random(in: 3...26, using: &random)) }
    if isLucky(changing, &random) { numbers.reverse() }
    return list(
      numbers.filter { _ in !isLucky(changing, &random) }.map { note($0, &random) })
  }

  private func note(_ number: Int, _ random: inout SeededGenerator) -> String {
    let version = isLucky(changing, &random) ? "b" : "a"
    var members = [
      "\"id\":\(oddly(schema.key(number), &random))",
      "\"text\":\(oddly("\"\(version)\(number)\"", &random))",
    ]
    if isLucky(odd, &random) { members.append("\"position\":\(number % 4)") }
    if isLucky(odd, &random) { members.append("\"user_id\":\(schema.key(1))") }
    if schema.forms.contains(.marks), !isLucky(changing / 2, &random) {
      let marks = [number * 2, number * 2 + 1].filter { _ in !isLucky(changing, &random) }.map {
        "{\"id\":\(oddly(schema.key($0), &random)),\"m\":\"\(isLucky(changing, &random) ? "x" : "m")\"}"
      }
      members.append("\"marks\":\(isLucky(odd, &random) ? "null" : list(marks))")
    }
    return "{" + members.joined(separator: ",") + "}"
  }

  private func tags(_ user: Int, _ random: inout SeededGenerator) -> String {
    var numbers = [user % 5, (user + 2) % 5, (user + 3) % 5].filter { _ in
      !isLucky(changing / 2, &random)
    }
    if isLucky(changing, &random) { numbers.reverse() }
    return list(
      numbers.map { number in
        let version = isLucky(changing / 3, &random) ? "b" : "a"
        return "{\"id\":\(oddly(schema.key(number), &random)),\"label\":\"\(version)\(number)\"}"
      })
  }

  private func list(_ parts: [String]) -> String { "[" + parts.joined(separator: ",") + "]" }

  private func oddly(_ value: String, _ random: inout SeededGenerator) -> String {
    guard isLucky(odd, &random) else { return value }
    let all = ["null", "1.0", "\"3\"", "7", "\"k7\"", "\"\\u006b7\"", "[]", "true", value]
    return all.randomElement(using: &random) ?? value
  }
}
