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

  /// Throws where it is none of the table's, and gives why it may be none, if rows would go for it.
  ///
  /// - Parameter place: The table, if it is there already.
  func require(
    in schema: RecordSchema, _ place: Int?, named table: String, on connection: Connection
  ) throws -> PayloadProblem? {
    try alone?.require(in: schema, place, named: table) {
      guard let place, let window = alone?.window else { return false }
      return try schema.row(of: 0, of: window, in: place, on: connection) != nil
    }
    guard alone == nil else { return nil }
    return try errors.compactMap { try $0.require() }.first
  }
}

extension RecordSchema {
  /// The row that a table has of the key of a window's element.
  func row(
    of index: Int, of window: PayloadWindow, in table: Int, given: [Int: StoredValue] = [:],
    on connection: Connection
  ) throws -> FoundRow? {
    var builder = DraftBuilder(self, operations: .all)
    let place = builder.readTop(window.elements[index], in: window.tape, as: table, given: given)
    guard let key = place.flatMap({ builder.draft.rows[$0].key }) else { return nil }
    return try TableAccess(tables[table]).row(of: key, on: connection)
  }
}

extension LoadedPayload {
  /// Looks at all of it, a window at a time.
  ///
  /// - Parameter table: The place of the table that it is for, if that is there already.
  func look(
    for present: PresentTables, _ table: Int?, on connection: Connection
  ) throws -> LookedAtPayload {
    var seen = LookedAtPayload(
      shape: PayloadShape(keyNames: present.keyNames, present.schema.spelling))
    do {
      try forEachBody(mustBeWhole: false) { reader in
        var window = PayloadWindow()
        seen.shape.beginBody()
        var errors = table.map { ErrorElements(in: present.schema, $0) }
        defer { if let errors { seen.errors.append(errors) } }
        while try reader.next(&window) {
          try Task.checkCancellation()
          try errors?.add(window) { index in
            guard let table else { return false }
            return try present.schema.row(of: index, of: window, in: table, on: connection) != nil
          }
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
