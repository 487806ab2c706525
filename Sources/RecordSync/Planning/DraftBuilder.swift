package import SyncDatabase
package import SyncText

/// Reads the objects of a window into a ``Draft``.
package struct DraftBuilder {
  /// What the window says so far.
  package internal(set) var draft: Draft
  /// Why a name that an object has means nothing, and the schema has to be made clearer.
  package private(set) var problem: SchemaProblem?
  let schema: RecordSchema
  private let identities: [KeyIdentity]
  private let operations: Operations
  private var names: [NameCache]
  private let keys: [[Int]]
  private let parts: [[ObjectMembers.Part]]
  /// How many claims were read.
  var claims = 0

  /// A reader of a window for a pass with these operations.
  package init(_ schema: RecordSchema, operations: Operations) {
    self.schema = schema
    self.operations = operations
    identities = schema.tables.map(KeyIdentity.init)
    names = schema.members.map { NameCache($0) }
    keys = schema.tables.map(\.key.columns)
    parts = schema.tables.indices.map { ObjectMembers.parts(of: $0, schema) }
    draft = Draft(tables: schema.tables.count)
  }

  /// Begins the next window.
  package mutating func begin() { draft = Draft(tables: schema.tables.count) }

  /// Reads one element of the payload, which is to be a row of `table`.
  ///
  /// - Parameter given: Columns whose values don't come from the object: the parent's key.
  /// - Returns: Its row; `nil` if it has no usable key and so is skipped.
  @discardableResult
  package mutating func readTop(
    _ element: JSONTape.Node, in tape: borrowing JSONTape, as table: Int,
    given: [Int: StoredValue] = [:]
  ) -> Int? {
    read(element, in: tape, Context(table: table, isTop: true, given: given))
  }

  /// How an object was met.
  struct Context {
    var table: Int
    var isTop = false
    /// The row under whose to-many it stands.
    var owner: Int?
    /// Columns whose values don't come from the object.
    var given: [Int: StoredValue] = [:]
    /// Whether an object without a key means the row that is linked now, or a new one.
    var mayLackKey = false
  }

  mutating func read(
    _ node: JSONTape.Node, in tape: borrowing JSONTape, _ context: Context
  ) -> Int? {
    guard tape.kind(of: node) == .object else {
      draft.findings[context.table].skipped += 1
      return nil
    }
    var members = ObjectMembers(context.table, parts[context.table])
    collect(node, in: tape, &members)
    problem = problem ?? members.problem
    // The order of the array goes before what its objects say of it.
    if context.isTop, let position = schema.tables[context.table].position {
      members.parts[0].values[position] = .absent
    }
    for (column, value) in context.given { members.parts[0].values[column] = .value(value) }
    guard let row = merge(members, context) else { return nil }
    if context.isTop, !context.given.isEmpty {
      draft.rows[row].nested.formUnion(context.given.keys)
    }
    if members.relations.isEmpty { return row }
    readRelations(of: members, in: tape, row: row)
    return row
  }

  /// A relation is a value, and the object that begins last has the last word: those that are nested
  /// in these very values begin after it, and so come after all its claims.
  private mutating func readRelations(
    of members: ObjectMembers, in tape: borrowing JSONTape, row: Int
  ) {
    var claims: [(owner: Int, claim: Claim, MemberMap.RelationPlace, JSONTape.Node)] = []
    for (place, value) in members.relations {
      guard let owner = part(of: row, in: place.table),
        let claim = emptyClaim(value, of: place, in: tape, row: owner)
      else { continue }
      draft.rows[owner].claims.removeAll { $0.relation == claim.relation }
      draft.rows[owner].claims.append(claim)
      claims.append((owner, claim, place, value))
    }
    for (owner, claim, place, value) in claims {
      let named = namedRows(value, of: place, in: tape, of: owner)
      let claims = draft.rows[owner].claims
      guard let mine = claims.firstIndex(where: { $0.number == claim.number }) else { continue }
      if let named {
        draft.rows[owner].claims[mine].members = named
        noteDisagreement(of: members, with: named, place, row: owner)
      } else {
        draft.rows[owner].claims.remove(at: mine)
      }
    }
  }

  /// The row itself, or the one of a table that its own extends, directly or not.
  private func part(of row: Int, in table: Int) -> Int? {
    var part: Int? = row
    while let place = part, draft.rows[place].table != table { part = draft.rows[place].base }
    return part
  }

  private mutating func collect(
    _ node: JSONTape.Node, in tape: borrowing JSONTape, _ members: inout ObjectMembers
  ) {
    let end = tape.end(of: node)
    var (name, number) = (tape.inside(node), 0)
    while name != end {
      let value = tape.after(name)
      if let column = names[members.table].plainColumn(of: name, number, in: tape) {
        members.set(column, value, in: tape, schema)
      } else if let meaning = names[members.table].meaning(
        of: name, number, in: tape, schema, members.table)
      {
        members.take(value, meaning, in: tape, schema)
      } else {
        draft.findings[members.table].unknown[tape.string(name) ?? "?", default: 0] += 1
      }
      name = tape.after(value)
      number += 1
    }
  }

  /// The row of an object, into which its columns go; and those of the tables that this one extends.
  private mutating func merge(_ members: ObjectMembers, _ context: Context) -> Int? {
    let key = members.key(keys[context.table])
    note(members, key, context.table)
    guard let key else {
      guard context.mayLackKey else {
        draft.findings[context.table].skipped += 1
        return nil
      }
      return draft.add(row(members.parts[0], nil, context))
    }
    var above: Int?
    for part in members.parts.reversed() {
      let isOwn = part.table == context.table
      let place = merge(part, key, isOwn ? context : Context(table: part.table))
      draft.rows[place].base = above
      draft.rows[place].rights.formUnion(rights(context))
      above = place
    }
    return above
  }

  private mutating func merge(
    _ part: ObjectMembers.Part, _ key: RecordKey, _ context: Context
  ) -> Int {
    let identity = identities[part.table].identity(of: key)
    let row = row(part, (key, identity), context)
    let (place, isNew) = draft.place(of: identity, in: part.table, adding: row)
    guard !isNew else { return place }
    draft.findings[part.table].duplicates += 1
    let rights = rights(context)
    draft.rows[place].isTop = draft.rows[place].isTop || context.isTop
    // What may not be written has no last word either.
    guard !rights.isEmpty else { return place }
    draft.rows[place].key = key
    draft.rows[place].rights.formUnion(rights)
    for (column, given) in part.values.enumerated() where given != .absent {
      if draft.rows[place].nested.contains(column) { continue }
      draft.rows[place].values[column] = given
      dropClaims(on: column, of: place)
    }
    return place
  }

  /// A reference by key that comes later takes the place of an object that came before.
  private mutating func dropClaims(on column: Int, of place: Int) {
    guard !draft.rows[place].claims.isEmpty else { return }
    let relations = schema.tables[draft.rows[place].table].relations
    draft.rows[place].claims.removeAll { claim in
      guard case .toOne(column, _, _) = relations[claim.relation].kind else { return false }
      return true
    }
  }

  private func row(
    _ part: ObjectMembers.Part, _ key: (RecordKey, identity: RecordKey)?, _ context: Context
  ) -> DraftRow {
    DraftRow(
      table: part.table, key: key?.0, identity: key?.identity, values: part.values,
      rights: rights(context), isTop: context.isTop, owner: context.owner)
  }

  private func rights(_ context: Context) -> DraftRow.Rights {
    var rights: DraftRow.Rights = []
    if operations.contains(context.isTop ? .insert : .insertRelations) { rights.insert(.insert) }
    if operations.contains(context.isTop ? .update : .updateRelations) { rights.insert(.update) }
    return rights
  }

  private mutating func note(_ members: ObjectMembers, _ key: RecordKey?, _ table: Int) {
    guard members.coerced > 0 || !members.mismatches.isEmpty else { return }
    draft.findings[table].coerced += members.coerced
    for var mismatch in members.mismatches {
      mismatch.key = key
      draft.findings[table].mismatched.append(mismatch)
    }
  }
}
