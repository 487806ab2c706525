import Dispatch
import Foundation
import SyncLock
import TestSupport
import XCTest
@testable import SyncFiles
@testable import SyncFolder
import FolderTestSupport
@testable import SyncText

/// The records of partial files, and what is flushed for them.
final class PartialFilesTests: FolderTestCase {
  private let slot = String(repeating: "a", count: 64)
  private let now = Locked(started)
  private var area: String { path + "/.mirror/staging" }

  private func partials(fileSystem: any FileSystem = SystemFileSystem()) throws -> PartialFiles {
    let now = now
    let mode: MirrorFolder.Mode = exists(path) ? .existing : .create
    return try PartialFiles.sweep(
      Staging(open(mode, fileSystem: fileSystem)), now: { now.withLock { $0 } })
  }

  private func record(of name: String, flushed: Int64 = 1) -> PartialRecord {
    PartialRecord(
      file: name, inode: 1, locator: "l", place: "p", validator: "\"1\"", whole: nil,
      flushed: flushed, savedAt: 0)
  }

  /// Leaves a partial file with its record.
  @discardableResult
  private func leave(
    _ text: String, under slot: String, in partials: PartialFiles
  ) throws -> PartialRecord {
    let file = try partials.staging.create()
    try Data(text.utf8).withUnsafeBytes { try file.write($0) }
    partials.save(record(of: file.name), under: slot)
    file.suspend()
    return try XCTUnwrap(partials.record(of: slot))
  }

  func testARecordIsFoundAgainAndItsFileIsNotSwept() async throws {
    let left = try leave("text", under: slot, in: partials())
    try put("torn", at: area + "/other")
    XCTAssertEqual(try partials().record(of: slot), left)
    XCTAssertEqual(left.savedAt, Self.started)
    XCTAssertEqual(try names(area), [left.file, "resume-" + slot].sorted())
  }

  func testARecordWithoutItsFileAndAFileWithoutItsRecordAreSwept() throws {
    let left = try leave("text", under: slot, in: partials())
    try FileManager.default.removeItem(atPath: "\(area)/\(left.file)")
    XCTAssertTrue(try partials().isEmpty)
    XCTAssertEqual(try names(area), [])
    try leave("text", under: slot, in: partials())
    try FileManager.default.removeItem(atPath: "\(area)/resume-\(slot)")
    XCTAssertTrue(try partials().isEmpty)
    XCTAssertEqual(try names(area), [])
  }

  func testTwoRecordsOfOneFileAreOne() throws {
    let other = String(repeating: "b", count: 64)
    let first = try partials()
    let left = try leave("text", under: slot, in: first)
    first.save(left, under: other)
    let found = try partials()
    XCTAssertEqual([slot, other].compactMap { found.record(of: $0) }.count, 1)
  }

  func testARecordOlderThanAWeekOrFromFarAheadIsSwept() throws {
    for days in [8.0, -8, 10_000, .nan] {
      now.withLock { $0 = Self.started }
      try leave("text", under: slot, in: partials())
      now.withLock { $0 += days * 86_400 }
      XCTAssertTrue(try partials().isEmpty)
      XCTAssertEqual(try names(area), [])
    }
    now.withLock { $0 = Self.started }
    try leave("text", under: slot, in: partials())
    now.withLock { $0 += 6 * 86_400 }
    XCTAssertFalse(try partials().isEmpty)
  }

  func testANewPartTakesThePlaceOfTheOldOne() throws {
    let partials = try partials()
    try leave("old", under: slot, in: partials)
    let new = try leave("new", under: slot, in: partials)
    XCTAssertEqual(try names(area), [new.file, "resume-" + slot].sorted())
    partials.remove(slot, but: new.file)
    XCTAssertEqual(try names(area), [new.file])
  }

  func testARecordWithAnyByteChangedIsNone() throws {
    let bytes = try XCTUnwrap(record(of: "x").encoded())
    XCTAssertEqual(PartialRecord(bytes), record(of: "x"))
    for place in bytes.indices {
      var changed = bytes
      changed[place] ^= 1
      XCTAssertNil(PartialRecord(changed), "\(place)")
      XCTAssertNil(PartialRecord(Array(bytes[..<place])), "\(place)")
    }
    var huge = record(of: "x")
    huge.validator = "\"" + String(repeating: "x", count: PartialRecord.limit) + "\""
    XCTAssertNil(huge.encoded())
  }

  func testWhatIsRecordedWasFlushedBefore() async throws {
    let disk = ScriptedDisk()
    let partials = try partials(fileSystem: disk)
    let before = disk.files
    let queue = DispatchDiskQueue()
    let keeper = PartialKeeper(partials, slot: slot, flushes: true, queue: queue)
    let file = try partials.staging.create()
    keeper.note(record(of: file.name, flushed: 5), of: try XCTUnwrap(file.file))
    try await queue.run {}
    XCTAssertEqual(disk.files, before + 1)
    XCTAssertEqual(partials.record(of: slot)?.flushed, 5)
    try keeper.close(record(of: file.name, flushed: 9), of: try XCTUnwrap(file.file))
    XCTAssertEqual(disk.files, before + 2)
    XCTAssertEqual(partials.record(of: slot)?.flushed, 9)
  }

  func testAnOlderRecordThatWaitsDoesNotReplaceTheLastOne() async throws {
    let partials = try partials()
    let queue = DispatchDiskQueue()
    let held = DispatchSemaphore(value: 0)
    queue.enqueue { held.wait() }
    let keeper = PartialKeeper(partials, slot: slot, flushes: true, queue: queue)
    let file = try partials.staging.create()
    let descriptor = try XCTUnwrap(file.file)
    keeper.note(record(of: file.name, flushed: 5), of: descriptor)
    try keeper.close(record(of: file.name, flushed: 9), of: descriptor)
    held.signal()
    try await queue.run {}
    XCTAssertEqual(partials.record(of: slot)?.flushed, 9)
  }

  func testAFailedFlushIsNotRecordedNotRepeatedAndNotForgotten() async throws {
    let disk = ScriptedDisk()
    let partials = try partials(fileSystem: disk)
    let before = disk.files
    let queue = DispatchDiskQueue()
    let keeper = PartialKeeper(partials, slot: slot, flushes: true, queue: queue)
    let file = try partials.staging.create()
    disk.failNextFile()
    for _ in 0..<2 {
      keeper.note(record(of: file.name), of: try XCTUnwrap(file.file))
      try await queue.run {}
    }
    XCTAssertEqual(disk.files, before + 1)
    XCTAssertTrue(partials.isEmpty)
    assertThrows(.flushFailed, try keeper.end())
  }

  func testWhereADigestTellsNothingIsFlushed() async throws {
    let disk = ScriptedDisk()
    let partials = try partials(fileSystem: disk)
    let before = disk.files
    let queue = DispatchDiskQueue()
    let keeper = PartialKeeper(partials, slot: slot, flushes: false, queue: queue)
    let file = try partials.staging.create()
    keeper.note(record(of: file.name), of: try XCTUnwrap(file.file))
    try await queue.run {}
    XCTAssertEqual(disk.files, before)
    XCTAssertFalse(partials.isEmpty)
  }

  func testAfterItsEndAKeeperRecordsNothing() async throws {
    let partials = try partials()
    let queue = DispatchDiskQueue()
    let keeper = PartialKeeper(partials, slot: slot, flushes: true, queue: queue)
    let file = try partials.staging.create()
    keeper.abandon()
    keeper.note(record(of: file.name), of: try XCTUnwrap(file.file))
    try await queue.run {}
    XCTAssertTrue(partials.isEmpty)
  }

  func testGivingAFileUpWaitsForNoRecordAndLeavesNone() throws {
    let disk = ScriptedDisk()
    let partials = try partials(fileSystem: disk)
    let queue = DispatchDiskQueue()
    let keeper = PartialKeeper(partials, slot: slot, flushes: true, queue: queue)
    let file = try partials.staging.create()
    let (name, descriptor) = (file.name, try XCTUnwrap(file.file))
    let (pause, isGivenUp, isWritten) = (
      ScriptedDisk.Pause(), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
    )
    disk.pauseNextRename(pause)
    keeper.note(record(of: name, flushed: 5), of: descriptor)
    pause.begun.wait()
    Thread.detachNewThread { [record = record(of: name, flushed: 9), slot] in
      keeper.note(record, of: descriptor)
      keeper.abandon()
      partials.remove(slot)
      isGivenUp.signal()
    }
    XCTAssertEqual(isGivenUp.wait(timeout: .now() + 30), .success)
    pause.goOn.signal()
    queue.enqueue { isWritten.signal() }
    isWritten.wait()
    XCTAssertTrue(partials.isEmpty)
    XCTAssertEqual(try names(area), [])
  }

  func testAPartIsCutToWhatCountsAndRefusedWhereItIsShorter() throws {
    let staging = try Staging(open())
    let name = try stage("abcdef", in: staging).name
    XCTAssertNil(try staging.resume(name: name, lengths: 7...9))
    XCTAssertNil(try staging.resume(name: name, inode: 1))
    let file = try XCTUnwrap(try staging.resume(name: name, lengths: 3...3))
    XCTAssertEqual(file.count, 3)
    XCTAssertTrue(try file.finish(modified: nil).sha256.description.hasPrefix("ba7816bf"))
  }

  func testHashingAPartEndsWhenItIsStoppedAndThePartStays() throws {
    let staging = try Staging(open())
    let name = try stage("abcdef", in: staging).name
    let stop = StopFlag()
    stop.raise()
    XCTAssertThrowsError(try staging.resume(name: name, until: stop)) {
      XCTAssertTrue($0 is CancellationError)
    }
    XCTAssertEqual(try names(area), [name])
  }
}
