import SyncDatabase
import SyncText

/// Elements that have to be in one window with others.
extension RecordRun {
  /// Keeps the elements of a window that have to wait; gives the others, or `nil` where none ever
  /// wait.
  func keep(
    _ window: PayloadWindow, _ pass: RecordPass, _ aside: SetAside, _ kept: inout KeptElements?
  ) throws -> [Int]? {
    guard !aside.isNone else { return nil }
    var elements = try kept ?? KeptElements(of: aside, on: connection)
    kept = nil
    let identities = pass.schema.tables.map { KeyIdentity($0) }
    var scratch = DraftBuilder(pass.schema, operations: .all)
    var others: [Int] = []
    for index in window.elements.indices {
      try Task.checkCancellation()
      let element = window.elements[index]
      scratch.begin()
      _ = scratch.readTop(element, in: window.tape, as: table, given: scope.given)
      let rows = aside.rows(of: scratch.draft, pass.schema, identities)
      guard !rows.isEmpty else {
        others.append(index)
        continue
      }
      try elements.keep(
        window.tape.bytes[window.tape.range(of: element)],
        number: pass.notes.elementsBefore + index,
        for: rows)
    }
    kept = elements
    return others
  }

  /// Writes what was kept.
  ///
  /// - Parameter bytes: About so many go into a window.
  func write(
    _ kept: consuming KeptElements?, of bytes: Int, _ builder: inout DraftBuilder,
    _ pass: RecordPass
  ) throws {
    guard var kept else { return }
    pass.notes.entanglement.isWritingAside = true
    defer { pass.notes.entanglement.isWritingAside = false }
    try kept.forEachWindow(of: bytes) { window, numbers in
      builder.begin()
      pass.notes.entanglement.beginWindow()
      for (index, number) in numbers.enumerated() {
        _ = try read(index, of: window, as: number, &builder, pass)
      }
      if let problem = builder.problem { throw RecordError.schema(problem) }
      try pass.write(builder.draft)
    }
  }
}
