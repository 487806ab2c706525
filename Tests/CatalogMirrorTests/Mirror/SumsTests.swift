import SyncLock
import SyncText
import TestSupport
import XCTest

@testable import CatalogMirror

/// Digests that are handed out from the index.
final class SumsTests: RunTestCase {
  /// Whoever read them in a pager kept every run from the folder.
  func testARunMayBeginWhileTheyAreTaken() async throws {
    try serve([Thing("a", "alpha"), Thing("b", "beta")])
    try await syncWell()
    try serve([Thing("b", "beta"), Thing("c", "gamma")])
    let (taken, outcome) = (Locked<[MirrorSums.Sum]>([]), Locked<MirrorReport.Outcome?>(nil))
    let other = mirror()
    let sums = try await mirror().sums { piece in
      taken.withLock { $0 += piece }
      let report = try? await other.sync()
      outcome.withLock { $0 = report?.outcome }
    }
    XCTAssertEqual(outcome.withLock { $0 }, .done)
    XCTAssertEqual(sums.files, 2)
    XCTAssertEqual(taken.withLock { $0.map(\.key) }, ["a", "b"].map { CatalogKey($0) })
    XCTAssertEqual(
      taken.withLock { $0.map(\.sha256) }, ["alpha", "beta"].map { SHA256Digest(of: $0.utf8) })
    XCTAssertEqual(try tree(), ["b": "beta", "c": "gamma"])
  }
}
