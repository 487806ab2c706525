import SyncText

extension PayloadOutline {
  /// The values that are an object's key.
  struct KeyNodes {
    var first: JSONTape.Node?
    var others: [JSONTape.Node] = []

    func contains(_ node: JSONTape.Node) -> Bool {
      first == node || !others.isEmpty && others.contains(node)
    }
  }

  /// The values of an object that may be its key or a part of it, the likeliest first.
  struct FoundKeys {
    fileprivate var first: (rank: Int, node: JSONTape.Node)?
    fileprivate var others: [(rank: Int, node: JSONTape.Node)] = []

    mutating func add(_ node: JSONTape.Node, rank: Int) {
      if let first { others.append(first) }
      first = (rank, node)
      if let last = others.last, last.rank <= rank {
        first = last
        others[others.count - 1] = (rank, node)
      }
    }
  }

  /// What is an object's key by the rule of its place.
  mutating func keyNodes(of keys: FoundKeys, at place: Int) -> KeyNodes {
    guard let first = keys.first else { return KeyNodes() }
    switch places[place].rule {
    case .first:
      places[place].keyRanks.insert(first.rank)
      return KeyNodes(first: first.node)
    case .all(let names):
      let ranks = Set(keys.others.map(\.rank) + [first.rank])
      guard ranks.count == names.count else { return KeyNodes() }
      places[place].keyRanks.insert(0)
      return KeyNodes(
        first: first.node, others: keys.others.sorted { $0.rank < $1.rank }.map(\.node))
    }
  }

  /// The plain value at the end of a way through objects; `nil` where there is none.
  func node(
    at parts: ArraySlice<[UInt8]>, in object: JSONTape.Node, of tape: borrowing JSONTape
  ) -> JSONTape.Node? {
    guard let part = parts.first else { return tape.isScalar(object) ? object : nil }
    guard tape.kind(of: object) == .object,
      let value = member(part, of: object, in: tape, as: { tape.isString($0, part) })
        ?? member(
          part, of: object, in: tape,
          as: { names.spelling.canonical(tape.stringBytes($0) ?? []) == part })
    else { return nil }
    return node(at: parts.dropFirst(), in: value, of: tape)
  }

  private func member(
    _ part: [UInt8], of object: JSONTape.Node, in tape: borrowing JSONTape,
    as isPart: (JSONTape.Node) -> Bool
  ) -> JSONTape.Node? {
    let end = tape.end(of: object)
    var name = tape.inside(object)
    while name != end {
      let value = tape.after(name)
      if isPart(name) { return value }
      name = tape.after(value)
    }
    return nil
  }

  mutating func key(
    _ nodes: KeyNodes, in tape: borrowing JSONTape, at place: Int
  ) -> UInt64? {
    guard let first = nodes.first else { return nil }
    places[place].keyed += 1
    var digest = tape.digest(ofKey: first)
    for node in nodes.others { digest = JSONTape.digest(digest, tape.digest(ofKey: node)) }
    if question?.keys.contains(digest) == true, examples.count < Self.mostExamples,
      examples[digest] == nil
    {
      let text = ([first] + nodes.others).map { tape.excerpt($0) }.joined(separator: ", ")
      examples[digest] = (text, examples.count)
    }
    return digest
  }
}
