import Foundation
import OneWaySynchronizer
@testable import RecordSync
import TestSupport
import XCTest

/// Objects with children under them that are compared and inserted as they stand in the text come to
/// the same as the usual way: the same rows, and the same report to the order of what is gone. A
/// trigger that does nothing makes the tables go the usual way.
final class FamilyEqualityTests: XCTestCase {
  func testNumbersForKeys() async throws {
    for seed in seeds { try await compare(FamilySchema(key: "INTEGER"), seed: seed) }
  }

  func testTextsForKeys() async throws {
    for seed in seeds { try await compare(FamilySchema(key: "TEXT"), seed: seed) }
  }

  func testChildrenThatGoWithTheirParentAndRulesThatRefuseRows() async throws {
    for seed in seeds {
      var schema = FamilySchema(key: "INTEGER", onDelete: "ON DELETE CASCADE")
      schema.rule = "CHECK (age IS NULL OR age <> 3)"
      try await compare(schema, seed: seed)
    }
  }

  func testChildrenOfWhichOnlyOneMayHoldAValue() async throws {
    for seed in seeds {
      try await compare(FamilySchema(key: "INTEGER", rule: "UNIQUE"), seed: seed)
    }
  }

  func testChildrenOfManyParents() async throws {
    for seed in seeds {
      for key in ["INTEGER", "TEXT"] {
        try await compare(FamilySchema(key: key, hasTags: true), seed: seed)
      }
    }
  }

  private var seeds: Range<UInt64> { RecordSyncTests.seeds(usually: 8, atLeast: 2) }

  private func compare(_ schema: FamilySchema, seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    var objects = FamilyObjects(
      keysAreTexts: schema.key == "TEXT", hasTags: schema.hasTags, using: &random)
    let ways = try TwoWays(schema.statements, trigger: "users", options: Self.change(seed)) {
      // Rows go in the order of their numbers, which may be given out in another order where these
      // are no keys.
      guard schema.key != "INTEGER" else { return }
      $0.deleted.sort { $0.description < $1.description }
      $0.refused.sort { "\($0)" < "\($1)" }
    }
    let tables = ["users", "notes", "pets"] + (schema.hasTags ? ["tags", "users_tags"] : [])
    for step in 0..<5 {
      try ways.edit(objects.edit(using: &random))
      let json = objects.payload(using: &random)
      try await ways.sync(
        json, into: "users", reading: tables.map { "SELECT * FROM \($0) ORDER BY 1, 2" },
        "\(schema), seed \(seed), step \(step): \(json)")
    }
  }

  /// Not everything is allowed in every run.
  static func change(_ seed: UInt64) -> (inout RecordOptions) -> Void {
    { options in
      switch seed % 8 {
      case 2: options.removalLimit = .both(share: 0.4, count: 1)
      case 3: options.operations.remove(.deleteRelations)
      case 4: options.operations.remove(.insertRelations)
      case 5: options.operations.remove(.updateRelations)
      case 6: options.operations.remove(.insert)
      case 7: options.operations.remove(.delete)
      default: break
      }
    }
  }
}

/// Users with notes and pets.
private struct FamilySchema: CustomStringConvertible {
  let key: String
  var onDelete = ""
  /// What the age of a pet has to be.
  var rule = ""
  /// Whether they share tags.
  var hasTags = false

  var description: String { "\(key) \(onDelete) \(rule)" }

  var statements: String { hasTags ? "\(tables);\(tags)" : tables }

  private var tags: String {
    """
    CREATE TABLE tags (id \(key) PRIMARY KEY, label TEXT);
    CREATE TABLE users_tags (user_id \(key) REFERENCES users (id) ON DELETE CASCADE,
      tag_id \(key) REFERENCES tags (id), PRIMARY KEY (user_id, tag_id));
    CREATE INDEX tags_user ON users_tags (tag_id)
    """
  }

  private var tables: String {
    """
    CREATE TABLE users (id \(key) PRIMARY KEY, name TEXT, city TEXT);
    CREATE TABLE notes (id \(key) PRIMARY KEY, user_id \(key) REFERENCES users (id) \(onDelete),
      text TEXT, is_open BOOLEAN);
    CREATE TABLE pets (id \(key) PRIMARY KEY, user_id \(key) REFERENCES users (id) \(onDelete),
      age INTEGER \(rule));
    CREATE INDEX notes_user ON notes (user_id);
    CREATE INDEX pets_user ON pets (user_id)
    """
  }
}

/// Random families, most of them as they were before.
private struct FamilyObjects {
  let keysAreTexts: Bool
  let hasTags: Bool
  /// How many of a hundred values and keys are told in another way than the usual.
  let odd: Int
  /// How many of a hundred rows are named twice.
  let repeated: Int
  /// How many of a hundred things are other ones than before.
  let changing: Int
  /// Whose note each is, by the notes' numbers.
  private var owners: [Int: Int] = [:]

  init(keysAreTexts: Bool, hasTags: Bool, using random: inout SeededGenerator) {
    (self.keysAreTexts, self.hasTags) = (keysAreTexts, hasTags)
    odd = random.oneIn(2) ? 4 : 0
    repeated = random.oneIn(3) ? 4 : 0
    changing = [0, 5, 30].randomElement(using: &random) ?? 0
  }

  /// What another program writes; nothing mostly.
  func edit(using random: inout SeededGenerator) -> String? {
    guard random.oneIn(3) else { return nil }
    let number = Int.random(in: 1...30, using: &random)
    let tagEdits = [
      "UPDATE tags SET label = 'other' WHERE id = \(key(number % 5))",
      "DELETE FROM users_tags WHERE tag_id = \(key(number % 5))",
      "INSERT OR IGNORE INTO users_tags SELECT users.id, tags.id FROM users, tags LIMIT 3",
    ]
    let edits =
      (hasTags ? tagEdits : []) + [
        "DELETE FROM notes WHERE id = \(key(number))",
        "UPDATE notes SET text = 'other' WHERE id = \(key(number))",
        "UPDATE notes SET user_id = NULL WHERE id = \(key(number))",
        "UPDATE pets SET user_id = \(key(1)) WHERE EXISTS (SELECT 1 FROM users WHERE id = \(key(1)))",
        "INSERT OR IGNORE INTO notes SELECT \(key(77)), id, 'more', 1 FROM users LIMIT 1",
        "UPDATE notes SET is_open = 'yes'",
      ]
    return edits.randomElement(using: &random)?.replacingOccurrences(of: "\"", with: "'")
  }

  mutating func payload(using random: inout SeededGenerator) -> String {
    var users = Array(1...8).filter { _ in !isLucky(changing, &random) }
    if random.oneIn(4) { users.shuffle(using: &random) }
    if isLucky(repeated * 4, &random) { users += users.prefix(1) }
    let objects = users.map { user in
      var members = ["\"id\":\(oddly(key(user), &random))", #""name":"n\#(user)""#]
      members.append("\"city\":\(oddly("\"c\(user % 3)\"", &random))")
      if isLucky(odd, &random) { members.append("\"unknown\":1") }
      if !isLucky(changing / 2, &random) { members.append("\"notes\":\(notes(user, &random))") }
      if user % 2 == 0 { members.append("\"pets\":\(pets(user, &random))") }
      if hasTags, !isLucky(changing / 2, &random) {
        members.append("\"tags\":\(tags(user, &random))")
      }
      if random.oneIn(5) { members.shuffle(using: &random) }
      return "{" + members.joined(separator: ",") + "}"
    }
    return "[" + objects.joined(separator: ",") + "]"
  }

  private mutating func notes(_ user: Int, _ random: inout SeededGenerator) -> String {
    if isLucky(odd, &random) {
      return ["null", "[]", "[3]", "5"].randomElement(using: &random) ?? "null"
    }
    var notes: [String] = []
    var numbers = Array(user * 3..<user * 3 + 3)
    if isLucky(repeated, &random) { numbers.append(Int.random(in: 3...26, using: &random)) }
    if random.oneIn(4) { numbers.reverse() }
    for number in numbers where !isLucky(changing, &random) {
      // Some come to another user.
      if isLucky(changing, &random) { owners[number] = Int.random(in: 1...8, using: &random) }
      let version = isLucky(changing, &random) ? "b" : "a"
      var members = [
        "\"id\":\(oddly(key(owners[number, default: user] == user ? number : number + 3), &random))"
      ]
      members.append("\"text\":\(oddly("\"\(version)\(number)\"", &random))")
      members.append("\"is_open\":\(number % 2 == 0)")
      if isLucky(odd, &random) { members.append("\"user_id\":\(key(1))") }
      if isLucky(odd, &random) { members.append("\"user\":{\"id\":\(key(2))}") }
      notes.append("{" + members.joined(separator: ",") + "}")
    }
    return "[" + notes.joined(separator: ",") + "]"
  }

  /// Shared by many, and told in the same way mostly.
  private func tags(_ user: Int, _ random: inout SeededGenerator) -> String {
    if isLucky(odd, &random) { return ["null", "[]", "[3]"].randomElement(using: &random) ?? "[]" }
    var numbers = [user % 5, (user * 2 + 1) % 5, (user + 3) % 5].filter { _ in
      !isLucky(changing / 2, &random)
    }
    if random.oneIn(4) { numbers.reverse() }
    let tags = numbers.map { number in
      let version = isLucky(changing / 3, &random) ? "b" : "a"
      return "{\"id\":\(oddly(key(number), &random)),"
        + "\"label\":\(oddly("\"\(version)\(number)\"", &random))}"
    }
    return "[" + tags.joined(separator: ",") + "]"
  }

  private func pets(_ user: Int, _ random: inout SeededGenerator) -> String {
    let pets = (user * 2...user * 2 + 1).filter { _ in !isLucky(changing / 2, &random) }.map {
      "{\"id\":\(key($0)),\"age\":\(isLucky(odd + changing, &random) ? 3 : 10 + $0)}"
    }
    return "[" + pets.joined(separator: ",") + "]"
  }

  private func key(_ number: Int) -> String { keysAreTexts ? "\"k\(number)\"" : "\(number)" }

  private func oddly(_ value: String, _ random: inout SeededGenerator) -> String {
    guard isLucky(odd, &random) else { return value }
    let all = ["null", "1.0", "\"3\"", "7", "\"k7\"", "\"\\u006b7\"", "[]", "true", value]
    return all.randomElement(using: &random) ?? value
  }
}
