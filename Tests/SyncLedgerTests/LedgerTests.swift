import Foundation
import SyncDatabase
import SyncLedger
import SyncText
import XCTest

/// What a processor of any kind remembers, in a database that has tables of its own.
final class LedgerTests: XCTestCase {
  private struct Page: PageRemembered {
    var url: String
    var next: String?
  }

  func testTheLedgersTablesStandBesideTheProcessorsOwn() throws {
    let path = try temporaryPath()
    for _ in 1...2 {
      let connection = try Connection(path: path, migrations: Ledger.migrations + [Self.own])
      XCTAssertEqual(
        try connection.appliedMigrations(), Ledger.migrations.map(\.name) + [Self.own.name])
      XCTAssertEqual(try Ledger(connection).failureCount(), 0)
      try connection.run("INSERT INTO own VALUES (1)")
    }
  }

  func testRunsAreToldNewestFirstAndOnlyTheLastThousandAreKept() throws {
    let ledger = try emptyLedger()
    let runs = (0..<1_003).map { Self.run(Int64($0)) }
    try ledger.connection.transaction { for run in runs { try ledger.recordRun(run) } }
    XCTAssertEqual(try ledger.recentRuns(limit: 2), [runs[1_002], runs[1_001]])
    XCTAssertEqual(try ledger.recentRuns(limit: .max), runs.suffix(1_000).reversed())
    XCTAssertEqual(try ledger.recentRuns(limit: -1), [])
  }

  func testEveryEndingIsStoredUnderAWordThatNeverChanges() throws {
    let ledger = try emptyLedger()
    for ending in RunEnding.allCases {
      try ledger.recordRun(
        RunRecord(startedNanoseconds: 1, endedNanoseconds: 2, ending: ending, catalog: "c"))
    }
    let words = try ledger.connection.rows("SELECT outcome FROM runs ORDER BY id") {
      try $0.text("outcome")
    }
    XCTAssertEqual(
      words,
      ["succeeded", "someFailed", "failed", "removalRefused", "cancelled", "outOfTime"])
    XCTAssertEqual(
      try ledger.recentRuns(limit: 9).map(\.ending), RunEnding.allCases.reversed())
    try ledger.connection.run("UPDATE runs SET outcome = 'splendid'")
    try assertFails(.wrongType) { try ledger.recentRuns(limit: 1) }
  }

  func testFailuresAreThoseOfTheLastRunInTheirOrderWithKeysOfAnyBytes() throws {
    let ledger = try emptyLedger()
    let keys: [[UInt8]] = [[0xff, 0, 0xfe], [], Array("é".utf8), Array("e\u{301}".utf8)]
    let failures = keys.map { FailedItem(key: ByteString(bytes: $0), sentence: "no \($0)") }
    try ledger.replaceFailures(failures + [FailedItem(key: failures[0].key, sentence: "again")])
    XCTAssertEqual(try ledger.failures(), failures)
    XCTAssertEqual(try ledger.failureCount(), 4)
    try ledger.replaceFailures([failures[2]])
    XCTAssertEqual(try ledger.failures(), [failures[2]])
  }

  func testValidatorsAreReplacedAsAWholeAndBoundToTheirOptions() throws {
    let ledger = try emptyLedger()
    var validators = Validators(
      fingerprint: "é", revision: "r", itemCount: 5,
      pages: [
        .init(record: Page(url: "https://a", next: "https://b"), etag: "\"x\""),
        .init(record: Page(url: "https://b"), lastModified: "Mon, 01 Jan 2024 00:00:00 GMT"),
      ])
    try ledger.setValidators(validators)
    XCTAssertEqual(try ledger.validators(of: Page.self, fingerprint: "é"), validators)
    XCTAssertNil(try ledger.validators(of: Page.self, fingerprint: "e\u{301}"))
    validators.pages.removeLast()
    validators.revision = nil
    try ledger.setValidators(validators)
    XCTAssertEqual(try ledger.validators(of: Page.self, fingerprint: "é"), validators)
    try ledger.clearValidators()
    XCTAssertNil(try ledger.validators(of: Page.self, fingerprint: "é"))
  }

  func testARecordOfAnotherProcessorIsNotTakenForOurs() throws {
    struct Other: PageRemembered {
      var url: String
      var count: Int
    }
    let ledger = try emptyLedger()
    try ledger.setValidators(
      Validators(fingerprint: "f", itemCount: 1, pages: [.init(record: Page(url: "u"))]))
    try assertFails(.wrongType) { try ledger.validators(of: Other.self, fingerprint: "f") }
  }

  func testValuesAndCheckpointsAreKeptReplacedAndTakenAway() throws {
    let ledger = try emptyLedger()
    let (one, other) = (ValueName("one"), ValueName("other"))
    try ledger.setValue("1", for: one)
    try ledger.setValue("2", for: one)
    try ledger.setValue("", for: other)
    try ledger.setCheckpoint("page 7", of: "one")
    try ledger.setCheckpoint("gone", of: "other")
    try ledger.setCheckpoint(nil, of: "other")
    XCTAssertEqual(try ledger.value(one), "2")
    XCTAssertEqual(try ledger.value(other), "")
    XCTAssertEqual(try ledger.checkpoint(of: "one"), "page 7", "a name of its own")
    XCTAssertNil(try ledger.checkpoint(of: "other"))
    try ledger.setValue(nil, for: one)
    XCTAssertNil(try ledger.value(one))
    XCTAssertEqual(try ledger.checkpoint(of: "one"), "page 7")
  }

  func testACheckFindsWhatAnyLaterReaderWould() throws {
    let damages: [StaticString] = [
      "UPDATE runs SET outcome = 'splendid'", "UPDATE runs SET bytes = -1",
      "UPDATE runs SET started = -9223372036854775808, ended = 0",
      "UPDATE failures SET sentence = CAST(x'ff' AS TEXT)",
      "UPDATE meta SET value = CAST(x'ff' AS TEXT)",
    ]
    for damage in damages {
      let ledger = try emptyLedger()
      try ledger.recordRun(Self.run(1))
      try ledger.replaceFailures([FailedItem(key: ByteString(bytes: [1]), sentence: "no")])
      try ledger.setValue("1", for: ValueName("one"))
      try ledger.checkLedger()
      try ledger.connection.execute(damage)
      try assertFails(.wrongType) { try ledger.checkLedger() }
    }
  }

  func testAFlippedBitInWhatARunGoesByIsDamage() throws {
    let path = try temporaryPath()
    do {
      let ledger = Ledger(try Connection(path: path, migrations: Ledger.migrations))
      try ledger.setValue("the value of it", for: ValueName("name"))
      try ledger.setValidators(
        Validators(
          fingerprint: "the print of it", revision: "the revision of it", itemCount: 1,
          pages: [.init(record: Page(url: "the address of it"), etag: "the tag of it")]))
    }
    let whole = try Data(contentsOf: URL(filePath: path))
    for text in ["the value of it", "the revision of it", "the address of it", "the tag of it"] {
      let found = try XCTUnwrap(whole.range(of: Data(text.utf8), options: .backwards), text)
      var damaged = whole
      damaged[found.upperBound - 1] ^= 1
      try damaged.write(to: URL(filePath: path))
      let ledger = Ledger(try Connection(path: path, migrations: Ledger.migrations))
      try assertFails(.damaged) {
        _ = try ledger.value(ValueName("name"))
        _ = try ledger.validators(of: Page.self, fingerprint: "the print of it")
      }
    }
  }

  private static let own = Migration("own") { try $0.execute("CREATE TABLE own (x)") }

  private static func run(_ number: Int64) -> RunRecord {
    var run = RunRecord(
      startedNanoseconds: number, endedNanoseconds: number + 5, ending: .someFailed,
      catalog: "https://example.org/catalog.json")
    run.counts.listed = 6
    run.counts.removed = 5
    run.counts.updated = 4
    run.counts.downloaded = 3
    run.counts.skipped = 2
    run.counts.failed = 1
    run.bytes = number * 10
    run.error = number.isMultiple(of: 2) ? nil : "error \(number)"
    return run
  }

  private func emptyLedger() throws -> Ledger {
    Ledger(try Connection(path: try temporaryPath(), migrations: Ledger.migrations))
  }

  private func temporaryPath() throws -> String {
    let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    addTeardownBlock { try FileManager.default.removeItem(at: directory) }
    return directory.appending(path: "ledger.sqlite").path
  }

  private func assertFails<Result>(
    _ code: DatabaseError.Code, line: UInt = #line, _ body: () throws -> Result
  ) throws {
    XCTAssertThrowsError(try body(), line: line) { error in
      XCTAssertEqual((error as? DatabaseError)?.code, code, "\(error)", line: line)
    }
  }
}
