import SyncDatabase

extension RecordPass {
  /// The rows of a many-to-many that an object names.
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
    let wanted = try wanted(links, of: place, in: window)
    let present = wasThere ? try present(links, own) : []
    let missing = wanted.filter { !present.contains($0) }
    if !operations.isDisjoint(with: [.insertRelations, .updateRelations]) {
      for value in missing { try add(links, own, value, of: place, in: window) }
    }
    guard operations.contains(.deleteRelations) else { return }
    let kept = Set(wanted)
    for value in present where !kept.contains(value) { try remove(links, own, value) }
  }

  /// What the links are to lead to, in the order of the array.
  private func wanted(
    _ links: Links, of place: Int, in window: WindowRows
  ) throws -> [StoredValue] {
    var wanted: [StoredValue] = []
    for member in links.claim.members {
      switch member {
      case .row(let other):
        try follow { try settle(other, in: window) }
        guard let found = window.found(other),
          let value = try found.values[links.target] ?? reread(found, links.table, links.target)
        else {
          let key = window.draft.rows[other].key ?? RecordKey([])
          window.wait(place, for: links.relation.name, key)
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
    return wanted
  }

  private func value(_ links: Links, _ key: StoredValue) throws -> StoredValue? {
    let table = schema.tables[links.table]
    guard table.keyColumn != links.target, let column = table.keyColumn else {
      return try references.exists(key, links.table, links.target, in: connection) ? key : nil
    }
    return try row(where: column, is: key, in: links.table)?.values[links.target]
  }

  private func present(_ links: Links, _ own: StoredValue) throws -> [StoredValue] {
    let access = tables[links.through]
    let sql: SQL = """
      SELECT \(access.column(links.there)) FROM \(access.name)
      WHERE \(access.column(links.here)) = ?1
      """
    var present: [StoredValue] = []
    try connection.query(sql, values: [own]) { row in
      if let value = try row.value(0) { present.append(value) }
    }
    return present
  }

  private func add(
    _ links: Links, _ own: StoredValue, _ value: StoredValue, of place: Int, in window: WindowRows
  ) throws {
    do {
      let sql = tables[links.through].insert([links.here, links.there])
      try connection.run(sql, values: [own, value])
      report.link(in: links.through)
    } catch let error as DatabaseError where error.code == .constraint {
      report.refuse(window.draft.rows[place].key, error, in: links.through)
    }
  }

  private func remove(_ links: Links, _ own: StoredValue, _ value: StoredValue) throws {
    let access = tables[links.through]
    let sql: SQL = """
      DELETE FROM \(access.name)
      WHERE \(access.column(links.here)) = ?1 AND \(access.column(links.there)) = ?2
      """
    try connection.run(sql, values: [own, value])
    report.unlink(in: links.through)
  }
}
