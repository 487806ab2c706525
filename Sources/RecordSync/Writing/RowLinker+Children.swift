import SyncDatabase

extension RowLinker {
  func settleClaims(
    of place: Int, _ row: FoundRow, wasThere: Bool, in window: WindowRows
  ) throws {
    let draft = window.draft.rows[place]
    for claim in draft.claims {
      let relation = schema.tables[draft.table].relations[claim.relation]
      switch relation.kind {
      case .toOne: continue
      case .toMany(let table, let column, let own), .inverseToOne(let table, let column, let own):
        let parent = try row.values[own] ?? finder.reread(row, draft.table, own)
        let children = Children(
          relation: relation, table: table, column: column, parent: parent, claim: claim)
        try settle(children, of: place, wasThere: wasThere, in: window)
      case .manyToMany(let through, let here, let own, let there, let table, let target):
        let links = Links(
          relation: relation, through: through, here: here, there: there, table: table,
          target: target, own: try row.values[own] ?? finder.reread(row, draft.table, own),
          claim: claim)
        try settle(links, of: place, wasThere: wasThere, in: window)
      }
    }
  }

  struct Children {
    var relation: Relation
    var table: Int
    var column: Int
    var parent: StoredValue?
    var claim: Claim

    /// Whether those that aren't named stay without a parent.
    var unlinks: Bool {
      claim.isNull && !relation.isOwned || claim.isByKeys(relation)
    }
  }

  private func settle(
    _ children: Children, of place: Int, wasThere: Bool, in window: WindowRows
  ) throws {
    guard let parent = children.parent else { return }
    if wasThere, operations.contains(.deleteRelations) { try noteGone(children, parent) }
    let positions = try order(children, parent, of: place, wasThere: wasThere, in: window)
    for member in children.claim.members {
      switch member {
      case .row(let child):
        try adopt(child, of: place, children, parent, in: window)
      case .key(let key):
        try adopt(key, at: positions[key], of: place, children, parent, in: window)
      }
    }
  }

  /// Those that hang on the parent now go, unless the payload names them anywhere.
  private func noteGone(_ children: Children, _ parent: StoredValue) throws {
    let isSet = notes.removals.begin(
      Removals.Group(
        table: children.table, column: children.column, relation: children.relation.name,
        unlinks: children.unlinks),
      parent)
    guard isSet else { return }
    let sql = try finder.search.keys(holding: children.column, in: children.table)
    try connection.query(sql, values: [parent]) { row in
      notes.removals.add(try KeyedRow(row, tables[children.table]))
    }
  }

  private func adopt(
    _ child: Int, of place: Int, _ children: Children, _ parent: StoredValue, in window: WindowRows
  ) throws {
    let adopted = WindowRows.Adopted(
      table: children.table, column: children.column, child: .row(child))
    // The row isn't held meanwhile: it would be copied.
    if case .absent = window.draft.rows[child].values[children.column],
      window.parents[adopted] ?? place == place
    {
      window.draft.rows[child].values[children.column] = .value(parent)
      window.draft.rows[child].nested.insert(children.column)
      window.rows[child].reopenIfSettled()
    }
    guard window.draft.rows[child].key != nil else {
      let found = try finder.row(where: children.column, is: parent, in: children.table)
      if let found { notes.seen[children.table].insert(found.address) }
      try settle(child, in: window, found: found)
      return
    }
    try follow { try settle(child, in: window) }
  }

  private func adopt(
    _ key: StoredValue, at position: Int64?, of place: Int, _ children: Children,
    _ parent: StoredValue, in window: WindowRows
  ) throws {
    let member = Claim.Member.key(key)
    if let row = window.place(of: member, in: schema.tables[children.table], children.table) {
      return try follow { try settle(row, in: window) }
    }
    guard operations.contains(.updateRelations) else { return }
    notes.noteWaiting(RecordKey([key]), of: children, besides: window)
    guard let child = try writer.look(for: RecordKey([key]), in: children.table) else {
      window.wait(place, for: children.relation.name, RecordKey([key]))
      return
    }
    let adopted = WindowRows.Adopted(
      table: children.table, column: children.column, child: .key(key))
    guard window.parents[adopted] ?? place == place, window.waitingByKey[adopted] == nil
    else { return }
    var values = [DraftRow.Given](
      repeating: .absent, count: schema.tables[children.table].columns.count)
    values[children.column] = .value(parent)
    if let position, let column = children.relation.position?.column {
      values[column] = .value(.integer(position))
    }
    var row = DraftRow(
      table: children.table, key: RecordKey([key]), values: values, rights: .update, isTop: false)
    row.nested = [children.column]
    do {
      notes.entanglement.meet(child.address, in: children.table)
      let found = try writer.update(row, values, child)
      notes.entanglement.adopt(
        found.address, in: children.table, notes.name(of: row, RecordKey([key])))
    } catch let error as DatabaseError where error.code == .constraint {
      window.wait(adopted, row, for: error)
    }
  }
}

extension Claim {
  /// Whether rows are only named, so that none is made and none deleted.
  func isByKeys(_ relation: Relation) -> Bool {
    if isKeys { return true }
    guard !members.isEmpty else { return false }
    return members.allSatisfy { if case .key = $0 { true } else { false } }
  }
}

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
    let mayRemove = operations.contains(.deleteRelations) && isKnown
    if mayRemove {
      for link in others { try remove(links, own, link.value) }
    }
    guard !operations.isDisjoint(with: [.insertRelations, .updateRelations]) else { return }
    let staying = mayRemove ? [] : others
    let now = Dictionary(present.map { ($0.value, $0) }, uniquingKeysWith: { one, _ in one })
    let positions = PositionPlan.positions(
      for: wanted.map { now[$0]?.position } + staying.map(\.position))
    let column = links.relation.position?.column
    let all = zip(wanted + staying.map(\.value), positions)
    let moved = all.filter { column != nil && now[$0.0] != nil && now[$0.0]?.position != $0.1 }
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
      SELECT \(access.column(links.there)), \(order) FROM \(access.name) WHERE \(isHere) ORDER BY 2
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

  private func add(
    _ links: Links, _ own: StoredValue, _ value: StoredValue, at position: (Int, Int64)?,
    of place: Int, in window: WindowRows
  ) throws {
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

  private func remove(_ links: Links, _ own: StoredValue, _ value: StoredValue) throws {
    let access = tables[links.through]
    let isLink = try finder.search.condition([links.here, links.there], in: links.through)
    try connection.run("DELETE FROM \(access.name) WHERE \(isLink)", values: [own, value])
    notes.report[links.through].unlinked += 1
  }
}
