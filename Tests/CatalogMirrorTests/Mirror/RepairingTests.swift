import Foundation
import SyncTransport
import TestSupport
import XCTest

@testable import CatalogMirror
@testable import SyncFetching

/// `verify --repair`: what is wrong is fetched again, without asking the catalog.
final class RepairingTests: RunTestCase {
  private let things = [
    Thing("a", "alpha") { $0.preview = .init(url: "p/a.txt", text: "small") },
    Thing("b/c", "gamma"), Thing("d", "delta"),
  ]

  /// A mirror that knows of no catalog but what the folder says.
  private func repair(
    _ change: (inout MirrorOptions) -> Void = { _ in }
  ) async throws -> MirrorRepair {
    site.forgetLog()
    return try await mirror { options in
      options.catalog = ""
      change(&options)
    }.repair()
  }

  func testWhatIsWrongIsFetchedAgainAndNothingElse() async throws {
    try await syncWell(to: things) { $0.previews = .also }
    try rot("b/c", "gumma")
    try remove("d")
    let previews = folder + "/.mirror/previews"
    let name = try XCTUnwrap(FileManager.default.contentsOfDirectory(atPath: previews).first)
    try rot(".mirror/previews/\(name)", "SMALL")
    let repair = try await repair()
    XCTAssertEqual(repair.found.problems.map(\.key), ["a", "b/c", "d"])
    let report = try XCTUnwrap(repair.report)
    XCTAssertEqual(report.outcome, .done, "\(report.failures)")
    XCTAssertEqual([report.repaired, report.previews, report.removed], [2, 1, 0])
    XCTAssertEqual(Set(site.asked), ["/pub/b/c", "/pub/d", "/pub/p/a.txt"])
    XCTAssertEqual(try tree(), ["a": "alpha", "b/c": "gamma", "d": "delta"])
    XCTAssertEqual(try inside("previews"), [name: "small"])
    XCTAssertEqual(try movedAway(to: "displaced"), ["b/c": "gumma"])
    try await assertIndexIsTrue()
  }

  func testASoundMirrorIsLeftAlone() async throws {
    try await syncWell(to: things)
    let repair = try await repair()
    XCTAssertEqual(repair.found.problems, [])
    XCTAssertNil(repair.report)
    XCTAssertEqual(site.asked, [])
  }

  func testARepairKeepsWhatTheLastRunRemembered() async throws {
    try await syncWell(to: things, etag: "\"1\"")
    try rot("a", "olpha")
    _ = try await repair()
    try await syncUnchanged()
    XCTAssertEqual(site.asked, ["/pub/catalog.ndjson"])
  }

  func testPreviewsThatNobodyWantedAreNotFetched() async throws {
    try await syncWell(to: things)
    try rot("a", "olpha")
    let report = try await repair().report
    XCTAssertEqual(report?.previews, 0)
    XCTAssertEqual(site.asked, ["/pub/a"])
  }

  func testWhatCannotBeFetchedIsAFailedItemAndTheEditIsStillThere() async throws {
    try await syncWell(to: things)
    try rot("a", "olpha")
    try site.answer(Self.root + "a", .status(404))
    let report = try await repair().report
    XCTAssertEqual(report?.outcome, .someFailed)
    XCTAssertEqual(report?.failures.map(\.key), ["a"])
    XCTAssertEqual(try tree()["a"], "olpha")
    try serve(things)
    let again = try await repair().report
    XCTAssertEqual(again?.repaired, 1)
    XCTAssertEqual(try tree()["a"], "alpha")
  }

  func testHeadersGoToTheRecordedCatalogsOrigin() async throws {
    try await syncWell(to: things)
    try rot("a", "olpha")
    _ = try await repair { $0.access.headers = [.init(name: "X-Key", value: "secret")] }
    XCTAssertEqual(site.log.map { $0.headers["X-Key"] }, ["secret"])
  }
}
