import SyncText

/// The meanings of the names that the last object had, in their order: the next one mostly has the
/// same.
struct NameCache {
  private let map: MemberMap
  private var names: [[UInt8]] = []
  private var meanings: [MemberMap.Meaning?] = []
  private var plain: [PlainColumn?] = []

  init(_ map: MemberMap) {
    self.map = map
  }

  /// A name that means a column of the object's own table and nothing else, whose values nothing
  /// transforms. Most names do.
  struct PlainColumn {
    let column: Int
    let type: ColumnType
    let ignoresNull: Bool

    fileprivate init?(_ meaning: MemberMap.Meaning?, _ table: Int, _ schema: RecordSchema) {
      guard let meaning, let place = meaning.column, place.table == table,
        meaning.relation == nil, meaning.inside == nil, meaning.problem == nil,
        !meaning.isReservedWord
      else { return nil }
      let column = schema.tables[table].columns[place.column]
      guard column.transformer == nil else { return nil }
      self.column = place.column
      type = column.type
      ignoresNull = column.ignoresNull
    }
  }

  /// The column that the name means that stands at this place of its object, if it was there in the
  /// last object and means no more.
  func plainColumn(
    of name: JSONTape.Node, _ number: Int, in tape: borrowing JSONTape
  ) -> PlainColumn? {
    guard number < names.count, let column = plain[number], tape.isName(name, names[number])
    else { return nil }
    return column
  }

  /// What the name means that stands at this place of its object.
  mutating func meaning(
    of name: JSONTape.Node, _ number: Int, in tape: borrowing JSONTape, _ schema: RecordSchema,
    _ table: Int
  ) -> MemberMap.Meaning? {
    if number < names.count, tape.isName(name, names[number]) { return meanings[number] }
    let bytes = tape.stringBytes(name) ?? []
    let meaning = schema.meaning(of: bytes, in: map)
    if number < names.count {
      names[number] = bytes
      meanings[number] = meaning
      plain[number] = PlainColumn(meaning, table, schema)
    } else if number == names.count {
      names.append(bytes)
      meanings.append(meaning)
      plain.append(PlainColumn(meaning, table, schema))
    }
    return meaning
  }
}

extension JSONTape {
  /// Whether a name without escapes has these bytes.
  func isName(_ node: Node, _ name: [UInt8]) -> Bool {
    let range = range(of: node)
    guard range.count == name.count + 2, isPlain(node) else { return false }
    return bytes[range.lowerBound + 1..<range.upperBound - 1].elementsEqual(name)
  }
}
