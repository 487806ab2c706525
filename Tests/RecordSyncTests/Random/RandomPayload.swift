import TestSupport

/// A value of JSON, made at random and told as text.
indirect enum Sample {
  case null
  case number(Int)
  case text(String)
  /// JSON as it is written.
  case raw(String)
  case array([Sample])
  case object([(name: String, value: Sample)])

  var json: String {
    switch self {
    case .null: "null"
    case .number(let number): "\(number)"
    case .text(let text): "\"\(text)\""
    case .raw(let json): json
    case .array(let elements): "[\(elements.map(\.json).joined(separator: ","))]"
    case .object(let members):
      "{\(members.map { "\"\($0.name)\":\($0.value.json)" }.joined(separator: ","))}"
    }
  }
}

extension RandomSchema {
  /// Objects for a table, with others nested in them.
  func payload(for table: Int, using random: inout SeededGenerator) -> Sample {
    let count = Int.random(in: 0...5, using: &random)
    return .array((0..<count).map { _ in object(of: table, depth: 0, using: &random) })
  }

  private func object(of table: Int, depth: Int, using random: inout SeededGenerator) -> Sample {
    var members: [(name: String, value: Sample)] = [("id", .number(key(using: &random)))]
    for column in tables[table].columns where Bool.random(using: &random) {
      let value = Int.random(in: 0...3, using: &random)
      members.append((column, value == 0 ? .null : .text("v\(value)")))
    }
    guard depth < 3 else { return .object(members) }
    for relation in relations(of: table) where Int.random(in: 0..<3, using: &random) == 0 {
      // Both ends of a link might contradict each other.
      if case .manyToMany(_, _, false, _) = relation { continue }
      members.append(member(relation, depth: depth, using: &random))
    }
    return .object(members.shuffled(using: &random))
  }

  private func member(
    _ relation: Relation, depth: Int, using random: inout SeededGenerator
  ) -> (name: String, value: Sample) {
    let kind = Int.random(in: 0..<4, using: &random)
    switch relation {
    case .toOne(let name, let column, let table):
      switch kind {
      case 0: return (name, .null)
      case 1: return (column, .number(key(using: &random)))
      default: return (name, object(of: table, depth: depth + 1, using: &random))
      }
    case .toMany(let name, let table, _), .manyToMany(let name, _, _, let table):
      if kind == 0 { return (name, .null) }
      let count = Int.random(in: 0...3, using: &random)
      if kind == 1 {
        let singular = tables[table].singular
        return ("\(singular)_ids", .array((0..<count).map { _ in .number(key(using: &random)) }))
      }
      return (
        name,
        .array((0..<count).map { _ in object(of: table, depth: depth + 1, using: &random) })
      )
    }
  }

  private func key(using random: inout SeededGenerator) -> Int {
    Int.random(in: 1...6, using: &random)
  }
}
