import SyncText

/// The meanings of the last object's names, in their order: the next one mostly has the same.
struct NameCache {
  private let map: MemberMap
  private var bytes: [UInt8] = []
  private var entries: [Entry] = []
  private var meanings: [MemberMap.Meaning?] = []
  /// So many bytes of names are kept, with those that stand there no more.
  private static let longest = 1 << 16

  init(_ map: MemberMap) {
    self.map = map
  }

  /// Nothing that would have to be counted when it is copied.
  private struct Entry {
    var name: Range<Int>
    var plain: PlainColumn?
    var use: Use?
  }

  /// What whoever reads objects makes of a name that means more than a column; its own numbers.
  enum Use {
    case relation(Int)
    /// The value's own members fill columns.
    case inside(Int)
  }

  /// A name that means just a column of the object's own table, whose values nothing transforms.
  struct PlainColumn {
    let column: Int
    let type: ColumnType
    let ignoresNull: Bool

    fileprivate init?(_ meaning: MemberMap.Meaning?, _ table: Int, _ schema: RecordSchema) {
      guard let meaning, let place = meaning.column, meaning.relation == nil,
        meaning.inside == nil, meaning.problem == nil, !meaning.isReservedWord
      else { return nil }
      self.init(place, table, schema)
    }

    /// `nil` for a column of another table, or one whose values are transformed.
    init?(_ place: MemberMap.ColumnPlace, _ table: Int, _ schema: RecordSchema) {
      let column = schema.tables[place.table].columns[place.column]
      guard place.table == table, column.transformer == nil else { return nil }
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
    guard number < entries.count, let column = entries[number].plain,
      tape.isPlain(name, as: bytes, entries[number].name)
    else { return nil }
    return column
  }

  /// What was kept for the name that stands at this place of its object, if it was there in the
  /// last object.
  func use(of name: JSONTape.Node, _ number: Int, in tape: borrowing JSONTape) -> Use? {
    guard number < entries.count, let use = entries[number].use,
      tape.isPlain(name, as: bytes, entries[number].name)
    else { return nil }
    return use
  }

  /// Keeps what is made of the name that was asked for last.
  mutating func keep(_ use: Use, at number: Int) {
    if number < entries.count { entries[number].use = use }
  }

  /// What the name means that stands at this place of its object.
  mutating func meaning(
    of name: JSONTape.Node, _ number: Int, in tape: borrowing JSONTape, _ schema: RecordSchema,
    _ table: Int
  ) -> MemberMap.Meaning? {
    if number < entries.count, tape.isPlain(name, as: bytes, entries[number].name) {
      return meanings[number]
    }
    let written = tape.stringBytes(name) ?? []
    let meaning = schema.meaning(of: written, in: map)
    keep(meaning, of: written, number, PlainColumn(meaning, table, schema))
    return meaning
  }

  private mutating func keep(
    _ meaning: MemberMap.Meaning?, of name: [UInt8], _ number: Int, _ plain: PlainColumn?
  ) {
    if bytes.count + name.count > Self.longest { self = NameCache(map) }
    guard number <= entries.count else { return }
    let entry = Entry(name: bytes.count..<bytes.count + name.count, plain: plain)
    bytes += name
    if number < entries.count {
      (entries[number], meanings[number]) = (entry, meaning)
    } else {
      entries.append(entry)
      meanings.append(meaning)
    }
  }
}
