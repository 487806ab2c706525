import SyncDatabase
import SyncText

/// Compares the objects of a flat table and the children under them with the rows as they stand in
/// the text, and inserts those that are new with all of their children.
///
/// It does an element with all that stands in it, or leaves all of it to the usual way: where
/// anything differs, where a child comes or goes. It leaves a window whole where one element may
/// have a say in what becomes of another.
struct FamilyPass {
  let table: FlatTable
  let relations: [FamilyRelation]
  let access: TableAccess
  private var reader: FlatReader
  private var childReaders: [FlatReader]
  /// Whether new rows may be inserted by it.
  private let inserts: Bool
  /// Whether children that aren't named go.
  let deletes: Bool
  /// How many windows go the usual way before it is tried again, and how many after the next one in
  /// which it doesn't pay.
  private var pause = 0
  private var nextPause = 1

  /// `nil` for a table where it can't be done, or that has no such children.
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
      try FamilyRelation($0, of: table, schema, tables, mayInsert: insertsChildren, connection)
    }
    guard !relations.isEmpty else { return nil }
    self.table = table
    access = tables[place]
    inserts =
      try mayInsert && operations.contains(.insert)
      && !connection.hasUniqueIndexes(on: schema.tables[place], besides: table.key)
    deletes = operations.contains(.deleteRelations)
    reader = FlatReader(table, schema, relations: relations.map(\.place))
    childReaders = relations.map { FlatReader($0.table, schema) }
  }

  /// Tells the elements of a window apart, and writes nothing. `nil` if all have to go the usual
  /// way.
  ///
  /// - Parameter looked: Called with the number of rows since the last call.
  mutating func sort(
    _ window: PayloadWindow, _ connection: Connection, _ looked: (Int) throws -> Void
  ) throws -> FamilyWindow? {
    guard pause == 0 else {
      pause -= 1
      return nil
    }
    let sorted = try window.tape.bytes.withUnsafeBufferPointer { text in
      guard var read = read(window), read.namesEachOnce(text) else { return nil as FamilyWindow? }
      try findParents(of: &read, window.tape, text, connection, looked)
      for relation in relations.indices {
        try findChildren(relation, of: &read, window.tape, text, connection, looked)
      }
      return read
    }
    notePromise(of: sorted)
    return sorted
  }

  private mutating func notePromise(of sorted: FamilyWindow?) {
    guard let sorted, !sorted.isHopeless else { return rest() }
    nextPause = 1
  }

  /// Some windows go the usual way.
  private mutating func rest() {
    pause = nextPause
    nextPause = min(nextPause * 2, 16)
  }

  /// Inserts the new elements with their children; none of them, and `false`, where the database or
  /// a value keeps one from that.
  mutating func insert(
    _ sorted: inout FamilyWindow, of window: PayloadWindow, _ connection: Connection
  ) throws -> Bool {
    let isDone = try FamilyInsertion(pass: self, connection: connection).run(&sorted, window)
    if !isDone { rest() }
    return isDone
  }
}

// MARK: - Reading

extension FamilyPass {
  /// The elements with their children; `nil` where more stands there than can be told.
  private mutating func read(_ window: PayloadWindow) -> FamilyWindow? {
    var read = FamilyWindow(relations: relations.count)
    for node in window.elements {
      let shape = reader.read(node, in: window.tape)
      guard shape != .nested, let key = reader.key else { return nil }
      read.addParent(key, isFlat: shape == .flat, reader.members)
      for (relation, value) in reader.nested {
        guard readChildren(relation, value, in: window.tape, &read) else { return nil }
      }
    }
    return read
  }

  private mutating func readChildren(
    _ relation: Int, _ array: JSONTape.Node, in tape: borrowing JSONTape,
    _ read: inout FamilyWindow
  ) -> Bool {
    guard tape.kind(of: array) == .array else { return false }
    let first = read.children[relation].count
    let end = tape.end(of: array)
    var child = tape.inside(array)
    while child != end {
      let shape = childReaders[relation].read(child, in: tape)
      guard shape != .nested, let key = childReaders[relation].key else { return false }
      let members = childReaders[relation].members
      // The nesting tells the parent, whatever the child's object says.
      let isLinked = members.contains { $0.column == relations[relation].column }
      read.addChild(key, in: relation, isFlat: shape == .flat && !isLinked, members)
      child = tape.after(child)
    }
    read.claim(relation, from: first)
    return true
  }
}

// MARK: - Finding

extension FamilyPass {
  private func findParents(
    of read: inout FamilyWindow, _ tape: borrowing JSONTape, _ text: UnsafeBufferPointer<UInt8>,
    _ connection: Connection, _ looked: (Int) throws -> Void
  ) throws {
    let highest = table.isKeyRowNumber ? try access.highestRow(by: connection) : .max
    try connection.withCursor(access.findByKey) { cursor in
      for element in read.parents.indices {
        try looked(1)
        let parent = read.parents[element]
        defer { cursor.reset() }
        var isThere = false
        if !parent.key.isNumber(above: highest) {
          try parent.key.bind(to: cursor, text)
          isThere = try cursor.step()
        }
        guard isThere else {
          read.setFate(parent.isFlat && inserts ? .new : .other, of: element)
          continue
        }
        read.setRow(cursor.integer(at: 0), of: element)
        let isSame =
          try parent.isFlat && read.members[parent.members].areHeld(by: cursor, in: tape, text)
        if !isSame { read.setFate(.other, of: element) }
      }
    }
  }

  private func findChildren(
    _ relation: Int, of read: inout FamilyWindow, _ tape: borrowing JSONTape,
    _ text: UnsafeBufferPointer<UInt8>, _ connection: Connection,
    _ looked: (Int) throws -> Void
  ) throws {
    let family = relations[relation]
    let highest = family.table.isKeyRowNumber ? try family.access.highestRow(by: connection) : .max
    try connection.withCursor(family.present) { present in
      try connection.withCursor(family.access.findByKey) { finder in
        for claim in read.claims[relation] {
          try looked(claim.children.count)
          let isDone: Bool
          switch read.fates[claim.element] {
          case .other: continue
          case .same: isDone = try areAllThere(claim, relation, of: &read, present, tape, text)
          case .new: isDone = try areAllNew(claim, relation, of: read, above: highest, text, finder)
          }
          if !isDone { read.setFate(.other, of: claim.element) }
        }
      }
    }
  }

  /// Whether just these children hang on their parent, each as its object says.
  ///
  /// Which of them a row is, is looked for from the last one on, in both directions: mostly they
  /// come in one order. Where they don't, they are given up after a while.
  private func areAllThere(
    _ claim: FamilyWindow.Claim, _ relation: Int, of read: inout FamilyWindow,
    _ cursor: borrowing Cursor, _ tape: borrowing JSONTape, _ text: UnsafeBufferPointer<UInt8>
  ) throws -> Bool {
    let family = relations[relation]
    let places = claim.children
    try read.parents[claim.element].key.bind(to: cursor, text)
    defer { cursor.reset() }
    var (found, last, patience) = (0, places.lowerBound - 1, 32 * places.count + 32)
    while try cursor.step() {
      var (child, next) = (nil as Int?, 1)
      // Outwards from the last one: behind it, before it.
      while child == nil, next <= places.count + 1, patience > 0 {
        for place in [last + next, last - next]
        where places.contains(place)
          && read.children[relation][place].key.isHeld(
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
      let row = read.children[relation][child]
      guard row.isFlat, try read.members[row.members].areHeld(by: cursor, in: tape, text)
      else { return false }
      read.setRow(cursor.integer(at: 0), of: child, in: relation)
      (last, found) = (child, found + 1)
    }
    return found == places.count
  }

  /// Whether none of these children has a row.
  private func areAllNew(
    _ claim: FamilyWindow.Claim, _ relation: Int, of read: FamilyWindow, above highest: Int64,
    _ text: UnsafeBufferPointer<UInt8>, _ cursor: borrowing Cursor
  ) throws -> Bool {
    let family = relations[relation]
    guard family.inserts else { return false }
    for place in claim.children {
      let child = read.children[relation][place]
      guard child.isFlat else { return false }
      if child.key.isNumber(above: highest) { continue }
      try child.key.bind(to: cursor, text)
      defer { cursor.reset() }
      if try cursor.step() { return false }
    }
    return true
  }
}
