import Foundation
import SyncDatabase
import SyncEngine
import TestSupport
import XCTest

@testable import CatalogMirror
@testable import SyncText

/// What the index remembers from run to run beside its items.
final class LedgerTests: XCTestCase {
  private func page(_ url: String, next: String? = nil) -> PageRecord {
    var page = CatalogPage(format: .catalog, claim: .whole)
    page.next = next.map { CatalogRequest($0) }
    return PageRecord(url: url, page: page, digest: SHA256Hasher().finish())
  }

  func testRunsAreToldNewestFirstAndOnlyTheLastThousandAreKept() throws {
    let ledger = try emptyLedger()
    let runs = (0..<1_003).map { Self.run(Int64($0)) }
    try ledger.connection.transaction { for run in runs { try ledger.recordRun(run) } }
    XCTAssertEqual(try ledger.recentRuns(limit: 2), [runs[1_002], runs[1_001]])
    XCTAssertEqual(try ledger.recentRuns(limit: .max), runs.suffix(1_000).reversed())
    XCTAssertEqual(try ledger.recentRuns(limit: -1), [])
  }

  func testWhatTheNewestRunsAdoptedIsKept() throws {
    let ledger = try emptyLedger()
    let runs = (0..<120).map { number in
      var run = Self.run(Int64(number))
      (run.counts.updated, run.adopted) = (200, number.isMultiple(of: 2) ? number : 0)
      return run
    }
    for run in runs { try ledger.recordRun(run) }
    let told = try ledger.recentRuns(limit: .max)
    XCTAssertEqual(Array(told.prefix(100)), runs.suffix(100).reversed())
    XCTAssertEqual(told.dropFirst(100).map(\.adopted), Array(repeating: 0, count: 20))
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
    var validators = ListingValidators(
      fingerprint: "é", revision: "r", itemCount: 5,
      pages: [
        .init(record: page("https://a", next: "https://b"), etag: "\"x\""),
        .init(record: page("https://b"), lastModified: "Mon, 01 Jan 2024 00:00:00 GMT"),
      ])
    try ledger.setValidators(validators)
    XCTAssertEqual(try ledger.validators(fingerprint: "é"), validators)
    XCTAssertNil(try ledger.validators(fingerprint: "e\u{301}"))
    validators.pages.removeLast()
    validators.revision = nil
    try ledger.setValidators(validators)
    XCTAssertEqual(try ledger.validators(fingerprint: "é"), validators)
    try ledger.clearValidators()
    XCTAssertNil(try ledger.validators(fingerprint: "é"))
  }

  func testAnotherRecordIsNotTakenForThatOfAPage() throws {
    let ledger = try emptyLedger()
    try ledger.setValidators(
      ListingValidators(fingerprint: "f", itemCount: 1, pages: [.init(record: page("u"))]))
    try ledger.connection.run("UPDATE pages SET record = ?1", #"{"url":"u","count":1}"#)
    try assertFails(.wrongType) { try ledger.validators(fingerprint: "f") }
  }

  func testValuesAreKeptReplacedAndTakenAway() throws {
    let ledger = try emptyLedger()
    let (one, other) = (ValueName("one"), ValueName("other"))
    try ledger.setValue("1", for: one)
    try ledger.setValue("2", for: one)
    try ledger.setValue("", for: other)
    XCTAssertEqual(try ledger.value(one), "2")
    XCTAssertEqual(try ledger.value(other), "")
    try ledger.setValue(nil, for: one)
    XCTAssertNil(try ledger.value(one))
    XCTAssertEqual(try ledger.value(other), "")
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
      try ledger.checkAllButItems()
      try ledger.connection.execute(damage)
      try assertFails(.wrongType) { try ledger.checkAllButItems() }
    }
  }

  func testAFlippedBitInWhatARunGoesByIsDamage() throws {
    let path = try temporaryPath()
    do {
      let ledger = try self.ledger(path)
      try ledger.setValue("the value of it", for: ValueName("name"))
      try ledger.setValidators(
        ListingValidators(
          fingerprint: "the print of it", revision: "the revision of it", itemCount: 1,
          pages: [.init(record: page("the address of it"), etag: "the tag of it")]))
    }
    let whole = try Data(contentsOf: URL(filePath: path))
    for text in ["the value of it", "the revision of it", "the address of it", "the tag of it"] {
      let found = try XCTUnwrap(whole.range(of: Data(text.utf8), options: .backwards), text)
      var damaged = whole
      damaged[found.upperBound - 1] ^= 1
      try damaged.write(to: URL(filePath: path))
      let ledger = try self.ledger(path)
      try assertFails(.damaged) {
        _ = try ledger.value(ValueName("name"))
        _ = try ledger.validators(fingerprint: "the print of it")
      }
    }
  }

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

  private func emptyLedger() throws -> IndexWriter { try ledger(temporaryPath()) }

  private func ledger(_ path: String) throws -> IndexWriter {
    IndexWriter(connection: try Connection(path: path, migrations: MirrorIndex.migrations))
  }

  private func temporaryPath() throws -> String {
    try temporaryFolder().appending(path: "ledger.sqlite").path
  }

  private func assertFails<Result>(
    _ code: DatabaseError.Code, line: UInt = #line, _ body: () throws -> Result
  ) throws {
    XCTAssertThrowsError(try body(), line: line) { error in
      XCTAssertEqual((error as? DatabaseError)?.code, code, "\(error)", line: line)
    }
  }
}
