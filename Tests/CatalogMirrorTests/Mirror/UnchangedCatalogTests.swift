import Foundation
import SyncLock
import SyncTransport
import TestSupport
import TransportTesting
import XCTest

@testable import CatalogMirror
@testable import SyncFiles
import FolderTestSupport

/// When the catalog is asked for conditionally, and what a 304 is worth.
final class UnchangedCatalogTests: RunTestCase {
  private let things = [Thing("a", "alpha"), Thing("b/c", "gamma")]

  private func fill() async throws {
    try await syncWell(to: things, etag: "\"1\"")
  }

  func testNothingChangedCostsOneRequest() async throws {
    try await fill()
    try await syncUnchanged()
    XCTAssertEqual(site.asked, ["/pub/catalog.ndjson"])
    XCTAssertEqual(site.log.first?.headers["If-None-Match"], "\"1\"")
  }

  func testTheCatalogIsAskedForWhileTheFilesAreLookedAt() async throws {
    try await fill()
    let disk = SlowLookDisk(holdingUp: "a")
    site.onRequest { _, _ in disk.goOn.signal() }
    var environment = environment
    environment.fileSystem = disk
    try await assertTrue(FolderMirror(mirror().options, in: environment).sync().wasUnchanged)
    XCTAssertEqual(disk.looks, 1)
    XCTAssertFalse(disk.wasLeftWaiting, "the catalog was asked for after the look")
  }

  func testAListingThatAgedWhileTheFilesWereLookedAtIsFetchedAgain() async throws {
    try await fill()
    var environment = environment
    environment.listingPatience = .zero
    for (things, requests) in [(things, 1), (things + [Thing("new", "new")], 2)] {
      try serve(things, etag: "\"\(things.count - 1)\"")
      site.forgetLog()
      assertEnds(try await FolderMirror(mirror().options, in: environment).sync())
      XCTAssertEqual(site.asked.count { $0 == "/pub/catalog.ndjson" }, requests)
    }
  }

  func testAnEqualBodyWithoutValidatorsProvesTheSame() async throws {
    try await syncWell(to: things)
    try await syncUnchanged()
    XCTAssertEqual(site.asked, ["/pub/catalog.ndjson"])
  }

  func testABodyWithoutValidatorsForgetsThoseOfTheBodyBefore() async throws {
    // The tag of A was kept with B, which came without one; when A was back, its 304 was believed.
    try await fill()
    try await syncWell(to: [Thing("a", "other"), things[1]])
    try await syncWell(to: things, etag: "\"1\"")
    XCTAssertNil(site.log.first?.headers["If-None-Match"])
    XCTAssertEqual(try tree(), ["a": "alpha", "b/c": "gamma"])
  }

  func testATagOfTheAnswersOwnSecondProvesNothing() async throws {
    // Published twice in one second, with equal sizes: the same tag on another catalog.
    let date = "Fri, 31 Jan 2025 12:00:00 GMT"
    let stamp = [("ETag", "\"1\""), ("Last-Modified", date), ("Date", date)]
    func serve(_ text: String) throws {
      let things = [Thing("a", text)]
      try self.serve(things)
      try site.answer(
        Self.catalogURL, Site.Answer(headers: HTTPHeaders(stamp), body: Array(catalog(things).utf8))
      )
    }
    try serve("alpha")
    try await syncWell()
    try serve("omega")
    try await syncWell()
    XCTAssertEqual(try tree(), ["a": "omega"])
  }

  func testValidatorsAreNotKeptAfterAFailure() async throws {
    try serve(things, etag: "\"1\"")
    try site.answer(Self.root + "a", .status(404))
    try await sync(ending: .someFailed)
    try await assertFalse(keepsValidators())
    try await fill()
    XCTAssertEqual(try tree(), ["a": "alpha", "b/c": "gamma"])
  }

  func testValidatorsAreNotKeptAfterAPartialListing() async throws {
    try await syncWell(to: things, isComplete: false, etag: "\"1\"")
    try await assertFalse(syncWell().wasUnchanged)
    XCTAssertNil(site.log.first?.headers["If-None-Match"])
  }

  func testValidatorsAreClearedBeforeTheFirstChange() async throws {
    try await fill()
    try serve([Thing("a", "changed"), Thing("new", "new")], etag: "\"2\"")
    assertEnds(try await syncCancelled(atRequest: 2), .cancelled)
    try await assertFalse(keepsValidators())
    try await syncWell(to: things, etag: "\"1\"")
    XCTAssertEqual(try tree(), ["a": "alpha", "b/c": "gamma"])
  }

  func testDamageIsRepairedWithEqualDigestsToo() async throws {
    try await syncWell(to: things)
    try remove("b/c")
    let report = try await syncWell()
    XCTAssert(report.wasUnchanged)
    XCTAssertEqual(report.repaired, 1)
    XCTAssertEqual(try tree(), ["a": "alpha", "b/c": "gamma"])
  }

  func testARepairThatFailsIsTriedAgainAtTheNext304() async throws {
    for trustsIndex in [false, true] {
      try await fill()
      try remove("a")
      try site.answer(Self.root + "a", .status(503))
      try await sync(ending: .someFailed)
      try site.answer(Self.root + "a", .text("alpha"))
      try await assertTrue(syncWell { $0.trustsIndex = trustsIndex }.wasUnchanged)
      XCTAssertEqual(site.asked, ["/pub/catalog.ndjson", "/pub/a"])
      XCTAssertEqual(try tree(), ["a": "alpha", "b/c": "gamma"])
    }
  }

  func testChangedOptionsAskAnew() async throws {
    let changes: [@Sendable (inout MirrorOptions) -> Void] = [
      { $0.format = "catalog" }, { $0.vouchesForCompleteness = true }, { $0.previews = .also },
      { $0.previews = .only }, { $0.catalog += "?other" },
    ]
    for change in changes {
      try await fill()
      try site.answer(
        Self.catalogURL + "?other",
        .text(try catalog(things), ("Content-Type", "application/x-ndjson")))
      try await syncWell(change)
      XCTAssertNil(site.log.first?.headers["If-None-Match"])
      try await fill()
    }
  }

  func testEveryPageHasToBeUnchanged() async throws {
    let query = Self.catalogURL + "?token=1"
    let second = Self.root + "page2.ndjson"
    func serveSecond(_ thing: Thing, etag: String) throws {
      try site.answer(second, .text(try catalog([thing]), ("ETag", etag)))
      try site.answer(Self.root + thing.key, .text(thing.text))
    }
    try serve([things[0]])
    let first = try catalog([things[0]], header: #","next":"page2.ndjson""#)
    try site.answer(query, .text(first, ("ETag", "\"1\"")))
    try serveSecond(things[1], etag: "\"2\"")
    let named: @Sendable (inout MirrorOptions) -> Void = { $0.catalog = query }
    try await syncWell(named)
    XCTAssertEqual(try tree(), ["a": "alpha", "b/c": "gamma"])
    try await assertTrue(syncWell(named).wasUnchanged)
    XCTAssertEqual(site.log.map { $0.headers["If-None-Match"] }, ["\"1\"", "\"2\""])
    try serveSecond(Thing("new", "new"), etag: "\"3\"")
    try await assertFalse(syncWell(named).wasUnchanged)
    XCTAssertEqual(site.log.map { $0.headers["If-None-Match"] }, ["\"1\"", "\"2\"", nil, nil])
    XCTAssertEqual(try tree(), ["a": "alpha", "new": "new"])
  }

  func testAServerThatSays304UnaskedDoesNotMakeAnEmptyCatalog() async throws {
    try serve(things)
    try site.answer(Self.catalogURL, .status(304))
    try await sync(ending: .failed)
    XCTAssertFalse(isThere(folder))
  }

  func testWhatFailedIsTriedFirstNextTime() async throws {
    let things = ["a", "b", "c", "d"].map { Thing($0, $0) }
    try serve(things)
    try site.answer(Self.root + "c", .status(404))
    try await assertEqual(sync().failures.map(\.key), ["c"])
    let changed = things.map { Thing($0.key, $0.text + "2") }
    try serve(changed)
    try await syncWell { $0.concurrency = 1 }
    XCTAssertEqual(site.asked, ["/pub/catalog.ndjson", "/pub/c", "/pub/a", "/pub/b", "/pub/d"])
  }

  func testWhatFailedIsStillTriedFirstAfterARunThatCameToNothing() async throws {
    let things = ["a", "b"].map { Thing($0, $0) }
    try serve(things)
    try site.answer(Self.root + "b", .status(404))
    try await sync()
    try site.answer(Self.catalogURL, .status(503))
    try await sync(ending: .failed)
    try await syncWell(to: things.map { Thing($0.key, $0.text + "2") }) { $0.concurrency = 1 }
    XCTAssertEqual(site.asked, ["/pub/catalog.ndjson", "/pub/b", "/pub/a"])
  }
}

/// The real disk, but that a look at one name lasts until it may go on, or half a minute.
private final class SlowLookDisk: ForwardingFileSystem {
  let base: any FileSystem = SystemFileSystem()
  let goOn = DispatchSemaphore(value: 0)
  private let name: [UInt8]
  private let state = Locked((looks: 0, wasLeftWaiting: false))

  var looks: Int { state.withLock { $0.looks } }
  var wasLeftWaiting: Bool { state.withLock { $0.wasLeftWaiting } }

  init(holdingUp name: String) { self.name = Array(name.utf8) }

  func status(of name: [UInt8], in directory: Int32) throws(Errno) -> FileStatus {
    if name == self.name {
      let wasLeftWaiting = goOn.wait(timeout: .now() + 30) == .timedOut
      state.withLock { $0 = ($0.looks + 1, wasLeftWaiting) }
    }
    return try base.status(of: name, in: directory)
  }
}
