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
    let kind = tape.kind(of: value)
    switch (type.kind, type.affinity, kind) {
    case (_, _, .null): return row.isNull(at: place)
    case (.text, .text, .string) where tape.isPlain(value):
      return row.holds(inside(text, tape), at: place) && tape.isPlainText(value)
    case (.integer, .integer, .number):
      if let number = tape.integer(value) { return row.integer(at: place) == number }
    case (.real, .real, .number):
      if let number = row.real(at: place), let given = tape.real(value) { return number == given }
    case (.boolean, .integer, .true), (.boolean, .numeric, .true):
      return row.integer(at: place) == 1
    case (.boolean, .integer, .false), (.boolean, .numeric, .false):
      return row.integer(at: place) == 0
    default: break
    }
    guard case .stored(let given, isCoerced: false) = type.stored(value, in: tape) else {
      return false
    }
    return type.isSame(try row.value(at: place), given)
  }

  /// Binds what is given. `false` if the usual way has something to tell of it.
  func bind(
    to statement: borrowing Cursor, at parameter: Int, in tape: borrowing JSONTape,
    _ text: UnsafeBufferPointer<UInt8>
  ) throws -> Bool {
    switch (type.kind, type.affinity, tape.kind(of: value)) {
    case (.text, .text, .string) where tape.isPlainText(value):
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

  /// The bytes between the quotes.
  private func inside(
    _ text: UnsafeBufferPointer<UInt8>, _ tape: borrowing JSONTape
  ) -> UnsafeBufferPointer<UInt8> {
    let range = tape.range(of: value)
    return UnsafeBufferPointer(rebasing: text[range.lowerBound + 1..<range.upperBound - 1])
  }
}

extension FlatReader {
  /// Whether the row on which a cursor stands holds all that the object gives.
  func isHeld(
    by row: borrowing Cursor, in tape: borrowing JSONTape, _ text: UnsafeBufferPointer<UInt8>
  ) throws -> Bool {
    for member in members {
      // Before the columns stands the row number.
      guard try member.isHeld(by: row, at: 1 + member.column, in: tape, text) else { return false }
    }
    return true
  }

  /// Inserts the object. `false` if there is more to tell of its values, or the database refuses
  /// it.
  func insert(
    by statement: borrowing Cursor, in tape: borrowing JSONTape,
    _ text: UnsafeBufferPointer<UInt8>
  ) throws -> Bool {
    var parameter = 0
    for member in members {
      parameter += 1
      guard try member.bind(to: statement, at: parameter, in: tape, text) else { return false }
    }
    do {
      try statement.run()
      return true
    } catch let error as DatabaseError where error.code == .constraint {
      return false
    }
  }
}

extension FlatKey {
  /// Binds it as the only parameter.
  func bind(
    to statement: borrowing Cursor, _ text: UnsafeBufferPointer<UInt8>
  ) throws {
    switch self {
    case .number(let number): try statement.bind(number, at: 1)
    case .text(let range): try statement.bind(UnsafeBufferPointer(rebasing: text[range]), at: 1)
    }
  }
}
