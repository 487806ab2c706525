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
  func require(
    for table: String, in present: PresentTables, _ scope: RecordScope?, on connection: Connection
  ) throws -> PayloadProblem? {
    guard let alone else { return try errors.compactMap { try $0.require() }.first }
    let (place, window) = (present.schema.place(of: table), alone.window)
    let schema = present.schema.choosingKeys(for: window, of: place)
    try alone.require(in: schema, place, named: table) {
      guard let place else { return false }
      let given = try schema.given(by: scope, to: place, on: connection)
      return try schema.row(of: 0, of: window, in: place, given: given, on: connection) != nil
    }
    return nil
  }
}

extension RecordSchema {
  /// With the keys that the objects of a window carry, where a table has two to choose from.
  fileprivate func choosingKeys(for window: PayloadWindow, of table: Int?) -> RecordSchema {
    let chosen = table.flatMap {
      KeyChoice.schema(self, for: window.elements, in: window.tape, of: $0)
    }
    return chosen ?? self
  }

  /// What a scope gives to the rows of a table. Where that can't be told yet, the run says so once
  /// the tables have grown.
  fileprivate func given(
    by scope: RecordScope?, to table: Int, on connection: Connection
  ) throws -> [Int: StoredValue] {
    do {
      return try ResolvedScope(scope, of: table, self, connection).given
    } catch is RecordError {
      return [:]
    }
  }

  /// The row that a table has of the key of a window's element.
  func row(
    of index: Int, of window: PayloadWindow, in table: Int, given: [Int: StoredValue],
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
  /// - Parameters:
  ///   - table: The name of the table that it is for, which may not be there yet.
  ///   - scope: The rows that it speaks of.
  func look(
    for table: String, in present: PresentTables, _ scope: RecordScope?, on connection: Connection
  ) throws -> LookedAtPayload {
    var seen = LookedAtPayload(
      shape: PayloadShape(keyNames: present.keyNames, present.schema.spelling))
    var schema = present.schema
    let place = schema.place(of: table)
    let given = try place.map { try schema.given(by: scope, to: $0, on: connection) } ?? [:]
    let grows = present.unknown(in: table) != .freeze
    do {
      try forEachBody(mustBeWhole: false) { reader in
        var window = PayloadWindow()
        seen.shape.beginBody()
        var errors: ErrorElements?
        defer { if let errors { seen.errors.append(errors) } }
        while try reader.next(&window) {
          try Task.checkCancellation()
          if seen.first == nil { schema = schema.choosingKeys(for: window, of: place) }
          if let place {
            if errors == nil { errors = ErrorElements(in: schema, place, grows: grows) }
            try errors?.add(window) {
              try schema.row(of: $0, of: window, in: place, given: given, on: connection) != nil
            }
          }
          if reader.isAlone, reader.count == 1 { seen.alone = LoneObject(window: window) }
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
