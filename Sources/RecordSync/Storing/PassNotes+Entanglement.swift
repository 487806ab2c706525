import SyncDatabase

extension PassNotes {
  func name(of row: DraftRow, _ key: RecordKey) -> RowName {
    let identity = row.identity ?? KeyIdentity(schema.tables[row.table]).identity(of: key)
    return RowName(table: row.table, identity: identity)
  }

  /// Notes children that were named by their keys alone, wait for their rows, and have these now:
  /// the last parent that names them is to have them.
  func noteKeys(of earlier: WindowRows, in draft: Draft) {
    for place in earlier.waiting {
      let row = earlier.draft.rows[place]
      for claim in row.claims {
        let kind = schema.tables[row.table].relations[claim.relation].kind
        guard kind.childLink != nil else { continue }
        for case .key(let key) in claim.members {
          let identity = KeyIdentity(schema.tables[kind.table]).identity(of: RecordKey([key]))
          guard draft.place(of: identity, in: kind.table) != nil else { continue }
          entanglement.note(RowName(table: kind.table, identity: identity))
        }
      }
    }
  }

  /// Notes what a row says of those that hang on it.
  func noteClaims(of place: Int, _ found: FoundRow, in window: WindowRows) {
    let row = window.draft.rows[place]
    guard let identity = row.identity else { return }
    var hasher = Hasher()
    var count = 0
    for claim in row.claims.sorted(by: { $0.relation < $1.relation }) {
      let kind = schema.tables[row.table].relations[claim.relation].kind
      if case .toOne = kind { continue }
      count += 1
      hasher.combine(claim.relation)
      hasher.combine(claim.isNull)
      let identities = KeyIdentity(schema.tables[kind.table])
      for member in claim.members {
        switch member {
        case .row(let child): hasher.combine(window.draft.rows[child].identity)
        case .key(let key): hasher.combine(identities.identity(of: RecordKey([key])))
        }
      }
    }
    guard count > 0 else { return }
    entanglement.claim(
      found.address, in: row.table, hasher.finalize(),
      RowName(table: row.table, identity: identity))
  }
}
