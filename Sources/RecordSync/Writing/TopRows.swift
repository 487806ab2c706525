import SyncDatabase

/// The rows at the top of a payload in their order, where that counts, or their links to a parent.
struct TopRows {
  private(set) var rows: [(window: WindowRows, place: Int)] = []
  let order: TopOrder?
  /// Whether objects say themselves what stands in the column.
  private(set) var isCarried = false
  private var next: Int64?

  init(_ order: TopOrder? = nil) { self.order = order }

  /// Takes a window before it is written. New rows get positions behind all others at first.
  mutating func add(
    _ window: WindowRows, _ finder: RowFinder
  ) throws {
    if let order, !order.isDeclared {
      isCarried =
        isCarried
        || window.draft.rows.contains { $0.isTop && $0.values[order.column] != .absent }
    }
    for (place, row) in window.draft.rows.enumerated() where row.isTop {
      rows.append((window, place))
      guard let order, !isCarried else { continue }
      if row.values[order.column] != .absent {
        window.draft.rows[place].values[order.column] = .absent
      }
      let position = try next ?? finder.nextPosition(in: row.table, order)
      window.positions[place] = NewPosition(
        column: order.column, value: position, parent: order.parent?.column)
      next = position &+ 1
    }
  }

  /// Those that are in the database, each once.
  func found() -> [(row: FoundRow, isNew: Bool)] {
    var seen: Set<[StoredValue]> = []
    // Those that were set aside come last, and stand somewhere between.
    let number = { (row: (window: WindowRows, place: Int)) in
      row.window.draft.rows[row.place].element
    }
    let isOrdered = zip(rows, rows.dropFirst()).allSatisfy { number($0) <= number($1) }
    let ordered = isOrdered ? rows : rows.sorted { number($0) < number($1) }
    return ordered.compactMap { window, place in
      guard let row = window.found(place), seen.insert(row.address).inserted else { return nil }
      return (row, window.rows[place].isNew)
    }
  }
}

extension RowFinder {
  fileprivate func nextPosition(in table: Int, _ order: TopOrder) throws -> Int64 {
    let access = tables[table]
    var last: StoredValue?
    let isMeant: SQL = order.parent.map { "\(access.column($0.column)) = \($0.value)" } ?? "1"
    let sql: SQL = """
      SELECT max(\(access.column(order.column))) FROM \(access.name) WHERE \(isMeant)
      """
    try connection.query(sql) { last = try $0.value(0) }
    guard case .integer(let number)? = last else { return 0 }
    return number &+ 1
  }
}

extension RecordPass {
  /// Puts the rows of a scope into the order of the payload. Those that stay unnamed go behind, in
  /// their old order.
  func orderTop(_ table: Int, within condition: SQL) throws {
    guard let top, !top.isCarried, let column = top.order?.column, operations.contains(.update)
    else { return }
    let named = top.found()
    let addresses = Set(named.map(\.row.address))
    var rows: [FoundRow] = []
    let access = finder.tables[table]
    let sql: SQL = """
      \(access.select) WHERE \(condition) ORDER BY \(access.column(column)), \(access.address)
      """
    try finder.connection.query(sql, values: []) { row in
      let found = try FoundRow(row, access)
      if !addresses.contains(found.address) { rows.append(found) }
    }
    let all = named.map(\.row) + rows
    let present = all.map { $0.position(column) }
    let isOrdered = zip(present, present.dropFirst()).allSatisfy { one, next in
      guard let one, let next else { return false }
      return one < next
    }
    guard !isOrdered || present.contains(nil) else { return }
    let fixed = present.enumerated().map { place, position in
      place < named.count && named[place].isNew ? nil : position
    }
    let positions = PositionPlan.positions(for: fixed, besides: try heldByGone(column, in: table))
    let moved = all.indices.filter { present[$0] != positions[$0] }
    try move(moved.map { (all[$0], positions[$0]) }, column, in: table)
  }

  /// The positions that no other row may have, of rows that are marked as gone.
  private func heldByGone(_ column: Int, in table: Int) throws -> Set<Int64> {
    guard linker.keepsPositions(column, in: table) else { return [] }
    let access = finder.tables[table]
    let position = access.column(column)
    let sql: SQL = "SELECT \(position) FROM \(access.name) WHERE NOT (\(access.isLive))"
    var held: Set<Int64> = []
    try finder.connection.query(sql, values: []) { row in
      if case .integer(let position)? = try row.value(0) { held.insert(position) }
    }
    return held
  }

  /// Where only one row may have a position, they make room for each other first.
  private func move(
    _ rows: [(row: FoundRow, position: Int64)], _ column: Int, in table: Int
  ) throws {
    let access = finder.tables[table]
    let sql = access.update([column])
    let rows = try rows.filter { row, _ in
      try !linker.writer.keepsEdited(
        column, KeyedRow(row, access.schema).key, at: row.address, in: table)
    }
    if access.schema.uniques.contains(where: { $0.contains(column) }) {
      for (number, row) in rows.enumerated() {
        try finder.connection.run(
          sql, values: [.integer(Int64.min + Int64(number))] + row.row.address)
      }
    }
    for (row, position) in rows {
      try finder.connection.run(sql, values: [.integer(position)] + row.address)
      notes.report.update(
        KeyedRow(row, access.schema).key, columns: [column], at: notes.moment, in: table)
    }
  }

  /// Makes the links of a scope's parent lead to the rows that the payload names.
  ///
  /// - Parameter scope: The rows that were in scope so far; of these, the others lose their link.
  func linkTop(
    _ links: ResolvedScope.Links, of table: Int, unlinking scope: [KeyedRow]
  ) throws {
    guard let top else { return }
    let relation = schema.tables[links.relation.table].relations[links.relation.relation]
    guard case .manyToMany(let through, let here, _, let there, _, let target) = relation.kind
    else { return }
    let column = schema.tables[table].keyColumn ?? target
    let named = top.found().map(\.row)
    var members = try named.compactMap { try $0.values[column] ?? finder.reread($0, table, column) }
    let addresses = Set(named.map(\.address))
    var leaving: Set<[StoredValue]> = []
    if operations.contains(.delete) {
      // What is named and was refused counts as present.
      for row in scope where !notes.seen[table].contains(row.address) {
        leaving.insert(row.address)
      }
    }
    let access = finder.tables[table]
    try finder.connection.query(
      "\(access.select) WHERE \(links.condition) ORDER BY \(access.address)", values: []
    ) { row in
      let found = try FoundRow(row, access)
      guard !addresses.contains(found.address), !leaving.contains(found.address),
        let member = found.values[column]
      else { return }
      members.append(member)
    }
    let claim = Claim(
      relation: links.relation.relation, members: members.map(Claim.Member.key), isNull: false,
      isKeys: true, number: 0)
    let all = RowLinker.Links(
      relation: relation, through: through, here: here, there: there, table: table,
      target: target, own: links.own, claim: claim)
    // These links are the scope's own, which the operations on the table itself govern.
    let linker = RowLinker(
      linker.writer, operations: operations.contains(.delete) ? .all : .keep)
    var draft = Draft(tables: schema.tables.count)
    draft.rows = [
      DraftRow(
        table: links.relation.table, key: nil, values: [], rights: [], isTop: false)
    ]
    try linker.settle(all, of: 0, wasThere: true, in: WindowRows(draft))
  }
}

extension FoundRow {
  fileprivate func position(_ column: Int) -> Int64? {
    if case .integer(let number)? = values[column] { number } else { nil }
  }
}
