import Foundation
import TestSupport
import XCTest

@testable import CatalogMirror
@testable import CatalogPublishing
@testable import SyncText

/// What hasn't changed since it was published isn't read again, and whatever has changed is.
final class RememberedHashesTests: PublishingTestCase {
  func testWhatIsUnchangedIsNotHashedAgain() throws {
    try write("a/b", "one")
    try write("c", "two")
    XCTAssertEqual(try writer().write().hashed, 2)
    let first = try text()
    XCTAssertEqual(try writer().write().hashed, 0)
    XCTAssertEqual(try text(), first)
    try write("c", "three")
    XCTAssertEqual(try writer().write().hashed, 1)
    XCTAssertNotEqual(try text(), first)
    XCTAssertEqual(try writer { $0.rehashes = true }.write().hashed, 2)
  }

  /// A file system's clock stands still for some milliseconds: what is written twice within one of
  /// its ticks has the same times for both.
  func testAFileThatIsAsYoungAsItsHashIsHashedAgain() throws {
    try write("a", "one")
    XCTAssertEqual(try writer(ahead: 0).write().hashed, 1)
    XCTAssertEqual(try writer(ahead: 0).write().hashed, 1)
    XCTAssertEqual(try writer().write().hashed, 1)
    XCTAssertEqual(try writer(ahead: 0).write().hashed, 0)
  }

  func testAFileOfTheSameSizeAndDateIsHashedAgain() throws {
    let date = Date(timeIntervalSince1970: 1_700_000_000)
    let file = folder.appending(path: "a")
    func put(_ text: String) throws {
      try write("a", text)
      try setDate(date, of: file)
    }
    try put("one")
    _ = try writer().write()
    let first = try text()
    // Written in place, so that its number stays, too.
    let handle = try FileHandle(forWritingTo: file)
    try handle.write(contentsOf: Data("two".utf8))
    try handle.close()
    try setDate(date, of: file)
    XCTAssertEqual(try writer().write().hashed, 1)
    XCTAssertNotEqual(try text(), first)
  }

  func testWithoutWhatWasRememberedOrWithADamagedOneEverythingIsHashed() throws {
    try write("a", "one")
    try write("b", "two")
    _ = try writer().write()
    let state = folder.appending(path: ".catalog.ndjson.mirror-state")
    var bytes = try Data(contentsOf: state)
    bytes[bytes.count - 10] ^= 1
    try bytes.write(to: state)
    XCTAssertEqual(try writer().write().hashed, 2)
    XCTAssertEqual(try writer().write().hashed, 0)
    try FileManager.default.removeItem(at: state)
    XCTAssertEqual(try writer().write().hashed, 2)
  }

  /// The catalog is what counts: without a place to remember in, it is written all the same.
  func testWhatCannotBeRememberedIsSaidAndNoFailure() throws {
    try write("a", "one")
    try makeFolder(at: folder.appending(path: ".catalog.ndjson.mirror-state/in"))
    let report = try writer().write()
    XCTAssertEqual(report.entries, 1)
    XCTAssertTrue(report.wasReplaced)
    XCTAssertNotNil(report.unremembered)
  }

  func testProgressKnowsFromTheStartWhatHasToBeHashed() throws {
    try write("a", "12345")
    try write("b", "123")
    _ = try writer().write()
    try write("c/d", "1234567")
    var told: [PublishProgress] = []
    _ = try writer().write { told.append($0) }
    XCTAssertEqual(told.first?.files.total, 1)
    XCTAssertEqual(told.first?.bytes.total, 7)
    XCTAssertEqual(told.first?.bytes.done, 0)
    XCTAssertEqual(told.last?.files.done, 1)
    XCTAssertEqual(told.last?.bytes.done, 7)
  }

  func testAStateIsReadBackAsItWasAndAnythingElseIsNothing() throws {
    let stamp = PublishedStamp(
      size: 5, modifiedNanoseconds: -1, changedNanoseconds: .max, inode: .max)
    let digest = SHA256Digest(of: Array("x".utf8))
    let state = PublishedState(files: [
      Array("a b  c".utf8): .init(stamp: stamp, digest: digest),
      Array("ü".utf8): .init(stamp: stamp, digest: digest),
    ])
    let whole = PublishedState.bytes(of: state.files.map { ($0.key, $0.value) })
    XCTAssertEqual(PublishedState(bytes: whole), state)
    XCTAssertEqual(PublishedState(bytes: PublishedState.bytes(of: [])), PublishedState())
    for place in whole.indices {
      var bytes = whole
      bytes[place] ^= 0x20
      let read = PublishedState(bytes: bytes)
      XCTAssertTrue(read.files.isEmpty || read == state, "byte \(place)")
      XCTAssertTrue(PublishedState(bytes: Array(whole[..<place])).files.isEmpty)
    }
  }

  func testAStampIsSettledOnlyWhenItIsOlderThanAnyTick() {
    func stamp(_ modified: Int64, _ changed: Int64) -> PublishedStamp {
      .init(size: 0, modifiedNanoseconds: modified, changedNanoseconds: changed, inode: 1)
    }
    let now: Int64 = 1_000_000_000_000
    let tick: Int64 = 2_000_000_000
    let rows: [(Int64, Int64, Bool)] = [
      (now, 0, false), (0, now, false), (now - tick, 0, false), (now - tick - 1, 0, true),
      (0, now - tick - 1, true), (now + 1, 0, false), (.max, 0, false), (.min, .min, true),
    ]
    for (modified, changed, isSettled) in rows {
      XCTAssertEqual(
        stamp(modified, changed).isSettled(at: now), isSettled, "\(modified) \(changed)")
    }
  }
}
