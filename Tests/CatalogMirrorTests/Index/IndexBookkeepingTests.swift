import SyncLedger
@testable import CatalogMirror
import OneWaySynchronizer
import XCTest
@testable import SyncText

final class IndexBookkeepingTests: XCTestCase {
  func testValidatorsAreReplacedAsAWholeAndBoundToTheirOptions() async throws {
    let index = try await emptyIndex()
    var validators = ListingValidators(
      fingerprint: "é", revision: "r", itemCount: 5,
      pages: [
        .init(record: try Self.record("https://b"), etag: "\"x\""),
        .init(
          record: try Self.record("https://a", next: "https://b"),
          lastModified: "Mon, 01 Jan 2024 00:00:00 GMT"),
        .init(record: try Self.record("https://b")),
      ])
    try await write(validators, to: index)
    try await assertValidators(index, fingerprint: "é", validators)
    try await assertValidators(index, fingerprint: "e\u{301}", nil)
    validators.pages.removeLast()
    validators.revision = nil
    try await write(validators, to: index)
    try await assertValidators(index, fingerprint: "é", validators)
    try await index.write { try $0.clearValidators() }
    try await assertValidators(index, fingerprint: "é", nil)
  }

  private static func record(_ url: String, next: String? = nil) throws -> PageRecord {
    var page = CatalogPage(format: .nginxHTML, claim: .whole)
    page.next = next
    page.subdirectories = [.init(url: url + "/d/", name: Array("é".utf8))]
    return PageRecord(
      url: url, page: page, digest: try XCTUnwrap(SHA256Digest(bytes: Array(0..<32))))
  }

  func testFailuresAreThoseOfTheLastRunInTheirOrder() async throws {
    let index = try await emptyIndex()
    let failures = ["c", "a", "b"].map { FailedItem(key: CatalogKey($0), sentence: "no " + $0) }
    try await index.write { writer in
      try writer.replaceFailures(failures + [FailedItem(key: CatalogKey("c"), sentence: "again")])
    }
    let found = try await index.read { try $0.failures() }
    XCTAssertEqual(found, failures)
    try await index.write { try $0.replaceFailures([failures[2]]) }
    let later = try await index.read { try $0.failures() }
    XCTAssertEqual(later, [failures[2]])
  }

  func testRunsAreToldNewestFirstAndOnlyTheLastThousandAreKept() async throws {
    let index = try await emptyIndex()
    let runs = (0..<1_003).map { Self.run(Int64($0)) }
    try await index.write { writer in for run in runs { try writer.recordRun(run) } }
    let recent = try await index.read { try $0.recentRuns(limit: 2) }
    XCTAssertEqual(recent, [runs[1_002], runs[1_001]])
    let all = try await index.read { try $0.recentRuns(limit: .max) }
    XCTAssertEqual(all, runs.suffix(1_000).reversed())
    let none = try await index.read { try $0.recentRuns(limit: -1) }
    XCTAssertEqual(none, [])
  }

  func testEveryOutcomeOfARunComesBack() async throws {
    let index = try await emptyIndex()
    for ending in RunEnding.allCases {
      let run = RunRecord(
        startedNanoseconds: 1, endedNanoseconds: 2, ending: ending, catalog: "c")
      try await index.write { try $0.recordRun(run) }
      let found = try await index.read { try $0.recentRuns(limit: 1) }
      XCTAssertEqual(found, [run])
    }
  }

  func testValuesAreKeptReplacedAndTakenAway() async throws {
    let index = try await emptyIndex()
    try await index.write { writer in
      try writer.setValue("1", for: .highestRevision)
      try writer.setValue("2", for: .highestRevision)
      try writer.setValue("", for: .catalog)
      try writer.setValue("x", for: ValueName("own"))
      try writer.setValue(nil, for: ValueName("own"))
    }
    let values = try await index.read { reader in
      try [.highestRevision, .catalog, .folderID, ValueName("own")].map { try reader.value($0) }
    }
    XCTAssertEqual(values, ["2", "", nil, nil])
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

  private func write(_ validators: ListingValidators, to index: MirrorIndex) async throws {
    try await index.write { try $0.setValidators(validators) }
  }

  private func assertValidators(
    _ index: MirrorIndex, fingerprint: String, _ expected: ListingValidators?,
    line: UInt = #line
  ) async throws {
    let found = try await index.read { try $0.validators(fingerprint: fingerprint) }
    XCTAssertEqual(found, expected, line: line)
  }
}
