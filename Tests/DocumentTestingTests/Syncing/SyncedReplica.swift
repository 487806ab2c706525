import SyncLock
import DocumentTesting
import SyncDatabase

@testable import DocumentSync

/// A replica over a server in memory, with a store in memory, by a clock that only the test moves.
final class SyncedReplica: Sendable {
  /// Where it takes its time from: waits move it on, and nothing else but the test.
  final class Time: Sendable {
    private let state: Locked<Int64>

    init(_ start: Int64 = 1_700_000_000_000) { state = Locked(start) }

    var now: Int64 { state.withLock { $0 } }

    func advance(by length: Duration) { state.withLock { $0 += length.milliseconds } }
  }

  /// How it is set up.
  struct Setting {
    var collections = [SyncedCollection("notes")]
    var removals = RemovalRule.careful
    var deciders = SyncDeciders()
    var concurrency = 1
    /// By how much its clock is ahead.
    var skew = Duration.zero
    /// What its numbers come from.
    var place = ReplicaStorePlace.memory
  }

  let store: DocumentStore
  let syncer: DocumentSyncer
  let place: SyncPlace
  let time: Time

  init(
    _ endpoint: any DocumentEndpoint, _ time: Time, _ setting: Setting = Setting()
  ) async throws {
    let clock: @Sendable () -> Int64 = { [skew = setting.skew.milliseconds] in time.now + skew }
    var options = DocumentStoreOptions()
    options.synchronous = .off
    options.clock = clock
    var place = SyncPlace(
      server: "https://reference.example", account: "", collections: setting.collections)
    (place.removals, place.concurrency) = (setting.removals, setting.concurrency)
    place.deciders = setting.deciders
    place.keyless = Set(setting.collections.map(\.name).filter { endpoint.makesKeys(in: $0) })
    place.written = { endpoint.reference(to: $0, $1, in: $2) }
    store = try await DocumentStore(setting.place, options: options)
    self.place = place
    self.time = time
    let seams = SessionSeams(now: clock, sleep: { time.advance(by: $0) }, random: { 0.5 })
    syncer = DocumentSyncer(DocumentProcessor(store, endpoint, place, seams: seams))
  }

  func scope(_ collection: String = "notes") -> DocumentScope {
    DocumentScope(server: place.server, account: place.account, collection: collection)
  }

  /// Who decides in the collection.
  var rules: MeetingRules { place.rules(of: "notes", SyncWishes()) }

  @discardableResult
  func save(
    _ id: DocumentID, _ content: DocumentValue, in collection: String = "notes",
    after: Set<DocumentID> = [], stamps: Bool = false
  ) async throws -> Bool {
    var edit = DocumentEdit(id, in: scope(collection), content)
    (edit.after, edit.stamps) = (after, stamps)
    edit.keys = place.keys(of: collection)
    return try await store.edit { [edit] in try $0.save(edit) }
  }

  func delete(_ id: DocumentID) async throws { _ = try await store.edit { try $0.delete(id) } }

  func get(_ id: DocumentID) async throws -> DocumentValue? {
    try await store.read { try $0.document(id) }
  }

  func status(_ id: DocumentID) async throws -> DocumentStatus? {
    try await store.read { try $0.status(of: id) }
  }

  func counts() async throws -> StoreCounts { try await store.read { try $0.counts() } }

  @discardableResult
  func sync(_ wishes: SyncWishes = SyncWishes()) async throws -> DocumentReport {
    try await syncer.sync(wishes)
  }

  /// Syncs; whatever keeps it from that is told in the report.
  @discardableResult
  func trySync(_ wishes: SyncWishes = SyncWishes()) async throws -> DocumentReport {
    do {
      return try await syncer.sync(wishes)
    } catch let failure as DocumentSyncFailure {
      return failure.report
    }
  }
}
