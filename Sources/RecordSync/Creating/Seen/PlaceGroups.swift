private import SyncText

/// Which places of a payload may have objects that are rows of one table: those that may have one
/// of its names, and those that declared relations lead to it from.
struct PlaceGroups {
  /// For each name that isn't the first of its group, one that is nearer to that.
  private var nearer: [[UInt8]: [UInt8]] = [:]
  private let spelling: Spelling

  /// The group of each place.
  ///
  /// - Parameters:
  ///   - top: The table of the payload's own elements.
  ///   - schema: The tables that are there.
  static func groups(of outline: PayloadOutline, top: String, _ schema: RecordSchema) -> [Int] {
    var groups = PlaceGroups(spelling: schema.spelling)
    for relation in schema.tables.flatMap(\.relations) {
      let table = schema.tables[relation.kind.table].name
      for name in [relation.name] + relation.otherNames + relation.jsonPath.suffix(1) {
        groups.join([name, table] + groups.tables(for: name))
      }
    }
    var names = [[UInt8]](repeating: groups.join([top]), count: outline.places.count)
    // The ways to each place through objects, the nearest name last.
    var ways = [[String]](repeating: [], count: outline.places.count)
    for place in outline.places.indices {
      for member in outline.members(at: place) {
        let name = String(decoding: member.name, as: UTF8.self)
        let all = [name] + ways[place].map { "\($0)_\(name)" }
        for inner in member.places { names[inner] = groups.join(all.flatMap(groups.tables)) }
        if let object = member.object { ways[object] = all }
      }
    }
    let firsts = names.map(groups.first)
    let numbers = Dictionary(firsts.enumerated().map { ($1, $0) }, uniquingKeysWith: min)
    return firsts.compactMap { numbers[$0] }
  }

  private func tables(for name: String) -> [String] {
    spelling.tables(for: name, isMany: true) + spelling.tables(for: name, isMany: false)
  }

  /// Puts names into one group; gives one of them.
  @discardableResult
  private mutating func join(_ names: [String]) -> [UInt8] {
    let all = names.map { first(of: spelling.canonical(Array($0.utf8))) }
    for other in all where other != all[0] { nearer[other] = all[0] }
    return all[0]
  }

  private func first(of name: [UInt8]) -> [UInt8] {
    var first = name
    while let next = nearer[first] { first = next }
    return first
  }
}
