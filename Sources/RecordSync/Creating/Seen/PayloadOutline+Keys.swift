import SyncText

extension PayloadOutline {
  /// The digest of an object's key by the rule of its place; `nil` where it has none.
  mutating func key(
    of object: JSONTape.Node, in tape: borrowing JSONTape, at place: Int, from start: Int
  ) -> UInt64? {
    let isAll = places[place].rule.isAll
    var nodes: [JSONTape.Node] = []
    var numbers: [Int] = []
    for rank in places[place].keyCounts.indices {
      let found = keyNode(rank, of: object, in: tape, at: place, from: start)
      guard let (node, number) = found else {
        if isAll { return nil }
        continue
      }
      guard isAll else {
        if let number { open[number].isKey = true }
        places[place].keyCounts[rank] += 1
        let digest = tape.digest(ofKey: node, as: places[place].rule.identity)
        noteExample(digest, [node], in: tape)
        return digest
      }
      nodes.append(node)
      if let number { numbers.append(number) }
    }
    guard !nodes.isEmpty else { return nil }
    for number in numbers { open[number].isKey = true }
    places[place].keyCounts[0] += 1
    let digest = tape.digest(ofKey: nodes, as: places[place].rule.identity)
    noteExample(digest, nodes, in: tape)
    return digest
  }

  /// The value under one of the names of a key, with its number among the members that are read
  /// where it is one of them.
  private func keyNode(
    _ rank: Int, of object: JSONTape.Node, in tape: borrowing JSONTape, at place: Int,
    from start: Int
  ) -> (JSONTape.Node, number: Int?)? {
    for number in start..<open.count
    where open[number].keyRank == rank && tape.isScalar(open[number].value) {
      return (open[number].value, number)
    }
    guard let deep = places[place].deepKeys.first(where: { $0.rank == rank }) else { return nil }
    return node(at: deep.parts[...], in: object, of: tape).map { ($0, nil) }
  }

  /// The plain value at the end of a way through objects; `nil` where there is none.
  private func node(
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

  /// Notes a key that is asked for as it was written.
  private mutating func noteExample(
    _ digest: UInt64, _ nodes: @autoclosure () -> [JSONTape.Node], in tape: borrowing JSONTape
  ) {
    guard question?.keys.contains(digest) == true, examples.count < Self.mostExamples,
      examples[digest] == nil
    else { return }
    let text = nodes().map { tape.excerpt($0) }.joined(separator: ", ")
    examples[digest] = (text, examples.count)
  }
}
