import SyncDatabase
import SyncText

extension TapeComparison {
  /// `false` where more stands there than can be told.
  mutating func compareChildren(
    _ relation: Int, _ tape: borrowing JSONTape, _ text: UnsafeBufferPointer<UInt8>,
    _ connection: Connection, _ looked: (Int) throws -> Void, _ compared: inout ComparedWindow
  ) throws -> Bool {
    let family = relations[relation]
    let highest = family.table.isKeyRowNumber ? try family.access.highestRow(by: connection) : .max
    return try connection.withCursor(family.present) { present in
      try connection.withCursor(family.access.findByKey) { finder in
        var differing: [Int64] = []
        for number in compared.claims[relation].indices {
          guard readChildren(of: number, relation, in: tape, &compared) else { return false }
          let claim = compared.claims[relation][number]
          try looked(claim.children.count)
          let isDone =
            switch compared.fates[claim.element] {
            case .other, .changed: false
            case .same: try areAllThere(claim, relation, of: &compared, present, tape, text)
            case .new: try areAllNew(claim, relation, of: compared, above: highest, text, finder)
            }
          if !isDone {
            compared.setFate(.other, of: claim.element)
            if family.column == nil {
              try differing += changes(of: claim, relation, in: compared, tape, text, finder)
            }
          }
          compared.forgetMembers(of: claim)
        }
        compared.leave(Set(differing), of: relation)
        return true
      }
    }
  }

  private mutating func readChildren(
    of claim: Int, _ relation: Int, in tape: borrowing JSONTape, _ compared: inout ComparedWindow
  ) -> Bool {
    let array = compared.claims[relation][claim].value
    guard tape.kind(of: array) == .array else { return false }
    compared.beginChildren(of: claim, relation)
    let end = tape.end(of: array)
    var child = tape.inside(array)
    while child != end {
      let shape = childReaders[relation].read(child, in: tape)
      guard shape != .nested, let key = childReaders[relation].key else { return false }
      let members = childReaders[relation].members
      // The nesting tells the parent, whatever the child's object says.
      let isLinked = members.contains { $0.column == relations[relation].column }
      compared.addChild(key, of: claim, relation, isFlat: shape == .flat && !isLinked, members)
      child = tape.after(child)
    }
    return true
  }

  /// Whether just these children hang on their parent, each as its object says.
  ///
  /// Which of them a row is, is looked for from the last one on, in both directions: mostly they
  /// come in one order. Where they don't, they are given up after a while.
  private func areAllThere(
    _ claim: ComparedWindow.Claim, _ relation: Int, of compared: inout ComparedWindow,
    _ cursor: borrowing Cursor, _ tape: borrowing JSONTape, _ text: UnsafeBufferPointer<UInt8>
  ) throws -> Bool {
    let family = relations[relation]
    let places = claim.children
    try compared.parents[claim.element].key.bind(to: cursor, text)
    defer { cursor.reset() }
    var (found, last, patience) = (0, places.lowerBound - 1, 32 * places.count + 32)
    while try cursor.step() {
      var (child, next) = (nil as Int?, 1)
      // Outwards from the last one: behind it, before it.
      while child == nil, next <= places.count + 1, patience > 0 {
        for place in [last + next, last - next]
        where places.contains(place)
          && compared.children[relation][place].key.isHeld(
            by: cursor, at: 1 + family.table.key, text)
        { child = place }
        next += 1
        patience -= 1
      }
      guard let child, compared.children[relation][child].row == nil else {
        // One that isn't named, or is linked twice, goes, or stays as it is.
        if deletes || patience == 0 { return false }
        continue
      }
      let row = compared.children[relation][child]
      guard row.isFlat, try compared.members[row.members].areHeld(by: cursor, in: tape, text)
      else { return false }
      compared.setRow(cursor.integer(at: 0), of: child, in: relation)
      (last, found) = (child, found + 1)
    }
    return found == places.count
  }

  private func areAllNew(
    _ claim: ComparedWindow.Claim, _ relation: Int, of compared: ComparedWindow,
    above highest: Int64, _ text: UnsafeBufferPointer<UInt8>, _ cursor: borrowing Cursor
  ) throws -> Bool {
    guard relations[relation].inserts else { return false }
    for place in claim.children {
      let child = compared.children[relation][place]
      guard child.isFlat else { return false }
      if child.key.isNumber(above: highest) { continue }
      try child.key.bind(to: cursor, text)
      defer { cursor.reset() }
      if try cursor.step() { return false }
    }
    return true
  }

  /// The rows of a claim's children that hold something else than it says of them.
  private func changes(
    of claim: ComparedWindow.Claim, _ relation: Int, in compared: ComparedWindow,
    _ tape: borrowing JSONTape, _ text: UnsafeBufferPointer<UInt8>, _ cursor: borrowing Cursor
  ) throws -> [Int64] {
    var rows: [Int64] = []
    for place in claim.children {
      let child = compared.children[relation][place]
      try child.key.bind(to: cursor, text)
      defer { cursor.reset() }
      guard try cursor.step() else { continue }
      let isSame =
        try child.isFlat && compared.members[child.members].areHeld(by: cursor, in: tape, text)
      if !isSame, let row = cursor.integer(at: 0) { rows.append(row) }
    }
    return rows
  }
}
