private import SyncText

// Keys within objects.

extension DecisionWalk {
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

  /// Whether a name is this one of a key.
  func isKey(_ name: DraftName, _ key: [UInt8]) -> Bool {
    name.path.count == 1
      ? name.member.canonical == key : KeyNames.joined(name.path, present.schema.spelling) == key
  }
}
