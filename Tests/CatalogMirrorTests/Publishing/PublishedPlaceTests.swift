import Foundation
import SyncFiles
import SyncFolder
import TestSupport
import XCTest

@testable import CatalogMirror
@testable import CatalogPublishing

/// What stands in the catalog's place, and who else publishes there.
final class PublishedPlaceTests: PublishingTestCase {
  private func lock(at name: String = ".catalog.ndjson.mirror-lock") throws -> FolderLock {
    try FolderLock.acquire(
      Array(name.utf8),
      in: .open(userPath: folder.path, [.reading, .directory], in: SystemFileSystem()), for: name,
      now: 1_795_211_244)
  }

  func testASecondPublisherIsToldWhoTheFirstOneIs() throws {
    try write("a", "1")
    let lock = try lock()
    XCTAssertThrowsError(try writer().write()) {
      XCTAssertEqual($0 as? PublishError, .locked(path: "catalog.ndjson", by: lock.holder))
      XCTAssertTrue("\($0)".contains("by process \(getpid()) since 2026-11-20"), "\($0)")
    }
    XCTAssertFalse(
      isThere(folder.appending(path: "catalog.ndjson")))
    lock.release()
    XCTAssertTrue(try writer().write().wasReplaced)
    XCTAssertNoThrow(try writer().write(), "whoever has published is done with it")
    XCTAssertEqual(
      try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted(),
      [".catalog.ndjson.mirror-state", "a", "catalog.ndjson"])
  }

  func testASecondPublisherWaitsIfThatIsAskedFor() throws {
    try write("a", "1")
    let lock = try lock()
    var waited: [LockHolder?] = []
    let report = try writer { $0.waitsForLock = true }.write(
      until: StopFlag(),
      waits: {
        waited.append($0)
        lock.release()
      })
    XCTAssertEqual(waited, [lock.holder])
    XCTAssertTrue(report.wasReplaced)
  }

  func testWhoWaitsEndsWhenHeIsStopped() throws {
    let lock = try lock()
    let stop = StopFlag()
    XCTAssertThrowsError(
      try writer { $0.waitsForLock = true }.write(until: stop, waits: { _ in stop.raise() })
    ) {
      XCTAssertTrue($0 is CancellationError, "\($0)")
    }
    lock.release()
  }

  func testWhoWaitsForAReaderEndsWhenHeIsStopped() throws {
    XCTAssertEqual(mkfifo(folder.appending(path: "catalog.ndjson").path, 0o600), 0)
    let stop = StopFlag()
    stop.raise()
    XCTAssertThrowsError(try writer().write(until: stop)) {
      XCTAssertTrue($0 is CancellationError, "\($0)")
    }
  }

  func testNoLockOfAnyCatalogIsAnEntry() throws {
    try write("a", "1")
    try write("sub/.list.ndjson.mirror-lock", "")
    for _ in 0..<2 { XCTAssertEqual(try writer().write().entries, 1) }
  }

  func testALinkInItsPlaceStaysAndTheFileBehindItIsTheCatalog() throws {
    try write("a", "1")
    try write("lists/b", "2")
    try makeLink(at: folder.appending(path: "catalog.ndjson").path, to: "lists/real")
    for expected in [true, false] {
      let report = try writer().write()
      XCTAssertEqual(report.wasReplaced, expected)
      XCTAssertEqual([report.entries, report.skipped.count], [2, 0])
    }
    XCTAssertTrue(try text(of: "lists/real").hasPrefix("{\"catalog\":1"))
    XCTAssertEqual(
      try FileManager.default.destinationOfSymbolicLink(
        atPath: folder.appending(path: "catalog.ndjson").path), "lists/real")
  }

  func testAFIFOInItsPlaceGetsTheCatalogAndNothingIsKeptBesideIt() throws {
    try write("a", "1")
    let path = folder.appending(path: "catalog.ndjson").path
    XCTAssertEqual(mkfifo(path, 0o600), 0)
    let reader = open(path, O_RDONLY | O_NONBLOCK)
    defer { close(reader) }
    XCTAssertTrue(try writer().write().wasReplaced)
    var bytes = [UInt8](repeating: 0, count: 4_096)
    let count = read(reader, &bytes, bytes.count)
    let listing = try Golden.listing(Golden.body(Array(bytes.prefix(max(count, 0)))))
    XCTAssertEqual(listing.entries.map(\.key), [CatalogKey("a")])
    XCTAssertEqual(
      try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted(),
      ["a", "catalog.ndjson"])
    var facts = stat()
    XCTAssertEqual(lstat(path, &facts), 0)
    XCTAssertEqual(facts.st_mode & S_IFMT, S_IFIFO)
  }
}
