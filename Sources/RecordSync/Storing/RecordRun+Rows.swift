import SyncDatabase
import SyncEngine
import SyncText

extension RecordRun {
  func identity(of key: RecordKey) -> RecordKey {
    KeyIdentity(schema.tables[table]).identity(of: key)
  }

  /// Deletes the rows of these keys that are in scope, as far as the database allows it.
  func remove(_ keys: Set<RecordKey>) throws -> RecordReport {
    try schema.requireMark(in: table)
    return try connection.transaction {
      try connection.execute("PRAGMA defer_foreign_keys = ON")
      let keeper = try VersionKeeper(schema, on: connection)
      let task = PassTask(operations: [.delete]) { _ in
        try Task.checkCancellation()
      }
      let pass = try RecordPass(connection, schema, task)
      let rows = try rowsInScope(pass).filter { keys.contains(identity(of: $0.key)) }
      if let links = scope.links {
        pass.top = TopRows()
        try pass.linkTop(links, of: table, unlinking: rows)
      } else {
        pass.notes.removals.add(rows, to: .top(table))
        try pass.finish(.unlimited)
      }
      try pass.finder.search.end()
      try keeper?.keep()
      return RecordReport(of: pass.notes.report)
    }
  }

  /// Links the rows that the payload names to the parent, and puts them into its order.
  func settleTop(_ pass: RecordPass) throws {
    if let links = scope.links {
      try pass.linkTop(links, of: table, unlinking: try rowsInScope(pass))
    }
    try pass.orderTop(table, within: scope.condition(pass.finder.tables[table]))
  }

  /// What the payload doesn't name of what it speaks of is to go.
  func noteScope(_ pass: RecordPass) throws {
    let deletes = pass.operations.contains(.delete)
    guard deletes || notes != nil else { return }
    let identity = KeyIdentity(pass.schema.tables[table])
    var (unnamed, named): ([KeyedRow], Int) = ([], 0)
    notes?.held = []
    let isNumbered = notes == nil && pass.schema.tables[table].rowNumber != nil
    // Most rows are named; of these only their number is of interest.
    func isNamed(_ row: borrowing Row) throws -> Bool {
      guard isNumbered, pass.notes.seen[table].contains(try row.integer(0)) else { return false }
      named += 1
      return true
    }
    if notes == nil, options.scope == nil, let count = pass.countIfAllAreNamed() {
      named = count
    } else {
      try forEachRowInScope(pass, unless: isNamed) { row in
        notes?.held.append(identity.identity(of: row.key))
        if pass.notes.seen[table].contains(row.address) { named += 1 } else { unnamed.append(row) }
      }
    }
    guard deletes else { return }
    if let doubt = pass.doubt, !unnamed.isEmpty { throw doubt }
    guard scope.links == nil else { return }
    pass.notes.removals.add(unnamed, besides: named, to: .top(table))
  }

  /// The rows of which the payload speaks, in the order of their addresses.
  func rowsInScope(_ pass: RecordPass) throws -> [KeyedRow] {
    var rows: [KeyedRow] = []
    try forEachRowInScope(pass) { rows.append($0) }
    return rows
  }

  /// Hands over the rows of which the payload speaks, in the order of their addresses.
  ///
  /// - Parameter isLeftOut: Of which rows nothing is handed over.
  func forEachRowInScope(
    _ pass: RecordPass, unless isLeftOut: (borrowing Row) throws -> Bool = { _ in false },
    _ body: (KeyedRow) throws -> Void
  ) throws {
    let access = pass.finder.tables[table]
    var count = 0
    try connection.explainingCondition(isThere: options.scope?.condition != nil) {
      try connection.query(access.keys(where: scope.condition(access))) { row in
        count += 1
        if count.isMultiple(of: 1_000) { try Task.checkCancellation() }
        if try !isLeftOut(row) { try body(try KeyedRow(row, access)) }
      }
    }
  }
}

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
      let given = scope.given(at: pass.notes.elementsBefore + index)
      _ = scratch.readTop(element, in: window.tape, as: table, given: given)
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

/// What may be an error of a service, and no row.
extension RecordRun {
  /// Whether an element's row was there before the payload named it.
  func wasThere(_ index: Int, of window: PayloadWindow, _ pass: RecordPass) throws -> Bool {
    let row = try pass.schema.row(
      of: index, of: window, in: table, given: scope.given, on: connection)
    return row.map { !pass.notes.seen[table].contains($0.address) } ?? false
  }

  /// An object that stands alone is never all there is: it is put, and nothing is deleted.
  func putAlone(
    _ window: PayloadWindow, _ builder: inout DraftBuilder, _ pass: RecordPass
  ) throws {
    guard !window.elements.isEmpty else {
      pass.keepRows()
      builder = DraftBuilder(pass.schema, operations: pass.operations)
      return
    }
    if !isLookedAt {
      try LoneObject(window: window).require(
        in: pass.schema, table, named: schema.tables[table].name
      ) { try wasThere(0, of: window, pass) }
    }
    pass.isPutAlone = true
    pass.keepRows()
    builder = DraftBuilder(pass.schema, operations: pass.operations)
  }
}

/// What a run notes besides its report, by the rows' keys as the table tells them apart.
final class RunNotes {
  /// Rows that the payload names, at its top level, in its order; each once.
  private(set) var named: [RecordKey] = []
  private var isNamed: Set<RecordKey> = []
  /// Rows in scope that were there.
  var held: [RecordKey] = []
  /// Rows that the payload names, and that stay as they are all the same.
  let leftOut: Set<RecordKey>

  init(leavingOut leftOut: Set<RecordKey> = []) {
    self.leftOut = leftOut
  }

  func begin() { (named, isNamed, held) = ([], [], []) }

  func name(_ key: RecordKey) {
    if isNamed.insert(key).inserted { named.append(key) }
  }
}

final class ProgressTeller {
  private let onProgress: (@Sendable (RecordProgress) -> Void)?
  private var progress = RecordProgress(stage: .rows)

  init(_ onProgress: (@Sendable (RecordProgress) -> Void)?) {
    self.onProgress = onProgress
  }

  func enter(_ stage: RecordProgress.Stage) {
    progress.stage = stage
    onProgress?(progress)
  }

  func tell(of rows: Int) {
    guard rows > 0 else { return }
    progress.rows += rows
    onProgress?(progress)
  }
}
