import TestSupport

/// Objects of no schema at all, as an API might send them.
struct RandomObjects {
  /// Whether names and values of columns come that don't go together.
  let isOdd: Bool
  /// Whether the same is true of what refers to other objects.
  let hasOddRelations: Bool

  /// Whether objects stand in objects of their own table. (Where rows go of which such ones hang, a
  /// second sync has more to do.)
  var isTree = true

  private static let scalars = ["count", "ratio", "open", "title", "size", "when"]
  private static let odd = ["", "x y", "a.b", "extra", "rowid", "TITLE", "Title", "_id"]

  func payload(using random: inout SeededGenerator) -> Sample {
    let count = Int.random(in: 1...5, using: &random)
    return .array((0..<count).map { .object(object($0 + 1, "tops", depth: 0, using: &random)) })
  }

  private typealias Members = [(name: String, value: Sample)]

  private func object(
    _ key: Int, _ table: String, depth: Int, using random: inout SeededGenerator
  ) -> Members {
    var members: Members = [("id", .number(key))]
    let names =
      Self.scalars + (isOdd ? Self.odd : []) + (hasOddRelations ? ["owner_id", "part_id"] : [])
    for name in names
    where Int.random(in: 0..<3, using: &random) == 0 {
      members.append((name, scalar(name, using: &random)))
    }
    guard depth < 3 else { return members }
    for name in relations(of: table)
    where Int.random(in: 0..<3, using: &random) == 0 {
      members.append((name, nested(name, depth: depth + 1, using: &random)))
    }
    return members.shuffled(using: &random)
  }

  /// Where nothing is odd, each table is reached on one way only, so that an export passes it on that.
  private func relations(of table: String) -> [String] {
    if isOdd { return ["owner", "part", "notes", "tags"] + (isTree ? ["tops"] : []) }
    switch table {
    case "tops": return ["owner", "notes"] + (isTree ? ["tops"] : [])
    case "notes": return ["part", "tags"]
    default: return []
    }
  }

  private func nested(_ name: String, depth: Int, using random: inout SeededGenerator) -> Sample {
    if hasOddRelations, Int.random(in: 0..<20, using: &random) == 0 {
      return [
        .number(5), .text("x"), .object([("a", .number(1))]), .array([.null]), .array([.number(1)]),
      ].randomElement(using: &random) ?? .null
    }
    if Int.random(in: 0..<8, using: &random) == 0 { return .null }
    if name == "owner" || name == "part" { return shared(name, using: &random) }
    let count = Int.random(in: 0...3, using: &random)
    guard name != "tags" else {
      return .array((0..<count).map { _ in shared(name, using: &random) })
    }
    return .array(
      (0..<count).map { _ in
        .object(
          object(
            Int.random(in: 100...1_000_000, using: &random), name, depth: depth, using: &random))
      })
  }

  /// An object that stands in many places, and is the same in all of them.
  private func shared(_ name: String, using random: inout SeededGenerator) -> Sample {
    let key = Int.random(in: 1...5, using: &random)
    var own = SeededGenerator(seed: UInt64(key))
    return .object(object(key, name, depth: 3, using: &own))
  }

  private func scalar(_ name: String, using random: inout SeededGenerator) -> Sample {
    let one: [Sample] = [.null, .number(Int.random(in: -9...9, using: &random))]
    let all: [Sample] =
      one + [
        .text("a"), .text("é\\n\\\""), .raw("true"), .raw("2.5"), .raw("9007199254740993"),
        .raw("1e400"), .raw("[1,{}]"), .raw("{\"k\":[]}"), .raw("-0.10"), .raw("\"\\ud800\""),
      ]
    if isOdd, Int.random(in: 0..<6, using: &random) == 0 {
      return all.randomElement(using: &random) ?? .null
    }
    let usual: [Sample] =
      switch name {
      case "ratio": one + [.raw("0.1"), .raw("2.5")]
      case "open": [.null, .raw("true"), .raw("false")]
      case "title", "Title", "when": [.null, .text("a"), .text("2014-01-02T03:04:05+01:00")]
      case "size": [.null, .raw("[1,{}]"), .raw("{\"k\":[]}"), .raw("[]")]
      default: one
      }
    return usual.randomElement(using: &random) ?? .null
  }
}
