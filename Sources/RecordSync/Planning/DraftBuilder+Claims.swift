import SyncDatabase
import SyncText

extension DraftBuilder {
  /// What an object says of a relation; `nil` if that can't be understood, which is noted.
  mutating func claim(
    _ value: JSONTape.Node, of place: MemberMap.RelationPlace, in tape: borrowing JSONTape,
    of row: Int
  ) -> Claim? {
    let relation = schema.tables[place.table].relations[place.relation]
    var claim = Claim(relation: place.relation, members: [], isNull: false, isKeys: place.isKeys)
    switch (tape.kind(of: value), relation.kind.isToOne) {
    case (.null, _): claim.isNull = true
    case (.array, true) where relation.kind.isInverse, (.array, false):
      let end = tape.end(of: value)
      var element = tape.inside(value)
      while element != end {
        add(element, to: &claim, relation, place, in: tape, of: row)
        element = tape.after(element)
      }
    case (.array, true), (_, false):
      note(value, relation, place, in: tape, of: row)
      return nil
    case (_, true):
      add(value, to: &claim, relation, place, in: tape, of: row)
      guard !claim.members.isEmpty else { return nil }
    }
    return claim
  }

  private mutating func add(
    _ node: JSONTape.Node, to claim: inout Claim, _ relation: Relation,
    _ place: MemberMap.RelationPlace, in tape: borrowing JSONTape, of row: Int
  ) {
    switch tape.kind(of: node) {
    case .object where !place.isKeys:
      var context = Context(table: relation.kind.table)
      context.mayLackKey = relation.kind.isToOne
      if relation.kind.hasChildren { context.owner = row }
      guard let member = read(node, in: tape, context) else { return }
      if relation.kind.hasChildren { draft.rows[member].owner = draft.rows[member].owner ?? row }
      if !claim.members.contains(.row(member)) { claim.members.append(.row(member)) }
    case .object, .array: note(node, relation, place, in: tape, of: row)
    case .null: draft.findings[relation.kind.table].skipped += 1
    default:
      let other = schema.tables[relation.kind.table]
      let column = relation.kind.target(key: other.key.columns.first) ?? 0
      guard case .stored(let stored?, _) = other.columns[column].type.stored(node, in: tape) else {
        return note(node, relation, place, in: tape, of: row)
      }
      let member = Claim.Member.key(stored)
      if !claim.members.contains(member) { claim.members.append(member) }
    }
  }

  private mutating func note(
    _ value: JSONTape.Node, _ relation: Relation, _ place: MemberMap.RelationPlace,
    in tape: borrowing JSONTape, of row: Int
  ) {
    let wanted = relation.kind.isToOne ? "an object or a key" : "an array of objects or of keys"
    draft.findings[place.table].mismatched.append(
      Mismatch(
        key: draft.rows[row].key, column: relation.name, came: tape.excerpt(value), wanted: wanted))
  }
}

extension Relation.Kind {
  /// The table of the other rows.
  package var table: Int {
    switch self {
    case .toOne(_, let table, _), .inverseToOne(let table, _, _), .toMany(let table, _, _),
      .manyToMany(_, _, _, _, let table, _):
      table
    }
  }

  /// Whether one row stands on the other side.
  package var isToOne: Bool {
    switch self {
    case .toOne, .inverseToOne: true
    case .toMany, .manyToMany: false
    }
  }

  var isInverse: Bool { if case .inverseToOne = self { true } else { false } }

  /// Whether the other rows hang on this one: without it they aren't either.
  package var hasChildren: Bool {
    switch self {
    case .toMany, .inverseToOne: true
    case .toOne, .manyToMany: false
    }
  }

  /// The column of the other table whose values stand for its rows: what is referred to, or its key.
  package func target(key: Int?) -> Int? {
    switch self {
    case .toOne(_, _, let target), .manyToMany(_, _, _, _, _, let target): target
    case .toMany, .inverseToOne: key
    }
  }
}

extension JSONTape {
  /// A value's text for people, cut after 60 bytes.
  func excerpt(_ node: Node) -> String {
    let range = range(of: node)
    let text = String(decoding: bytes[range.prefix(60)], as: UTF8.self)
    return range.count > 60 ? text + "…" : text
  }
}
