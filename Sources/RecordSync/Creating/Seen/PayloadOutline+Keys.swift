import SyncText

extension PayloadOutline {
  /// The values that are an object's key by the rule of its place; none where it has none.
  mutating func keyNodes(
    of object: JSONTape.Node, in tape: borrowing JSONTape, at place: Int, from start: Int
  ) -> [JSONTape.Node] {
    var nodes: [JSONTape.Node] = []
    let rule = places[place].rule
    for rank in rule.names.indices {
      if let node = keyNode(rank, of: object, in: tape, at: place, from: start) {
        nodes.append(node)
        if rule.isAll { continue }
        places[place].keyRanks.insert(rank)
        return nodes
      } else if rule.isAll {
        return []
      }
    }
    if !nodes.isEmpty { places[place].keyRanks.insert(0) }
    return nodes
  }

  /// The value under one of the names of a key.
  private func keyNode(
    _ rank: Int, of object: JSONTape.Node, in tape: borrowing JSONTape, at place: Int,
    from start: Int
  ) -> JSONTape.Node? {
    for member in open[start...] where member.keyRank == rank && tape.isScalar(member.value) {
      return member.value
    }
    guard let deep = places[place].deepKeys.first(where: { $0.rank == rank }) else { return nil }
    return node(at: deep.parts[...], in: object, of: tape)
  }

  /// The plain value at the end of a way through objects; `nil` where there is none.
  func node(
    at parts: ArraySlice<[UInt8]>, in object: JSONTape.Node, of tape: borrowing JSONTape
  ) -> JSONTape.Node? {
    guard let part = parts.first else { return tape.isScalar(object) ? object : nil }
    guard tape.kind(of: object) == .object else { return nil }
    var found: (value: JSONTape.Node, isExact: Bool)?
    tape.forEachMember(of: object) { name, value in
      let isExact = name == part
      guard isExact || names.spelling.canonical(name) == part else { return }
      if found == nil || isExact && found?.isExact == false { found = (value, isExact) }
    }
    return found.flatMap { node(at: parts.dropFirst(), in: $0.value, of: tape) }
  }

  mutating func key(
    _ nodes: [JSONTape.Node], in tape: borrowing JSONTape, at place: Int
  ) -> UInt64? {
    guard !nodes.isEmpty else { return nil }
    places[place].keyed += 1
    let digest = tape.digest(ofKey: nodes, as: places[place].rule.identity)
    if question?.keys.contains(digest) == true, examples.count < Self.mostExamples,
      examples[digest] == nil
    {
      let text = nodes.map { tape.excerpt($0) }.joined(separator: ", ")
      examples[digest] = (text, examples.count)
    }
    return digest
  }
}
