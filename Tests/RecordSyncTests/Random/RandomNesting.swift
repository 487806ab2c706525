import TestSupport

/// Objects in objects whose keys are few, so that most stand in several places: sometimes the same,
/// sometimes with other values, and some without any key.
struct RandomNesting {
  func payload(using random: inout SeededGenerator) -> Sample {
    let count = Int.random(in: 1...5, using: &random)
    // How often objects of one key differ.
    let differing = [0, 0, 1, 4].randomElement(using: &random) ?? 0
    return .array(
      (0..<count).map { number in
        .object(
          [("id", .number(number + 1))]
            + members("tops", depth: 0, differing: differing, using: &random))
      })
  }

  private typealias Members = [(name: String, value: Sample)]

  private func members(
    _ table: String, depth: Int, differing: Int, using random: inout SeededGenerator
  ) -> Members {
    var members: Members = []
    for name in ["name", "count", "position", "Name", "owner_id"]
    where Int.random(in: 0..<4, using: &random) == 0 {
      members.append((name, scalar(name, using: &random)))
    }
    guard depth < 4 else { return members }
    for name in ["owner", "meta", "notes", "tags", "items", "tops", "meta_x", "item"]
    where Int.random(in: 0..<5, using: &random) == 0 {
      let value = nested(name, depth: depth + 1, differing: differing, using: &random)
      members.append((name, value))
    }
    return members.shuffled(using: &random)
  }

  private func nested(
    _ name: String, depth: Int, differing: Int, using random: inout SeededGenerator
  ) -> Sample {
    if Int.random(in: 0..<12, using: &random) == 0 { return .null }
    if Int.random(in: 0..<40, using: &random) == 0 {
      let odd: [Sample] = [.number(3), .text("x"), .array([.number(1)]), .object([])]
      return odd.randomElement(using: &random) ?? .null
    }
    switch name {
    case "owner", "item":
      return object(name, depth: depth, differing: differing, using: &random)
    case "meta", "meta_x":
      return .object(members(name, depth: depth, differing: differing, using: &random))
    default:
      let count = Int.random(in: 0...3, using: &random)
      return .array(
        (0..<count).map { _ in
          if name == "items" {
            return .object(members(name, depth: depth, differing: differing, using: &random))
          }
          return object(name, depth: depth, differing: differing, using: &random)
        })
    }
  }

  /// An object with a key: mostly all that this key says anywhere, or only a part of it.
  private func object(
    _ name: String, depth: Int, differing: Int, using random: inout SeededGenerator
  ) -> Sample {
    let key = Int.random(in: 1...4, using: &random) + (name == "tops" ? 10 : 0)
    let member: [(name: String, value: Sample)] = [("id", .number(key))]
    if Int.random(in: 0..<20, using: &random) < differing {
      return .object(
        member + members(name, depth: depth, differing: differing, using: &random))
    }
    var own = SeededGenerator(seed: UInt64(key))
    let all = members(name, depth: max(depth, 3), differing: 0, using: &own)
    let isPart = Int.random(in: 0..<4, using: &random) == 0
    return .object(member + (isPart ? all.filter { $0.name != "name" } : all))
  }

  private func scalar(_ name: String, using random: inout SeededGenerator) -> Sample {
    let values: [Sample] = [
      .null, .number(Int.random(in: 0...9, using: &random)), .text("a"), .text("b"), .raw("2.5"),
      .raw("true"),
    ]
    return switch name {
    case "name", "Name": [.text("a"), .text("b"), .null].randomElement(using: &random) ?? .null
    case "count": .number(Int.random(in: 0...9, using: &random))
    default: values.randomElement(using: &random) ?? .null
    }
  }
}
