import SyncTransport
import XCTest

@testable import CatalogMirror

/// Addresses that are signed anew for each listing are no change of what is behind them.
final class ChangedLocatorTests: RunTestCase {
  private func serveSigned(_ signature: String, _ texts: [String: String]) throws {
    let things = texts.sorted { $0.key < $1.key }.map { key, text in
      Thing(key, text) { $0.urls = ["https://mirror.test/o/\(key)?X-Amz-Signature=\(signature)"] }
    }
    try serve(things)
  }

  func testAnAddressThatDiffersInEachListingCostsNoTransfer() async throws {
    try serveSigned("one", ["a": "alpha", "b": "beta"])
    try await syncWell()
    try serveSigned("two", ["a": "alpha", "b": "beta 2"])
    try await syncWell()
    XCTAssertEqual(site.asked, ["/pub/catalog.ndjson", "/o/b"])
    XCTAssertEqual(site.log.last?.address.query, "X-Amz-Signature=two")
    XCTAssertEqual(try tree(), ["a": "alpha", "b": "beta 2"])
  }
}
