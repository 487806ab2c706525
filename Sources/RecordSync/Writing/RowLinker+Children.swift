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
      claim.isNull && !relation.isOwned || claim.isByKeys
    }
  }

  private func settle(
    _ children: Children, of place: Int, wasThere: Bool, in window: WindowRows
  ) throws {
    guard let parent = children.parent else { return }
    let isWhole = !children.claim.isPart
    if wasThere, isWhole, operations.contains(.deleteRelations) { try noteGone(children, parent) }
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
  var isByKeys: Bool {
    if isKeys { return true }
    guard !members.isEmpty else { return false }
    return members.allSatisfy { if case .key = $0 { true } else { false } }
  }
}
