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
        members[member].facts.add(value, in: tape)
        open.append((member, value, false))
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
    if number < places[place].members.count {
      let likely = places[place].members[number]
      if tape.isString(name, members[likely].name) { return likely }
    }
    let bytes = tape.stringBytes(name) ?? []
    if let member = places[place].numbers[bytes] { return member }
    guard places[place].members.count < OutlinePlace.mostNames else {
      places[place].hasTooManyNames = true
      return nil
    }
    var new = SeenMember(bytes, names.spelling, places[place].rule)
    for other in places[place].members {
      if members[other].isReference(to: new) { new.beside = other }
      if new.isReference(to: members[other]) { members[other].beside = members.count }
    }
    places[place].numbers[bytes] = members.count
    places[place].members.append(members.count)
    members.append(new)
    return members.count - 1
  }

  /// The place of the objects under a member, or in its arrays; `nil` where there are too many.
  mutating func place(under member: Int, isMany: Bool) -> Int? {
    if let known = isMany ? members[member].elements : members[member].object { return known }
    guard places.count < Self.mostPlaces else {
      members[member].isCut = true
      return nil
    }
    let new = places.count
    places.append(OutlinePlace(names.rule(under: members[member].name, isMany: isMany)))
    if isMany { members[member].elements = new } else { members[member].object = new }
    return new
  }

  // MARK: - Notes

  /// Notes a member of an object whose key is asked for.
  func noteMember(_ member: Int, _ value: Value, of key: UInt64?, at place: Int) throws {
    guard let key, question?.keys.contains(key) == true else { return }
    try ledger.add(
      KeyNote(
        kind: .member, key: key, member: members[member].digest, byKey: value.byKey,
        byContent: value.byContent, place: UInt32(place), body: body))
  }

  /// Notes a plain value beside objects, where that is asked for.
  func noteName(
    _ node: JSONTape.Node, in tape: borrowing JSONTape, _ member: Int, under parent: UInt64?
  ) throws {
    guard let slot = question?.slots[member] else { return }
    try ledger.add(
      KeyNote(
        kind: .name, key: tape.digest(ofKey: node, as: slot.identity), member: UInt64(member),
        parent: parent ?? 0, place: UInt32(slot.place)))
  }

  /// Notes where the key of a nested object stands beside it, too.
  mutating func noteKeyBeside(
    _ key: UInt64, _ member: Int, in tape: borrowing JSONTape, at place: Int, from start: Int
  ) {
    guard let number = members[member].beside,
      let beside = open[start...].first(where: { $0.member == number })?.value,
      isKey(beside, key, in: tape, at: place)
    else { return }
    members[member].keysBeside += 1
  }

  /// Notes where an object in an array names the one whose array it is.
  mutating func noteParent(
    _ parent: Parent, _ node: JSONTape.Node, in tape: borrowing JSONTape, _ member: Int
  ) {
    guard members[member].isReference, isKey(node, parent.key, in: tape, at: parent.place)
    else { return }
    members[member].keysOfParent += 1
  }

  /// Whether a value is the key of an object at a place.
  private func isKey(
    _ node: JSONTape.Node, _ key: UInt64, in tape: borrowing JSONTape, at place: Int
  ) -> Bool {
    tape.isScalar(node) && tape.digest(ofKey: node, as: places[place].rule.identity) == key
  }
}
