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
    let present = wasThere ? try self.present(children, parent, column) : []
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
    let staying = present.filter { isPart && !named.contains(identity.identity(of: $0.key)) }
    let now = named.map { $0.flatMap { known[$0]?.position } } + staying.map(\.position)
    let positions = PositionPlan.positions(for: now)
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
    where child.position != position {
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
  }

  private func present(
    _ children: Children, _ parent: StoredValue, _ column: Int
  ) throws -> [PlacedChild] {
    let access = tables[children.table]
    let keys = access.schema.key.columns.map { access.column($0) }
    let sql: SQL = """
      SELECT \(access.address), \(keys), \(access.column(column)) FROM \(access.name)
      WHERE \(try finder.search.condition([children.column], in: children.table))
      AND \(access.isLive)
      ORDER BY \(access.column(column)), \(access.address)
      """
    var present: [PlacedChild] = []
    try connection.query(sql, values: [parent]) { row in
      let keyed = try KeyedRow(row, access)
      let value = try row.value(Column(at: access.address.count + keys.count))
      var position: Int64?
      if case .integer(let number)? = value { position = number }
      present.append(PlacedChild(address: keyed.address, key: keyed.key, position: position))
    }
    return present
  }
}
