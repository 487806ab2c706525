import SyncDatabase
import SyncText

struct GrowingRun {
  let connection: Connection
  let overrides: SchemaOverrides
  let table: String
  let options: RecordOptions

  /// The payload is looked at as a whole before the database is locked, and is read again then.
  func sync(_ payload: LoadedPayload, from source: RecordPayload) throws -> RecordReport {
    let before = try present(for: source)
    let seen = try payload.look(for: table, in: before, options.scope, on: connection)
    let crowded = CrowdedLinks()
    return try RecordRun.sync(over: connection, options) {
      // Somebody else may have changed the tables meanwhile.
      let present = try present(for: source)
      let doubt = try seen.require(for: table, in: present, options.scope, on: connection)
      let decision = try decide(for: seen, in: present, crowded.found)
      try SchemaMaker(connection, present).make(decision.changes)
      let schema = try SchemaReader.read(connection, overrides: present.overrides)
      var run = try RecordRun(connection, schema, table: table, options)
      (run.isLookedAt, run.doubt, run.crowded) = (true, doubt, crowded)
      return PreparedRun(
        run: run, payload: try remembered(payload, from: source), made: decision.changes,
        remarks: decision.remarks)
    }
  }

  /// The tables as they are. One that isn't there has for its key the names that the payload's path
  /// keeps, unless another was said.
  private func present(for source: RecordPayload) throws -> PresentTables {
    let present = try PresentTables(in: connection, overrides, creates: options.creates)
    guard case .items(let path) = source.form, !path.keyMembers.isEmpty,
      present.schema.place(of: table) == nil
    else { return present }
    let name = table.asciiLowercased
    let said = overrides.tables.keys.first { $0.asciiLowercased == name } ?? table
    guard overrides.tables[said]?.key == nil else { return present }
    var overrides = overrides
    overrides.table(said) { $0.key = path.keyMembers }
    return try PresentTables(in: connection, overrides, creates: options.creates)
  }

  private func decide(
    for seen: LookedAtPayload, in present: PresentTables, _ crowded: Set<CrowdedLink>
  ) throws -> SchemaDecision {
    var present = present
    present.isExact = options.keepsDigits
    let isThere = present.schema.place(of: table) != nil
    guard isThere || present.unknown(in: table) != .freeze else {
      throw RecordError.table(table, .missing)
    }
    guard isThere || seen.outline.elements > 0 else {
      throw RecordError.table(table, .nothingToMakeItFrom)
    }
    let isTaken = present.names.contains(table.asciiLowercased)
    guard isThere || SafeNames.isTable(table) && !isTaken else {
      throw RecordError.table(table, .unusableName)
    }
    do {
      let decision = try SchemaDecision(
        for: seen.outline, seen.findings, of: table, in: present, flatten: options.flattens,
        crowded: crowded, SchemaMaker(connection, present).look)
      if let wide = decision.walk.tooWide { throw RecordError.table(wide, .tooManyNames) }
      return decision
    } catch let problem as SchemaProblem {
      throw RecordError.schema(problem)
    } catch PayloadProblem.withoutKeys(let table, let names, let elements, _) {
      throw PayloadProblem.withoutKeys(
        table: table, names: names, elements: elements, first: seen.first)
    }
  }

  /// What is remembered of a source holds for the tables as they are now.
  private func remembered(
    _ payload: LoadedPayload, from source: RecordPayload
  ) throws -> LoadedPayload {
    guard case .address(let address) = source.source,
      var fingerprint = SourceFingerprint(address, source, table, options)
    else { return payload }
    try fingerprint.add(overrides, connection)
    var payload = payload
    payload.fingerprint = fingerprint.text
    return payload
  }
}

extension SchemaDecision {
  /// What is to be said of it.
  fileprivate var remarks: [PayloadRemark] {
    walk.merged.map { .merged(table: $0, key: $1.key, member: $1.member) }
      + walk.moving.map { .severalParents(table: $0.table, under: $0.name) }
  }
}

struct LookedAtPayload {
  var outline: PayloadOutline
  var findings = KeyFindings()
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
  /// the tables have grown; a condition may speak of what is made then.
  fileprivate func given(
    by scope: RecordScope?, to table: Int, on connection: Connection
  ) throws -> [Int: StoredValue] {
    var scope = scope
    scope?.condition = nil
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
    let names = present.keyNames(for: table)
    var seen = LookedAtPayload(outline: PayloadOutline(names))
    var schema = present.schema
    let place = schema.place(of: table)
    let given = try place.map { try schema.given(by: scope, to: $0, on: connection) } ?? [:]
    let grows = present.unknown(in: table) != .freeze
    try lookingAtEach { reader in
      var window = PayloadWindow()
      seen.outline.beginBody()
      var errors: ErrorElements?
      defer { if let errors { seen.errors.append(errors) } }
      while try reader.next(&window) {
        try Task.checkCancellation()
        removeDeleted(from: &window)
        if seen.first == nil { schema = schema.choosingKeys(for: window, of: place) }
        if let place {
          if errors == nil { errors = ErrorElements(in: schema, place, grows: grows) }
          try errors?.add(window) {
            try schema.row(of: $0, of: window, in: place, given: given, on: connection) != nil
          }
        }
        if reader.isAlone, reader.count == 1, !window.elements.isEmpty {
          seen.alone = LoneObject(window: window)
        }
        try seen.outline.add(window)
        if seen.first == nil, !window.elements.isEmpty { seen.first = window.excerpt(of: 0) }
      }
    }
    let groups = PlaceGroups.groups(of: seen.outline, top: table, present.schema)
    try seen.findings.add(seen.outline.ledger, groups: groups) { _, _ in
      Contradiction(key: nil, member: nil)
    }
    try lookAgain(&seen, names)
    return seen
  }

  /// Looks at what one look left open.
  private func lookAgain(_ seen: inout LookedAtPayload, _ names: KeyNames) throws {
    guard let question = seen.outline.question(seen.findings) else { return }
    var outline = PayloadOutline(names, question: question)
    try lookingAtEach { reader in
      var window = PayloadWindow()
      outline.beginBody()
      while try reader.next(&window) {
        try Task.checkCancellation()
        removeDeleted(from: &window)
        try outline.add(window)
      }
    }
    try seen.findings.add(outline.ledger, example: outline.example)
  }

  private func lookingAtEach(_ read: (inout PayloadReader) throws -> Void) throws {
    do {
      try forEachBody(mustBeWhole: false, read)
    } catch is PayloadProblem where Task.isCancelled {
      // Whoever waited for its bytes stopped waiting.
      throw CancellationError()
    }
  }
}

extension PayloadOutline {
  fileprivate mutating func add(_ window: borrowing PayloadWindow) throws {
    for element in window.elements { try add(element, in: window.tape) }
  }
}
