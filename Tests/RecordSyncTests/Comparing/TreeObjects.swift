import TestSupport

/// Random users, most of them as they were before.
struct TreeObjects {
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
      + (forms.contains(.boss)
        ? [
          "UPDATE bosses SET title = 'other' WHERE id = \(schema.quoted(2))",
          "UPDATE users SET boss_id = \(schema.quoted(1))", "UPDATE users SET aide_id = NULL",
        ] : [])
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
    if forms.contains(.boss) {
      members.append("\"boss\":\(boss(1 + user % 3, &random))")
      members.append("\"aide\":\(boss(1 + user % 4, &random))")
      if isLucky(odd, &random) { members.append("\"boss_id\":\(schema.key(2))") }
    }
    if forms.contains(.meta) { members.append("\"meta\":\(meta(user, &random))") }
    if forms.contains(.tags) { members.append("\"tags\":\(tags(user, &random))") }
    if changing > 0, random.oneIn(5) { members.shuffle(using: &random) }
    return "{" + members.joined(separator: ",") + "}"
  }

  private func boss(_ number: Int, _ random: inout SeededGenerator) -> String {
    if number == 4 || isLucky(changing / 2, &random) { return "null" }
    if isLucky(odd, &random) { return schema.key(number) }
    let version = isLucky(changing / 4, &random) ? "b" : "a"
    let key = isLucky(odd, &random) ? "\"3\"" : schema.key(number)
    return "{\"id\":\(key),"
      + "\"title\":\(oddly("\"\(version)\(number)\"", &random))}"
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
