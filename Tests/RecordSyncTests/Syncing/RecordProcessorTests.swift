import Foundation
import OneWaySynchronizer
@testable import RecordSync
import SyncLock
import SynchronizerTesting
import TestSupport
import XCTest

/// A table that is kept equal to a source by a synchronizer.
final class RecordProcessorTests: XCTestCase {
  func testItKeepsTheProcessorContract() async throws {
    var options = SyncOptions(concurrency: 2, removal: .afterDownloads)
    let result = await ProcessorContract.check(options: options) { try NotesFixture() }
    XCTAssertTrue(result.violations.isEmpty, result.description)
    // The source is read as a whole: nothing happens to it in the middle of an item.
    XCTAssertEqual(Set(result.notChecked.keys), [.interruptedDownload, .failedItem])

    options.removal = .beforeDownloads
    let early = await ProcessorContract.check([.removedItem, .repeatedPass], options: options) {
      try NotesFixture()
    }
    XCTAssertEqual(early.description, "The contract is kept.")
  }

  private let schema = """
    users: name TEXT; pets: name TEXT, user_id -> users(id);
    users = (1, 'Ann'), (2, 'Ben'), (3, 'Cid'); pets = (1, 'Rex', 1)
    """

  private func synchronizer(
    _ database: TestDatabase, _ text: String, _ change: (inout RecordOptions) -> Void = { _ in }
  ) async throws -> (RecordProcessor, Synchronizer<RecordProcessor>) {
    var options = RecordOptions()
    change(&options)
    let processor = RecordProcessor(
      try await RecordStore(path: database.path), table: "users", options: options,
      source: .text(text))
    return (processor, Synchronizer(processor: processor, options: processor.syncOptions))
  }

  func testAPassIsCountedAndWrittenWithAllThatHangsOnItsRows() async throws {
    let database = try TestDatabase(schema)
    let (processor, synchronizer) = try await synchronizer(
      database,
      """
      [{"id": 1, "name": "Ann", "pets": [{"id": 2, "name": "Tom"}]}, {"id": 2, "name": "Bea"},
       {"id": 4, "name": "Dan"}]
      """)
    let counts = try await synchronizer.sync().passes[0].counts
    XCTAssertEqual(counts.listed, 3)
    XCTAssertEqual(counts.updated, 1)
    XCTAssertEqual(counts.downloaded, 2)
    XCTAssertEqual(counts.removed, 1)
    XCTAssertEqual(try database.table("users"), ["1|Ann", "2|Bea", "4|Dan"])
    XCTAssertEqual(try database.table("pets"), ["2|Tom|1"])
    XCTAssertEqual(processor.lastReport?.tables["pets"]?.deleted, [RecordKey([.integer(1)])])
    let again = try await synchronizer.sync().passes[0].counts
    XCTAssertEqual([again.updated, again.downloaded, again.removed], [0, 0, 0])
    XCTAssertEqual(processor.lastReport?.status, .unchanged)
  }

  func testRootsThatLoseTheirParentAreCountedAmongTheRemoved() async throws {
    for removal in [SyncOptions.Removal.afterDownloads, .beforeDownloads] {
      let database = try TestDatabase(
        "users: user_id -> users ON DELETE SET NULL; users = (1, NULL), (2, 1), (3, 2)")
      let (processor, _) = try await synchronizer(database, #"[{"id": 1, "users": null}]"#)
      var options = processor.syncOptions
      (options.removal, options.removalLimit) = (removal, .unlimited)
      let synchronizer = Synchronizer(processor: processor, options: options)
      try await assertEqual(synchronizer.sync().passes[0].counts.removed, 2)
      XCTAssertEqual(try database.table("users"), ["1|NULL"])
      try await assertEqual(synchronizer.sync().passes[0].counts.removed, 0)
      XCTAssertEqual(processor.lastReport?.status, .unchanged)
    }
  }

  func testAChangeBelowAloneIsWrittenToo() async throws {
    let database = try TestDatabase(schema)
    let (processor, synchronizer) = try await synchronizer(
      database, #"[{"id": 1, "pets": [{"id": 1, "name": "Max"}]}, {"id": 2}, {"id": 3}]"#)
    try await synchronizer.sync()
    XCTAssertEqual(try database.table("pets"), ["1|Max|1"])
    XCTAssertEqual(processor.lastReport?.status, .written)
  }

  func testAPlanWritesNothing() async throws {
    let database = try TestDatabase(schema)
    let (_, synchronizer) = try await synchronizer(database, #"[{"id": 1, "name": "Zoe"}]"#)
    _ = try await synchronizer.plan()
    XCTAssertEqual(try database.table("users"), ["1|Ann", "2|Ben", "3|Cid"])
  }

  func testTooManyRemovalsAreRefusedByTheEngine() async throws {
    let database = try TestDatabase(schema)
    let (_, synchronizer) = try await synchronizer(database, #"[{"id": 1, "name": "Zoe"}]"#) {
      $0.removalLimit = .count(1)
    }
    await assertThrows(try await synchronizer.sync()) { error in
      let code = (error as? SyncError<RecordKey>)?.code
      XCTAssertEqual(code, .removalRefused(count: 2, of: 3))
    }
    XCTAssertEqual(try database.table("users"), ["1|Ann", "2|Ben", "3|Cid"])
  }

  func testARowIsMarkedOnceAndItsVersionsAreKept() async throws {
    let database = try TestDatabase(
      "users: name TEXT, gone INTEGER; users = (1, 'A', NULL), (2, 'B', NULL)")
    var options = StoreOptions()
    (options.overrides.deletedAt, options.overrides.keepsHistory) = ("gone", true)
    let processor = RecordProcessor(
      try await RecordStore(.file(database.path), options: options), table: "users",
      source: .text(#"[{"id": 1, "name": "Z"}]"#))
    let synchronizer = Synchronizer(processor: processor, options: processor.syncOptions)
    for removed in [1, 0] {
      try await assertEqual(synchronizer.sync().passes[0].counts.removed, removed)
    }
    XCTAssertEqual(
      try database.rows("SELECT id, name, gone IS NULL FROM users"), ["1|Z|1", "2|B|0"])
    XCTAssertEqual(
      try database.rows(
        """
        SELECT id, name, history_run IS NULL, history_end_run IS NULL FROM users_history
        ORDER BY id, history_run
        """), ["1|A|1|0", "1|Z|0|1", "2|B|1|0", "2|B|0|1"])
  }

  func testARowThatIsNamedOnlyBelowStays() async throws {
    let database = try TestDatabase(
      "users: name TEXT, boss_id INTEGER, other TEXT; teams: user_id -> users(id)",
      "users = (1, 'Ann', NULL, ''), (2, 'Ben', NULL, ''); teams = (7, 2)")
    let (_, synchronizer) = try await synchronizer(
      database, #"[{"id": 1, "teams": [{"id": 8, "user": {"id": 2}}]}]"#)
    try await assertEqual(synchronizer.sync().passes[0].counts.removed, 0)
    XCTAssertEqual(try database.rows("SELECT id FROM users ORDER BY id"), ["1", "2"])
  }

  func testRowsThatTheDatabaseRefusesFailAlone() async throws {
    let database = try TestDatabase("users: name TEXT NOT NULL")
    let (_, synchronizer) = try await synchronizer(
      database, #"[{"id": 1, "name": "Ann"}, {"id": 2, "name": null}]"#)
    await assertThrows(try await synchronizer.sync()) { error in
      let report = (error as? SyncError<RecordKey>)?.report
      XCTAssertEqual(report?.failures.map(\.key), [RecordKey([.integer(2)])])
    }
    XCTAssertEqual(try database.table("users"), ["1|Ann"])
  }

  func testThoseWhoAskDuringAPassShareTheNextOne() async throws {
    let database = try TestDatabase(schema)
    let passes = Locked(0)
    let store = try await RecordStore(path: database.path)
    let gate = Gate()
    let processor = RecordProcessor(store, table: "users") {
      let pass = passes.withLock { passes in
        passes += 1
        return passes
      }
      if pass == 1 { try await gate.wait() }
      return .text(#"[{"id": 1, "name": "\#(pass)"}]"#)
    }
    let synchronizer = Synchronizer(processor: processor, options: processor.syncOptions)
    async let first = synchronizer.sync()
    try await gate.waiters(atLeast: 1)
    for _ in 0..<5 { synchronizer.requestSync() }
    gate.open()
    _ = try await first
    try await synchronizer.sync()
    let count = passes.withLock { $0 }
    XCTAssertLessThanOrEqual(count, 3, "six have asked since")
    XCTAssertEqual(try database.table("users"), ["1|\(count)"])
  }
}

/// Notes with texts, from a source that is one text of JSON.
private struct NotesFixture: ProcessorFixture {
  let database: TestDatabase
  let source = Locked("[]")
  let interception = Locked<SourceInterception<RecordKey>?>(nil)

  init() throws {
    database = try TestDatabase("CREATE TABLE notes (id TEXT PRIMARY KEY, body TEXT) WITHOUT ROWID")
  }

  var plainKeys: [RecordKey] { ["a", "b", "c", "d", "e"].map { RecordKey([.text($0)]) } }

  var oddKeys: [RecordKey] {
    [
      "with space", " a", "", "a/b", "quote'\"", "UPPER", "upper", "\u{E9}", "e\u{301}", "日本語",
      "null",
    ].map { RecordKey([.text($0)]) }
  }

  func makeProcessor() async throws -> RecordProcessor {
    let store = try await RecordStore(path: database.path)
    return RecordProcessor(store, table: "notes") { [source, interception] in
      if let interception = interception.withLock({ $0 }), interception.moment == .list {
        try await interception.action()
      }
      return .text(source.withLock { $0 })
    }
  }

  func setSource(_ contents: [RecordKey: String]) throws {
    let notes = contents.map { ["id": $0.key.text ?? "", "body": $0.value] }
    let text = String(decoding: try JSONEncoder().encode(notes), as: UTF8.self)
    source.withLock { $0 = text }
  }

  func localState() throws -> [RecordKey: String] {
    var held: [RecordKey: String] = [:]
    for row in try database.rows("SELECT hex(id), body FROM notes") {
      let parts = row.split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false)
      let bytes = stride(from: 0, to: parts[0].count, by: 2).compactMap {
        UInt8(parts[0].dropFirst($0).prefix(2), radix: 16)
      }
      held[RecordKey([.text(String(decoding: bytes, as: UTF8.self))])] = String(parts[1])
    }
    return held
  }

  func setInterception(_ interception: SourceInterception<RecordKey>?) -> Bool {
    self.interception.withLock { $0 = interception }
    return true
  }
}
