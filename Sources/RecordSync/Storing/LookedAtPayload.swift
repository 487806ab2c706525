import SyncDatabase

/// What a payload looks like, before anything is made of it.
struct LookedAtPayload {
  var shape: PayloadShape
  /// Its first element, to be named where none has a key.
  var first: PayloadExcerpt?
  /// Its only object, where that stands in no array.
  var alone: LoneObject?
  /// What its bodies tell of errors, each by itself.
  var errors: [ErrorElements] = []

  /// Throws where it is none of the table's.
  ///
  /// - Parameter place: The table, if it is there already.
  func require(
    in schema: RecordSchema, _ place: Int?, named table: String, on connection: Connection
  ) throws {
    try alone?.require(in: schema, place, named: table) {
      guard let place, let window = alone?.window else { return false }
      return try schema.hasRow(of: window, in: place, on: connection)
    }
    guard let place, alone == nil else { return }
    for body in errors { try body.require(in: schema, place) }
  }
}

extension RecordSchema {
  /// Whether a table has the row of a window's first element.
  func hasRow(
    of window: PayloadWindow, in table: Int, given: [Int: StoredValue] = [:],
    on connection: Connection
  ) throws -> Bool {
    var builder = DraftBuilder(self, operations: .all)
    let place = builder.readTop(window.elements[0], in: window.tape, as: table, given: given)
    guard let key = place.flatMap({ builder.draft.rows[$0].key }) else { return false }
    return try TableAccess(tables[table]).row(of: key, on: connection) != nil
  }
}

extension LoadedPayload {
  /// Looks at all of it, a window at a time.
  func look(for present: PresentTables) throws -> LookedAtPayload {
    var seen = LookedAtPayload(
      shape: PayloadShape(keyNames: present.keyNames, present.schema.spelling))
    do {
      try forEachBody(mustBeWhole: false) { reader in
        var window = PayloadWindow()
        seen.shape.beginBody()
        var errors = ErrorElements()
        defer { seen.errors.append(errors) }
        while try reader.next(&window) {
          try Task.checkCancellation()
          errors.add(window)
          if reader.isAlone, reader.count == 1 { seen.alone = LoneObject(window) }
          for (index, element) in window.elements.enumerated() {
            seen.shape.add(element, in: window.tape)
            if seen.first == nil { seen.first = window.excerpt(of: index) }
          }
        }
      }
    } catch is PayloadProblem where Task.isCancelled {
      // Whoever waited for its bytes stopped waiting.
      throw CancellationError()
    }
    return seen
  }
}
