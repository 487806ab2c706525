private import SyncText

/// What the values of names can be.
extension DecisionWalk {
  /// What the values of a name can be at most at one place.
  mutating func form(
    of member: SeenMember, _ path: [String], _ table: Int, _ number: Int
  ) -> DraftName.Form {
    func whole(_ reason: Evidence) -> DraftName.Form {
      tables[table].names[number].reason = reason
      return .whole
    }
    let facts = member.facts
    if let object = member.object {
      // What holds a key is flat, whatever else it has.
      if holdsKey(path, of: table) {
        tables[table].names[number].reason = .holder
        return .flat
      }
      if facts.objects == facts.values, isEmpty(object) { return whole(.empty) }
    }
    guard !member.isCut else { return whole(.cut) }
    guard tables[table].policy == .evolve || member.inner == nil else {
      return whole(.deep(path.count))
    }
    guard let inner = member.inner else { return member.object == nil ? .plain : whole(.mixed) }
    let isMany = facts.arrays > 0
    let hasPlain = isMany ? member.plainElements > 0 : facts.objects < facts.values
    guard !isMany || facts.arrays == facts.values, member.oddElements == 0,
      !hasPlain || member.mayNameKeys
    else { return whole(.mixed) }
    let fall = falls[inner]
    guard !outline.places[inner].hasTooManyNames else { return whole(.tooWide) }
    if fall?.level == .whole { return whole(fall?.reason ?? .mixed) }
    let isBelowKey = tables[table].hasKey
    var reason = fall?.reason
    if reason == nil, !isMany || isBelowKey {
      do {
        let origin = DraftTable.Origin(table: table, name: number)
        let target = try target(path, isMany: isMany, at: inner, for: origin)
        return .rows(table: target, isMany: isMany)
      } catch { reason = error }
    }
    tables[table].names[number].reason = reason
    guard !hasPlain else { return whole(.mixed) }
    guard isMany else { return flat(inner, path, table).map(whole) ?? .flat }
    guard isBelowKey else { return whole(.belowKeyless) }
    return .owned(table: self.owned(table, number))
  }

  /// The table of the rows that a name owns.
  private mutating func owned(_ table: Int, _ name: Int) -> Int {
    let origin = DraftTable.Origin(table: table, name: name)
    if let known = tables.firstIndex(where: { $0.isOwned && $0.origin == origin }) { return known }
    tables.append(
      DraftTable(
        name: "", policy: .evolve, keyNames: [], hasKey: false, origin: origin, isOwned: true))
    return tables.count - 1
  }

  /// Whether objects without a key have nothing in them of which a column could be made.
  private func isEmpty(_ place: Int) -> Bool {
    guard outline.places[place].keyName == nil else { return false }
    return outline.places[place].members.allSatisfy { member in
      let values = member.facts.values - member.facts.emptyArrays
      guard values > 0 else { return true }
      return member.facts.objects == values && (member.object.map(isEmpty) ?? false)
    }
  }

  /// Why an object can't be flat; `nil` if it can.
  func flat(_ inner: Int, _ path: [String], _ table: Int) -> Evidence? {
    let count = outline.places[inner].members.count
    if path.count > flatten { return .deep(path.count) }
    if count > Self.mostNames.ofObject { return .wide(count) }
    let all = tables[table].names.count + count
    return all > Self.mostNames.ofTable ? .wide(all) : nil
  }

  // MARK: - Keys within objects

  /// Whether the objects under a name hold the key of those in which they stand, or a part of it.
  func holdsKey(_ path: [String], of table: Int) -> Bool {
    let table = tables[table]
    guard table.present == nil, let place = table.places.first else { return false }
    let keys = outline.places[place].deepKeys
    guard !keys.isEmpty else { return false }
    let own = path.map { present.schema.spelling.canonical(Array($0.utf8)) }
    return keys.contains { $0.parts.count > own.count && $0.parts.starts(with: own) }
  }

  /// Whether a member is a key, or stands with one in an object: that has a column for each then,
  /// also where the table keeps others in one.
  func isOfKey(_ member: SeenMember, _ path: [String], of table: Int) -> Bool {
    guard tables[table].present == nil else { return false }
    let isPlain = path.count == 1 && member.keyRank != nil
    return isPlain || holdsKey(path, of: table) || isBesideKey(path, of: table)
  }

  func isBesideKey(_ path: [String], of table: Int) -> Bool {
    path.count > 1 && holdsKey(Array(path.dropLast()), of: table)
  }
}
