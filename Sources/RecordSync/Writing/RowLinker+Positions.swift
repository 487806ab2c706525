import SyncDatabase

extension RowLinker {
  /// Gives the children of a parent positions by the array; unnamed ones go behind, in their order.
  func order(
    _ children: Children, _ parent: StoredValue, of place: Int, wasThere: Bool,
    in window: WindowRows
  ) throws -> [StoredValue: Int64] {
    let all = children
    var children = all
    // A child that another parent names later hangs there, and has its position there.
    children.claim.members.removeAll { !hangs($0, of: all, parent, place, in: window) }
    guard let column = orderedColumn(children, in: window),
      window.ordered.insert(WindowRows.Ordered(row: place, relation: children.claim.relation))
        .inserted
    else { return [:] }
    let there = wasThere ? try self.present(children, parent, column) : []
    let present = there.filter(\.isLive)
    let identity = notes.identities[children.table]
    let known = Dictionary(
      present.map { (identity.identity(of: $0.key), $0) }, uniquingKeysWith: { one, _ in one })
    let named = children.claim.members.map { member -> RecordKey? in
      switch member {
      case .row(let child): window.draft.rows[child].identity
      case .key(let key): identity.identity(of: RecordKey([key]))
      }
    }
    let isPart = all.claim.isPart || !operations.contains(.deleteRelations)
    let key = { (child: PlacedChild) -> RecordKey? in identity.identity(of: child.key) }
    let staying = present.filter { isPart && !named.contains(key($0)) }
    let now = named.map { $0.flatMap { known[$0]?.position } } + staying.map(\.position)
    let taken = held(column, among: there, besides: named + staying.map(key), children)
    let mayMove = operations.contains(.updateRelations)
    let positions =
      mayMove
      ? PositionPlan.positions(for: now, besides: taken)
      : PositionPlan.keeping(now, besides: there.compactMap(\.position))
    var byKey: [StoredValue: Int64] = [:]
    for (member, position) in zip(children.claim.members, positions) {
      if let child = self.child(member, of: children, in: window) {
        window.draft.rows[child].values[column] = .value(.integer(position))
        window.rows[child].reopenIfSettled()
      } else if case .key(let key) = member {
        byKey[key] = position
      }
    }
    for (child, position) in zip(staying, positions.dropFirst(named.count))
    where mayMove && child.position != position {
      if try writer.keepsEdited(column, child.key, at: child.address, in: children.table) {
        continue
      }
      try connection.run(
        tables[children.table].update([column]), values: [.integer(position)] + child.address)
      notes.report.update(child.key, columns: [column], at: notes.moment, in: children.table)
    }
    return byKey
  }

  /// Whether this is the last parent that names a child.
  private func hangs(
    _ member: Claim.Member, of children: Children, _ parent: StoredValue, _ place: Int,
    in window: WindowRows
  ) -> Bool {
    let child = child(member, of: children, in: window)
    let adopted = WindowRows.Adopted(
      table: children.table, column: children.column,
      child: child.map { .row($0) } ?? .init(member))
    if let last = window.parents[adopted] { return last == place }
    guard let child, case .value(let value) = window.draft.rows[child].values[children.column]
    else { return true }
    return value == parent
  }

  /// The row of a child that has an object, there or elsewhere in the window.
  private func child(
    _ member: Claim.Member, of children: Children, in window: WindowRows
  ) -> Int? {
    window.place(of: member, in: schema.tables[children.table], children.table)
  }

  /// The column, unless the children's objects say themselves what stands in it.
  private func orderedColumn(_ children: Children, in window: WindowRows) -> Int? {
    switch children.relation.position {
    // What is a part of the key is known before.
    case nil, .key: return nil
    case .declared(let column): return column
    case .derived(let column):
      let isCarried = children.claim.members.contains { member in
        guard let child = child(member, of: children, in: window) else { return false }
        return window.draft.rows[child].values[column] != .absent
      }
      return isCarried ? nil : column
    }
  }

  private struct PlacedChild {
    var address: [StoredValue]
    var key: RecordKey
    var position: Int64?
    /// Whether it isn't marked as gone.
    var isLive: Bool
  }

  /// The positions that no other row may have, of children that are marked as gone, or will be.
  private func held(
    _ column: Int, among children: [PlacedChild], besides others: [RecordKey?], _ all: Children
  ) -> Set<Int64> {
    guard keepsPositions(column, in: all.table), !all.unlinks else { return [] }
    let others = Set(others)
    let identity = notes.identities[all.table]
    return Set(
      children.filter { !others.contains(identity.identity(of: $0.key)) }.compactMap(\.position))
  }

  /// Whether rows that are marked as gone keep others from a position.
  func keepsPositions(_ column: Int, in table: Int) -> Bool {
    let table = schema.tables[table]
    return table.mark != nil && table.uniques.contains { $0.contains(column) }
  }

  private func present(
    _ children: Children, _ parent: StoredValue, _ column: Int
  ) throws -> [PlacedChild] {
    let access = tables[children.table]
    let keys = access.schema.key.columns.map { access.column($0) }
    let isMeant = keepsPositions(column, in: children.table) ? "1" : access.isLive
    let sql: SQL = """
      SELECT \(access.address), \(keys), \(access.column(column)), \(access.isLive)
      FROM \(access.name)
      WHERE \(try finder.search.condition([children.column], in: children.table))
      AND \(isMeant)
      ORDER BY \(access.column(column)), \(access.address)
      """
    var present: [PlacedChild] = []
    try connection.query(sql, values: [parent]) { row in
      let keyed = try KeyedRow(row, access)
      let place = access.address.count + keys.count
      let value = try row.value(Column(at: place))
      let isLive = try row.value(Column(at: place + 1)) == .integer(1)
      var position: Int64?
      if case .integer(let number)? = value { position = number }
      present.append(
        PlacedChild(
          address: keyed.address, key: keyed.key, position: position, isLive: isLive))
    }
    return present
  }
}
