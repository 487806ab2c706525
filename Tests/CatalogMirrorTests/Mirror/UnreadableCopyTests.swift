import FolderTestSupport
import Foundation
import SyncFiles
import SyncLock
import SyncTransport
import TestSupport
import TransportTesting
import XCTest

@testable import CatalogMirror

/// A copy of a file stands where it goes, of its size and date, and its bytes can't be had: its
/// item failed in every run.
final class UnreadableCopyTests: RunTestCase {
  private let disk = UnreadableDisk()

  override var environment: MirrorEnvironment {
    var environment = super.environment
    environment.fileSystem = disk
    return environment
  }

  private func begin() throws {
    try? FileManager.default.removeItem(atPath: folder)
    try place("alphA", at: "a")
    try setDate(Date(timeIntervalSince1970: 1_640_995_200), of: folder + "/a")
    let file = ServedFile(text: "alpha")
    try serveTree(["a": file])
    try site.answer(
      Self.root + "a",
      .text(
        "alpha", ("Date", Site.today), ("Last-Modified", file.modified), ("Content-Length", "5")))
    site.forgetLog()
  }

  func testItIsMovedAwayAndFetched() async throws {
    for fault in [UnreadableDisk.Fault.rights, .reading] {
      disk.fail(nil)
      try begin()
      disk.fail(fault)
      let mirror = mirror { tree(&$0) }
      let report = try await mirror.sync()
      assertEnds(report)
      XCTAssertEqual(report.failures, [], "\(fault)")
      XCTAssertEqual([report.adopted, report.added, report.displaced], [0, 1, 1], "\(fault)")
      let asked = site.log.filter { $0.address.path == "/pub/a" }
      XCTAssertEqual(asked.map(\.method.name), ["HEAD", "GET"])
      XCTAssertEqual(mirror.progress.bytesDone, 5, "what came to nothing is taken back")
      disk.fail(nil)
      XCTAssertEqual(try tree(), ["a": "alpha"])
      XCTAssertEqual(try movedAway(to: "displaced"), ["a": "alphA"])
      try await assertIndexIsTrue()
    }
  }
}

/// A disk that gives nobody the bytes of `a`.
private final class UnreadableDisk: ForwardingFileSystem {
  enum Fault {
    /// It can't be opened.
    case rights
    /// It can't be read any further than five bytes.
    case reading
  }

  let base: any FileSystem = SystemFileSystem()
  private let state = Locked<(fault: Fault?, opened: Set<Int32>)>((nil, []))

  func fail(_ fault: Fault?) { state.withLock { $0 = (fault, []) } }

  func open(
    path: [UInt8], beneath directory: Int32, _ flags: OpenFlags, mode: UInt32
  ) throws(Errno) -> Int32 {
    let isItem = path == Array("a".utf8)
    if isItem, state.withLock({ $0.fault == .rights }) { throw .noRights }
    let descriptor = try base.open(path: path, beneath: directory, flags, mode: mode)
    if isItem { state.withLock { _ = $0.opened.insert(descriptor) } }
    return descriptor
  }

  func close(_ descriptor: Int32) {
    state.withLock { _ = $0.opened.remove(descriptor) }
    base.close(descriptor)
  }

  func read(
    _ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer
  ) throws(Errno) -> Int {
    let count = try base.read(descriptor, into: buffer)
    let fails = state.withLock { $0.fault == .reading && $0.opened.contains(descriptor) }
    if fails, count == 0 { throw .inputOutput }
    return count
  }
}
