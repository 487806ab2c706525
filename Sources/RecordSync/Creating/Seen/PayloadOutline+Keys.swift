import SyncText

extension PayloadOutline {
  /// The digest of an object's key by the rule of its place; `nil` where it has none.
  mutating func key(
    of object: JSONTape.Node, in tape: borrowing JSONTape, at place: Int, from start: Int
  ) -> UInt64? {
    let isAll = places[place].rule.isAll
    var (nodes, counted) = ([] as [JSONTape.Node], 0)
    for rank in places[place].keyCounts.indices {
      guard let node = keyNode(rank, of: object, in: tape, at: place, from: start) else {
        if isAll { return nil }
        continue
      }
      nodes.append(node)
      guard !isAll else { continue }
      counted = rank
      break
    }
    guard !nodes.isEmpty else { return nil }
    for number in start..<open.count where nodes.contains(open[number].value) {
      open[number].isKey = true
    }
    places[place].keyCounts[counted] += 1
    let digest = tape.digest(ofKey: nodes, as: places[place].rule.identity)
    // A key that is asked for is told as it was written.
    if question?.keys.contains(digest) == true, examples.count < Self.mostExamples,
      examples[digest] == nil
    {
      let text = nodes.map { tape.excerpt($0) }.joined(separator: ", ")
      examples[digest] = (text, examples.count)
    }
    return digest
  }

  /// The value under one of the names of a key.
  private func keyNode(
    _ rank: Int, of object: JSONTape.Node, in tape: borrowing JSONTape, at place: Int,
    from start: Int
  ) -> JSONTape.Node? {
    for number in start..<open.count
    where members[open[number].member].keyRank == rank && tape.isScalar(open[number].value) {
      return open[number].value
    }
    let deep = places[place].deepKeys.first { $0.rank == rank }
    return deep.flatMap { node(at: $0.parts[...], in: object, of: tape) }
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
}
