@testable import CatalogMirror
import OneWaySynchronizer
import XCTest
@testable import SyncText

/// What the ledger keeps for the mirror of its own pages; the rest of it is tested with the ledger.
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
    page.next = next.map { CatalogRequest($0) }
    page.subdirectories = [.init(url: url + "/d/", name: Array("é".utf8))]
    return PageRecord(
      url: url, page: page, digest: try XCTUnwrap(SHA256Digest(bytes: Array(0..<32))))
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
