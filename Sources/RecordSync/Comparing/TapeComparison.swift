import SyncDatabase
import SyncText

/// Compares the elements of a window, with the children under them, with their rows as they stand
/// in the text, and inserts and changes rows from there: no value becomes one of ours that is only
/// looked at.
///
/// It does an element with all that stands in it, or leaves all of it to the general way: where
/// anything but its own columns differs, where a child comes or goes. It leaves a window whole where
/// one element may have a say in what becomes of another.
struct TapeComparison {
  let table: FlatTable
  let relations: [ComparedRelation]
  let access: TableAccess
  private var reader: FlatReader
  private var childReaders: [FlatReader]
  /// Whether new rows may be inserted by it.
  private let inserts: Bool
  /// Whether rows without children may be changed by it.
  private let updates: Bool
  /// Whether rows may be in each other's way by more than their keys.
  private let keepsOrder: Bool
  private let rowNumberColumn: Int?
  /// Whether children that aren't named go.
  let deletes: Bool
  /// How many windows go the general way before it is tried again, and how many after the next one
  /// in which it doesn't pay.
  private var pause = 0
  private var nextPause = 1

  /// `nil` for a table where it can't be done.
  init?(
    _ schema: RecordSchema, _ place: Int, _ tables: [TableAccess], operations: Operations,
    mayInsert: Bool, _ connection: Connection
  ) throws {
    guard let table = FlatTable(schema, place),
      try !connection.hasTriggers(on: schema.tables[place]),
      // An index with another collation than the column's own leads to no key.
      try !tables[place].isScanned(for: [table.key], by: connection)
    else { return nil }
    let insertsChildren = mayInsert && operations.contains(.insertRelations)
    relations = try schema.tables[place].relations.indices.compactMap {
      try ComparedRelation($0, of: table, schema, tables, mayInsert: insertsChildren, connection)
    }
    self.table = table
    access = tables[place]
    inserts = mayInsert && operations.contains(.insert)
    deletes = operations.contains(.deleteRelations)
    keepsOrder = try ([table] + relations.map(\.table)).contains {
      try connection.hasUniqueIndexes(on: schema.tables[$0.place], besides: $0.key)
    }
    let hasEdits = schema.tables[place].edits != nil
    updates = operations.contains(.update) && !keepsOrder && !hasEdits
    rowNumberColumn = schema.tables[place].rowNumberColumn
    reader = FlatReader(table, schema, relations: relations.map(\.place))
    childReaders = relations.map { FlatReader($0.table, schema) }
  }

  /// Tells the elements of a window apart, and writes nothing. `nil` if all have to go the general
  /// way.
  ///
  /// - Parameter looked: Called with the number of rows since the last call.
  mutating func compare(
    _ window: PayloadWindow, _ connection: Connection, _ looked: (Int) throws -> Void
  ) throws -> ComparedWindow? {
    guard pause == 0 else {
      pause -= 1
      return nil
    }
    var compared = ComparedWindow(relations: relations.count)
    let isTold = try window.tape.bytes.withUnsafeBufferPointer { text in
      guard try compareParents(of: window, text, connection, looked, &compared) else {
        return false
      }
      for relation in relations.indices where !compared.claims[relation].isEmpty {
        let isTold = try compareChildren(
          relation, window.tape, text, connection, looked, &compared)
        guard isTold else { return false }
      }
      return compared.namesEachOnce(text)
    }
    guard isTold else {
      rest()
      return nil
    }
    // No new row may come before another that has to be written.
    if keepsOrder, compared.fates.contains(.other) { compared.refuseNew() }
    if compared.isHopeless { rest() } else { nextPause = 1 }
    return compared
  }

  /// Some windows go the general way.
  private mutating func rest() {
    pause = nextPause
    nextPause = min(nextPause * 2, 16)
  }

  /// Inserts the new elements with their children, none of them where the database or a value keeps
  /// one from that; and changes rows, those that it may.
  mutating func write(
    _ compared: inout ComparedWindow, of window: PayloadWindow, _ connection: Connection
  ) throws {
    let insertion = TapeInsertion(comparison: self, connection: connection)
    if try !insertion.run(&compared, window) { rest() }
    try window.tape.bytes.withUnsafeBufferPointer { text in
      for element in compared.elements(.changed) {
        let isDone = try update(compared, element, window.tape, text, connection)
        if !isDone { compared.setFate(.other, of: element) }
      }
    }
  }

  /// `false` where the database or a value keeps the row from being changed.
  private func update(
    _ compared: ComparedWindow, _ element: Int, _ tape: borrowing JSONTape,
    _ text: UnsafeBufferPointer<UInt8>, _ connection: Connection
  ) throws -> Bool {
    let parent = compared.parents[element]
    let members = compared.members[parent.members]
    guard let row = parent.row else { return false }
    return try connection.withCursor(access.update(members.map(\.column))) { cursor in
      guard try members.bind(to: cursor, in: tape, text) else { return false }
      try cursor.bind(row, at: members.count + 1)
      return try cursor.runUnlessRefused()
    }
  }
}

// MARK: - The elements

extension TapeComparison {
  /// `false` where more stands there than can be told.
  private mutating func compareParents(
    of window: PayloadWindow, _ text: UnsafeBufferPointer<UInt8>, _ connection: Connection,
    _ looked: (Int) throws -> Void, _ compared: inout ComparedWindow
  ) throws -> Bool {
    let highest = table.isKeyRowNumber ? try access.highestRow(by: connection) : .max
    return try connection.withCursor(access.findByKey) { cursor in
      for node in window.elements {
        let shape = reader.read(node, in: window.tape)
        guard shape != .nested, let key = reader.key else { return false }
        try looked(1)
        var (row, different) = (nil as Int64?, ContiguousArray<FlatReader.Member>())
        var fate = shape == .flat && inserts ? ComparedWindow.Fate.new : .other
        if !key.isNumber(above: highest) {
          try key.bind(to: cursor, text)
          defer { cursor.reset() }
          if try cursor.step() {
            row = cursor.integer(at: 0)
            fate = .other
            if shape == .flat {
              different = try reader.members.differing(from: cursor, in: window.tape, text)
              fate = different.isEmpty ? .same : mayChange(different) ? .changed : .other
            }
          }
        }
        switch fate {
        case .new: compared.addParent(key, row, fate, reader.members)
        case .changed: compared.addParent(key, row, fate, different)
        case .same, .other: compared.addParent(key, row, fate, [])
        }
        for (relation, value) in reader.nested { compared.addClaim(relation, value) }
      }
      return true
    }
  }
}

extension TapeComparison {
  private func mayChange(_ members: ContiguousArray<FlatReader.Member>) -> Bool {
    updates && reader.nested.isEmpty && !members.contains { $0.column == rowNumberColumn }
  }
}

// MARK: - The children

extension TapeComparison {
  /// `false` where more stands there than can be told.
  private mutating func compareChildren(
    _ relation: Int, _ tape: borrowing JSONTape, _ text: UnsafeBufferPointer<UInt8>,
    _ connection: Connection, _ looked: (Int) throws -> Void, _ compared: inout ComparedWindow
  ) throws -> Bool {
    let family = relations[relation]
    let highest = family.table.isKeyRowNumber ? try family.access.highestRow(by: connection) : .max
    return try connection.withCursor(family.present) { present in
      try connection.withCursor(family.access.findByKey) { finder in
        for number in compared.claims[relation].indices {
          guard readChildren(of: number, relation, in: tape, &compared) else { return false }
          let claim = compared.claims[relation][number]
          try looked(claim.children.count)
          let isDone: Bool
          switch compared.fates[claim.element] {
          case .other, .changed: isDone = false
          case .same:
            isDone = try areAllThere(claim, relation, of: &compared, present, tape, text)
          case .new:
            isDone = try areAllNew(claim, relation, of: compared, above: highest, text, finder)
          }
          if !isDone { compared.setFate(.other, of: claim.element) }
          compared.forgetMembers(of: claim)
        }
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
      guard let child else {
        // One that isn't named goes, or stays as it is.
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

  /// Whether none of these children has a row.
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
}

extension TableAccess {
  /// The highest row number of a table that has them.
  fileprivate func highestRow(by connection: Connection) throws -> Int64 {
    let sql: SQL = "SELECT \(address[0]) FROM \(name) ORDER BY 1 DESC LIMIT 1"
    return try connection.row(sql) { try $0.integer(0) } ?? .min
  }
}
