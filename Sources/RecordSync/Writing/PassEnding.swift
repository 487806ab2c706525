import SyncDatabase
import SyncEngine

/// Ends a pass: writes what needs later rows or values that others hold; deletes what isn't named.
final class PassEnding {
  let finder: RowFinder
  let notes: PassNotes
  let linker: RowLinker
  private let deleter: RowDeleter
  private let remembered: RememberedReferences?
  private let task: PassTask
  /// How many rows hold values for a moment that nobody has.
  var parked = 0

  init(_ linker: RowLinker, _ remembered: RememberedReferences?, _ task: PassTask) {
    self.linker = linker
    self.remembered = remembered
    self.task = task
    (finder, notes) = (linker.finder, linker.notes)
    let scope = task.table.flatMap { table in task.scope.map { (table, $0) } }
    deleter = RowDeleter(finder, notes, within: scope)
  }

  /// Does what had to wait: deletes what isn't named, tries rows again whose needs may be met now,
  /// and tells of those that can't be written.
  ///
  /// - Parameters:
  ///   - rule: How many rows may go.
  ///   - doubt: Why no row of the table that is synced may go for not being named.
  func finish(_ rule: RemovalLimit, _ doubt: PayloadProblem?) throws {
    try settleWaiting()
    try removeUnnamed(rule, doubt)
    try settleWaiting()
    try settleConflicts(rule, doubt)
    try settleWaiting()
    // What was settled last may have named the last of its children.
    try removeUnnamed(rule, doubt)
    try tellOfWaiting()
    try remembered?.settle()
    try notes.counter.tellRest()
  }

  /// Unlinks and deletes what isn't named, and then what comes into the scope by that.
  private func removeUnnamed(_ rule: RemovalLimit, _ doubt: PayloadProblem?) throws {
    finder.references.forget()
    try deleter.unlink()
    _ = try noteFreed(doubt)
    repeat {
      try deleter.requireLimit(rule)
      try deleter.delete(mergingTwinsOf: mayDeleteTwins)
    } while try noteFreed(doubt)
  }

  /// Whether more is to go, of what hangs on nothing any more.
  private func noteFreed(_ doubt: PayloadProblem?) throws -> Bool {
    guard linker.operations.contains(.delete) else { return false }
    let freed = try deleter.noteFreed()
    if let doubt, !freed.isEmpty { throw doubt }
    notes.freed += freed
    return !freed.isEmpty
  }

  /// Tries notes.waiting rows again until none gets further.
  private func settleWaiting() throws {
    var isMoving = true
    while isMoving, !notes.waiting.isEmpty {
      isMoving = false
      for window in notes.waiting {
        let before = window.waiting.count
        // An object without a key that is in the database can't be found again.
        let places = window.waiting.filter {
          window.draft.rows[$0].key != nil || !window.rows[$0].isNew
        }
        for place in places { window.rows[place].reopen() }
        for place in places { try linker.settle(place, in: window) }
        try linker.takeBackLinksAhead(in: window)
        isMoving = isMoving || window.waiting.count < before
      }
      notes.waiting.removeAll { $0.waiting.isEmpty }
    }
  }

  /// Rows that share a key are made one only where rows of the table may be deleted at all, and
  /// never where the payload speaks of some of its rows only.
  private func mayDeleteTwins(of table: Int) -> Bool {
    table == task.table
      ? linker.operations.contains(.delete) && !task.isScoped
      : linker.operations.contains(.deleteRelations)
  }

  private func tellOfWaiting() throws {
    for window in notes.waiting {
      for (row, progress) in zip(window.draft.rows, window.rows) {
        switch progress.wait {
        case nil: break
        case .unresolved(let references): notes.report[row.table].unresolved += references
        case .refused(let error):
          let isHeld = try error.isOfUniqueness && finder.isHeldByGone(row)
          notes.report.refuse(
            row.key, error.message + (isHeld ? Self.heldByGone : ""), in: row.table)
        case .other(let reason): notes.report.refuse(row.key, reason, in: row.table)
        }
      }
    }
  }

  /// Writes rows that hold each other's values in UNIQUE columns: two that swap them, for one.
  ///
  /// The values that are to change are parked: replaced by ones that nobody has, for a moment and
  /// within a savepoint. Rows that are refused all the same are left out, and the others tried
  /// again.
  ///
  /// Once rows are written, it may be the turn of what hangs on them, which may do the same.
  private func settleConflicts(_ rule: RemovalLimit, _ doubt: PayloadProblem?) throws {
    while true {
      let conflicts = notes.waiting.flatMap { window in window.conflicts.map { (window, $0) } }
      guard !conflicts.isEmpty else { return }
      let refused = try settle(parking: conflicts)
      guard !refused.isEmpty else {
        notes.waiting.removeAll { $0.waiting.isEmpty }
        try removeUnnamed(rule, doubt)
        try settleWaiting()
        continue
      }
      for (window, place) in refused {
        let isHeld = try finder.isHeldByGone(window.draft.rows[place])
        window.rows[place].giveUp(
          "another row holds a value that only one may hold" + (isHeld ? Self.heldByGone : ""))
      }
    }
  }

  /// Gives those that were refused; then nothing was written.
  private func settle(
    parking conflicts: [(WindowRows, Int)]
  ) throws -> [(WindowRows, Int)] {
    let before = notes.waiting.map { ($0, $0.progress) }
    let (report, seen, removals) = (notes.report, notes.seen, notes.removals)
    let references = finder.references
    let refused = try finder.attempt(keeping: \.isEmpty) {
      for (window, place) in conflicts {
        try finder.freeFromGone(window.draft.rows[place])
        try park(window.draft.rows[place])
      }
      for (window, place) in conflicts { window.rows[place].reopen() }
      for (window, place) in conflicts { try linker.settle(place, in: window) }
      return conflicts.filter { $0.0.found($0.1) == nil }
    }
    guard !refused.isEmpty else { return [] }
    (notes.report, notes.seen, notes.removals) = (report, seen, removals)
    finder.references = references
    for (window, progress) in before { window.progress = progress }
    return refused
  }

  private static let heldByGone = ": a row that is marked as gone has it"

  private func park(_ row: DraftRow) throws {
    let table = finder.schema.tables[row.table]
    guard let key = row.key, let found = try linker.writer.look(for: key, in: row.table) else {
      return
    }
    let columns = Set(table.uniques.joined()).subtracting(table.key.columns).sorted()
    let edited = LocalEdits(found, table)
    let changed = columns.filter { column in
      guard !edited.protects(column), case .value(let value) = row.values[column]
      else { return false }
      return !table.columns[column].type.isSame(found.values[column], value)
    }
    guard !changed.isEmpty else { return }
    parked += 1
    let values = changed.map { Parking.value(for: table.columns[$0], number: parked) }
    let sql = finder.tables[row.table].update(changed)
    try finder.connection.run(sql, values: values + found.address)
  }
}

extension RowFinder {
  /// Whether a row that is marked as gone holds values of this one that only one may hold.
  fileprivate func isHeldByGone(_ row: DraftRow) throws -> Bool {
    let table = schema.tables[row.table]
    return try table.uniques.contains { try !gone(holding: $0, of: row).isEmpty }
  }

  /// Clears the link of rows that are marked as gone to what this one alone is to hang on.
  fileprivate func freeFromGone(_ row: DraftRow) throws {
    let table = schema.tables[row.table]
    for unique in table.uniques {
      guard unique.count == 1, let column = unique.first, !table.columns[column].isRequired,
        table.foreignKeys.contains(where: { $0.column == column }),
        !table.primaryKey.contains(column), !table.key.columns.contains(column)
      else { continue }
      for held in try gone(holding: unique, of: row) {
        try connection.run(tables[row.table].update(unique), values: [nil] + held.address)
      }
    }
  }

  /// The rows that are marked as gone and hold what this one is to have in these columns.
  private func gone(holding columns: [Int], of row: DraftRow) throws -> [FoundRow] {
    let table = schema.tables[row.table]
    guard let mark = table.mark else { return [] }
    let values = columns.compactMap { column -> StoredValue? in
      if case .value(let value) = row.values[column] { value } else { nil }
    }
    guard values.count == columns.count else { return [] }
    return try search.rows(where: columns, are: values, in: row.table).filter {
      $0.values[mark] != nil && KeyedRow($0, table).key != row.key
    }
  }
}

extension WindowRows {
  fileprivate var conflicts: [Int] {
    rows.indices.filter { place in
      if case .refused(let error) = rows[place].wait { error.isOfUniqueness } else { false }
    }
  }
}

enum Parking {
  static func value(for column: ColumnSchema, number: Int) -> StoredValue? {
    guard column.isRequired else { return nil }
    return switch column.type.affinity {
    case .integer, .numeric: .integer(Int64.min + Int64(number))
    case .real: .real(-Double.greatestFiniteMagnitude / Double(number))
    case .text: .text("\u{1}parked \(number)")
    case .blob: .blob(Array("\u{1}parked \(number)".utf8))
    }
  }
}

extension DatabaseError {
  /// Whether a row would hold what only one may.
  fileprivate var isOfUniqueness: Bool {
    // SQLITE_CONSTRAINT_UNIQUE, …_PRIMARYKEY and …_ROWID (sqlite.org, "Result and Error Codes").
    code == .constraint && [2067, 1555, 2579].contains(sqliteCode)
  }
}
