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

  /// Notes rows that wait where a window says of another place that they hang there: what is said
  /// last isn't what is written last.
  func noteLinks(of earlier: WindowRows, in window: WindowRows) {
    for place in earlier.waiting {
      let row = earlier.draft.rows[place]
      guard let identity = row.identity,
        let later = window.draft.place(of: identity, in: row.table)
      else { continue }
      let differs = schema.tables[row.table].foreignKeys.contains { key in
        guard let one = link(key, of: place, in: earlier),
          let other = link(key, of: later, in: window)
        else { return false }
        return one != other
      }
      if differs { entanglement.note(RowName(table: row.table, identity: identity)) }
    }
  }

  /// Where a row is said to hang, or that it hangs nowhere.
  private enum LinkWord: Equatable {
    case nowhere
    case row(RecordKey)
    /// On an object whose key isn't known.
    case object(ObjectIdentifier, Int)
  }

  /// What a window says of a link; `nil` if nothing.
  private func link(_ key: ForeignKey, of place: Int, in window: WindowRows) -> LinkWord? {
    let row = window.draft.rows[place]
    let identities = KeyIdentity(schema.tables[key.table])
    let claim = row.claims.first {
      guard case .toOne(key.column, _, _) = schema.tables[row.table].relations[$0.relation].kind
      else { return false }
      return true
    }
    if let claim, !row.nested.contains(key.column) {
      switch claim.members.first {
      case nil: return .nowhere
      case .key(let value): return .row(identities.identity(of: RecordKey([value])))
      case .row(let other):
        guard let identity = window.draft.rows[other].identity else {
          return .object(ObjectIdentifier(window), other)
        }
        return .row(identity)
      }
    }
    guard case .value(let value) = row.values[key.column] else {
      return row.nested.contains(key.column) ? .object(ObjectIdentifier(window), place) : nil
    }
    return value.map { .row(identities.identity(of: RecordKey([$0]))) } ?? .nowhere
  }

  /// Whether an earlier window waits for the same reference of a row.
  func isWaited(for place: Int, in window: WindowRows) -> Bool {
    let row = window.draft.rows[place]
    guard let identity = row.identity else { return false }
    return waiting.contains { earlier in
      guard earlier !== window, let other = earlier.draft.place(of: identity, in: row.table)
      else { return false }
      return earlier.rows[other].wait != nil
    }
  }

  /// Notes a child that is named by its key and waits for where its own object says that it hangs.
  func noteWaiting(_ child: RecordKey, in table: Int, besides window: WindowRows) {
    let identity = KeyIdentity(schema.tables[table]).identity(of: child)
    for earlier in waiting where earlier !== window {
      guard let place = earlier.draft.place(of: identity, in: table),
        case .unresolved? = earlier.rows[place].wait
      else { continue }
      entanglement.note(RowName(table: table, identity: identity))
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
