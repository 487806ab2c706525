import Dispatch
import FolderTestSupport
import SyncLock
import TestSupport
import XCTest

@testable import SyncFiles
@testable import SyncFolder
@testable import SyncText

/// What is written, read and hashed of a file in parts, and when.
final class PartsOnDiskTests: StagedPartsTestCase {
  func testOneThatIsLetGoOfWhileItIsWrittenIsRemovedThen() throws {
    let disk = WatchedDisk()
    var file: StagedParts? = try staging(on: disk).createParts(size: size)
    var writer = file?.part(at: 0)
    disk.isHeld.withLock { $0 = true }
    try write(0..<300_000, to: XCTUnwrap(writer))
    writer = nil
    file = nil
    XCTAssertNil(writer)
    XCTAssertNil(file)
    disk.letThrough()
    disk.removed.wait()
    XCTAssertEqual(try names(area), [])
  }

  /// A file with room for so many bytes, of which all from 256 KiB to 512 KiB are there, and then
  /// what is before them: the disk holds the first reading back.
  private func catchingUp(_ disk: WatchedDisk, size: Int64) throws -> StagedParts {
    let file = try staging(on: disk).createParts(size: size)
    disk.isHeld.withLock { $0 = true }
    for start in [1, 0] {
      let writer = file.part(at: Int64(start * Piece.size))
      try write(start * Piece.size..<(start + 1) * Piece.size, to: writer)
      writer.settle()
    }
    return file
  }

  func testWhileEarlyBytesAreReadNothingWaitsInMemory() throws {
    let disk = WatchedDisk(holdsReads: true)
    let size = Int64(100 * Piece.size)
    let file = try catchingUp(disk, size: size)
    let writer = file.part(at: Int64(2 * Piece.size))
    // More than all files together may have in memory.
    for _ in 2..<100 { try write(0..<Piece.size, to: writer) }
    try file.settle()
    XCTAssertEqual(file.written.prefix, size)
    disk.letThrough()
    let staged = try file.finish(modified: nil)
    let whole = Array(bytes[..<(2 * Piece.size)])
    XCTAssertEqual(
      staged.sha256,
      SHA256Digest(of: whole + (2..<100).flatMap { _ in bytes[..<Piece.size] }))
  }

  func testWhoGivesUpDoesNotWaitUntilEarlyBytesAreHashed() async throws {
    let disk = WatchedDisk(holdsReads: true)
    let file = try catchingUp(disk, size: size)
    let writer = file.part(at: Int64(2 * Piece.size))
    try write(2 * Piece.size..<bytes.count, to: writer)
    writer.settle()
    try file.settle()
    file.hashNoMore()
    disk.letThrough()
    do {
      try await file.catchUp()
      XCTFail("it was hashed")
    } catch is CancellationError {}
    XCTAssertLessThan(disk.reads.withLock { $0 }, bytes.count / Piece.size, "it went on reading")
    XCTAssertThrowsError(try file.finish(modified: nil))
    file.suspend()
    let next = try XCTUnwrap(
      try staging().resumeParts(
        name: file.name, inode: file.inode, size: size, of: file.written))
    try assertWhole(try next.finish(modified: nil))
  }

  func testACancelledTaskEndsTheHashing() async throws {
    let file = try staging().createParts(size: size)
    let writer = file.part(at: 0)
    try write(0..<bytes.count, to: writer)
    writer.settle()
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await file.catchUp()
    }
    do {
      try await task.value
      XCTFail("it was hashed")
    } catch is CancellationError {}
  }

  func testTheHashHasCaughtUpWithWhatCameEarly() async throws {
    let file = try staging().createParts(size: size)
    for range in [1_000_000..<bytes.count, 0..<1_000_000] {
      let writer = file.part(at: Int64(range.lowerBound))
      try write(range, to: writer)
      writer.settle()
    }
    try await file.catchUp()
    XCTAssertEqual(file.hashed, size)
    try assertWhole(try file.finish(modified: nil))
  }

  func testAFileWithHolesTakesWhatIsInIt() throws {
    let staging = try staging()
    let length: Int64 = 64 << 20
    let file = try staging.createParts(size: length)
    let writer = file.part(at: length - 4_096)
    try write(0..<4_096, to: writer)
    writer.settle()
    file.suspend()
    XCTAssertLessThan(try staging.bytes(), 1 << 20)
  }

  func testTheDiskIsGivenToDoWhatWasWrittenAndOnce() throws {
    let disk = WatchedDisk()
    let length = 3 * (8 << 20)
    let file = try Staging(
      open(.create, fileSystem: disk), durability: .batch
    ).createParts(size: Int64(length))
    for start in [8 << 20, 0, 16 << 20] {
      let writer = file.part(at: Int64(start))
      for _ in 0..<32 { try write(0..<Piece.size, to: writer) }
    }
    try file.settle()
    XCTAssertEqual(
      disk.begun.withLock { $0 },
      [8 << 20..<16 << 20, 0..<8 << 20, 16 << 20..<24 << 20])
  }
}

/// The real disk, which can be held back, and tells what it was asked to do.
private final class WatchedDisk: ForwardingFileSystem {
  let base: any FileSystem = SystemFileSystem()
  /// Whether it holds back the next reading, or else writing, of a part.
  let isHeld = Locked(false)
  let removed = DispatchSemaphore(value: 0)
  let reads = Locked(0)
  let begun = Locked<[Range<Int64>]>([])
  private let holdsReads: Bool
  private let held = DispatchSemaphore(value: 0)

  init(holdsReads: Bool = false) { self.holdsReads = holdsReads }

  func letThrough() { held.signal() }

  private func hold() {
    let waits = isHeld.withLock { isHeld in
      defer { isHeld = false }
      return isHeld
    }
    if waits { held.wait() }
  }

  func write(
    _ bytes: UnsafeRawBufferPointer, to descriptor: Int32, at offset: Int64
  ) throws(Errno) -> Int {
    if !holdsReads { hold() }
    return try base.write(bytes, to: descriptor, at: offset)
  }

  func read(
    _ descriptor: Int32, at offset: Int64, into buffer: UnsafeMutableRawBufferPointer
  ) throws(Errno) -> Int {
    reads.withLock { $0 += 1 }
    if holdsReads { hold() }
    return try base.read(descriptor, at: offset, into: buffer)
  }

  func unlink(_ name: [UInt8], in directory: Int32) throws(Errno) {
    defer { removed.signal() }
    try base.unlink(name, in: directory)
  }

  func startWriteBack(_ descriptor: Int32, from offset: Int64, count: Int64) {
    begun.withLock { $0.append(offset..<offset + count) }
  }
}
