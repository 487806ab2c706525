package import SyncDatabase
package import SyncText

package struct DraftBuilder {
  package internal(set) var draft: Draft
  /// Why a name that an object has means nothing, and the schema has to be made clearer.
  package private(set) var problem: SchemaProblem?
  let schema: RecordSchema
  private let identities: [KeyIdentity]
  private let operations: Operations
  private var names: [NameCache]
  private let keys: [[Int]]
  private let blank: [ObjectMembers]
  /// The columns that keep what nothing else takes.
  private let extras: [Int?]
  private var element = 0
  var claims = 0

  package init(_ schema: RecordSchema, operations: Operations) {
    self.schema = schema
    self.operations = operations
    identities = schema.tables.map(KeyIdentity.init)
    names = schema.members.map { NameCache($0) }
    keys = schema.tables.map(\.key.columns)
    blank = schema.tables.indices.map { ObjectMembers($0, schema) }
    extras = schema.tables.map(\.extra)
    draft = Draft(tables: schema.tables.count)
  }

  package mutating func begin() { draft = Draft(after: draft) }

  /// Reads one element of the payload, which is to be a row of `table`.
  ///
  /// - Parameters:
  ///   - number: Its place in the window.
  ///   - given: Columns whose values don't come from the object: the parent's key.
  ///   - isWhole: Whether the object is all of its row.
  /// - Returns: Its row; `nil` if it has no usable key and so is skipped.
  @discardableResult
  package mutating func readTop(
    _ element: JSONTape.Node, in tape: borrowing JSONTape, as table: Int, number: Int = 0,
    given: [Int: StoredValue] = [:], isWhole: Bool = false
  ) -> Int? {
    self.element = number
    return read(
      element, in: tape, Context(table: table, isTop: true, given: given, isWhole: isWhole))
  }

  struct Context {
    var table: Int
    var isTop = false
    /// The row under whose to-many it stands.
    var owner: Int?
    var given: [Int: StoredValue] = [:]
    /// Whether the object is all of its row: what it doesn't name is nothing.
    var isWhole = false
    /// Whether an object without a key means the row that is linked now, or a new one.
    var mayLackKey = false
  }

  mutating func read(
    _ node: JSONTape.Node, in tape: borrowing JSONTape, _ context: Context
  ) -> Int? {
    guard tape.kind(of: node) == .object else {
      draft.findings[context.table, default: TableReport()].skipped += 1
      return nil
    }
    var members = blank[context.table]
    collect(node, in: tape, &members)
    problem = problem ?? members.problem
    // The order of the array goes before what its objects say of it.
    if context.isTop, let position = schema.tables[context.table].position {
      members.values[position] = .absent
    }
    for (column, value) in context.given { members.values[column] = .value(value) }
    if context.isWhole { members.clearAbsent(schema.tables[context.table]) }
    guard let row = merge(members, context) else { return nil }
    if context.isTop, !context.given.isEmpty {
      draft.rows[row].nested.formUnion(context.given.keys)
    }
    if members.relations.isEmpty { return row }
    readRelations(of: members, in: tape, row: row)
    return row
  }

  /// A relation is a value, and the object that begins last has the last word: those that are
  /// nested in these very values begin after it, and so come after all its claims.
  private mutating func readRelations(
    of members: ObjectMembers, in tape: borrowing JSONTape, row: Int
  ) {
    var claims: [(owner: Int, claim: Claim, MemberMap.RelationPlace, JSONTape.Node)] = []
    for (place, value) in members.relations {
      guard let owner = part(of: row, in: place.table),
        var claim = emptyClaim(value, of: place, in: tape, row: owner)
      else { continue }
      if members.parts.contains(place), operations.contains(.deleteRelations) {
        claim.isPart = true
        let name = schema.tables[place.table].relations[place.relation].name
        draft.findings[place.table, default: TableReport()].parts.insert(name)
      }
      takeBack(place, of: owner)
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

  /// Takes back what was said of a relation before. Rows that are told by their place alone go with
  /// their array: without a key they are only written if the next one has that place, too.
  private mutating func takeBack(_ place: MemberMap.RelationPlace, of row: Int) {
    let relation = schema.tables[place.table].relations[place.relation]
    if case .key? = relation.position {
      for claim in draft.rows[row].claims where claim.relation == place.relation {
        for case .row(let child) in claim.members where draft.rows[child].isByPlace {
          draft.rows[child].key = nil
        }
      }
    }
    draft.rows[row].claims.removeAll { $0.relation == place.relation }
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
    // Taken out of the list meanwhile, in which it would be held on to for each member.
    var names = NameCache(MemberMap())
    swap(&names, &self.names[members.table])
    defer { swap(&names, &self.names[members.table]) }
    let end = tape.end(of: node)
    var (name, number) = (tape.inside(node), 0)
    while name != end {
      let value = tape.after(name)
      if !members.set(names.plainColumn(of: name, number, in: tape), value, in: tape) {
        let meaning = names.meaning(of: name, number, in: tape, schema, members.table)
        if let meaning {
          members.take(value, meaning, in: tape, schema)
        } else if !isKept(name, value, in: tape, &members) {
          let unknown = tape.string(name) ?? "?"
          draft.findings[members.table, default: TableReport()].unknown[unknown, default: 0] += 1
        }
      }
      name = tape.after(value)
      number += 1
    }
  }

  /// Whether a member that nothing takes is kept all the same, or holds nothing that would make a
  /// column of it.
  private func isKept(
    _ name: JSONTape.Node, _ value: JSONTape.Node, in tape: borrowing JSONTape,
    _ members: inout ObjectMembers
  ) -> Bool {
    switch schema.tables[members.table].unknown {
    case .freeze: return false
    case .evolve: return tape.kind(of: value) == .null || tape.isEmptyArray(value)
    case .extra:
      guard let column = extras[members.table], let name = tape.string(name),
        let text = tape.compactText(value)
      else { return false }
      var extra = members.extras ?? ExtraMembers(column: column)
      extra.add(Array(name.utf8), Array(text.utf8))
      members.extras = extra
      return true
    }
  }

  /// The row of an object, filled with its columns, and those of the tables that this one extends.
  private mutating func merge(_ members: ObjectMembers, _ context: Context) -> Int? {
    let key = members.key(keys[context.table])
    note(members, key, context.table)
    guard let key else {
      guard context.mayLackKey else {
        draft.findings[context.table, default: TableReport()].skipped += 1
        return nil
      }
      // A key that is null is none: the row that is linked keeps its own.
      var values = members.values
      for column in schema.tables[context.table].key.columns where values[column] == .value(nil) {
        values[column] = .absent
      }
      let place = draft.add(row(values, nil, context))
      draft.rows[place].extras = members.extras
      return place
    }
    var above: Int?
    for base in members.bases.reversed() {
      // The key is that of both.
      var values = base.values
      for (column, value) in zip(keys[base.table], key.values) where values[column] == .absent {
        let type = schema.tables[base.table].columns[column].type
        values[column] = .value(type.affinity.kept(value))
      }
      let place = merge(values, key, Context(table: base.table))
      draft.rows[place].base = above
      draft.rows[place].rights.formUnion(rights(context))
      above = place
    }
    let place = merge(members.values, key, context)
    if let extras = members.extras, !draft.rows[place].rights.isEmpty {
      draft.rows[place].keep(extras)
    }
    draft.rows[place].base = above
    return place
  }

  private mutating func merge(
    _ values: [DraftRow.Given], _ key: RecordKey, _ context: Context
  ) -> Int {
    let identity = identities[context.table].identity(of: key)
    let (place, isNew) = draft.place(
      of: identity, in: context.table, adding: row(values, (key, identity), context))
    guard !isNew else { return place }
    draft.findings[context.table, default: TableReport()].duplicates += 1
    let rights = rights(context)
    draft.rows[place].isTop = draft.rows[place].isTop || context.isTop
    // What may not be written has no last word either.
    guard !rights.isEmpty else {
      draft.rows[place].key = draft.rows[place].key ?? key
      return place
    }
    draft.rows[place].key = key
    draft.rows[place].rights.formUnion(rights)
    for (column, given) in values.enumerated() where given != .absent {
      if draft.rows[place].nested.contains(column) { continue }
      draft.rows[place].values[column] = given
      if draft.rows[place].extras != nil {
        let own = schema.tables[context.table].columns[column]
        draft.rows[place].extras?.remove(own.jsonName)
      }
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
    _ values: [DraftRow.Given], _ key: (RecordKey, identity: RecordKey)?, _ context: Context
  ) -> DraftRow {
    DraftRow(
      table: context.table, key: key?.0, identity: key?.identity, values: values,
      rights: rights(context), isTop: context.isTop, element: element, owner: context.owner,
      isByPlace: context.isWhole)
  }

  private func rights(_ context: Context) -> DraftRow.Rights {
    var rights: DraftRow.Rights = []
    if operations.contains(context.isTop ? .insert : .insertRelations) { rights.insert(.insert) }
    if operations.contains(context.isTop ? .update : .updateRelations) { rights.insert(.update) }
    return rights
  }

  private mutating func note(_ members: ObjectMembers, _ key: RecordKey?, _ table: Int) {
    guard members.coerced > 0 || !members.mismatches.isEmpty else { return }
    draft.findings[table, default: TableReport()].coerced += members.coerced
    for var mismatch in members.mismatches {
      mismatch.key = key
      draft.findings[table, default: TableReport()].mismatched.append(mismatch)
    }
  }
}
