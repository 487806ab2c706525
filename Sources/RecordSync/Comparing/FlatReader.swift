import SyncDatabase
import SyncText

/// Reads what objects give for the columns of a flat table, with the values left in the text.
struct FlatReader {
  private let table: FlatTable
  private let schema: RecordSchema
  private var names: NameCache
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

/// Values of objects and of rows, compared and bound where they lie.
extension FlatReader.Member {
  /// Whether a row holds what is given, so that there is nothing to write and nothing to tell.
  /// Where that can't be seen as it stands, the answer is `false`.
  ///
  /// - Parameter place: The column of the result.
  func isHeld(
    by row: borrowing Cursor, at place: Int, in tape: borrowing JSONTape,
    _ text: UnsafeBufferPointer<UInt8>
  ) throws -> Bool {
    if isHeldToTheByte(by: row, at: place, in: tape, text) { return true }
    // Values that mean the same in another form are the same.
    guard case .stored(let given, isCoerced: false) = type.stored(value, in: tape) else {
      return false
    }
    return type.isSame(try row.value(at: place), given)
  }

  private func isHeldToTheByte(
    by row: borrowing Cursor, at place: Int, in tape: borrowing JSONTape,
    _ text: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    switch (type.kind, type.affinity, tape.kind(of: value)) {
    case (_, _, .null): row.isNull(at: place)
    case (.text, .text, .string) where tape.isPlain(value):
      row.holds(inside(text, tape), at: place)
    case (.integer, .integer, .number):
      tape.integer(value).map { row.integer(at: place) == $0 } ?? false
    case (.real, .real, .number):
      tape.real(value).map { row.real(at: place) == $0 } ?? false
    case (.boolean, .integer, .true), (.boolean, .numeric, .true): row.integer(at: place) == 1
    case (.boolean, .integer, .false), (.boolean, .numeric, .false): row.integer(at: place) == 0
    default: false
    }
  }

  /// Binds what is given. `false` if the general way has something to tell of it.
  func bind(
    to statement: borrowing Cursor, at parameter: Int, in tape: borrowing JSONTape,
    _ text: UnsafeBufferPointer<UInt8>
  ) throws -> Bool {
    switch (type.kind, type.affinity, tape.kind(of: value)) {
    case (.text, .text, .string) where tape.isPlain(value):
      try statement.bind(inside(text, tape), at: parameter)
      return true
    case (.integer, .integer, .number):
      if let number = tape.integer(value) {
        try statement.bind(number, at: parameter)
        return true
      }
    case (.real, .real, .number):
      if let number = tape.real(value) {
        // A zero loses its sign on its way into the database.
        try statement.bind(number == 0 ? 0 : number, at: parameter)
        return true
      }
    default: break
    }
    guard case .stored(let given, isCoerced: false) = type.stored(value, in: tape) else {
      return false
    }
    try statement.bind(given, at: parameter)
    return true
  }

  private func inside(
    _ text: UnsafeBufferPointer<UInt8>, _ tape: borrowing JSONTape
  ) -> UnsafeBufferPointer<UInt8> {
    let range = tape.range(of: value)
    return UnsafeBufferPointer(rebasing: text[range.lowerBound + 1..<range.upperBound - 1])
  }
}

extension RandomAccessCollection<FlatReader.Member> {
  func areHeld(
    by row: borrowing Cursor, in tape: borrowing JSONTape, _ text: UnsafeBufferPointer<UInt8>
  ) throws -> Bool {
    for member in self {
      // Before the columns stands the row number.
      guard try member.isHeld(by: row, at: 1 + member.column, in: tape, text) else { return false }
    }
    return true
  }

  /// Those that the row on which a cursor stands doesn't hold, by the columns.
  func differing(
    from row: borrowing Cursor, in tape: borrowing JSONTape,
    _ text: UnsafeBufferPointer<UInt8>
  ) throws -> ContiguousArray<Element> {
    var differing = ContiguousArray<Element>()
    for member in self where try !member.isHeld(by: row, at: 1 + member.column, in: tape, text) {
      differing.append(member)
    }
    if differing.count > 1 { differing.sort { $0.column < $1.column } }
    return differing
  }

  /// Binds them from the first parameter on. `false` if there is more to tell of their values.
  func bind(
    to statement: borrowing Cursor, in tape: borrowing JSONTape,
    _ text: UnsafeBufferPointer<UInt8>
  ) throws -> Bool {
    var parameter = 0
    for member in self {
      parameter += 1
      guard try member.bind(to: statement, at: parameter, in: tape, text) else { return false }
    }
    return true
  }

  func give(_ columns: [Int]) -> Bool { lazy.map(\.column).elementsEqual(columns) }
}

extension Cursor {
  /// Runs a statement. `false` if the row breaks a rule of its table.
  func runUnlessRefused() throws -> Bool {
    do {
      try run()
      return true
    } catch let error as DatabaseError where error.code == .constraint {
      return false
    }
  }
}
