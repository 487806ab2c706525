/// Objects whose members may become columns of the row in which they stand.
extension DecisionWalk {
  /// Whether objects without a key have nothing in them of which a column could be made.
  func isEmpty(_ place: Int) -> Bool {
    guard outline.places[place].keyRank == nil else { return false }
    return outline.places[place].members.allSatisfy { member in
      let values = member.facts.values - member.facts.emptyArrays
      guard values > 0 else { return true }
      return member.facts.objects == values && (member.object.map(isEmpty) ?? false)
    }
  }

  /// Why an object can't be flat; `nil` if it can.
  func flat(_ inner: Int, _ path: [String], _ table: Int) -> Evidence.Reason? {
    let count = outline.places[inner].members.count
    if path.count > flatten { return .deep(path.count) }
    if count > Self.mostNames.ofObject { return .wide(count) }
    let all = tables[table].names.count + count
    return all > Self.mostNames.ofTable ? .wide(all) : nil
  }
}
