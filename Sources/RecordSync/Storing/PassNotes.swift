import SyncDatabase

/// What a pass has noted: which rows the payload names, what was done with them, and which it
/// doesn't name where it was to name all.
final class PassNotes {
  let schema: RecordSchema
  /// The rows that the payload names, by table.
  var seen: [SeenRows]
  /// Those that it names by objects, by table.
  var named: [NamedRows]
  var report: ReportBuilder
  var removals = Removals()
  /// What was written, and of what different things were said.
  var entanglement: Entanglement
  /// By table: the columns by which its rows hang on others that list them.
  let childLinks: [Set<Int>]
  /// Windows of which a row has to be tried once more.
  var waiting: [WindowRows] = []
  /// Where in the payload the row stands that is being written.
  var moment = ReportBuilder.Moment(element: 0, row: 0)
  /// How many elements of the payload stand before the window.
  var elementsBefore = 0
  /// Called with the number of rows since the last call, at the latest after a thousand.
  private let progress: (Int) throws -> Void
  private var unreported = 0
  /// Rows that were looked at, and come once more.
  private var counted = 0

  init(_ schema: RecordSchema, _ task: PassTask) {
    self.schema = schema
    progress = task.progress
    childLinks = schema.childLinks()
    entanglement = Entanglement(
      standsApart: schema.standingApart(under: task.table), hasAside: task.hasAside)
    seen = Array(repeating: SeenRows(), count: schema.tables.count)
    named = Array(repeating: NamedRows(), count: schema.tables.count)
    report = ReportBuilder(schema)
  }

  /// Notes a row of a table with row numbers that an object names.
  func noteNamed(_ row: Int64, in table: Int) {
    seen[table].insert(row)
    named[table].insert(row)
  }

  /// Notes the rows that the objects of a window name.
  func noteNamed(_ window: WindowRows) {
    for (place, row) in window.draft.rows.enumerated() {
      guard let identity = row.identity else { continue }
      named[row.table].insert(window.found(place)?.address, identity)
    }
  }

  /// Tells how many objects named rows that others had named in another window.
  func tellOfRepeated() {
    for (table, named) in named.enumerated() {
      let count = named.countRepeated()
      if count > 0 { report.nameAgain(count, in: table) }
    }
  }

  // MARK: - Progress

  /// Counts a row, unless it was counted when it was looked at.
  func countRow() throws {
    guard counted == 0 else { return counted -= 1 }
    try countLooks(1)
  }

  func countLooks(_ count: Int) throws {
    unreported += count
    if unreported >= 1_000 { try countRest() }
  }

  /// So many rows that were looked at come once more.
  func expectAgain(_ rows: Int) { counted += rows }

  /// Tells of the rows that weren't told of.
  func countRest() throws {
    try progress(unreported)
    unreported = 0
  }
}
