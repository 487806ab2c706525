import SyncText

extension PayloadOutline {
  /// Notes a member of an object whose key is asked for.
  mutating func noteMember(
    _ member: Int, _ value: Value, of key: UInt64?, at place: Int
  ) throws {
    guard let key, let question, question.keys.contains(key) else { return }
    let digest = places[place].members[member].digest
    memberNames[digest] = places[place].members[member].name
    try ledger.add(
      KeyNote(
        kind: .member, key: key, member: digest, byKey: value.byKey, byContent: value.byContent,
        place: UInt32(place), body: body))
  }

  /// Notes a plain value beside objects, where that is asked for.
  func noteName(
    _ node: JSONTape.Node, in tape: borrowing JSONTape, _ member: Int, at place: Int,
    under parent: UInt64?
  ) throws {
    guard let slot = question?.slots[.init(place: place, member: member)] else { return }
    try ledger.add(
      KeyNote(
        kind: .name, key: tape.digest(ofKey: [node], as: slot.identity), member: UInt64(member),
        parent: parent ?? 0, place: UInt32(place), inner: UInt32(slot.place)))
  }

  /// Notes where the key of a nested object stands beside it, too.
  mutating func noteKeyBeside(
    _ key: UInt64, _ member: Int, in tape: borrowing JSONTape, at place: Int, from start: Int
  ) {
    guard !places[place].pairs.isEmpty else { return }
    let identity = places[place].members[member].object.flatMap { places[$0].rule.identity }
    for pair in places[place].pairs where pair.object == member {
      if let beside = open[start...].first(where: { $0.member == pair.key })?.value,
        tape.isScalar(beside), tape.digest(ofKey: [beside], as: identity) == key
      {
        places[place].members[member].keysBeside += 1
      }
    }
  }

  /// Notes where an object in an array names the one whose array it is.
  mutating func noteParent(
    _ parent: Parent, _ node: JSONTape.Node, in tape: borrowing JSONTape, _ member: Int,
    _ place: Int
  ) {
    guard places[place].members[member].isReference, tape.isScalar(node),
      tape.digest(ofKey: [node], as: places[parent.place].rule.identity) == parent.key
    else { return }
    places[place].members[member].keysOfParent += 1
  }
}
