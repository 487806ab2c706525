import CSyncSystem
import TestSupport
import Foundation
import SyncLock
import XCTest
@testable import SyncFolder
@testable import SyncText
import FolderTestSupport

final class StagingTests: FolderTestCase {
  func testAStagedFileKnowsItsBytes() throws {
    let staging = try Staging(open())
    let file = try staging.create()
    for piece in ["a", "", "bc"] {
      try Data(piece.utf8).withUnsafeBytes { try file.write($0) }
    }
    XCTAssertEqual(file.count, 3)
    let staged = try file.finish(modified: 1_000_000_000.5)
    XCTAssertEqual(staged.size, 3)
    XCTAssertEqual(
      staged.sha256.description,
      "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    XCTAssertEqual(staged.modifiedNanoseconds, 1_000_000_000_500_000_000)
    XCTAssertEqual(try text(path + "/.mirror/staging/" + staged.name), "abc")
  }

  func testDatesFromLongAgoAndNonsenseDatesAreTaken() throws {
    let staging = try Staging(open())
    XCTAssertEqual(try stage("x", in: staging, modified: -1.5).modifiedNanoseconds, -1_500_000_000)
    XCTAssertEqual(try stage("x", in: staging, modified: 0).modifiedNanoseconds, 0)
    for nonsense in [Double.nan, .infinity, 1e300] {
      let modified = try stage("x", in: staging, modified: nonsense).modifiedNanoseconds
      XCTAssertGreaterThan(modified, 1_600_000_000_000_000_000)
    }
  }

  func testRestartForgetsWhatWasWritten() throws {
    let staging = try Staging(open())
    let file = try staging.create()
    try Data("rubbish".utf8).withUnsafeBytes { try file.write($0) }
    try file.restart()
    try Data("abc".utf8).withUnsafeBytes { try file.write($0) }
    let staged = try file.finish(modified: nil)
    XCTAssertEqual(staged.size, 3)
    XCTAssertTrue(staged.sha256.description.hasPrefix("ba7816bf"))
  }

  func testALargeFilesDigestIsThatOfItsBytesHoweverTheyCome() throws {
    let staging = try Staging(open())
    let large = Int(TrailingWriter.worthwhile)
    for (count, piece) in [
      (large - 1, 16 << 10), (large, 1_000_003), (large + 1, 16 << 10), (2 * large, 2 * large),
    ] {
      let bytes = Self.bytes(count)
      let file = try staging.create()
      try write(bytes[...], to: file, by: piece)
      let staged = try file.finish(modified: nil)
      XCTAssertEqual(staged.sha256, SHA256Digest(of: bytes), "\(count) by \(piece)")
      XCTAssertEqual(try contents(of: staged), Data(bytes), "\(count) by \(piece)")
    }
  }

  func testALargeFileGoesOnAndStartsAgainWithTheRightDigest() throws {
    let staging = try Staging(open())
    let count = 2 * Int(TrailingWriter.worthwhile) + 3
    let bytes = Self.bytes(count)
    let file = try staging.create(name: "part-1")
    try write(bytes[..<(count - 7)], to: file, by: 100_000)
    file.suspend()
    let resumed = try XCTUnwrap(try staging.resume(name: "part-1"))
    try write(bytes[(count - 7)...], to: resumed, by: 4)
    XCTAssertEqual(resumed.count, Int64(count))
    try resumed.restart()
    try write(bytes[...], to: resumed, by: 1 << 20)
    try resumed.restart()
    try write(bytes[..<9], to: resumed, by: 2)
    XCTAssertEqual(try resumed.finish(modified: nil).sha256, SHA256Digest(of: bytes[..<9]))
    let again = try staging.create(name: "part-2")
    try write(bytes[..<(count - 7)], to: again, by: 100_000)
    again.suspend()
    let finished = try XCTUnwrap(try staging.resume(name: "part-2"))
    try write(bytes[(count - 7)...], to: finished, by: 4)
    let staged = try finished.finish(modified: nil)
    XCTAssertEqual(staged.sha256, SHA256Digest(of: bytes))
    XCTAssertEqual(try contents(of: staged), Data(bytes))
  }

  func testWhatIsSettledIsInTheFile() throws {
    let staging = try Staging(open())
    let bytes = Self.bytes(3 * Int(TrailingWriter.worthwhile))
    let file = try staging.create(name: "part")
    // Within a piece, at its end, and past the size from which others write.
    for end in [70_000, 256 << 10, (256 << 10) + 1, 2_000_000, bytes.count] {
      try write(bytes[Int(file.count)..<end], to: file, by: 16 << 10)
      XCTAssertEqual(file.count, Int64(end))
      try file.settle()
      XCTAssertEqual(
        try Data(contentsOf: URL(filePath: path + "/.mirror/staging/part")), Data(bytes[..<end]))
    }
    XCTAssertEqual(try file.finish(modified: nil).sha256, SHA256Digest(of: bytes))
  }

  /// Bytes of which no two stretches of 4 KiB are equal.
  private static func bytes(_ count: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 7, count: count)
    for (number, start) in stride(from: 0, to: count - 2, by: 4_096).enumerated() {
      bytes[start] = UInt8(truncatingIfNeeded: number)
      bytes[start + 1] = UInt8(truncatingIfNeeded: number >> 8)
    }
    return bytes
  }

  private func write(_ bytes: ArraySlice<UInt8>, to file: StagedFile, by piece: Int) throws {
    var rest = bytes
    while !rest.isEmpty {
      try rest.prefix(piece).withUnsafeBytes { try file.write($0) }
      rest = rest.dropFirst(piece)
    }
  }

  private func contents(of staged: Staged) throws -> Data {
    try Data(contentsOf: URL(filePath: path + "/.mirror/staging/" + staged.name))
  }

  func testASuspendedFileGoesOnWhereItStood() throws {
    let staging = try Staging(open())
    let file = try staging.create(name: "part-1")
    try Data("a".utf8).withUnsafeBytes { try file.write($0) }
    file.suspend()
    let resumed = try XCTUnwrap(try staging.resume(name: "part-1"))
    XCTAssertEqual(resumed.count, 1)
    try Data("bc".utf8).withUnsafeBytes { try resumed.write($0) }
    XCTAssertTrue(try resumed.finish(modified: nil).sha256.description.hasPrefix("ba7816bf"))
    XCTAssertNil(try staging.resume(name: "part-2"))
  }

  func testAFileThatIsLetGoOfIsRemoved() throws {
    let staging = try Staging(open())
    _ = try staging.create()
    try staging.create().discard()
    staging.discard(try stage("x", in: staging))
    XCTAssertEqual(try names(path + "/.mirror/staging"), [])
  }

  func testNamesThatLeadElsewhereAreRefused() throws {
    let staging = try Staging(open())
    for name in ["", ".", "..", "../marker", "a/b", "a\u{0}b", ".hidden", "é"] {
      assertThrows(.failed, try staging.create(name: name))
      assertThrows(.failed, try staging.resume(name: name))
    }
  }

  func testAPlantedLinkIsNeitherWrittenNorResumed() throws {
    let staging = try Staging(open())
    try makeLink(at: path + "/.mirror/staging/x", to: outside + "/canary")
    assertThrows(.failed, try staging.create(name: "x"))
    assertThrows(.blocked, try staging.resume(name: "x"))
    XCTAssertEqual(mkfifo(path + "/.mirror/staging/fifo", 0o600), 0)
    assertThrows(.blocked, try staging.resume(name: "fifo"))
  }

  func testSweepingKeepsWhatCanBeResumed() throws {
    let staging = try Staging(open())
    _ = try stage("a", in: staging, name: "keep")
    _ = try stage("b", in: staging)
    try put("c", at: path + "/.mirror/staging/directory/deep/c")
    try makeLink(at: path + "/.mirror/staging/directory/out", to: outside)
    XCTAssertEqual(try staging.sweep(keeping: ["keep"]), 2)
    XCTAssertEqual(try names(path + "/.mirror/staging"), ["keep"])
  }

  func testAFullDiskIsOneFatalErrorAndTheFileCanStartAgain() throws {
    try makeFolder(at: path)
    try withMount(at: path, options: "size=256k") {
      let file = try Staging(open()).create()
      let piece = [UInt8](repeating: 7, count: 100_000)
      XCTAssertThrowsError(try (0..<4).forEach { _ in try piece.withUnsafeBytes(file.write) }) {
        XCTAssertEqual(($0 as? FolderError)?.code, .full)
        XCTAssertEqual(($0 as? FolderError)?.isFatal, true)
      }
      try file.restart()
      try piece.withUnsafeBytes(file.write)
      XCTAssertEqual(try file.finish(modified: nil).size, 100_000)
    }
  }

  func testADiskThatALargeFileFillsIsNoticedInTheEndAtTheLatest() throws {
    try makeFolder(at: path)
    try withMount(at: path, options: "size=2m") {
      let staging = try Staging(open())
      for count in [3 << 20, 8 << 20] {
        let file = try staging.create()
        XCTAssertThrowsError(
          try {
            try write(Self.bytes(count)[...], to: file, by: 16 << 10)
            _ = try file.finish(modified: nil)
          }()
        ) { XCTAssertEqual(($0 as? FolderError)?.code, .full, "\(count): \($0)") }
        try file.restart()
        let bytes = Self.bytes(1_500_000)
        try write(bytes[...], to: file, by: 16 << 10)
        let staged = try file.finish(modified: nil)
        XCTAssertEqual(try contents(of: staged), Data(bytes))
        staging.discard(staged)
      }
    }
  }

  func testAWriteThatFailsInTheBackgroundIsToldOnceWhateverComesNext() throws {
    let disk = ScriptedDisk()
    let staging = try Staging(open(fileSystem: disk))
    let bytes = Self.bytes(4 << 20)
    /// A large file of which nobody knows yet that its last bytes can't be written.
    func failing() throws -> StagedFile {
      disk.failWrites(after: .max)
      let file = try staging.create()
      try write(bytes[..<(2 << 20)], to: file, by: 16 << 10)
      try file.settle()
      let pause = ScriptedDisk.Pause()
      disk.failWrites(after: 0, and: pause)
      try write(bytes[(2 << 20)..<(2 << 20 + 256 << 10)], to: file, by: 16 << 10)
      pause.begun.wait()
      pause.goOn.signal()
      return file
    }
    let next: [(String, (StagedFile) throws -> Void)] = [
      ("settle", { try $0.settle() }), ("finish", { _ = try $0.finish(modified: nil) }),
      ("restart", { try $0.restart() }),
      // More than may wait to be written, so that the first piece's failure is known by then.
      ("write", { [self] in for _ in 0..<5 { try write(bytes[...], to: $0, by: 16 << 10) } }),
    ]
    for (name, act) in next {
      let file = try failing()
      XCTAssertThrowsError(try act(file), name) {
        XCTAssertEqual(($0 as? FolderError)?.code, .diskFailed, "\(name): \($0)")
      }
      if name != "restart" { XCTAssertEqual(file.settledCount, 2 << 20, name) }
      disk.failWrites(after: .max)
      try file.restart()
      try write(bytes[...], to: file, by: 16 << 10)
      let staged = try file.finish(modified: nil)
      XCTAssertEqual(staged.sha256, SHA256Digest(of: bytes), name)
      XCTAssertEqual(try contents(of: staged), Data(bytes), name)
    }
    let discarded = try failing()
    discarded.discard()
    assertThrows(.stagedFileGone, try write(bytes[..<9], to: discarded, by: 9))
  }

  func testFilesThatNeedTheirOwnFlushAreBoundedInNumber() throws {
    let disk = ScriptedDisk()
    let staging = try Staging(open(fileSystem: disk), durability: .file)
    let before = disk.files
    let held = try (0..<10).map { _ in try stage("x", in: staging) }
    XCTAssertEqual(disk.files - before, 6, "four are held, the others are flushed at once")
    withExtendedLifetime(held) {}
  }

  func testALargeFileIsWrittenWhole() throws {
    let staging = try Staging(open())
    let file = try staging.create()
    let piece = [UInt8](repeating: 1, count: 3 << 20)
    for _ in 0..<6 { try piece.withUnsafeBytes(file.write) }
    let staged = try file.finish(modified: nil)
    guard case .ownFlush = staged.flushOwed else { return XCTFail("it joins a batch") }
    XCTAssertEqual(staged.size, 18 << 20)
  }
}
