import CSyncSystem
import TestSupport
import Foundation
import SyncLock
import XCTest
@testable import SyncFolder
import FolderTestSupport
@testable import SyncFiles

/// When batches are flushed, in which order, and what a failure of each step leaves behind.
final class BatchCommitterTests: FolderTestCase {
  func testAFullBatchIsRecordedWithoutADrain() async throws {
    let bench = try CommitBench(open())
    for number in 0..<1_024 { try bench.add(try stage("x", in: bench.staging), at: "\(number)") }
    try await bench.queue.run {}
    XCTAssertEqual(bench.batches.map(\.count), [1_024])
  }

  func testAnOpenBatchIsRecordedWhenItsTimeHasPassed() async throws {
    let bench = try CommitBench(open())
    try bench.add(try stage("x", in: bench.staging), at: "a")
    try bench.add(try stage("x", in: bench.staging), at: "b")
    try await bench.queue.run {}
    XCTAssertEqual(bench.batches.count, 0)
    XCTAssertEqual(bench.queue.waiting, 1)
    try await bench.queue.pass()
    XCTAssertEqual(bench.batches.map(\.count), [2])
  }

  func testAClosedBatchIsRecordedAtOnceAndItsTimerFindsNothing() async throws {
    let bench = try CommitBench(open())
    try bench.add(try stage("x", in: bench.staging), at: "a")
    bench.committer.closeBatch()
    try await bench.queue.run {}
    XCTAssertEqual(bench.batches.map(\.count), [1])
    try bench.add(try stage("y", in: bench.staging), at: "b")
    XCTAssertEqual(bench.queue.waiting, 2)
    try await bench.queue.pass()
    XCTAssertEqual(bench.placed.map(\.payload), ["a", "b"], "by its own timer, and once")
    bench.committer.closeBatch()
    try await bench.queue.run {}
    XCTAssertEqual(bench.batches.count, 2, "an empty batch is none")
  }

  func testADrainWaitsForABatchWhoseTimeHasJustPassed() async throws {
    // The timer took the batch out of the window and then enqueued its flush; a drain in between
    // found nothing to wait for, and the flush came when the pass was over.
    let bench = try CommitBench(open())
    try bench.add(try stage("x", in: bench.staging), at: "a")
    let recordedAtDrain = Locked<Int?>(nil)
    let drain: @Sendable () async -> Void = {
      _ = await bench.drain()
      let count = bench.placed.count
      recordedAtDrain.withLock { $0 = $0 ?? count }
    }
    bench.queue.beforeNext {
      let isEnqueued = DispatchSemaphore(value: 0)
      bench.queue.afterNext { isEnqueued.signal() }
      Task { await drain() }
      isEnqueued.wait()
    }
    try await bench.queue.pass()
    await drain()
    XCTAssertEqual(recordedAtDrain.withLock { $0 }, 1)
  }

  func testABatchSharesOneFlushAndItsDirectoriesAnother() async throws {
    let disk = ScriptedDisk()
    let bench = try CommitBench(open(fileSystem: disk))
    let files = disk.files
    for number in 0..<200 {
      try bench.add(try stage("x", in: bench.staging), at: "d\(number % 20)/\(number)")
    }
    _ = await bench.drain()
    XCTAssertEqual(disk.fileSystems, 2, "the bytes, then more than 8 directories")
    XCTAssertEqual(disk.files, files)
  }

  func testFewDirectoriesAreFlushedOneByOne() async throws {
    let disk = ScriptedDisk()
    let bench = try CommitBench(open(fileSystem: disk))
    let files = disk.files
    for key in ["a", "b", "d/e/f"] { try bench.add(try stage("x", in: bench.staging), at: key) }
    _ = await bench.drain()
    XCTAssertEqual(disk.fileSystems, 1)
    XCTAssertEqual(disk.files - files, 3, "the folder, d, d/e")
  }

  func testDurabilityByFileFlushesEachAndNoneFlushesNone() async throws {
    let disk = ScriptedDisk()
    for (durability, expected) in [(Durability.file, 3 + 2), (.none, 0)] {
      let bench = try CommitBench(open(fileSystem: disk), durability: durability)
      let files = disk.files
      for key in ["a", "b", "c"] {
        try bench.add(try stage("\(durability)", in: bench.staging), at: "\(durability)/\(key)")
      }
      _ = await bench.drain()
      XCTAssertEqual(bench.placed.count, 3)
      XCTAssertEqual(disk.files - files, expected, "3 files, the folder and the new directory")
    }
    XCTAssertEqual(disk.fileSystems, 0)
  }

  func testAFailedFlushOfTheFolderIsNeverTriedAgainAndNothingIsPlacedAfterIt() async throws {
    let disk = ScriptedDisk()
    let bench = try CommitBench(open(fileSystem: disk))
    try bench.add(try stage("x", in: bench.staging), at: "a")
    disk.failNextFileSystem()
    let failures = await bench.drain()
    XCTAssertEqual(failures.map(\.payload), ["a"])
    XCTAssertEqual(failures.map { ($0.error as? FolderError)?.code }, [.unflushed])
    XCTAssertFalse(exists(path + "/a"))

    // The system told of the loss once, and not whose it was.
    try bench.add(try stage("y", in: bench.staging), at: "late")
    await assertEqual(bench.drain().map(\.payload), ["late"])
    XCTAssertEqual(bench.placed.map(\.payload), [])
    XCTAssertEqual(disk.fileSystems, 1)
    XCTAssertEqual(try names(path + "/.mirror/staging"), [])
  }

  func testALargeFileWhoseFlushFailsTakesNothingWithIt() async throws {
    let disk = ScriptedDisk()
    let bench = try CommitBench(open(fileSystem: disk))
    let file = try bench.staging.create()
    try [UInt8](repeating: 0, count: Int(BatchLimits.large)).withUnsafeBytes(file.write)
    try bench.add(try stage("x", in: bench.staging), at: "small")
    disk.failNextFile()
    try bench.add(try file.finish(modified: nil), at: "large")
    await assertEqual(bench.drain().map(\.payload), ["large"])
    XCTAssertEqual(bench.placed.map(\.payload), ["small"])
  }

  func testDirectoriesThatCantBeMadeDurableLeaveWholeFilesUnrecorded() async throws {
    let disk = ScriptedDisk()
    let bench = try CommitBench(open(fileSystem: disk))
    try bench.add(try stage("whole", in: bench.staging), at: "a")
    disk.failNextFile()
    await assertEqual(bench.drain().map { ($0.error as? FolderError)?.code }, [.unflushed])
    XCTAssertEqual(bench.placed.count, 0)
    XCTAssertEqual(try text(path + "/a"), "whole")
  }

  func testARecordThatFailsLeavesWholeFilesThatTheNextRunAdopts() async throws {
    struct NoIndex: Error {}
    let failing = try CommitBench(open(), record: { throw NoIndex() })
    try failing.add(try stage("whole", in: failing.staging), at: "a/b")
    await assertEqual(failing.drain().filter { $0.error is NoIndex }.map(\.payload), ["a/b"])
    XCTAssertEqual(try text(path + "/a/b"), "whole")

    let next = try CommitBench(open())
    try next.add(try stage("whole", in: next.staging), at: "a/b")
    await assertEqual(next.drain().count, 0)
    XCTAssertEqual(next.placed.map(\.adopted), [true])
    XCTAssertFalse(exists(path + "/.mirror/displaced"))
  }

  func testAFolderThatIsReplacedStopsTheRun() async throws {
    let bench = try CommitBench(open())
    try bench.add(try stage("1", in: bench.staging), at: "a")
    _ = await bench.drain()
    XCTAssertNil(bench.committer.fatal)
    try FileManager.default.moveItem(atPath: path, toPath: base + "/moved")
    try makeFolder(at: path)
    try bench.add(try stage("2", in: bench.staging), at: "b")
    await assertEqual(bench.drain().map { ($0.error as? FolderError)?.code }, [.folderChanged])
    XCTAssertEqual((bench.committer.fatal as? FolderError)?.code, .folderChanged)
    XCTAssertEqual(try names(path), [])
    XCTAssertEqual(try names(base + "/moved"), [".mirror", "a"])
  }

  func testAfterAFatalErrorNothingMoreIsTried() async throws {
    let bench = try CommitBench(open())
    let marker = path + "/.mirror/marker"
    let kept = try text(marker)
    let staged = try (0..<2).map { _ in try stage("x", in: bench.staging) }
    try FileManager.default.removeItem(atPath: marker)
    try bench.add(staged[0], at: "a")
    _ = await bench.drain()
    try put(kept, at: marker)
    try bench.add(staged[1], at: "b")
    await assertEqual(bench.drain().map { ($0.error as? FolderError)?.isFatal }, [true])
    XCTAssertEqual(bench.placed.count, 0)
  }

  func testADiskThatIsFullForDirectoriesStopsTheRunWithTheTreeWhole() async throws {
    try makeFolder(at: path)
    try await withMount(at: path, options: "size=1m,nr_inodes=12") {
      let bench = try CommitBench(open())
      for key in ["a", "b", "c/d/e/f/g/h/i/j", "z"] {
        try bench.add(try stage(key, in: bench.staging), at: key)
      }
      let failures = await bench.drain()
      XCTAssertEqual(bench.placed.map(\.payload), ["a", "b"])
      XCTAssertEqual(failures.map { ($0.error as? FolderError)?.code }, [.full, .full])
      XCTAssertEqual((bench.committer.fatal as? FolderError)?.code, .full)
      XCTAssertEqual(try text(path + "/a"), "a")
      XCTAssertEqual(try names(path + "/.mirror/staging"), [])
    }
  }

  func testAStagedFileThatIsGoneFailsAlone() async throws {
    let bench = try CommitBench(open())
    let staged = try stage("x", in: bench.staging)
    bench.staging.discard(staged)
    try bench.add(staged, at: "a/b")
    try bench.add(try stage("y", in: bench.staging), at: "c")
    await assertEqual(bench.drain().map { ($0.error as? FolderError)?.code }, [.stagedFileGone])
    XCTAssertEqual(bench.placed.map(\.payload), ["c"])
  }

  func testDrainHandsOverEachFailureOnce() async throws {
    let bench = try CommitBench(open())
    XCTAssertEqual(mkfifo(path + "/fifo", 0o600), 0)
    try bench.add(try stage("x", in: bench.staging), at: "fifo")
    let first = await bench.drain()
    let second = await bench.drain()
    XCTAssertEqual([first.count, second.count], [1, 0])
  }

  func testFilesAddedFromManyTasksAreAllPlaced() async throws {
    let bench = try CommitBench(open())
    try await withThrowingTaskGroup(of: Void.self) { group in
      for worker in 0..<8 {
        group.addTask {
          for number in 0..<100 {
            let staged = try bench.staging.create().finish(modified: nil)
            try bench.add(staged, at: "\(worker)/\(number)")
          }
        }
      }
      try await group.waitForAll()
    }
    await assertEqual(bench.drain().count, 0)
    XCTAssertEqual(Set(bench.placed.map(\.payload)).count, 800)
  }

  func testTenThousandSmallFilesArePlaced() async throws {
    let bench = try CommitBench(open())
    let bytes = [UInt8](repeating: 65, count: 4096)
    for number in 0..<10_000 {
      let file = try bench.staging.create()
      try bytes.withUnsafeBytes(file.write)
      let staged = try file.finish(modified: 1_000_000_000)
      try bench.add(staged, at: "d\(number / 100)/\(number)")
    }
    await assertEqual(bench.drain().count, 0)
    XCTAssertEqual(bench.placed.count, 10_000)
    let paths = try bench.placed.map { try relative($0.payload) }
    XCTAssertEqual(
      try bench.folder.look(at: paths).map { try $0.get()?.stamp }, bench.placed.map(\.stamp))
  }
}
