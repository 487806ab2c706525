import SyncDatabase
import SyncText

/// Compares the elements of a window, with the rows under them, with those that are there, as they
/// stand in the text, and inserts and changes rows from there: no value becomes one of ours that is
/// only looked at.
///
/// It does an element with all that stands in it, or leaves all of it to the general way: where
/// anything but its own columns differs, where a child comes or goes. It leaves a window whole
/// where one element may have a say in what becomes of another.
struct TapeComparison {
  let tree: ComparedTree
  /// By the tables of the tree.
  var readers: [FlatReader]
  private let inserts: Bool
  /// Whether rows without children may be changed by it.
  private let updates: Bool
  /// Whether rows may be in each other's way by more than their keys.
  private let keepsOrder: Bool
  private let rowNumberColumn: Int?
  /// Whether children that aren't named go.
  let deletes: Bool
  /// The tables of the tree whose rows may not be named twice.
  private let owned: [Int]
  /// How many windows go the general way before it is tried again, and how many after the next one
  /// in which it doesn't pay.
  private var pause = 0
  private var nextPause = 1

  /// `nil` for a table where it can't be done.
  init?(
    _ schema: RecordSchema, _ place: Int, _ tables: [TableAccess], operations: Operations,
    mayInsert: Bool, _ connection: Connection
  ) throws {
    let tree = try ComparedTree(
      schema, place, tables, mayInsert: mayInsert && operations.contains(.insertRelations),
      connection)
    guard let tree else { return nil }
    self.tree = tree
    let table = tree.nodes[0].table
    inserts = mayInsert && operations.contains(.insert) && table.isWritable
    deletes = operations.contains(.deleteRelations)
    let isUnique = try connection.hasUniqueIndexes(on: schema.tables[place], besides: table.key)
    keepsOrder = try isUnique || tree.nodes.dropFirst().contains { try $0.keepsOrder(connection) }
    let hasEdits = schema.tables[place].edits != nil
    updates = operations.contains(.update) && !isUnique && !hasEdits && table.isWritable
    rowNumberColumn = schema.tables[place].rowNumberColumn
    owned = tree.nodes.indices.filter { !tree.nodes[$0].isShared && !tree.nodes[$0].table.isPaired }
    let clears = deletes
    readers = tree.nodes.map { node in
      FlatReader(
        node.table, schema,
        relations: node.below.map {
          FlatRelation(place: $0.relation, column: $0.column, clears: clears)
        })
    }
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
    var compared = ComparedWindow(tables: tree.nodes.count)
    let isTold = try window.tape.bytes.withUnsafeBufferPointer { text in
      guard try compareElements(of: window, text, connection, looked, &compared) else {
        return false
      }
      // By tables of the database, which several of the tree may be.
      var differing: [Int: Set<Int64>] = [:]
      for table in tree.nodes.indices.dropFirst() where !compared.claims[table].isEmpty {
        let isTold = try compareRows(
          table, window.tape, text, connection, looked, &compared, &differing)
        guard isTold else { return false }
      }
      for (table, node) in tree.nodes.enumerated() where node.isShared {
        compared.leave(differing[node.table.place] ?? [], of: table)
      }
      try leaveWhatLeadsNowhere(in: &compared, window.tape, text, connection)
      compared.leaveMissing()
      return compared.namesEachOnce(text, in: owned)
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

  private mutating func rest() {
    pause = nextPause
    nextPause = min(nextPause * 2, 16)
  }

  /// Inserts the new elements with their children, none of them where the database or a value keeps
  /// one from that; and changes rows, those that it may.
  mutating func write(
    _ compared: inout ComparedWindow, of window: PayloadWindow, _ connection: Connection
  ) throws {
    let insertion = TapeInsertion(tree: tree, connection: connection)
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
    let parent = compared.rows[0][element]
    let members = compared.members[parent.members]
    guard let row = parent.row else { return false }
    return try connection.withCursor(tree.nodes[0].access.update(members.map(\.column))) { cursor in
      guard try members.bind(to: cursor, in: tape, text) else { return false }
      try cursor.bind(row, at: members.count + 1)
      return try cursor.runUnlessRefused()
    }
  }
}

// MARK: - The elements

extension TapeComparison {
  /// `false` where more stands there than can be told.
  private mutating func compareElements(
    of window: PayloadWindow, _ text: UnsafeBufferPointer<UInt8>, _ connection: Connection,
    _ looked: (Int) throws -> Void, _ compared: inout ComparedWindow
  ) throws -> Bool {
    let (access, table) = (tree.nodes[0].access, tree.nodes[0].table)
    let highest = table.isKeyRowNumber ? try access.highestRow(by: connection) : .max
    return try connection.withCursor(access.findByKey) { cursor in
      for node in window.elements {
        let shape = readers[0].read(node, in: window.tape)
        guard shape != .nested, let key = readers[0].key else { return false }
        try looked(1)
        if key.isNumber(above: highest) {
          addNew(key, shape, &compared)
        } else {
          try key.bind(to: cursor, text)
          defer { cursor.reset() }
          if try !cursor.step() {
            addNew(key, shape, &compared)
          } else if try shape == .flat && tree.nodes[0].isLive(cursor)
            && readers[0].members.areHeld(by: cursor, in: window.tape, text)
          {
            // Here, since a call would hold on to all of this value once for each row.
            compared.addElement(key, cursor.integer(at: 0), .same, [])
          } else {
            try addDifferent(key, shape, by: cursor, window.tape, text, &compared)
          }
        }
        for (relation, value) in readers[0].nested {
          compared.addClaim(of: 0, on: tree.nodes[0].below[relation].node, value, in: window.tape)
        }
      }
      return true
    }
  }

  private func addNew(
    _ key: FlatKey, _ shape: FlatReader.Shape, _ compared: inout ComparedWindow
  ) {
    let mayInsert = shape == .flat && inserts
    compared.addElement(
      key, nil, mayInsert ? .new : .other, mayInsert ? readers[0].members : [])
  }

  /// Adds an element that says something else than the row on which a cursor stands.
  private func addDifferent(
    _ key: FlatKey, _ shape: FlatReader.Shape, by cursor: borrowing Cursor,
    _ tape: borrowing JSONTape, _ text: UnsafeBufferPointer<UInt8>,
    _ compared: inout ComparedWindow
  ) throws {
    let row = cursor.integer(at: 0)
    guard shape == .flat, tree.nodes[0].isLive(cursor) else {
      return compared.addElement(key, row, .other, [])
    }
    let different = try readers[0].members.differing(from: cursor, in: tape, text)
    let uses = tree.nodes[0].table.uses
    let mayChange =
      updates && readers[0].nested.isEmpty
      && different.allSatisfy { $0.column != rowNumberColumn && uses[$0.column] == .value }
    compared.addElement(
      key, row, mayChange ? .changed : .other, mayChange ? different : [])
  }

  /// New elements whose references lead nowhere go the general way, unless what they lead to may
  /// come with them.
  private func leaveWhatLeadsNowhere(
    in compared: inout ComparedWindow, _ tape: borrowing JSONTape,
    _ text: UnsafeBufferPointer<UInt8>, _ connection: Connection
  ) throws {
    guard compared.fates.contains(.new) else { return }
    for (table, node) in tree.nodes.enumerated() {
      for target in node.targets where !target.mayCome {
        try connection.withCursor(target.existence) { cursor in
          for place in compared.rows(table, of: .new) {
            let row = compared.rows[table][place]
            let isThere = try compared.members[row.members].lead(
              target.column, by: cursor, in: tape, text)
            if !isThere { compared.setFate(.other, of: row.element) }
          }
        }
      }
    }
  }
}

extension ComparedNode {
  /// Whether new rows may be in each other's way by more than their keys.
  fileprivate func keepsOrder(_ connection: Connection) throws -> Bool {
    guard inserts else { return false }
    if case .links(let links, _, _, _) = way,
      try connection.hasUniqueIndexes(on: links.schema, besides: nil)
    {
      return true
    }
    return try connection.hasUniqueIndexes(
      on: access.schema, besides: table.isPaired ? nil : table.key)
  }
}

extension TableAccess {
  func highestRow(by connection: Connection) throws -> Int64 {
    let sql: SQL = "SELECT \(address[0]) FROM \(name) ORDER BY 1 DESC LIMIT 1"
    return try connection.row(sql) { try $0.integer(0) } ?? .min
  }
}
