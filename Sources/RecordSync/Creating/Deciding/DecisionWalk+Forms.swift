private import SyncText

/// What the values of names can be.
extension DecisionWalk {
  /// What the values of a name can be at most at one place.
  mutating func form(of member: SeenMember, _ name: NamePlace) -> DraftName.Form {
    func whole(_ reason: Evidence) -> DraftName.Form {
      self[name].reason = reason
      return .whole
    }
    let (facts, path) = (member.facts, self[name].path)
    let (policy, hasKey) = (tables[name.table].policy, tables[name.table].hasKey)
    if let object = member.object {
      // What holds a key is flat, whatever else it has.
      if holdsKey(path, of: name.table) {
        self[name].reason = .holder
        return .flat
      }
      if facts.objects == facts.values, isEmpty(object) { return whole(.empty) }
    }
    guard !member.isCut else { return whole(.cut) }
    guard let inner = member.inner else { return member.object == nil ? .plain : whole(.mixed) }
    guard policy == .evolve else { return whole(.deep(path.count)) }
    let isMany = facts.arrays > 0
    let hasPlain = isMany ? member.plainElements > 0 : facts.objects < facts.values
    guard !isMany || facts.arrays == facts.values, member.oddElements == 0,
      !hasPlain || member.mayNameKeys
    else { return whole(.mixed) }
    guard !outline.places[inner].hasTooManyNames else { return whole(.tooWide) }
    if let fall = falls[inner] {
      guard fall.level == .own else { return whole(fall.reason) }
      self[name].reason = fall.reason
    } else if !isMany || hasKey {
      do {
        return .rows(table: try target(name, isMany: isMany, at: inner), isMany: isMany)
      } catch { self[name].reason = error }
    }
    guard !hasPlain else { return whole(.mixed) }
    guard isMany else { return flat(inner, path, name.table).map(whole) ?? .flat }
    guard hasKey else { return whole(.belowKeyless) }
    // The table of the rows that the name owns.
    let owned = tables.firstIndex { $0.isOwned && $0.origin == name }
    return .owned(
      table: owned ?? add(DraftTable(name: "", policy: .evolve, origin: name, isOwned: true)))
  }

  /// Whether objects without a key have nothing in them of which a column could be made.
  private func isEmpty(_ place: Int) -> Bool {
    outline.places[place].keyName == nil
      && outline.members(at: place).allSatisfy { member in
        let values = member.facts.values - member.facts.emptyArrays
        return values == 0
          || member.facts.objects == values && (member.object.map(isEmpty) ?? false)
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
    guard tables[table].present == nil, let place = tables[table].places.first else { return false }
    let own = path.map(spelled)
    return outline.places[place].deepKeys.contains {
      $0.parts.count > own.count && $0.parts.starts(with: own)
    }
  }

  /// Whether a member is a key, or stands with one in an object: that has a column for each then,
  /// also where the table keeps others in one.
  func isOfKey(_ member: SeenMember, _ path: [String], of table: Int) -> Bool {
    tables[table].present == nil && path.count == 1 && member.keyRank != nil
      || holdsKey(path, of: table) || isBesideKey(path, of: table)
  }

  func isBesideKey(_ path: [String], of table: Int) -> Bool {
    path.count > 1 && holdsKey(Array(path.dropLast()), of: table)
  }
}
