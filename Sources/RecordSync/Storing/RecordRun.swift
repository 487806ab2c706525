import SyncDatabase

struct RecordRun {
  let connection: Connection
  let schema: RecordSchema
  let table: Int
  var options: RecordOptions
  let scope: ResolvedScope
  /// What else is to be found out, or not to be done.
  var notes: RunNotes?
  /// Whether the payload was looked at before, as the tables were without what was made for it; and
  /// why no row may go for it.
  var isLookedAt = false
  /// Where the sync begins anew once rows are found that hang on several.
  var crowded: CrowdedLinks?
  var doubt: PayloadProblem?

  init(
    _ connection: Connection, _ schema: RecordSchema, table name: String, _ options: RecordOptions
  ) throws {
    guard let table = schema.place(of: name) else { throw RecordError.table(name, .missing) }
    if let problem = schema.tables[table].key.problem { throw RecordError.schema(problem) }
    self.connection = connection
    self.schema = schema
    self.table = table
    self.options = options
    scope = try ResolvedScope(options.scope, of: table, schema, connection)
  }

  func sync(_ payload: LoadedPayload) throws -> RecordReport {
    try Self.sync(over: connection, options) { PreparedRun(run: self, payload: payload) }
  }

  /// All of it, or nothing.
  ///
  /// - Parameter prepare: Makes the run, within the transaction.
  static func sync(
    over connection: Connection, _ options: RecordOptions, _ prepare: () throws -> PreparedRun
  ) throws -> RecordReport {
    var aside = SetAside()
    do {
      while true {
        if let report = try sync(over: connection, options, &aside, prepare) { return report }
      }
    } catch is PayloadProblem where Task.isCancelled {
      // Whoever waited for its bytes stopped waiting.
      throw CancellationError()
    }
  }

  /// `nil`, and nothing is written, where elements have to be set aside first.
  private static func sync(
    over connection: Connection, _ options: RecordOptions, _ aside: inout SetAside,
    _ prepare: () throws -> PreparedRun
  ) throws -> RecordReport? {
    let clock = ContinuousClock()
    var ended = clock.now
    var (isRecorded, prepared) = (false, nil as PreparedRun?)
    var entry: SourceMemory.Entry?
    let report = try connection.transaction(keeping: { _ in isRecorded }) {
      let ready = try prepare()
      prepared = ready
      let written = try ready.write(&aside, &entry)
      // What was tried and taken back would be recorded all the same, page by page.
      let isNew = written.map { $0.report.hasChanges || $0.remembersMore } ?? false
      isRecorded = isNew && !options.isPlan
      if isRecorded, let fingerprint = ready.payload.fingerprint {
        try SourceMemory(connection).setEntry(entry, of: fingerprint)
      }
      ended = clock.now
      return written?.report
    }
    guard var report else { return nil }
    if isRecorded {
      report.durations[.commit] = clock.now - ended
    } else if report.undo != nil {
      report.undo = RecordUndo(.empty)
    }
    if !isRecorded, !report.hasChanges, let prepared {
      try prepared.run.remember(prepared.payload, entry)
    }
    return report
  }

  func undoSession() throws -> ChangeSession? {
    guard options.recordsUndo else { return nil }
    return try ChangeSession(
      connection, tables: schema.followed(for: table), coming: schema.followedHistories())
  }

  func write(
    _ payload: LoadedPayload, _ aside: inout SetAside
  ) throws -> (report: RecordReport, remembersMore: Bool)? {
    notes?.begin()
    let clock = ContinuousClock()
    let start = clock.now
    let teller = ProgressTeller(options.onProgress)
    var pass = try RecordPass(
      connection, schema, try task(hasAside: !aside.isNone, telling: teller))
    teller.enter(.rows)
    guard try writeRows(of: payload, &pass, &aside) else { return nil }
    if let crowded, crowded.add(pass.notes.crowded) { return nil }
    let written = clock.now
    teller.enter(.ending)
    try noteScope(pass)
    try noteGone(pass)
    try pass.finish(options.removalLimit ?? payload.removalLimit)
    notes?.held += pass.notes.freed.map { identity(of: $0.key) }
    try settleTop(pass)
    try pass.finder.search.end()
    pass.notes.tellOfRepeated()
    let tables = pass.notes.report.reports()
    if options.isStrict { try requireFlawless(tables) }
    var report = RecordReport(
      status: .written, tables: tables,
      durations: [.rows: written - start, .ending: clock.now - written])
    if pass.isPutAlone { report.remarks = [.putAlone(table: schema.tables[table].name)] }
    for (name, table) in tables.sorted(by: { $0.key < $1.key }) {
      report.remarks += table.parts.sorted().map { .partial(.lists(table: name, relation: $0)) }
    }
    return (report, pass.remembersOthers)
  }

  /// `false` where elements have to be set aside first.
  private func writeRows(
    of payload: LoadedPayload, _ pass: inout RecordPass, _ aside: inout SetAside
  ) throws -> Bool {
    var kept: KeptElements?
    var builder = DraftBuilder(schema, operations: options.operations)
    try payload.forEachBody(mustBeWhole: options.operations.deletes) {
      try writeRows(of: &$0, payload.deleted, &builder, &pass, aside, &kept)
    }
    try write(kept, of: payload.window, &builder, pass)
    if case .keys(let path)? = payload.deleted { try takeGoneKeys(of: payload, at: path, pass) }
    guard pass.notes.entanglement.rows.isEmpty else {
      aside.add(pass.notes.entanglement.rows)
      return false
    }
    pass.notes.endReading()
    return true
  }

  private func task(hasAside: Bool, telling teller: ProgressTeller) throws -> PassTask {
    var task = PassTask(table: table, operations: options.operations) { rows in
      try Task.checkCancellation()
      teller.tell(of: rows)
    }
    task.insertionHook = options.beforeInsert.map {
      InsertionHook($0, schema, parent: options.scope?.parent)
    }
    task.doubt = doubt
    task.isScoped = options.scope != nil
    task.scope = scope.links == nil ? try scope.condition(TableAccess(schema.tables[table])) : nil
    task.keepsParents = options.creates && !options.operations.contains(.deleteRelations)
    task.order = TopOrder(table, scope, in: schema)
    task.hasOrder = scope.links != nil || task.order != nil
    task.hasAside = hasAside
    task.comparesFirst = !hasAside && notes == nil && scope.given.isEmpty
    return task
  }

  private func writeRows(
    of reader: inout PayloadReader, _ deleted: DeletedMark?, _ builder: inout DraftBuilder,
    _ pass: inout RecordPass, _ aside: SetAside, _ kept: inout KeptElements?
  ) throws {
    var window = PayloadWindow()
    let before = pass.notes.elementsBefore
    defer { pass.notes.elementsBefore = before + reader.count }
    var (hasKeys, first) = (false, nil as PayloadExcerpt?)
    var errors: ErrorElements?
    while try reader.next(&window) {
      if let chosen = try pass.choosingKeys(for: window) {
        pass = chosen
        builder = DraftBuilder(pass.schema, operations: pass.operations)
      }
      if let deleted, try takeGone(from: &window, deleted, pass) { hasKeys = true }
      if reader.isAlone { try putAlone(window, &builder, pass) }
      if window.elements.isEmpty { continue }
      if errors == nil, !isLookedAt { errors = ErrorElements(in: pass.schema, table) }
      try errors?.add(window) { try wasThere($0, of: window, pass) }
      builder.begin()
      pass.notes.entanglement.beginWindow()
      pass.notes.elementsBefore = before + window.first - 1
      let waits = try keep(window, pass, aside, &kept)
      let left = try waits ?? pass.writeAtOnce(window)
      if left.count < window.elements.count { hasKeys = true }
      first = first ?? left.first.map { window.excerpt(of: $0) }
      for index in left {
        let number = pass.notes.elementsBefore + index
        if try read(index, of: window, as: number, &builder, pass) { hasKeys = true }
      }
      if let problem = builder.problem { throw RecordError.schema(problem) }
      try pass.write(builder.draft)
    }
    if !hasKeys, reader.count > 0 { throw schema.tables[table].withoutKeys(reader.count, first) }
    if let doubt = try errors?.require() { pass.doubt = doubt }
  }

  /// Answers whether the element has a usable key.
  func read(
    _ index: Int, of window: PayloadWindow, as number: Int, _ builder: inout DraftBuilder,
    _ pass: RecordPass
  ) throws -> Bool {
    if index.isMultiple(of: 1_000) { try Task.checkCancellation() }
    let element = window.elements[index]
    // One that stands alone has no place.
    let given = pass.isPutAlone ? scope.given : scope.given(at: number)
    if let leftOut = notes?.leftOut, !leftOut.isEmpty {
      // Its row counts as named, and stays as it is with all that hangs on it.
      var other = DraftBuilder(builder.schema, operations: [])
      guard let place = other.readTop(element, in: window.tape, as: table, given: given)
      else { return false }
      let row = other.draft.rows[place]
      if let identity = row.identity, leftOut.contains(identity) {
        for named in other.draft.rows {
          if let key = named.key { _ = try pass.linker.writer.look(for: key, in: named.table) }
        }
        return true
      }
    }
    let place = builder.readTop(
      element, in: window.tape, as: table, number: number, given: given,
      isWhole: scope.counted != nil)
    guard let place else { return false }
    if let notes, let identity = builder.draft.rows[place].identity { notes.name(identity) }
    return true
  }

  /// With strictness, what would only be reported ends the sync.
  private func requireFlawless(_ tables: [String: TableReport]) throws {
    for (name, report) in tables.sorted(by: { $0.key < $1.key }) {
      guard let fault = report.fault else { continue }
      throw RecordError.strict(table: name, fault)
    }
  }
}

extension TableSchema {
  fileprivate func withoutKeys(_ elements: Int, _ first: PayloadExcerpt?) -> PayloadProblem {
    .withoutKeys(table: name, names: key.jsonNames, elements: elements, first: first)
  }
}

extension TableReport {
  /// The gravest of what strictness doesn't let pass.
  fileprivate var fault: RecordError.StrictFault? {
    if let row = refused.first { return .refused(row) }
    if skipped > 0 { return .skipped(skipped) }
    if let value = mismatched.first { return .mismatched(value) }
    if let reference = unresolved.first { return .unresolved(reference) }
    return unknown.keys.sorted().first.map { .unknown($0) }
  }
}
