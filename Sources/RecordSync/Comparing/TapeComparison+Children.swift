import SyncDatabase
import SyncText

extension TapeComparison {
  /// Compares the rows of one table of the tree. `false` where more stands there than can be told.
  mutating func compareRows(
    _ table: Int, _ tape: borrowing JSONTape, _ text: UnsafeBufferPointer<UInt8>,
    _ connection: Connection, _ looked: (Int) throws -> Void, _ compared: inout ComparedWindow,
    _ differing: inout [Int: Set<Int64>]
  ) throws -> Bool {
    let node = tree.nodes[table]
    let highest = node.table.isKeyRowNumber ? try node.access.highestRow(by: connection) : .max
    return try connection.withCursor(node.present) { present in
      try connection.withCursor(node.access.findByKey) { finder in
        for number in compared.claims[table].indices {
          guard readRows(of: number, table, in: tape, &compared) else { return false }
          let claim = compared.claims[table][number]
          try looked(claim.rows.count)
          let isDone =
            switch compared.fates[claim.element] {
            case .other, .changed: false
            case .same: try areAllThere(claim, table, of: &compared, present, tape, text)
            case .new where node.isShared:
              try areThereOrMissing(claim, table, of: &compared, above: highest, tape, text, finder)
            case .new: try areAllNew(claim, table, of: compared, above: highest, text, finder)
            }
          if !isDone {
            compared.setFate(.other, of: claim.element)
            if node.isShared {
              let changes = try changes(of: claim, table, in: &compared, tape, text, finder)
              differing[node.table.place, default: []].formUnion(changes)
            }
          }
          compared.forgetMembers(of: claim)
        }
        return true
      }
    }
  }

  private mutating func readRows(
    of claim: Int, _ table: Int, in tape: borrowing JSONTape, _ compared: inout ComparedWindow
  ) -> Bool {
    let array = compared.claims[table][claim].value
    let isNull = tape.kind(of: array) == .null
    let unlinks = isNull && !tree.nodes[table].isOwned
    compared.beginRows(of: claim, table, unlinks: unlinks)
    if case .target = tree.nodes[table].way {
      return tape.kind(of: array) == .object
        && readRow(array, of: claim, table, in: tape, &compared)
    }
    if isNull { return true }
    guard tape.kind(of: array) == .array else { return false }
    let end = tape.end(of: array)
    var child = tape.inside(array)
    while child != end {
      guard readRow(child, of: claim, table, in: tape, &compared) else { return false }
      child = tape.after(child)
    }
    return true
  }

  private mutating func readRow(
    _ node: JSONTape.Node, of claim: Int, _ table: Int, in tape: borrowing JSONTape,
    _ compared: inout ComparedWindow
  ) -> Bool {
    let shape = readers[table].read(node, in: tape)
    guard shape != .nested, let key = readers[table].key else { return false }
    var isOrdered = false
    if let order = tree.nodes[table].order, order.mayBeGiven {
      isOrdered = readers[table].gives(order.column)
    }
    compared.addRow(
      key, of: claim, table, isFlat: shape == .flat, isOrdered: isOrdered,
      readers[table].members)
    if readers[table].nested.isEmpty { return true }
    for (relation, value) in readers[table].nested {
      compared.addClaim(of: table, on: tree.nodes[table].below[relation].node, value, in: tape)
    }
    return true
  }

  /// Whether the way leads to just these rows, each as its object says, in this order.
  ///
  /// Which of them a row is, is looked for from the last one on, in both directions: mostly they
  /// come in one order. Where they don't, they are given up after a while.
  private func areAllThere(
    _ claim: ComparedWindow.Claim, _ table: Int, of compared: inout ComparedWindow,
    _ cursor: borrowing Cursor, _ tape: borrowing JSONTape, _ text: UnsafeBufferPointer<UInt8>
  ) throws -> Bool {
    let (key, order) = (tree.nodes[table].table.key, tree.nodes[table].order)
    let places = claim.rows
    let above = compared.rows[tree.nodes[table].above][claim.above]
    if case .target = tree.nodes[table].way {
      guard let row = above.row else { return false }
      try cursor.bind(row, at: 1)
    } else {
      try above.key.bind(to: cursor, text)
    }
    defer { cursor.reset() }
    let isOrdered = order != nil && !claim.isOrdered
    var positions = ContiguousArray<Int64>(repeating: 0, count: isOrdered ? places.count : 0)
    var (found, last, patience) = (0, places.lowerBound - 1, 32 * places.count + 32)
    while try cursor.step() {
      var (child, next) = (nil as Int?, 1)
      // Outwards from the last one: behind it, before it.
      while child == nil, next <= places.count + 1, patience > 0 {
        for place in [last + next, last - next]
        where places.contains(place)
          && compared.rows[table][place].key.isHeld(by: cursor, at: 1 + key, text)
        { child = place }
        next += 1
        patience -= 1
      }
      guard let child, compared.rows[table][child].row == nil else {
        // One that isn't named, or is linked twice, goes, or stays as it is.
        if deletes || isOrdered || patience == 0 { return false }
        continue
      }
      let row = compared.rows[table][child]
      guard row.isFlat, tree.nodes[table].isLive(cursor),
        try compared.members[row.members].areHeld(by: cursor, in: tape, text)
      else { return false }
      if isOrdered, let order {
        guard let position = cursor.integer(at: order.place) else { return false }
        positions[child - places.lowerBound] = position
      }
      compared.setRow(cursor.integer(at: 0), of: child, in: table)
      (last, found) = (child, found + 1)
    }
    return found == places.count && PositionPlan.keeps(positions)
  }

  private func areAllNew(
    _ claim: ComparedWindow.Claim, _ table: Int, of compared: ComparedWindow,
    above highest: Int64, _ text: UnsafeBufferPointer<UInt8>, _ cursor: borrowing Cursor
  ) throws -> Bool {
    guard tree.nodes[table].inserts else { return false }
    let isPaired = tree.nodes[table].table.isPaired
    for place in claim.rows {
      let child = compared.rows[table][place]
      guard child.isFlat else { return false }
      // Beside a parent that is new, a key isn't there, or the database says so.
      if isPaired || child.key.isNumber(above: highest) { continue }
      try child.key.bind(to: cursor, text)
      defer { cursor.reset() }
      if try cursor.step() { return false }
    }
    return true
  }

  /// Whether each row is there as its object says, or isn't and can come with the element.
  private func areThereOrMissing(
    _ claim: ComparedWindow.Claim, _ table: Int, of compared: inout ComparedWindow,
    above highest: Int64, _ tape: borrowing JSONTape, _ text: UnsafeBufferPointer<UInt8>,
    _ cursor: borrowing Cursor
  ) throws -> Bool {
    guard tree.nodes[table].inserts else { return false }
    for place in claim.rows {
      let row = compared.rows[table][place]
      guard row.isFlat else { return false }
      if row.key.isNumber(above: highest) {
        compared.setState(.missing, of: place, in: table)
        continue
      }
      try row.key.bind(to: cursor, text)
      defer { cursor.reset() }
      guard try cursor.step() else {
        compared.setState(.missing, of: place, in: table)
        continue
      }
      guard tree.nodes[table].isLive(cursor),
        try compared.members[row.members].areHeld(by: cursor, in: tape, text)
      else { return false }
      compared.setRow(cursor.integer(at: 0), of: place, in: table)
    }
    return true
  }

  /// The rows of a claim that hold something else than it says of them.
  private func changes(
    of claim: ComparedWindow.Claim, _ table: Int, in compared: inout ComparedWindow,
    _ tape: borrowing JSONTape, _ text: UnsafeBufferPointer<UInt8>, _ cursor: borrowing Cursor
  ) throws -> [Int64] {
    var rows: [Int64] = []
    for place in claim.rows {
      let child = compared.rows[table][place]
      try child.key.bind(to: cursor, text)
      defer { cursor.reset() }
      guard try cursor.step() else {
        compared.setState(.missing, of: place, in: table)
        continue
      }
      let isSame =
        try child.isFlat && tree.nodes[table].isLive(cursor)
        && compared.members[child.members].areHeld(by: cursor, in: tape, text)
      if !isSame, let row = cursor.integer(at: 0) { rows.append(row) }
    }
    return rows
  }
}
