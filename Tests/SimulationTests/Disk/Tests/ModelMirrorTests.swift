import Foundation
import TestSupport
import XCTest

@testable import CatalogMirror

/// A whole run over the model.
final class ModelMirrorTests: ModelMirrorTestCase {
  func testAWholeRunIsInTheModelAndNowhereElse() async throws {
    let disk = try emptyDisk()
    let texts = ["a": "one", "b/c": "two", "b/d/e": "three"]
    let site = try site(texts)
    let report = try await sync(site, on: disk)
    XCTAssertEqual(report.outcome, .done, "\(report.failures)")
    XCTAssertEqual(self.texts(disk), texts)
    XCTAssertNotNil(disk.tree(below: Self.folder)[".mirror/index.sqlite"])
    XCTAssertFalse(isThere("/data"), "a real file was made")
    var random = SystemRandomNumberGenerator()
    disk.crash(using: &random)
    XCTAssertEqual(self.texts(disk), texts, "lost by a crash")
    let (next, vfs) = mirror(of: site, on: disk)
    try await assertEqual(next.verify().problems, [])
    withExtendedLifetime(vfs) {}
  }
}
