import SyncDatabase
import SyncText

/// Inserts the new elements of a window with what stands under them, all or none: without its
/// parent no child may stay, and of one that is refused the general way has to tell.
struct TapeInsertion {
  let tree: ComparedTree
  let connection: Connection

  /// `false` if nothing was inserted.
  func run(_ compared: inout ComparedWindow, _ window: PayloadWindow) throws -> Bool {
    guard compared.fates.contains(.new) else { return true }
    let isDone = try connection.savepoint(keeping: \.self) {
      try window.tape.bytes.withUnsafeBufferPointer { text in
        // Those to which others lead come before them.
        for (table, node) in tree.nodes.enumerated() {
          guard case .target = node.way else { continue }
          let rows = compared.rows(table, of: .new)
          guard try insertMissing(rows, table, &compared, window.tape, text) else { return false }
        }
        let elements = compared.newElements(text)
        guard try insert(elements, 0, &compared, window.tape, text) else { return false }
        return try tree.nodes.indices.dropFirst().allSatisfy { table in
          let rows = compared.rows(table, of: .new)
          guard tree.nodes[table].isShared else {
            return try insert(rows, table, &compared, window.tape, text)
          }
          guard case .links = tree.nodes[table].way else { return true }
          return try insertMissing(rows, table, &compared, window.tape, text)
            && insertLinks(to: rows, table, compared, text)
        }
      }
    }
    if !isDone { compared.refuseNew() }
    return isDone
  }

  /// `false` for a row that breaks a rule of its table, or of whose values there is more to tell.
  private func insert(
    _ places: [Int], _ table: Int, _ compared: inout ComparedWindow, _ tape: borrowing JSONTape,
    _ text: UnsafeBufferPointer<UInt8>
  ) throws -> Bool {
    let node = tree.nodes[table]
    var rest = places[...]
    while let first = rest.first {
      let columns = compared.columns(of: first, table)
      let order = compared.order(of: first, node, table)
      let leads = compared.leads(of: first, node)
      let given = [node.table.link, order].compactMap(\.self) + leads.compactMap(\.column)
      let isDone = try connection.withCursor(node.access.insert(columns + given)) { cursor in
        // All that give the same columns go through one statement.
        while let place = rest.first {
          let row = compared.rows[table][place]
          let members = compared.members[row.members]
          guard members.give(columns), compared.order(of: place, node, table) == order,
            compared.leads(of: place, node).map(\.node) == leads.map(\.node)
          else { return true }
          guard try members.bind(to: cursor, in: tape, text), try lead(members, node, tape, text)
          else { return false }
          if node.table.link != nil {
            let claim = compared.claims[table][row.claim]
            let above = compared.rows[node.above][claim.above]
            try above.key.bind(to: cursor, at: columns.count + 1, text)
            if order != nil {
              try cursor.bind(Int64(place - claim.rows.lowerBound), at: columns.count + 2)
            }
          }
          for (number, lead) in leads.enumerated() {
            guard let claim = compared.claim(of: place, on: lead.node) else { return false }
            let target = compared.rows[lead.node][claim.rows.lowerBound]
            let parameter = columns.count + given.count - leads.count + number + 1
            try target.key.bind(to: cursor, at: parameter, text)
          }
          guard try cursor.runUnlessRefused() else { return false }
          compared.setRow(number(of: row.key, node.table), of: place, in: table)
          rest = rest.dropFirst()
        }
        return true
      }
      guard isDone else { return false }
    }
    return true
  }

  /// Inserts those that aren't there, each once. `false`, too, where a second object says something
  /// else of one.
  private func insertMissing(
    _ places: [Int], _ table: Int, _ compared: inout ComparedWindow, _ tape: borrowing JSONTape,
    _ text: UnsafeBufferPointer<UInt8>
  ) throws -> Bool {
    try connection.withCursor(tree.nodes[table].access.findByKey) { cursor in
      for place in places where compared.rows[table][place].state == .missing {
        let row = compared.rows[table][place]
        try row.key.bind(to: cursor, text)
        defer { cursor.reset() }
        if try cursor.step() {
          guard tree.nodes[table].isLive(cursor),
            try compared.members[row.members].areHeld(by: cursor, in: tape, text)
          else { return false }
          compared.setRow(cursor.integer(at: 0), of: place, in: table)
        } else {
          cursor.reset()
          guard try insert([place], table, &compared, tape, text) else { return false }
          compared.setState(.inserted, of: place, in: table)
        }
      }
      return true
    }
  }

  private func insertLinks(
    to places: [Int], _ table: Int, _ compared: ComparedWindow, _ text: UnsafeBufferPointer<UInt8>
  ) throws -> Bool {
    let node = tree.nodes[table]
    guard case .links(let links, _, let here, let there) = node.way else { return true }
    let columns = [here, there] + (node.order.map { [$0.column] } ?? [])
    return try connection.withCursor(links.insert(columns)) { cursor in
      for place in places {
        let row = compared.rows[table][place]
        let claim = compared.claims[table][row.claim]
        try compared.rows[node.above][claim.above].key.bind(to: cursor, at: 1, text)
        try row.key.bind(to: cursor, at: 2, text)
        if node.order != nil { try cursor.bind(Int64(place - claim.rows.lowerBound), at: 3) }
        guard try cursor.runUnlessRefused() else { return false }
      }
      return true
    }
  }

  /// Whether references lead to rows that may have come before.
  private func lead(
    _ members: ContiguousArray<FlatReader.Member>.SubSequence, _ node: ComparedNode,
    _ tape: borrowing JSONTape, _ text: UnsafeBufferPointer<UInt8>
  ) throws -> Bool {
    for target in node.targets where target.mayCome {
      let isThere = try connection.withCursor(target.existence) { cursor in
        try members.lead(target.column, by: cursor, in: tape, text)
      }
      guard isThere else { return false }
    }
    return true
  }

  private func number(of key: FlatKey, _ table: FlatTable) -> Int64 {
    if case .number(let number) = key, table.isKeyRowNumber { return number }
    return connection.lastInsertedRow
  }
}

extension ComparedWindow {
  fileprivate func columns(of place: Int, _ table: Int) -> [Int] {
    members[rows[table][place].members].map(\.column)
  }

  /// The ways to the rows that a row leads to and its object holds.
  fileprivate func leads(of place: Int, _ node: ComparedNode) -> [ComparedNode.Below] {
    node.below.filter { $0.column != nil && claim(of: place, on: $0.node) != nil }
  }

  /// The column of a row that gets its place in the array.
  fileprivate func order(of place: Int, _ node: ComparedNode, _ table: Int) -> Int? {
    guard case .child = node.way, let order = node.order else { return nil }
    return claims[table][rows[table][place].claim].isOrdered ? nil : order.column
  }
}
