public import SyncEngine
import SyncLock

/// Keeps a table, and what hangs on it, equal to a source, as a processor of a `Synchronizer`: with
/// passes that are merged, requests, events, and a pass that can be cancelled.
///
/// ```swift
/// let processor = RecordProcessor(
///   store, table: "users", source: .url("https://example.org/users"))
/// let synchronizer = Synchronizer(processor: processor, options: processor.syncOptions)
/// try await synchronizer.sync()
/// ```
///
/// An item is a row of the table, with all that hangs on it. First the whole payload is read and
/// held against the rows, without writing; so it is known which rows are new, differ or are gone.
/// Then everything is written in one transaction, as the last item arrives: a pass that fails, is
/// stopped or is cancelled leaves the database as it was. An item that fails by itself stays as it
/// is with all that hangs on it, and the others are written.
///
/// Rows go in that transaction, too: give the synchronizer ``syncOptions``, or at least let it
/// remove after the downloads. Else rows are deleted in a transaction of their own, before the
/// others come.
///
/// What differs only in related rows is written with the rest, and isn't counted as an update.
public final class RecordProcessor: StoreSyncProcessor {
  /// A row of the table.
  public struct Item: SyncItem, Hashable {
    /// Its key, in the form in which the table tells keys apart.
    public let id: RecordKey
  }

  private let store: RecordStore
  private let table: String
  private let options: RecordOptions
  private let source: @Sendable () async throws -> RecordPayload
  private let state = Locked(State())
  /// What is known of the source before it is asked.
  private let removalLimit: RemovalLimit

  fileprivate struct State: Sendable {
    var pass = ProcessorPass()
    var payload: LoadedPayload?
    var kind = PassKind.sync
    var report: RecordReport?
  }

  /// A processor of one table.
  ///
  /// - Parameters:
  ///   - store: The database.
  ///   - table: The table's name.
  ///   - options: What may be done, and to which rows. Without deletion, the source speaks only of
  ///     the rows that it names. ``RecordOptions/isPlan`` is without effect: `plan()` of the
  ///     synchronizer is the way.
  ///   - source: Gives the payload, anew for each pass.
  public convenience init(
    _ store: RecordStore, table: String, options: RecordOptions = RecordOptions(),
    from source: @escaping @Sendable () async throws -> RecordPayload
  ) {
    self.init(store, table, options, .unlimited, source)
  }

  /// A processor of one table that is kept equal to a file or an address.
  public convenience init(
    _ store: RecordStore, table: String, options: RecordOptions = RecordOptions(),
    source: RecordPayload
  ) {
    self.init(store, table, options, source.removalLimit, { source })
  }

  private init(
    _ store: RecordStore, _ table: String, _ options: RecordOptions, _ limit: RemovalLimit,
    _ source: @escaping @Sendable () async throws -> RecordPayload
  ) {
    self.store = store
    self.table = table
    self.source = source
    self.options = options
    removalLimit = options.removalLimit ?? limit
  }

  /// What a synchronizer is to be given: rows go late, and no more of them than the options allow.
  public var syncOptions: SyncOptions {
    SyncOptions(removal: .afterDownloads, removalLimit: removalLimit)
  }

  /// What the last pass that wrote something, or had nothing to write, did.
  public var lastReport: RecordReport? { state.withLock { $0.report } }

  /// Forgets the pass before.
  public func syncWillBegin(_ kind: PassKind) {
    state.withLock { ($0.pass, $0.payload, $0.kind) = (ProcessorPass(), nil, kind) }
  }

  /// Reads the payload and finds out what it means for the rows.
  public func fetchSourceList() async throws -> SourceList<Item> {
    let source = try await store.askingForNew(try await source(), for: table, options)
    guard let payload = try await load(source) else { return .unchanged }
    var survey = options
    (survey.isPlan, survey.removalLimit, survey.recordsUndo) = (true, .unlimited, false)
    // What nobody may write to can be planned all the same.
    let copy = state.withLock({ $0.kind }) == .sync ? nil : try await store.copyForPlan()
    let found = try await (copy ?? store).withRun(over: table, survey) { [table] run in
      try ProcessorPass(run, of: payload, table: table)
    }
    state.withLock { ($0.pass, $0.payload) = (found, payload) }
    let items = found.named.map { Item(id: $0) }
    let isWhole = options.operations.contains(.delete) && !found.isPartialList
    return isWhole ? .complete(items) : .partial(items)
  }

  /// The rows in scope, but for those that aren't named and stay all the same.
  public func localKeys() -> Set<RecordKey> { state.withLock { $0.pass.held } }

  /// Nothing, where they went with the rest; else they go now.
  public func removeLocalItems(_ keys: Set<RecordKey>) async throws {
    let left = state.withLock { $0.pass.isWritten ? [] : keys }
    guard !left.isEmpty else { return }
    _ = try await store.write(over: table, options) { try $0.remove(left) }
  }

  /// Those whose own columns differ.
  public func itemsToUpdate(among items: [Item]) -> [Item] {
    let changed = state.withLock { $0.pass.changed }
    return items.filter { changed.contains($0.id) }
  }

  /// Notes what is awaited.
  public func prepareDownload(of items: [Item]) -> [Item] {
    state.withLock { $0.pass.await(items.map(\.id)) }
    return items
  }

  /// Writes everything, once the last item has arrived.
  public func downloadContent(of item: Item) async throws {
    try Task.checkCancellation()
    let isLast = state.withLock { $0.pass.arrived(item.id) }
    guard isLast else { return }
    do {
      try await write()
    } catch {
      state.withLock { $0.pass.hasFailed = true }
      throw error
    }
  }

  /// What can't be written for the last item can't be written for any.
  public func endsPass(_ error: any Error) -> Bool { state.withLock { $0.pass.hasFailed } }

  /// Writes what isn't written yet, unless the pass was cut short.
  public func commitDownloads(
    after ending: DownloadsEnding
  ) async throws -> [RecordKey: any Error] {
    let isWritten = state.withLock { $0.pass.isWritten }
    guard ending == .tried || isWritten else {
      let arrived = state.withLock { $0.pass.arrived }
      return Dictionary(uniqueKeysWithValues: arrived.map { ($0, CancellationError()) })
    }
    if !isWritten { try await write() }
    return state.withLock { state in
      state.report.map { state.pass.failures(in: $0, of: table) } ?? [:]
    }
  }

  /// Lets go of the payload.
  public func syncDidEnd(_ report: PassReport<RecordKey>) {
    state.withLock { ($0.pass, $0.payload) = (ProcessorPass(), nil) }
  }

  /// A plan tells what would be done, and leaves no trace.
  private func load(_ source: RecordPayload) async throws -> LoadedPayload? {
    guard state.withLock({ $0.kind }) == .sync else {
      return try await source.load(options.onProgress, deletes: options.operations.deletes)
    }
    return try await store.load(source, for: table, options)
  }

  private func write() async throws {
    let (pass, payload) = state.withLock { ($0.pass, $0.payload) }
    guard let payload else { return }
    guard pass.hasChanges else {
      var report = pass.report
      report?.status = .unchanged
      return state.withLock { [report] in $0.noteWritten(report) }
    }
    var options = options
    options.isPlan = false
    let report = try await store.write(over: table, options) { run in
      var run = run
      if !pass.missing.isEmpty { run.notes = RunNotes(leavingOut: pass.missing) }
      return try run.sync(payload)
    }
    state.withLock { $0.noteWritten(report) }
  }
}

extension RecordProcessor.State {
  fileprivate mutating func noteWritten(_ report: RecordReport?) {
    pass.isWritten = true
    self.report = report
  }
}

/// What a pass of a processor knows: which rows the payload names, what differs, and what has
/// arrived. Rows by their keys, as the table tells them apart.
struct ProcessorPass: Sendable, Equatable {
  /// Rows that the payload names, in its order.
  private(set) var named: [RecordKey] = []
  /// Rows that are there, and that the payload names or that are to go.
  private(set) var held: Set<RecordKey> = []
  private(set) var changed: Set<RecordKey> = []
  private(set) var awaited: Set<RecordKey> = []
  private(set) var arrived: Set<RecordKey> = []
  private(set) var report: RecordReport?
  var isWritten = false
  /// Whether it couldn't be written.
  var hasFailed = false

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

  var hasChanges: Bool { report?.hasChanges ?? true }

  /// Whether the payload is no complete list, whatever it was taken for.
  var isPartialList: Bool { report?.remarks.contains(where: \.isOfPart) ?? false }

  var missing: Set<RecordKey> { awaited.subtracting(arrived) }

  mutating func await(_ keys: [RecordKey]) {
    (awaited, arrived) = (Set(keys), [])
  }

  mutating func arrived(_ key: RecordKey) -> Bool {
    arrived.insert(key)
    return arrived.count == awaited.count
  }

  func failures(in report: RecordReport, of table: String) -> [RecordKey: any Error] {
    var failures: [RecordKey: any Error] = [:]
    for row in report.tables[table]?.refused ?? [] {
      guard let key = row.key, awaited.contains(key) else { continue }
      failures[key] = RecordError.strict(table: table, .refused(row))
    }
    return failures
  }
}
