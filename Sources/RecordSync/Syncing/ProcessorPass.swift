import SyncDatabase

/// What a pass of a processor knows: which rows the payload names, what differs, and what has
/// arrived. Rows by their keys, as the table tells them apart.
struct ProcessorPass: Sendable, Equatable {
  /// Rows that the payload names, in its order.
  private(set) var named: [RecordKey] = []
  /// Rows that are there, and that the payload names or that are to go.
  private(set) var held: Set<RecordKey> = []
  /// Rows whose own columns differ.
  private(set) var changed: Set<RecordKey> = []
  /// Items that are to come.
  private(set) var awaited: Set<RecordKey> = []
  /// Items that came.
  private(set) var arrived: Set<RecordKey> = []
  private(set) var report: RecordReport?
  var isWritten = false
  /// Whether it couldn't be written.
  var hasFailed = false

  /// A pass that knows nothing yet.
  init() {}

  /// Finds out what a payload means, by a run that only plans.
  init(_ run: RecordRun, of payload: LoadedPayload, table: String) throws {
    var run = run
    let notes = RunNotes()
    run.notes = notes
    let report = try run.sync(payload)
    let own = report.tables[table]
    // What the run would insert was there when it looked.
    let known = Set(notes.named).subtracting((own?.inserted ?? []).map(run.identity))
      .union((own?.deleted ?? []).map(run.identity))
    named = notes.named
    held = Set(notes.held.filter { known.contains($0) })
    let changes = (own?.updated ?? []).map(\.key) + (own?.moved ?? [])
    changed = Set(changes.map(run.identity))
    self.report = report
  }

  /// Whether anything is to be written.
  var hasChanges: Bool { report?.hasChanges ?? true }

  /// Whether the payload is no complete list, whatever it was taken for.
  var isPartialList: Bool { report?.remarks.contains(where: \.isOfPart) ?? false }

  /// Items that are awaited and haven't come.
  var missing: Set<RecordKey> { awaited.subtracting(arrived) }

  mutating func await(_ keys: [RecordKey]) {
    (awaited, arrived) = (Set(keys), [])
  }

  /// Takes an item; answers whether it was the last one.
  mutating func arrived(_ key: RecordKey) -> Bool {
    arrived.insert(key)
    return arrived.count == awaited.count
  }

  /// The items that the database refused.
  func failures(in report: RecordReport, of table: String) -> [RecordKey: any Error] {
    var failures: [RecordKey: any Error] = [:]
    for row in report.tables[table]?.refused ?? [] {
      guard let key = row.key, awaited.contains(key) else { continue }
      failures[key] = RecordError.strict(table: table, .refused(row))
    }
    return failures
  }
}
