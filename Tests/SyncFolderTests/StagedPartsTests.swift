import FolderTestSupport
import Foundation
import SyncLock
import TestSupport
import XCTest

@testable import SyncFiles
@testable import SyncFolder
@testable import SyncText

/// A file that comes in several parts at once.
class StagedPartsTestCase: FolderTestCase {
  static let bytes = [UInt8](
    (0..<400_000).map { "\($0) " }.joined().utf8.prefix(2_300_001))
  var bytes: [UInt8] { Self.bytes }
  var size: Int64 { Int64(bytes.count) }
  var area: String { path + "/.mirror/staging" }

  func staging(
    on disk: any FileSystem = SystemFileSystem(), writesBeside: Bool = true
  ) throws -> Staging {
    let mode: MirrorFolder.Mode = exists(path) ? .existing : .create
    return try Staging(
      open(mode, fileSystem: disk), durability: .none, writesBeside: writesBeside)
  }

  func write(_ range: Range<Int>, to writer: PartWriter) throws {
    try bytes[range].withUnsafeBytes { try writer.write($0) }
  }

  func assertWhole(_ staged: Staged, line: UInt = #line) throws {
    XCTAssertEqual(staged.size, size, line: line)
    XCTAssertEqual(staged.sha256, SHA256Digest(of: bytes), line: line)
    let file = try Data(contentsOf: URL(filePath: "\(area)/\(staged.name)"))
    XCTAssertTrue(file.elementsEqual(bytes), "other bytes", line: line)
  }
}

final class StagedPartsTests: StagedPartsTestCase {
  func testInWhateverOrderThePartsComeTheFileAndItsDigestAreRight() throws {
    for seed in 1...12 as ClosedRange<UInt64> {
      var random = SeededGenerator(seed: seed)
      let file = try staging(writesBeside: seed % 3 > 0).createParts(size: size)
      var cuts = (0..<Int.random(in: 0...6, using: &random)).map { _ in
        Int.random(in: 1..<bytes.count, using: &random)
      }
      cuts = Array(Set(cuts + [0, bytes.count])).sorted()
      var parts = zip(cuts, cuts.dropFirst()).map { start, end in
        (writer: file.part(at: Int64(start)), place: start, end: end)
      }
      while !parts.isEmpty {
        let index = Int.random(in: parts.indices, using: &random)
        let (writer, place, end) = parts[index]
        let next = min(end, place + Int.random(in: 1...300_000, using: &random))
        try write(place..<next, to: writer)
        parts[index].place = next
        guard next == end else { continue }
        writer.settle()
        parts.remove(at: index)
      }
      try assertWhole(try file.finish(modified: nil))
    }
  }

  func testWhatWasWrittenIsGoneOnWithAndWhatIsMissingFromTheFileIsNot() throws {
    for isShort in [false, true] {
      let first = try staging().createParts(size: size)
      for range in [0..<300_000, 1_000_000..<1_500_000] {
        let writer = first.part(at: Int64(range.lowerBound))
        try write(range, to: writer)
        writer.settle()
      }
      try first.settle()
      let held = first.written
      XCTAssertEqual(held.ranges, [0..<300_000, 1_000_000..<1_500_000])
      first.suspend()
      let path = "\(area)/\(first.name)"
      if isShort { XCTAssertEqual(truncate(path, 1_200_000), 0) }
      let other = try staging()
      XCTAssertNil(
        try other.resumeParts(
          name: first.name, inode: first.inode + 1, size: size, of: held))
      let second = try XCTUnwrap(
        try other.resumeParts(name: first.name, inode: first.inode, size: size, of: held))
      let end = isShort ? 1_200_000 : 1_500_000
      XCTAssertEqual(second.written.ranges, [0..<300_000, 1_000_000..<Int64(end)])
      for range in [end..<bytes.count, 300_000..<1_000_000] {
        let writer = second.part(at: Int64(range.lowerBound))
        try write(range, to: writer)
        writer.settle()
      }
      try assertWhole(try second.finish(modified: nil))
    }
  }

  func testAFileThatLacksAPartIsNotFinished() throws {
    let file = try staging().createParts(size: size)
    let writer = file.part(at: 1)
    try write(1..<bytes.count, to: writer)
    writer.settle()
    assertThrows(.failed, try file.finish(modified: nil))
  }

  func testOneThatIsLetGoOfIsRemovedAndOneThatIsSuspendedStays() throws {
    var file: StagedParts? = try staging().createParts(size: size)
    file = nil
    XCTAssertNil(file)
    XCTAssertEqual(try names(area), [])
    file = try staging().createParts(size: size)
    file?.suspend()
    file = nil
    XCTAssertEqual(try names(area).count, 1)
  }

  func testAFullDiskIsToldAndNothingOfItIsFinished() throws {
    for isBeside in [true, false] {
      let disk = FullDisk()
      let file = try staging(on: disk, writesBeside: isBeside).createParts(size: size)
      let writer = file.part(at: 0)
      try write(0..<600_000, to: writer)
      disk.isFull.withLock { $0 = true }
      assertThrows(
        .full,
        try {
          try write(600_000..<bytes.count, to: writer)
          writer.settle()
          _ = try file.finish(modified: nil)
        }())
      file.discard()
      XCTAssertEqual(try names(area), [])
    }
  }

  func testARecordKeepsThePartsAndOneOfBeforeHasNone() throws {
    var ranges = ByteRanges(0..<10)
    ranges.insert(20..<30)
    let record = PartialRecord(
      file: "x", inode: 1, locator: "l", place: "p", validator: "\"1\"", whole: 40, flushed: 10,
      savedAt: 0, parts: ranges)
    XCTAssertEqual(PartialRecord(try XCTUnwrap(record.encoded())), record)
    var before = record
    before.parts = nil
    let encoded = try XCTUnwrap(before.encoded())
    XCTAssertFalse(String(decoding: encoded, as: UTF8.self).contains("parts"))
    XCTAssertEqual(PartialRecord(encoded), before)
  }
}

/// The real disk, until it is full.
private final class FullDisk: ForwardingFileSystem {
  let base: any FileSystem = SystemFileSystem()
  let isFull = Locked(false)

  func write(
    _ bytes: UnsafeRawBufferPointer, to descriptor: Int32, at offset: Int64
  ) throws(Errno) -> Int {
    if isFull.withLock({ $0 }) { throw .noSpace }
    return try base.write(bytes, to: descriptor, at: offset)
  }
}
