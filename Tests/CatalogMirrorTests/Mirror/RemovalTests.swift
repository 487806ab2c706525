import Foundation
import SyncLock
import SyncTransport
import TestSupport
import XCTest

@testable import CatalogMirror
import FolderTestSupport
@testable import SyncFolder
@testable import SyncText

/// What vanished goes, within limits, and into quarantine first.
final class RemovalTests: RunTestCase {
  func testWhatIsRemovedLiesInQuarantineAndEmptiedDirectoriesGo() async throws {
    let things = [Thing("a/b/c", "1"), Thing("a/d", "2"), Thing("e/f/g", "3"), Thing("h", "4")]
    try await syncWell(to: things)
    try await assertEqual(syncWell(to: [things[1], things[3]]).removed, 2)
    XCTAssertEqual(try movedAway(to: "quarantine"), ["a/b/c": "1", "e/f/g": "3"])
    XCTAssertFalse(exists("a/b"))
    XCTAssertFalse(exists("e"))
    XCTAssertEqual(try tree(), ["a/d": "2", "h": "4"])
    let status = try await mirror().status()
    XCTAssertEqual(status.quarantined, 2)
    XCTAssertEqual(status.quarantinedBytes, 2)
    try await assertIndexIsTrue()
  }

  func testAnEditedFileIsDisplacedInsteadWhenTheIndexIsTrusted() async throws {
    try await syncWell(to: [Thing("a", "1"), Thing("b", "2")])
    try place("edited", at: "a")
    try await syncWell(to: [Thing("b", "2")]) { $0.trustsIndex = true }
    XCTAssertEqual(try movedAway(to: "displaced"), ["a": "edited"])
    XCTAssertEqual(try movedAway(to: "quarantine"), [:])
  }

  func testTheQuarantineIsEmptiedAlsoByARunThatFails() async throws {
    // Its room may be what the run needs to come to a good end.
    try await syncWell(to: [Thing("a", "1"), Thing("b", "2")])
    try await syncWell(to: [Thing("b", "2")])
    now.withLock { $0 += 8 * 86_400 }
    site.clear()
    try await sync(ending: .failed)
    XCTAssertEqual(try movedAway(to: "quarantine"), [:])
  }

  func testTheQuarantineIsEmptiedAfterItsTimeAndNotBefore() async throws {
    try await syncWell(to: [Thing("a", "1"), Thing("b", "2"), Thing("c", "3")])
    try await syncWell(to: [Thing("b", "2"), Thing("c", "3")])
    now.withLock { $0 += 3_600 }
    try await syncWell(to: [Thing("c", "3")])
    now.withLock { $0 += 7 * 86_400 - 3_600 }
    try await syncWell()
    XCTAssertEqual(try movedAway(to: "quarantine"), ["a": "1", "b": "2"])
    now.withLock { $0 += 1 }
    try await syncWell()
    XCTAssertEqual(try movedAway(to: "quarantine"), ["b": "2"])
    try await assertEqual(mirror().status().quarantined, 1)
    try await syncWell { $0.keepRemoved = .seconds(60) }
    XCTAssertEqual(try movedAway(to: "quarantine"), [:])
  }

  func testDisplacedFilesAreNeverDeleted() async throws {
    try place("mine", at: "a")
    try await syncWell(to: [Thing("a", "1")])
    now.withLock { $0 += 1_000 * 86_400 }
    try await syncWell { $0.keepRemoved = .zero }
    XCTAssertEqual(try movedAway(to: "displaced"), ["a": "mine"])
  }

  /// The simulation's: the file had been moved when the flush failed, and the index then said that
  /// it was in its place.
  func testARemovalThatMayNotLastIsNotUndone() async throws {
    try await syncWell(to: [Thing("a", "1"), Thing("b", "2")])
    try serve([Thing("b", "2")])
    let disk = ScriptedDisk()
    var world = environment
    world.fileSystem = disk
    disk.failNextFile()
    let options = mirror().options
    assertEnds(try await FolderMirror(options, in: world).sync(), .failed)
    XCTAssertEqual(try tree(), ["b": "2"])
    let row = try await rows()["a"]
    XCTAssertNotEqual(row?.state, .present)
    try await syncWell()
    try await assertEqual(rows().keys.sorted(), ["b"])
    XCTAssertEqual(try movedAway(to: "quarantine"), ["a": "1"])
  }

  func testRemovalComesAfterTheDownloadsWereTried() async throws {
    try await syncWell(to: [Thing("old", "1"), Thing("kept", "2")])
    try serve([Thing("new", "3"), Thing("kept", "2"), Thing("bad", "4")])
    try site.answer(Self.root + "bad", .status(404))
    let path = folder + "/old"
    let wasThere = Locked(false)
    site.onRequest { request, _ in
      guard request.address.path == "/pub/new" else { return }
      wasThere.withLock { $0 = isThere(path) }
    }
    try await sync(ending: .someFailed)
    XCTAssert(wasThere.withLock { $0 })
    XCTAssertEqual(try tree(), ["new": "3", "kept": "2"])
  }

  /// A power cut after the second run would have brought the file back, and nobody would have known
  /// it for ours.
  func testARemovalWhoseFlushFailedIsFinishedOnlyAfterAnother() async throws {
    try await syncWell(to: [Thing("d/gone", "gone"), Thing("stays", "stays")])
    try serve([Thing("stays", "stays")])
    let failing = ScriptedDisk()
    failing.failNextFile()
    assertEnds(try await sync(on: failing), .failed)
    XCTAssertEqual(try tree(), ["stays": "stays"])
    let unfinished = try await withIndex { try $0.unfinishedRemovals().map(\.key.description) }
    XCTAssertEqual(unfinished, ["d/gone"])
    let disk = ScriptedDisk()
    assertEnds(try await sync(on: disk))
    XCTAssertEqual(disk.fileSystems, 1)
    try await assertEqual(withIndex { try $0.unfinishedRemovals() }, [])
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
