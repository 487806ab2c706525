import FolderTestSupport
import Foundation
import SyncFiles
import SyncLock
import SyncText
import XCTest

@testable import SyncFolder

/// A staged file is made of the bytes of another one: cloned where the disk can, else copied; and
/// read in either case.
final class CopyingTests: FolderTestCase {
  private let disk = CloningDisk()

  private func staging(on disk: (any FileSystem)? = nil) throws -> Staging {
    try Staging(try open(fileSystem: disk ?? self.disk))
  }

  private func copy(
    _ origin: CopyOrigin, size: Int64, in staging: Staging
  ) throws -> Staged? {
    try staging.copy(origin, size: size)
  }

  private func staged() throws -> [String] { try names(path + "/.mirror/staging") }

  func testACloneIsReadAndKnownByWhatItHolds() throws {
    try put("alpha", at: path + "/d/a")
    let copy = try copy(.item(ByteString("d/a")), size: 5, in: try staging())
    XCTAssertEqual(copy?.sha256, SHA256Digest(of: "alpha".utf8))
    XCTAssertEqual(disk.cloned, 1)
    disk.spoils = true
    let spoilt = try self.copy(.item(ByteString("d/a")), size: 5, in: try staging())
    XCTAssertNotEqual(spoilt?.sha256, SHA256Digest(of: "alpha".utf8), "what was made is read")
  }

  func testWhereTheDiskCannotItIsCopiedAndNotAskedAgain() throws {
    try put("alpha", at: path + "/a")
    disk.refusal = .notSupported
    let staging = try staging()
    for _ in 0..<3 {
      let copy = try copy(.item(ByteString("a")), size: 5, in: staging)
      XCTAssertEqual(copy?.sha256, SHA256Digest(of: "alpha".utf8))
      XCTAssertEqual(copy.map { try? text(path + "/.mirror/staging/" + $0.name) }, "alpha")
    }
    XCTAssertEqual(disk.asked, 1)
    XCTAssertFalse(staging.sharesBytes())
    disk.refusal = .invalid
    let other = try self.staging()
    for _ in 0..<2 { _ = try copy(.item(ByteString("a")), size: 5, in: other) }
    XCTAssertEqual(disk.asked, 3, "it may be this one file")
  }

  func testTheCopyIsAnotherFile() throws {
    try put("alpha", at: path + "/a")
    disk.refusal = .notSupported
    let copy = try copy(.item(ByteString("a")), size: 5, in: try staging())
    let original = try FileManager.default.attributesOfItem(atPath: path + "/a")
    XCTAssertNotEqual(copy?.inode, (original[.systemFileNumber] as? NSNumber)?.uint64Value)
    XCTAssertEqual(original[.referenceCount] as? Int, 1)
  }

  func testItKeepsTheDateOfTheOtherToTheNanosecond() throws {
    disk.refusal = .notSupported
    let staging = try staging()
    let first = try stage("staged", in: staging)
    let copy = try copy(.staged(name: first.name), size: 6, in: staging)
    XCTAssertEqual(copy?.modifiedNanoseconds, first.modifiedNanoseconds)
  }

  func testFilesOfEachAreaAreFound() throws {
    disk.refusal = .notSupported
    let staging = try staging()
    try put("preview", at: path + "/.mirror/previews/p.png")
    try put("gone", at: path + "/.mirror/quarantine/\(Self.batch).2/d/a")
    let first = try stage("staged", in: staging)
    for (origin, text) in [
      (CopyOrigin.preview(name: "p.png"), "preview"),
      (.quarantined(batch: "\(Self.batch).2", ByteString("d/a")), "gone"),
      (.staged(name: first.name), "staged"),
    ] {
      let copy = try copy(origin, size: Int64(text.utf8.count), in: staging)
      XCTAssertEqual(copy?.sha256, SHA256Digest(of: text.utf8))
    }
  }

  func testWhatIsNoSuchFileGivesNothingAndLeavesNothing() throws {
    let staging = try staging()
    try put("alpha", at: path + "/a")
    try put("five5", at: base + "/elsewhere")
    try FileManager.default.createSymbolicLink(
      atPath: path + "/link", withDestinationPath: base + "/elsewhere")
    XCTAssertEqual(mkfifo(path + "/fifo", 0o600), 0)
    try FileManager.default.createDirectory(
      atPath: path + "/directory", withIntermediateDirectories: true)
    for origin in [
      CopyOrigin.item(ByteString("missing")), .item(ByteString("link")),
      .item(ByteString("fifo")), .item(ByteString("directory")), .item(ByteString("../elsewhere")),
      .item(ByteString(".mirror/marker")), .preview(name: "../../a"),
      .quarantined(batch: "..", ByteString("a")), .quarantined(batch: "", ByteString("a")),
    ] {
      XCTAssertNil(try copy(origin, size: 5, in: staging), "\(origin)")
    }
    XCTAssertNil(try copy(.item(ByteString("a")), size: 4, in: staging), "another size")
    XCTAssertEqual(try staged(), [])
  }

  func testAFullDiskIsAnErrorOfTheNewFile() throws {
    let scripted = ScriptedDisk()
    let staging = try staging(on: scripted)
    try put("alpha", at: path + "/a")
    scripted.failWrites(after: 0)
    XCTAssertThrowsError(try copy(.item(ByteString("a")), size: 5, in: staging)) { error in
      XCTAssertTrue(error is FolderError, "\(error)")
    }
    XCTAssertEqual(try staged(), [])
  }

  func testItEndsWhereItIsStopped() throws {
    let staging = try staging()
    try put("alpha", at: path + "/a")
    for refusal in [nil, Errno.notSupported] {
      disk.refusal = refusal
      let stop = StopFlag()
      stop.raise()
      XCTAssertThrowsError(try staging.copy(.item(ByteString("a")), size: 5, until: stop)) {
        XCTAssertTrue($0 is CancellationError, "\($0)")
      }
    }
    XCTAssertEqual(try staged(), [])
  }
}

/// The real disk, but that it clones files by copying them, or says that it can't.
private final class CloningDisk: ForwardingFileSystem {
  let base: any FileSystem = SystemFileSystem()
  private let state = Locked((asked: 0, cloned: 0, refusal: Errno?.none, spoils: false))

  var asked: Int { state.withLock { $0.asked } }
  var cloned: Int { state.withLock { $0.cloned } }
  var refusal: Errno? {
    get { state.withLock { $0.refusal } }
    set { state.withLock { $0.refusal = newValue } }
  }
  /// Whether a clone's first byte is another one.
  var spoils: Bool {
    get { state.withLock { $0.spoils } }
    set { state.withLock { $0.spoils = newValue } }
  }

  func clone(_ source: Int32, into descriptor: Int32) throws(Errno) {
    let (refusal, spoils) = state.withLock { state in
      state.asked += 1
      return (state.refusal, state.spoils)
    }
    if let refusal { throw refusal }
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 4_096, alignment: 1)
    defer { buffer.deallocate() }
    let count = try base.read(source, at: 0, into: buffer)
    if spoils { buffer[0] ^= 1 }
    _ = try base.write(UnsafeRawBufferPointer(rebasing: buffer[..<count]), to: descriptor)
    try base.rewind(descriptor)
    state.withLock { $0.cloned += 1 }
  }
}
