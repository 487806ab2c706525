import SyncDatabase
import SyncText

/// Elements that have to be in one window with others.
extension RecordRun {
  /// Sets the elements of a window aside that have to wait; gives the others, or `nil` where none
  /// ever wait.
  func keep(
    _ window: PayloadWindow, _ schema: RecordSchema, _ pass: RecordPass, _ aside: inout SetAside
  ) throws -> [Int]? {
    guard !aside.isNone else { return nil }
    let identities = schema.tables.map { KeyIdentity($0) }
    var scratch = DraftBuilder(schema, operations: .all)
    return try window.elements.indices.filter { index in
      if index.isMultiple(of: 1_000) { try Task.checkCancellation() }
      let element = window.elements[index]
      scratch.begin()
      _ = scratch.readTop(element, in: window.tape, as: table, given: scope.given)
      guard aside.holds(scratch.draft, schema, identities) else { return true }
      aside.keep(
        window.tape.bytes[window.tape.range(of: element)], number: pass.elementsBefore + index)
      return false
    }
  }

  /// Writes what was set aside.
  func write(
    _ aside: SetAside, _ builder: inout DraftBuilder, _ pass: RecordPass
  ) throws {
    guard let window = try aside.window() else { return }
    builder.begin()
    pass.entanglement.beginWindow()
    for (index, number) in aside.numbers.enumerated() {
      _ = try read(index, of: window, as: number, &builder, pass)
    }
    if let problem = builder.problem { throw RecordError.schema(problem) }
    pass.isWritingAside = true
    try pass.write(builder.draft)
    pass.isWritingAside = false
  }
}
