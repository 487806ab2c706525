import SyncText

/// The meanings of the names that the last object had, in their order: the next one mostly has the
/// same.
struct NameCache {
  private let map: MemberMap
  private var names: [[UInt8]] = []
  private var meanings: [MemberMap.Meaning?] = []

  init(_ map: MemberMap) {
    self.map = map
  }

  /// What the name means that stands at this place of its object.
  mutating func meaning(
    of name: JSONTape.Node, _ number: Int, in tape: borrowing JSONTape, _ schema: RecordSchema
  ) -> MemberMap.Meaning? {
    if number < names.count, tape.isName(name, names[number]) { return meanings[number] }
    let bytes = tape.stringBytes(name) ?? []
    let meaning = schema.meaning(of: bytes, in: map)
    if number < names.count {
      names[number] = bytes
      meanings[number] = meaning
    } else if number == names.count {
      names.append(bytes)
      meanings.append(meaning)
    }
    return meaning
  }
}

extension JSONTape {
  /// Whether a name without escapes has these bytes.
  func isName(_ node: Node, _ name: [UInt8]) -> Bool {
    let range = range(of: node)
    guard range.count == name.count + 2, isPlain(node) else { return false }
    return bytes[range.lowerBound + 1..<range.upperBound - 1].elementsEqual(name)
  }
}
