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
        let relation = schema.tables[row.table].relations[claim.relation]
        let kind = relation.kind
        guard kind.childLink != nil else { continue }
        for case .key(let key) in claim.members {
          let identity = KeyIdentity(schema.tables[kind.table]).identity(of: RecordKey([key]))
          guard draft.place(of: identity, in: kind.table) != nil,
            earlier.rows[place].wait?.concerns(relation.name, RecordKey([key])) ?? false
          else { continue }
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

  /// Whether a row waits in an earlier window, too: what that says of its links is known.
  func isWaited(for place: Int, in window: WindowRows) -> Bool {
    let row = window.draft.rows[place]
    guard let identity = row.identity else { return false }
    return waiting.contains { earlier in
      guard earlier !== window, let other = earlier.draft.place(of: identity, in: row.table)
      else { return false }
      return earlier.rows[other].wait != nil
    }
  }

  /// Whether a reference says where a row hangs, on another that may list it.
  func saysWhereItHangs(_ reference: UnresolvedReference, in table: Int) -> Bool {
    let schema = schema.tables[table]
    return childLinks[table].contains { column in
      schema.columns[column].name == reference.name
        || schema.relations.contains {
          guard case .toOne(column, _, _) = $0.kind else { return false }
          return $0.name == reference.name
        }
    }
  }

  /// Notes a child that is named by its key, and whose own object waits for another parent.
  func noteWaiting(
    _ child: RecordKey, of children: RowLinker.Children, besides window: WindowRows
  ) {
    let table = schema.tables[children.table]
    guard let key = table.foreignKeys.first(where: { $0.column == children.column }) else { return }
    let identity = KeyIdentity(table).identity(of: child)
    let parent = children.parent.map {
      LinkWord.row(KeyIdentity(schema.tables[key.table]).identity(of: RecordKey([$0])))
    }
    for earlier in waiting where earlier !== window {
      guard let place = earlier.draft.place(of: identity, in: children.table),
        case .unresolved? = earlier.rows[place].wait,
        let word = link(key, of: place, in: earlier), word != parent
      else { continue }
      entanglement.note(RowName(table: children.table, identity: identity))
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
