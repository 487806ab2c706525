import TestSupport
import XCTest

@testable import CatalogMirror
@testable import SyncFiles
@testable import SyncFolder
import FolderTestSupport
@testable import SyncText

/// Files that are in their place and couldn't be recorded, since their directory couldn't be made
/// durable.
final class UnrecordedFilesTests: RunTestCase {
  private let names = (0..<1_100).map { "d/\($0)" }
  private var old: [Thing] { names.map { Thing($0, "old \($0)") } }
  private var new: [Thing] { names.map { Thing($0, "new \($0)") } }

  /// The system doesn't tell whose bytes it lost, and a disk that lost some is no disk to go on
  /// with.
  func testAFlushOfTheFolderThatFailsEndsTheRunWithOneError() async throws {
    let report = try await failTheFirstFlushOfADirectory()
    XCTAssertEqual(report.outcome, .failed)
    XCTAssertEqual(
      report.failures.map(\.sentence),
      [
        """
        the disk could not keep what was last written to \(folder); check the disk, then sync \
        again (\(Errno.inputOutput.text))
        """
      ])
  }

  func testWhatABatchPlacedAndCouldNotRecordIsKnownForOursByTheNextRun() async throws {
    try await failTheFirstFlushOfADirectory()
    let placed = Set(try tree().filter { $0.value.hasPrefix("new") }.keys)
    XCTAssertEqual(placed.count, BatchLimits.files)
    let marks = try await withIndex { try $0.unfinishedPlacements() }
    XCTAssertEqual(Set(marks.map(\.key.description)), placed)
    try await assertEqual(syncWell().adopted, 0, "they are known for ours, and needn't be compared")
    XCTAssertEqual(site.asked.count, 1 + names.count - placed.count, "the catalog, and the rest")
    try await assertIndexIsTrue()
  }

  func testWhatABatchPlacedAndCouldNotRecordIsRemovedWhenTheCatalogDropsIt() async throws {
    try await failTheFirstFlushOfADirectory()
    try await syncWell(to: [Thing("d/last", "kept")]) { $0.maximumRemoval = .all }
    XCTAssertEqual(try tree(), ["d/last": "kept"])
    try await assertIndexIsTrue()
  }

  /// Their renames may be in memory only: what is recorded before they are on the disk may be gone
  /// after a power cut.
  func testFilesThatACrashPlacedAreOnTheDiskBeforeTheyAreRecorded() async throws {
    try await failTheFirstFlushOfADirectory()
    let disk = ScriptedDisk()
    disk.failNextFileSystem()
    assertEnds(try await sync(on: disk), .failed)
    XCTAssertEqual(disk.fileSystems, 1)
    let marks = try await withIndex { try $0.unfinishedPlacements() }
    XCTAssertEqual(marks.count, BatchLimits.files, "recorded, or forgotten")
  }

  /// What lay there already was perhaps never written to the disk either.
  func testAfterAFailedFlushNoOtherIsBelieved() async throws {
    try await syncWell(to: old)
    try put("adopted", at: folder + "/d/adopted")
    try serve(old + [Thing("d/adopted", "adopted"), Thing("d/new", "new")])
    let disk = ScriptedDisk()
    disk.failNextFileSystem()
    let report = try await sync(on: disk)
    XCTAssertEqual(report.outcome, .failed)
    XCTAssertEqual(report.failures.count, 1)
    XCTAssertEqual(disk.fileSystems, 1)
    let held = try await withIndex { reader in
      try ["d/adopted", "d/new"].map { try reader.item(CatalogKey($0))?.content }
    }
    XCTAssertEqual(held, [nil, nil])
  }

  /// The bytes of one may be in memory only: read again they look right.
  func testAfterAFailedFlushNoPartIsGoneOnWith() async throws {
    try await syncWell(to: old)
    let big = Thing("big", Self.longText())
    try serve(old + [big, Thing("new", "new")])
    var answer = Site.Answer.text(String(big.text.prefix(2 << 20)), ("ETag", "\"1\""))
    answer = answer.torn(of: Int64(big.text.utf8.count))
    try site.answer(Self.root + "big", answer)
    let kept = {
      try FileManager.default.contentsOfDirectory(atPath: self.folder + "/.mirror/staging")
    }
    try await sync { $0.durability = .batch }
    XCTAssertEqual(try kept().count, 2, "a part and its record")

    try serve(old + [big, Thing("newer", "newer")])
    try site.answer(Self.root + "big", answer)
    let disk = ScriptedDisk()
    disk.failNextFileSystem()
    _ = try await sync(on: disk)
    XCTAssertEqual(try kept(), [])
  }

  private func sync(on disk: ScriptedDisk) async throws -> MirrorReport {
    var world = environment
    world.fileSystem = disk
    return try await FolderMirror(mirror { $0.durability = .batch }.options, in: world).sync()
  }

  @discardableResult
  private func failTheFirstFlushOfADirectory() async throws -> MirrorReport {
    try await syncWell(to: old)
    try serve(new)
    let disk = ScriptedDisk()
    disk.failNextFile()
    return try await sync(on: disk)
  }
}
