import FolderTestSupport
import SyncLock
import TestSupport
import XCTest

@testable import CatalogMirror
@testable import SyncFiles
@testable import SyncFolder

/// A directory in the folder that the user can't read any more.
final class ClosedDirectoryTests: RunTestCase {
  private let disk = ClosedDisk()

  override var environment: MirrorEnvironment {
    var environment = super.environment
    environment.fileSystem = disk
    return environment
  }

  func testItsItemsFailWithOneSentenceAndEverythingElseIsDone() async throws {
    try await syncWell(to: [
      Thing("sub/a", "a"), Thing("sub/b", "b"), Thing("c", "c"), Thing("old", "old"),
    ])
    try serve([Thing("sub/a", "a"), Thing("sub/b", "new"), Thing("c", "new"), Thing("d", "d")])
    try remove("c")
    disk.close("sub")

    let plan = try await mirror().plan()
    XCTAssertEqual(plan.outcome, .someFailed)
    XCTAssertEqual(plan.fetches.map(\.key), ["c", "d"])
    XCTAssertEqual(plan.unusable.compactMap(\.key), ["sub/a", "sub/b"])
    let report = try await sync(ending: .someFailed)
    XCTAssertEqual([report.added, report.repaired, report.removed, report.failed], [1, 1, 1, 2])
    XCTAssertEqual(report.failures.count, 1, "\(report.failures)")
    let sentence = report.failures.first?.sentence ?? ""
    XCTAssertTrue(
      sentence.hasPrefix("sub may not be used by this user; change the owner or the rights of it"),
      sentence)
    XCTAssertFalse(site.asked.contains("/pub/sub/b"), "nothing is fetched for nothing")

    let status = try await mirror().status()
    XCTAssertEqual(status.foreign, 0, "it isn't somebody's")
    XCTAssertEqual(status.closed.compactMap(\.key), ["sub"])
    XCTAssertEqual(status.contents, 4, "what it holds isn't taken for gone")

    disk.close(nil)
    let mended = try await syncWell()
    XCTAssertEqual([mended.updated, mended.repaired, mended.displaced], [1, 0, 0])
    XCTAssertEqual(try tree(), ["sub/a": "a", "sub/b": "new", "c": "new", "d": "d"])
  }

  func testWhatTheSourceNoLongerHasThereFailsAsAnItemAndGoesLater() async throws {
    try await syncWell(to: [
      Thing("sub/a", "a"), Thing("c", "c"), Thing("d", "d"), Thing("old", "old"),
    ])
    try serve([Thing("c", "c"), Thing("d", "d"), Thing("e", "e")])
    disk.close("sub")
    let plan = try await mirror().plan()
    XCTAssertEqual([plan.removals, plan.unusable.compactMap(\.key)], [["old"], ["sub/a"]])
    let report = try await sync(ending: .someFailed)
    XCTAssertEqual([report.added, report.removed, report.failed], [1, 1, 1])
    disk.close(nil)
    try await assertEqual(syncWell().removed, 1)
    XCTAssertEqual(try tree(), ["c": "c", "d": "d", "e": "e"])
  }

  func testASourceThatHasNothingNewChangesNothingAboutIt() async throws {
    try await syncWell(to: [Thing("sub/a", "a"), Thing("c", "c")])
    disk.close("sub")
    let report = try await sync()
    XCTAssertTrue(report.wasUnchanged)
    XCTAssertEqual(report.outcome, .someFailed)
    XCTAssertEqual(report.failures.compactMap(\.key), ["sub/a"])
    disk.close(nil)
    try await syncWell()
    XCTAssertEqual(try tree(), ["sub/a": "a", "c": "c"])
  }
}

/// The real disk, but that nobody may open one of the folder's directories: tests may be run by a
/// user who may do anything.
private final class ClosedDisk: ForwardingFileSystem {
  let base: any FileSystem = SystemFileSystem()
  private let closed = Locked<[UInt8]?>(nil)

  func close(_ directory: String?) { closed.withLock { $0 = directory.map { Array($0.utf8) } } }

  func open(
    path: [UInt8], beneath directory: Int32, _ flags: OpenFlags, mode: UInt32
  ) throws(Errno) -> Int32 {
    if let closed = closed.withLock({ $0 }), path.starts(with: closed) { throw .noRights }
    return try base.open(path: path, beneath: directory, flags, mode: mode)
  }
}
