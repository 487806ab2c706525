private import SyncText

/// Which places of a payload may have objects that are rows of one table: those that may have one
/// of its names, and those that declared relations lead to it from.
struct PlaceGroups {
  private var numbers: [[UInt8]: Int] = [:]
  /// For each name, another one of its group, or itself.
  private var joined: [Int] = []
  private let spelling: Spelling

  init(_ spelling: Spelling) { self.spelling = spelling }

  /// The group of each place.
  ///
  /// - Parameters:
  ///   - top: The table of the payload's own elements.
  ///   - schema: The tables that are there.
  static func groups(of outline: PayloadOutline, top: String, _ schema: RecordSchema) -> [Int] {
    var groups = PlaceGroups(schema.spelling)
    for relation in schema.tables.flatMap(\.relations) {
      let table = schema.tables[relation.kind.table].name
      let path = relation.jsonPath
      for name in [relation.name] + relation.otherNames + path.suffix(1) {
        groups.join([name, table] + groups.tables(for: name))
      }
    }
    var names = [Int](repeating: groups.join([top]), count: outline.places.count)
    // The ways to each place through objects, the nearest name last.
    var ways = [[[String]]](repeating: [], count: outline.places.count)
    for place in outline.places.indices {
      for member in outline.places[place].members {
        let name = String(decoding: member.name, as: UTF8.self)
        let all = [[name]] + ways[place].map { $0 + [name] }
        for inner in [member.object, member.elements].compactMap({ $0 }) {
          let ways = all.map { $0.joined(separator: "_") }
          names[inner] = groups.join(ways.flatMap(groups.tables))
        }
        if let object = member.object { ways[object] = all }
      }
    }
    return names.map(groups.root)
  }

  private func tables(for name: String) -> [String] {
    spelling.tables(for: name, isMany: true) + spelling.tables(for: name, isMany: false)
  }

  /// Puts names into one group; gives the number of one of them.
  @discardableResult
  private mutating func join(_ names: [String]) -> Int {
    let all = names.map { number(of: spelling.canonical(Array($0.utf8))) }
    for other in all { joined[root(other)] = root(all[0]) }
    return all[0]
  }

  private mutating func number(of name: [UInt8]) -> Int {
    if let known = numbers[name] { return known }
    numbers[name] = joined.count
    joined.append(joined.count)
    return joined.count - 1
  }

  private func root(_ name: Int) -> Int {
    var root = name
    while joined[root] != root { root = joined[root] }
    return root
  }
}
