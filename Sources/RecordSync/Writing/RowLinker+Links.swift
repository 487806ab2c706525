import SyncDatabase

extension RowLinker {
  struct Links {
    var relation: Relation
    var through: Int
    var here: Int
    var there: Int
    var table: Int
    var target: Int
    var own: StoredValue?
    var claim: Claim
  }

  func settle(_ links: Links, of place: Int, wasThere: Bool, in window: WindowRows) throws {
    guard let own = links.own else { return }
    let (wanted, coming, isKnown) = try wanted(links, of: place, in: window)
    let present = wasThere ? try present(links, own) : []
    let kept = Set(wanted + coming)
    let others = present.filter { !kept.contains($0.value) }
    let isWhole = isKnown && !links.claim.isPart
    let mayRemove = operations.contains(.deleteRelations) && isWhole
    if mayRemove {
      for link in others { try remove(links, own, link.value) }
    }
    guard !operations.isDisjoint(with: [.insertRelations, .updateRelations]) else { return }
    let staying = mayRemove ? [] : others
    let now = Dictionary(present.map { ($0.value, $0) }, uniquingKeysWith: { one, _ in one })
    let places = wanted.map { now[$0]?.position } + staying.map(\.position)
    let held = wasThere ? try heldByGone(links, own) : []
    let mayMove = operations.contains(.updateRelations)
    let positions =
      mayMove
      ? PositionPlan.positions(for: places, besides: held)
      : PositionPlan.keeping(places, besides: Array(held))
    let column = links.relation.position?.column
    let all = zip(wanted + staying.map(\.value), positions)
    let moved = all.filter {
      mayMove && column != nil && now[$0.0] != nil && now[$0.0]?.position != $0.1
    }
    try reorder(moved.map { ($0.0, $0.1) }, links, own)
    for (value, position) in all where now[value] == nil {
      let position = column.map { ($0, position) }
      try add(links, own, value, at: position, of: place, in: window)
    }
  }

  /// Moves links. Where only one link may have a position, they make room for each other first.
  private func reorder(
    _ moved: [(StoredValue, Int64)], _ links: Links, _ own: StoredValue
  ) throws {
    guard let column = links.relation.position?.column, !moved.isEmpty else { return }
    let access = tables[links.through]
    let isLink = try finder.search.condition([links.here, links.there], in: links.through, from: 2)
    let sql: SQL = "UPDATE \(access.name) SET \(access.column(column)) = ?1 WHERE \(isLink)"
    if access.schema.uniques.contains(where: { $0.contains(column) }) {
      for (number, link) in moved.enumerated() {
        try connection.run(sql, values: [.integer(Int64.min + Int64(number)), own, link.0])
      }
    }
    for (value, position) in moved {
      try connection.run(sql, values: [.integer(position), own, value])
      notes.report[links.through].reordered += 1
    }
  }

  /// What the links are to lead to, in the order of the array, and to which rows that aren't
  /// written yet; and whether that is known of all of them.
  private func wanted(
    _ links: Links, of place: Int, in window: WindowRows
  ) throws -> (wanted: [StoredValue], coming: [StoredValue], isKnown: Bool) {
    var (wanted, coming): ([StoredValue], [StoredValue]) = ([], [])
    var isKnown = true
    for member in links.claim.members {
      switch member {
      case .row(let other):
        try follow { try settle(other, in: window) }
        guard let found = window.found(other),
          let value = try found.values[links.target]
            ?? finder.reread(found, links.table, links.target)
        else {
          let key = window.draft.rows[other].key ?? RecordKey([])
          window.wait(place, for: links.relation.name, key)
          if schema.tables[links.table].keyColumn == links.target {
            coming += key.values
          } else {
            isKnown = false
          }
          continue
        }
        wanted.append(value)
      case .key(let key):
        guard let value = try value(links, key) else {
          window.wait(place, for: links.relation.name, RecordKey([key]))
          continue
        }
        wanted.append(value)
      }
    }
    return (wanted, coming, isKnown)
  }

  private func value(_ links: Links, _ key: StoredValue) throws -> StoredValue? {
    let table = schema.tables[links.table]
    guard table.keyColumn != links.target, table.keyColumn != nil else {
      return try finder.held(key, links.table, links.target)
    }
    return try finder.search.rows(of: RecordKey([key]), in: links.table).first?.values[links.target]
  }

  private struct PresentLink {
    var value: StoredValue
    var position: Int64?
  }

  private func present(_ links: Links, _ own: StoredValue) throws -> [PresentLink] {
    let access = tables[links.through]
    let order = access.column(links.relation.position?.column ?? links.there)
    let isHere = try finder.search.condition([links.here], in: links.through)
    let sql: SQL = """
      SELECT \(access.column(links.there)), \(order) FROM \(access.name)
      WHERE \(isHere) AND \(access.isLive) ORDER BY 2
      """
    var present: [PresentLink] = []
    try connection.query(sql, values: [own]) { row in
      guard let value = try row.value(0) else { return }
      var position: Int64?
      if case .integer(let number)? = try row.value(1) { position = number }
      present.append(PresentLink(value: value, position: position))
    }
    return present
  }

  /// The positions that no other link may have, of those that are marked as gone.
  private func heldByGone(_ links: Links, _ own: StoredValue) throws -> Set<Int64> {
    guard let column = links.relation.position?.column, keepsPositions(column, in: links.through)
    else { return [] }
    let access = tables[links.through]
    let isHere = try finder.search.condition([links.here], in: links.through)
    let sql: SQL = """
      SELECT \(access.column(column)) FROM \(access.name)
      WHERE \(isHere) AND NOT (\(access.isLive))
      """
    var held: Set<Int64> = []
    try connection.query(sql, values: [own]) { row in
      if case .integer(let position)? = try row.value(0) { held.insert(position) }
    }
    return held
  }

  private func add(
    _ links: Links, _ own: StoredValue, _ value: StoredValue, at position: (Int, Int64)?,
    of place: Int, in window: WindowRows
  ) throws {
    if try restore(links, own, value, at: position) { return }
    do {
      let columns = [links.here, links.there] + (position.map { [$0.0] } ?? [])
      let sql = tables[links.through].insert(columns)
      let values = [own, value] + (position.map { [.integer($0.1)] } ?? [])
      try connection.run(sql, values: values)
      notes.report[links.through].linked += 1
    } catch let error as DatabaseError where error.code == .constraint {
      // The other side may have named it meanwhile, and made it.
      guard try present(links, own).contains(where: { $0.value == value }) else {
        return notes.report.refuse(window.draft.rows[place].key, error, in: links.through)
      }
      try reorder(position.map { [(value, $0.1)] } ?? [], links, own)
    }
  }

  /// Makes a link count again that is marked as gone; `false` if there is none.
  private func restore(
    _ links: Links, _ own: StoredValue, _ value: StoredValue, at position: (Int, Int64)?
  ) throws -> Bool {
    let access = tables[links.through]
    guard let mark = access.schema.mark else { return false }
    let columns = [mark] + (position.map { [$0.0] } ?? [])
    let parts: [SQL] = columns.enumerated().map {
      "\(access.column($1)) = \(parameter: 3 + $0)"
    }
    let isLink = try finder.search.condition([links.here, links.there], in: links.through)
    let values = [own, value, nil] + (position.map { [.integer($0.1)] } ?? [])
    let count = try connection.run(
      "UPDATE \(access.name) SET \(parts) WHERE \(isLink) AND \(access.column(mark)) IS NOT NULL",
      values: values)
    if count > 0 { notes.report[links.through].linked += 1 }
    return count > 0
  }

  private func remove(_ links: Links, _ own: StoredValue, _ value: StoredValue) throws {
    let access = tables[links.through]
    let isLink = try finder.search.condition([links.here, links.there], in: links.through)
    if let mark = access.schema.mark {
      let sql: SQL = """
        UPDATE \(access.name) SET \(access.column(mark)) = ?3
        WHERE \(isLink) AND \(access.isLive)
        """
      try connection.run(sql, values: [own, value, finder.mark(in: links.through)])
    } else {
      try connection.run("DELETE FROM \(access.name) WHERE \(isLink)", values: [own, value])
    }
    notes.report[links.through].unlinked += 1
  }
}
