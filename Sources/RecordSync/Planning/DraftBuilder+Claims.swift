import SyncDatabase
import SyncText

extension DraftBuilder {
  /// What an object says of a relation, without the rows; `nil`, and noted, if it makes no sense.
  mutating func emptyClaim(
    _ value: JSONTape.Node, of place: MemberMap.RelationPlace, in tape: borrowing JSONTape,
    row: Int
  ) -> Claim? {
    let kind = schema.tables[place.table].relations[place.relation].kind
    let isFitting =
      switch tape.kind(of: value) {
      case .null: true
      case .array: kind.isToMany || kind.isInverse
      default: !kind.isToMany
      }
    guard isFitting else {
      note(value, place, in: tape, of: row)
      return nil
    }
    claims += 1
    return Claim(
      relation: place.relation, members: [], isNull: tape.kind(of: value) == .null,
      isKeys: place.isKeys, number: claims)
  }

  /// The rows that a relation's value names; `nil` if it was to name one and makes no sense.
  mutating func namedRows(
    _ value: JSONTape.Node, of place: MemberMap.RelationPlace, in tape: borrowing JSONTape,
    of row: Int
  ) -> [Claim.Member]? {
    var members: [Claim.Member] = []
    switch tape.kind(of: value) {
    case .null: break
    case .array:
      guard !hasKeysOfSeveralColumns(value, place, in: tape) else {
        note(value, place, in: tape, of: row)
        return nil
      }
      let end = tape.end(of: value)
      let counted = countedColumn(value, of: place, in: tape)
      var element = tape.inside(value)
      while element != end {
        add(element, to: &members, place, counted: counted, in: tape, of: row)
        element = tape.after(element)
      }
      // Only an array with nothing in it empties a relation; this one has nothing that can be used.
      if members.isEmpty, tape.inside(value) != end { return nil }
    default:
      add(value, to: &members, place, in: tape, of: row)
      if members.isEmpty { return nil }
    }
    return members
  }

  /// Whether a plain value names a child whose key has several columns: it can't tell which row is
  /// meant, and none may go for that.
  private func hasKeysOfSeveralColumns(
    _ array: JSONTape.Node, _ place: MemberMap.RelationPlace, in tape: borrowing JSONTape
  ) -> Bool {
    let kind = schema.tables[place.table].relations[place.relation].kind
    guard kind.hasChildren, schema.tables[kind.table].keyColumn == nil else { return false }
    let end = tape.end(of: array)
    var element = tape.inside(array)
    while element != end {
      switch tape.kind(of: element) {
      case .object, .array, .null: element = tape.after(element)
      case .false, .true, .number, .string: return true
      }
    }
    return false
  }

  /// What a child's key has of its parent comes from the nesting.
  private func parentsPart(_ relation: Relation, of row: Int) -> [Int: StoredValue] {
    guard let link = relation.kind.childLink,
      case .value(let value?) = draft.rows[row].values[link.own]
    else { return [:] }
    let type = schema.tables[relation.kind.table].columns[link.column].type
    return [link.column: type.affinity.kept(value)]
  }

  /// The column that has a row's place in the array for a part of its key. Where that wasn't
  /// declared, and objects of the array carry the column, it is theirs.
  private func countedColumn(
    _ array: JSONTape.Node, of place: MemberMap.RelationPlace, in tape: borrowing JSONTape
  ) -> Int? {
    let relation = schema.tables[place.table].relations[place.relation]
    guard case .key(let column, let isDeclared)? = relation.position else { return nil }
    let carried = MemberMap.ColumnPlace(table: relation.kind.table, column: column)
    return isDeclared || !isAnyGiven(carried, in: array, tape) ? column : nil
  }

  private func isAnyGiven(
    _ column: MemberMap.ColumnPlace, in array: JSONTape.Node, _ tape: borrowing JSONTape
  ) -> Bool {
    let end = tape.end(of: array)
    var element = tape.inside(array)
    while element != end {
      if tape.kind(of: element) == .object {
        let last = tape.end(of: element)
        var name = tape.inside(element)
        while name != last {
          let bytes = tape.stringBytes(name) ?? []
          let meaning = schema.meaning(of: bytes, in: schema.members[column.table])
          if meaning?.column == column { return true }
          name = tape.after(tape.after(name))
        }
      }
      element = tape.after(element)
    }
    return false
  }

  /// - Parameter counted: The column of the place in the array, where that is a part of the key.
  private mutating func add(
    _ node: JSONTape.Node, to members: inout [Claim.Member], _ place: MemberMap.RelationPlace,
    counted: Int? = nil, in tape: borrowing JSONTape, of row: Int
  ) {
    let relation = schema.tables[place.table].relations[place.relation]
    switch tape.kind(of: node) {
    case .object where !place.isKeys:
      var context = Context(table: relation.kind.table)
      context.mayLackKey = !relation.kind.isToMany
      if relation.kind.hasChildren { context.owner = row }
      if relation.isPerParent { context.given = parentsPart(relation, of: row) }
      if let counted {
        context.given[counted] = .integer(Int64(members.count))
        context.isWhole = true
      }
      guard let member = read(node, in: tape, context) else { return }
      if relation.kind.hasChildren { draft.rows[member].owner = draft.rows[member].owner ?? row }
      if counted != nil || !members.contains(.row(member)) { members.append(.row(member)) }
    case .object, .array: note(node, place, in: tape, of: row)
    case .null: draft.findings[relation.kind.table, default: TableReport()].skipped += 1
    default:
      let other = schema.tables[relation.kind.table]
      // JSON speaks of the key, also where the database refers to another column.
      let column =
        other.keyColumn ?? relation.kind.target(key: other.key.columns.first) ?? 0
      guard case .stored(let stored?, _) = other.columns[column].type.stored(node, in: tape) else {
        return note(node, place, in: tape, of: row)
      }
      let member = Claim.Member.key(stored)
      if !members.contains(member) { members.append(member) }
    }
  }

  /// Where an object names a row by key and by an object, the object counts; another key is noted.
  mutating func noteDisagreement(
    of members: ObjectMembers, with named: [Claim.Member], _ place: MemberMap.RelationPlace,
    row: Int
  ) {
    let relation = schema.tables[place.table].relations[place.relation]
    guard case .toOne(let column, let table, _) = relation.kind,
      case .row(let other)? = named.first,
      case .value(let given?)? = members.values(of: place.table)?[column],
      let identity = draft.rows[other].identity,
      identity != KeyIdentity(schema.tables[table]).identity(of: RecordKey([given]))
    else { return }
    draft.findings[place.table, default: TableReport()].mismatched.append(
      Mismatch(
        key: draft.rows[row].key, column: schema.tables[place.table].columns[column].name,
        came: RecordKey([given]).description,
        wanted: "\(identity), the key of the object under \(relation.name.quoted)"))
  }

  private mutating func note(
    _ value: JSONTape.Node, _ place: MemberMap.RelationPlace, in tape: borrowing JSONTape,
    of row: Int
  ) {
    let relation = schema.tables[place.table].relations[place.relation]
    let wanted = !relation.kind.isToMany ? "an object or a key" : "an array of objects or of keys"
    draft.findings[place.table, default: TableReport()].mismatched.append(
      Mismatch(
        key: draft.rows[row].key, column: relation.name, came: tape.excerpt(value), wanted: wanted))
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
