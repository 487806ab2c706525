import SyncDatabase
import SyncText

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

  /// Whether what they give for a column leads to a row, which a statement gives for its key.
  func lead(
    _ column: Int, by row: borrowing Cursor, in tape: borrowing JSONTape,
    _ text: UnsafeBufferPointer<UInt8>
  ) throws -> Bool {
    for member in self where member.column == column && tape.kind(of: member.value) != .null {
      guard try member.bind(to: row, at: 1, in: tape, text) else { return false }
      defer { row.reset() }
      guard try row.step() else { return false }
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
