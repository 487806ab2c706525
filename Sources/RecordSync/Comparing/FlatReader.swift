import SyncDatabase
import SyncText

/// Reads what objects give for the columns of a flat table, without taking the values out of the
/// text.
struct FlatReader {
  private let table: FlatTable
  private let schema: RecordSchema
  private var names: NameCache
  /// Which columns the object has given so far.
  private var given: [Bool]
  /// The relations whose values are left for whoever asks, by their places in the table's own.
  private let relations: [Int]
  /// What the object that was read last gives, in its order.
  private(set) var members = ContiguousArray<Member>()
  /// What it gives for those relations, by their places among them.
  private(set) var nested: [(relation: Int, value: JSONTape.Node)] = []
  /// Its key; `nil` where that can't be told from what stands there.
  private(set) var key: FlatKey?
  private var hasUnclearKey = false

  /// What is given for a column.
  struct Member {
    var column: Int
    var type: ColumnType
    var value: JSONTape.Node
  }

  init(_ table: FlatTable, _ schema: RecordSchema, relations: [Int] = []) {
    self.table = table
    self.schema = schema
    self.relations = relations
    names = NameCache(schema.members[table.place])
    given = Array(repeating: false, count: table.columnCount)
  }

  enum Shape {
    /// It gives columns of the table, each once and as they are.
    case flat
    /// It gives more than that, or gives it in another way.
    case other
    /// It may name other rows, and these rows of the table again.
    case nested
  }

  mutating func read(_ node: JSONTape.Node, in tape: borrowing JSONTape) -> Shape {
    (key, hasUnclearKey) = (nil, false)
    for member in members { given[member.column] = false }
    members.removeAll(keepingCapacity: true)
    nested.removeAll(keepingCapacity: true)
    guard tape.kind(of: node) == .object else { return .other }
    var shape = Shape.flat
    let end = tape.end(of: node)
    var (name, number) = (tape.inside(node), 0)
    while name != end {
      let value = tape.after(name)
      switch take(value, of: name, number, in: tape) {
      case .flat: break
      case .other: shape = .other
      case .nested: return .nested
      }
      name = tape.after(value)
      number += 1
    }
    if hasUnclearKey { key = nil }
    return shape
  }

  private mutating func take(
    _ value: JSONTape.Node, of name: JSONTape.Node, _ number: Int, in tape: borrowing JSONTape
  ) -> Shape {
    guard let column = names.plainColumn(of: name, number, in: tape) else {
      let meaning = names.meaning(of: name, number, in: tape, schema, table.place)
      if let column = names.plainColumn(of: name, number, in: tape) {
        return take(value, column, in: tape)
      }
      if let relation = relation(meaning) {
        // Of several names of one relation the last counts.
        guard !nested.contains(where: { $0.relation == relation }) else { return .nested }
        nested.append((relation, value))
        return .flat
      }
      if meaning?.column?.column == table.key { hasUnclearKey = true }
      return meaning?.relation != nil || meaning?.inside != nil ? .nested : .other
    }
    return take(value, column, in: tape)
  }

  /// Which of the relations a name means, if it means nothing else.
  private func relation(_ meaning: MemberMap.Meaning?) -> Int? {
    guard !relations.isEmpty, let meaning, meaning.column == nil, meaning.inside == nil,
      meaning.problem == nil, let place = meaning.relation, place.table == table.place,
      !place.isKeys
    else { return nil }
    return relations.firstIndex(of: place.relation)
  }

  private mutating func take(
    _ value: JSONTape.Node, _ column: NameCache.PlainColumn, in tape: borrowing JSONTape
  ) -> Shape {
    // Of several names of one column the last counts.
    guard !table.generated[column.column], !given[column.column] else {
      if column.column == table.key { hasUnclearKey = true }
      return .other
    }
    if column.ignoresNull, tape.kind(of: value) == .null { return .flat }
    if column.column == table.key { key = FlatKey(value, table.keyKind, in: tape) }
    given[column.column] = true
    members.append(Member(column: column.column, type: column.type, value: value))
    return .flat
  }
}

/// A key as it stands in the text.
enum FlatKey {
  case number(Int64)
  /// The bytes of a text without escapes; a payload is UTF-8.
  case text(Range<Int>)

  /// `nil` for what is no key as it stands.
  init?(_ node: JSONTape.Node, _ kind: FlatTable.KeyKind, in tape: borrowing JSONTape) {
    switch kind {
    case .number:
      guard let number = tape.integer(node) else { return nil }
      self = .number(number)
    case .text:
      guard tape.isPlain(node) else { return nil }
      let range = tape.range(of: node)
      self = .text(range.lowerBound + 1..<range.upperBound - 1)
    }
  }

  func isNumber(above other: Int64) -> Bool {
    if case .number(let number) = self { number > other } else { false }
  }

  /// Whether a column of the row on which a cursor stands holds it.
  func isHeld(
    by row: borrowing Cursor, at place: Int, _ text: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    switch self {
    case .number(let number): row.integer(at: place) == number
    case .text(let range): row.holds(UnsafeBufferPointer(rebasing: text[range]), at: place)
    }
  }

  /// As SQLite has keys in an index.
  func precedes(_ other: FlatKey, in text: UnsafeBufferPointer<UInt8>) -> Bool {
    switch (self, other) {
    case (.number(let one), .number(let other)): one < other
    case (.text(let one), .text(let other)):
      text[one].lexicographicallyPrecedes(text[other])
    case (.number, .text): true
    case (.text, .number): false
    }
  }

  func stored(in text: UnsafeBufferPointer<UInt8>) -> StoredValue {
    switch self {
    case .number(let number): .integer(number)
    case .text(let range): .text(String(decoding: text[range], as: UTF8.self))
    }
  }
}
