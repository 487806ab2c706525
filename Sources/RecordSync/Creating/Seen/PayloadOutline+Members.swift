import SyncText

/// Members of objects by their names, and what is noted of them.
extension PayloadOutline {
  /// Notes all members. Those beyond the most that are told apart count by their content.
  mutating func readNames(
    of object: JSONTape.Node, in tape: borrowing JSONTape, at place: Int, _ digest: inout Value
  ) {
    let end = tape.end(of: object)
    var (name, number) = (tape.inside(object), 0)
    while name != end {
      let value = tape.after(name)
      if let member = self.member(name, number, in: tape, at: place) {
        places[place].members[member].facts.add(value, in: tape)
        open.append((member, value, places[place].members[member].keyRank, false))
      } else {
        digest.add(tape.digest(ofKey: name), Value(tape.digest(of: value)))
      }
      name = tape.after(value)
      number += 1
    }
  }

  /// The member of that name, which mostly stands at the same place as in the last object.
  private mutating func member(
    _ name: JSONTape.Node, _ number: Int, in tape: borrowing JSONTape, at place: Int
  ) -> Int? {
    if number < places[place].members.count,
      tape.isString(name, places[place].members[number].name)
    {
      return number
    }
    let bytes = tape.stringBytes(name) ?? []
    if let member = places[place].numbers[bytes] { return member }
    let next = places[place].members.count
    guard next < OutlinePlace.mostNames else {
      places[place].hasTooManyNames = true
      return nil
    }
    let canonical = names.spelling.canonical(bytes)
    let rank = places[place].rule.names.firstIndex(of: canonical)
    addPairs(of: canonical, next, at: place)
    places[place].numbers[bytes] = next
    places[place].members.append(SeenMember(name: bytes, canonical: canonical, keyRank: rank))
    return next
  }

  private mutating func addPairs(of canonical: [UInt8], _ next: Int, at place: Int) {
    let isKey = canonical.suffix(3).elementsEqual("_id".utf8)
    let key = canonical + Array("_id".utf8)
    for (other, known) in places[place].members.enumerated() {
      if isKey, known.canonical.elementsEqual(canonical.dropLast(3)) {
        places[place].pairs.append((object: other, key: next))
      } else if known.canonical.count == key.count, known.canonical == key {
        places[place].pairs.append((object: next, key: other))
      }
    }
  }

  /// The place of the objects under a member; `nil` where there are too many.
  mutating func makePlace(under member: Int, at place: Int, isMany: Bool) -> Int? {
    guard places.count < Self.mostPlaces else {
      places[place].members[member].isCut = true
      return nil
    }
    let rule = names.rule(under: places[place].members[member].name, isMany: isMany)
    places.append(OutlinePlace(rule))
    return places.count - 1
  }

  // MARK: - Notes

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
        kind: .name, key: tape.digest(ofKey: node, as: slot.identity), member: UInt64(member),
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
        tape.isScalar(beside), tape.digest(ofKey: beside, as: identity) == key
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
      tape.digest(ofKey: node, as: places[parent.place].rule.identity) == parent.key
    else { return }
    places[place].members[member].keysOfParent += 1
  }
}
