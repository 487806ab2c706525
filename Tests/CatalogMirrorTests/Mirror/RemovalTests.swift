import Foundation
import SyncLock
import SyncTransport
import XCTest

@testable import CatalogMirror
import FolderTestSupport
@testable import SyncFolder
@testable import SyncText

/// What vanished goes, within limits, and into quarantine first.
final class RemovalTests: RunTestCase {
  private struct Limit {
    var total: Int
    var gone: Int
    var limit: MirrorOptions.MaximumRemoval = .guarded
    var isRefused: Bool
  }

  private static let limits = [
    Limit(total: 1_000, gone: 501, isRefused: true),
    Limit(total: 1_000, gone: 500, isRefused: true),
    Limit(total: 1_000, gone: 499, isRefused: false),
    Limit(total: 15, gone: 11, isRefused: true),
    Limit(total: 15, gone: 8, isRefused: true),
    Limit(total: 15, gone: 7, isRefused: false),
    Limit(total: 6, gone: 4, isRefused: true),
    Limit(total: 6, gone: 3, isRefused: false),
    Limit(total: 2, gone: 1, isRefused: false),
    Limit(total: 1, gone: 1, isRefused: true),
    Limit(total: 15, gone: 3, limit: .count(3), isRefused: false),
    Limit(total: 15, gone: 4, limit: .count(3), isRefused: true),
    Limit(total: 20, gone: 5, limit: .share(0.25), isRefused: false),
    Limit(total: 20, gone: 6, limit: .share(0.25), isRefused: true),
    Limit(total: 3, gone: 1, limit: .count(0), isRefused: true),
    Limit(total: 20, gone: 19, limit: .all, isRefused: false),
    Limit(total: 20, gone: 20, limit: .all, isRefused: false),
    Limit(total: 3, gone: 3, isRefused: true),
    Limit(total: 3, gone: 3, limit: .count(100), isRefused: true),
    Limit(total: 3, gone: 3, limit: .share(1), isRefused: true),
  ]

  func testTheLimitRefusesWhatItShouldAndNothingElse() async throws {
    var filled: Int?
    for (number, row) in Self.limits.enumerated() {
      let things = (0..<row.total).map { Thing("d\($0 % 10)/\($0)", "\($0)") }
      if filled != row.total { try await fill(things) }
      filled = row.isRefused ? row.total : nil
      let left = Array(things.dropFirst(row.gone))
      let new = left.isEmpty ? [] : [Thing("new", "new")]
      try put(catalog(left + new), at: published + "/catalog.ndjson")
      try put("new", at: published + "/new")
      let report = try await sync {
        $0.catalog = fileCatalog
        $0.maximumRemoval = row.limit
      }
      if row.isRefused {
        XCTAssertEqual(
          report.outcome, .removalRefused(count: row.gone, of: row.total), "row \(number)")
        XCTAssertEqual(try tree().count, row.total, "a refused run changes nothing")
        XCTAssertFalse(exists("new"))
      } else {
        XCTAssertEqual(report.outcome, .done, "row \(number)")
        XCTAssertEqual(report.removed, row.gone)
        XCTAssertEqual(try movedAway(to: "quarantine").count, row.gone)
      }
    }
  }

  private func fill(_ things: [Thing]) async throws {
    try? FileManager.default.removeItem(atPath: folder)
    try publish(things)
    try await syncFiles()
  }

  func testWhatIsRemovedLiesInQuarantineAndEmptiedDirectoriesGo() async throws {
    let things = [Thing("a/b/c", "1"), Thing("a/d", "2"), Thing("e/f/g", "3"), Thing("h", "4")]
    try serve(things)
    try await syncWell()
    try serve([things[1], things[3]])
    let report = try await syncWell()
    XCTAssertEqual(report.removed, 2)
    XCTAssertEqual(try movedAway(to: "quarantine"), ["a/b/c": "1", "e/f/g": "3"])
    XCTAssertFalse(exists("a/b"))
    XCTAssertFalse(exists("e"))
    XCTAssertEqual(try tree(), ["a/d": "2", "h": "4"])
    let status = try await mirror().status()
    XCTAssertEqual(status.quarantined, 2)
    XCTAssertEqual(status.quarantinedBytes, 2)
    try await assertIndexIsTrue()
  }

  func testAnItemThatComesBackIsFetchedAgain() async throws {
    try serve([Thing("a", "1"), Thing("b", "2")])
    try await syncWell()
    try serve([Thing("b", "2")])
    try await syncWell()
    try serve([Thing("a", "1"), Thing("b", "2")])
    try await syncWell()
    XCTAssertEqual(try tree(), ["a": "1", "b": "2"])
  }

  func testAnEditedFileIsDisplacedInsteadWhenTheIndexIsTrusted() async throws {
    try serve([Thing("a", "1"), Thing("b", "2")])
    try await syncWell()
    try place("edited", at: "a")
    try serve([Thing("b", "2")])
    try await syncWell { $0.trustsIndex = true }
    XCTAssertEqual(try movedAway(to: "displaced"), ["a": "edited"])
    XCTAssertEqual(try movedAway(to: "quarantine"), [:])
  }

  func testTheQuarantineIsEmptiedAlsoByARunThatFails() async throws {
    // Its room may be what the run needs to come to a good end.
    try serve([Thing("a", "1"), Thing("b", "2")])
    try await syncWell()
    try serve([Thing("b", "2")])
    try await syncWell()
    now.withLock { $0 += 8 * 86_400 }
    site.clear()
    let report = try await sync()
    XCTAssertEqual(report.outcome, .failed)
    XCTAssertEqual(try movedAway(to: "quarantine"), [:])
  }

  func testTheQuarantineIsEmptiedAfterItsTimeAndNotBefore() async throws {
    try serve([Thing("a", "1"), Thing("b", "2"), Thing("c", "3")])
    try await syncWell()
    try serve([Thing("b", "2"), Thing("c", "3")])
    try await syncWell()
    now.withLock { $0 += 3_600 }
    try serve([Thing("c", "3")])
    try await syncWell()
    now.withLock { $0 += 7 * 86_400 - 3_600 }
    try await syncWell()
    XCTAssertEqual(try movedAway(to: "quarantine"), ["a": "1", "b": "2"])
    now.withLock { $0 += 1 }
    try await syncWell()
    XCTAssertEqual(try movedAway(to: "quarantine"), ["b": "2"])
    let status = try await mirror().status()
    XCTAssertEqual(status.quarantined, 1)
    try await syncWell { $0.keepRemoved = .seconds(60) }
    XCTAssertEqual(try movedAway(to: "quarantine"), [:])
  }

  func testDisplacedFilesAreNeverDeleted() async throws {
    try place("mine", at: "a")
    try serve([Thing("a", "1")])
    try await syncWell()
    now.withLock { $0 += 1_000 * 86_400 }
    try await syncWell { $0.keepRemoved = .zero }
    XCTAssertEqual(try movedAway(to: "displaced"), ["a": "mine"])
  }

  /// The simulation's: the file had been moved when the flush failed, and the index then said that
  /// it was in its place.
  func testARemovalThatMayNotLastIsNotUndone() async throws {
    try serve([Thing("a", "1"), Thing("b", "2")])
    try await syncWell()
    try serve([Thing("b", "2")])
    let disk = ScriptedDisk()
    var world = environment
    world.fileSystem = disk
    disk.failNextFile()
    let options = mirror().options
    let report = try await FolderMirror(options, in: world).sync()
    XCTAssertEqual(report.outcome, .failed)
    XCTAssertEqual(try tree(), ["b": "2"])
    let row = try await rows()["a"]
    XCTAssertNotEqual(row?.state, .present)
    try await syncWell()
    let held = try await rows()
    XCTAssertEqual(held.keys.sorted(), ["b"])
    XCTAssertEqual(try movedAway(to: "quarantine"), ["a": "1"])
  }

  func testRemovalComesAfterTheDownloadsWereTried() async throws {
    try serve([Thing("old", "1"), Thing("kept", "2")])
    try await syncWell()
    try serve([Thing("new", "3"), Thing("kept", "2"), Thing("bad", "4")])
    try site.answer(Self.root + "bad", .status(404))
    let path = folder + "/old"
    let wasThere = Locked(false)
    site.onRequest { request, _ in
      guard request.address.path == "/pub/new" else { return }
      wasThere.withLock { $0 = FileManager.default.fileExists(atPath: path) }
    }
    let report = try await sync()
    XCTAssertEqual(report.outcome, .someFailed)
    XCTAssert(wasThere.withLock { $0 })
    XCTAssertEqual(try tree(), ["new": "3", "kept": "2"])
  }

  /// A power cut after the second run would have brought the file back, and nobody would have known
  /// it for ours.
  func testARemovalWhoseFlushFailedIsFinishedOnlyAfterAnother() async throws {
    try serve([Thing("d/gone", "gone"), Thing("stays", "stays")])
    try await syncWell()
    try serve([Thing("stays", "stays")])
    let failing = ScriptedDisk()
    failing.failNextFile()
    let first = try await sync(on: failing)
    XCTAssertEqual(first.outcome, .failed, "\(first.failures)")
    XCTAssertEqual(try tree(), ["stays": "stays"])
    let unfinished = try await withIndex { try $0.unfinishedRemovals().map(\.key.description) }
    XCTAssertEqual(unfinished, ["d/gone"])
    let disk = ScriptedDisk()
    let second = try await sync(on: disk)
    XCTAssertEqual(second.outcome, .done, "\(second.failures)")
    XCTAssertEqual(disk.fileSystems, 1)
    let left = try await withIndex { try $0.unfinishedRemovals() }
    XCTAssertEqual(left, [])
  }

  private func sync(on disk: ScriptedDisk) async throws -> MirrorReport {
    var world = environment
    world.fileSystem = disk
    let options = mirror {
      $0.durability = .batch
      $0.maximumRemoval = .all
    }.options
    return try await FolderMirror(options, in: world).sync()
  }
}
