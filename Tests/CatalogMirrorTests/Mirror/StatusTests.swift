import Foundation
import SyncLock
import SynchronizerTesting
import TestSupport
import XCTest

@testable import CatalogMirror
@testable import SyncFolder

/// What `status` tells of a folder that no run works on.
final class StatusTests: RunTestCase {
  private let things = (0..<4).map { Thing("\($0)", "text") }

  func testTheRulesOfTheLastRunAreTold() async throws {
    try await syncWell(to: things)
    let first = try await mirror().status().rules
    XCTAssertEqual(first?.maximumRemoval, .guarded)
    XCTAssertEqual(first?.keepRemoved, .seconds(7 * 86_400))
    for removal in [MirrorOptions.MaximumRemoval.count(5), .share(0.25), .all, .never] {
      try await syncWell {
        $0.maximumRemoval = removal
        $0.keepRemoved = .seconds(60)
      }
      let rules = try await mirror().status().rules
      XCTAssertEqual(rules?.maximumRemoval, removal)
      XCTAssertEqual(rules?.keepRemoved, .seconds(60))
    }
  }

  func testTheFiltersOfTheLastRunAreTold() async throws {
    try serve(things)
    let rules = [ScopeRule.exclude(try KeyPattern("3")), .include(try KeyPattern("*"))]
    try await syncWell {
      $0.scope.rules = rules
      ($0.scope.minimumSize, $0.scope.maximumAge) = (2_048, .seconds(7 * 86_400))
    }
    let filtered = try await mirror().status().rules?.filters
    XCTAssertEqual(
      filtered,
      ["exclude '3'", "include '*'", "no smaller than 2.0 KiB", "no older than 7 days"])
    try await syncWell()
    let everything = try await mirror().status().rules?.filters
    XCTAssertEqual(everything, [])
  }

  func testAFirstRunThatWasKilledIsTold() async throws {
    try await syncWell(to: things)
    let left = RunningMirror(
      holder: LockHolder(process: 7, since: "20240101T000000Z"), catalog: Self.catalogURL,
      progress: MirrorProgress())
    try place(String(decoding: left.written, as: UTF8.self), at: ".mirror/status.json")
    let index = try await MirrorIndex.open(
      in: MirrorFolder.open(path: folder, mode: .existing), busyTimeout: .seconds(1),
      executor: environment.makeIndexExecutor())
    try await index.write { try $0.setValue(nil, for: .catalog) }
    await index.close()
    let status = try await mirror().status()
    XCTAssertEqual(status.catalog, Self.catalogURL, "the marker names it")
    XCTAssertEqual(status.cutShort, left)
    try await syncWell()
    try await assertNil(mirror().status().cutShort)
  }

  func testARunTakesAsLongAsAllOfItAlsoTheListingBeforeTheFolderIsMade() async throws {
    try serve(things)
    site.onRequest { [clock] _, number in
      if number == 1 { clock.advance(by: .seconds(7)) }
    }
    try await syncWell()
    site.onRequest(nil)
    let run = try await mirror().status().runs.first
    XCTAssertEqual(run?.duration, .seconds(7))
  }

  func testARefusedRunSaysWhy() async throws {
    try await syncWell(to: things)
    try await sync(to: [Thing("n", "new")], ending: .removalRefused(count: 4, of: 4))
    let run = try await mirror().status().runs.first
    XCTAssertEqual(run?.outcome, "refused")
    XCTAssertEqual(
      run?.error, "4 of 4 items would have been removed, which is too many at once")
  }

  func testDisplacedFilesAreCountedAndTheNewestNamed() async throws {
    try await syncWell(to: things)
    for number in 0..<7 {
      now.withLock { $0 += 60 }
      try place("edit \(number)", at: "0")
      try await syncWell()
    }
    let status = try await mirror().status()
    XCTAssertEqual(status.displaced, 7)
    XCTAssertEqual(status.displacedBytes, 42)
    XCTAssertEqual(status.newestDisplaced.count, 5)
    XCTAssertEqual(status.newestDisplaced.first?.batch, "20250131T120700Z")
  }

  func testACatalogIsTheSameWithAndWithoutASlashAtItsEnd() {
    let addresses = ["https://h/pub", "https://h/pub/"]
    let digests = addresses.map { MirrorOptions(catalog: $0, folder: "f").catalogDigest }
    for address in addresses {
      let known = MirrorOptions(catalog: address, folder: "f").catalogDigests
      XCTAssertTrue(known.isSuperset(of: digests), address)
      let before = MirrorOptions(
        catalog: address.replacing("https", with: "http"), folder: "f"
      ).catalogDigest
      XCTAssertTrue(known.contains(before), "of the time before it spoke https")
    }
    let asked = MirrorOptions(catalog: "https://h/pub?a=1", folder: "f")
    XCTAssertTrue(asked.catalogDigests.contains(asked.catalogDigest))
    XCTAssertFalse(asked.catalogDigests.contains(digests[0]))
  }
}
