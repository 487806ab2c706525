import Foundation
import TestSupport
import XCTest

@testable import CatalogMirror
@testable import CatalogPublishing
@testable import SyncText

/// The publisher that stands in the documentation, run as it stands there.
final class WrittenPublisherTests: PackingTestCase {
  private func publish(endsWith end: ChildProcess.End = .exited(0)) throws {
    let records = try temporaryFolder()
    let scripts = try Self.formatPage("python")
    let script = records.appending(path: "publish.py")
    try Data(try XCTUnwrap(scripts.first).utf8).write(to: script)
    let child = try ChildProcess(
      try Programs.find("python3"), [script.path, folder.path], environment: [:],
      directory: folder, records: records)
    XCTAssertEqual(try child.end(within: .seconds(60)), end, child.said)
  }

  /// What a mirror sees of packs.
  private func assertItsPacksAreRead(line: UInt = #line) throws {
    let listing = try Golden.listing(Golden.body(Array(try text().utf8)))
    let named = try named()
    XCTAssertEqual(Set(listing.packs.packs.keys), Set(named.keys), line: line)
    XCTAssertFalse(named.isEmpty, line: line)
  }

  func testItsPacksAreTrueAndItsCatalogIsRead() throws {
    try writeFiles(0..<90, size: 200 << 10)
    try writeFiles(0..<9, "in/ü \"")
    try write("empty", "")
    try publish()
    try assertPacksAreTrue()
    XCTAssertEqual(try places().count, 99)
    XCTAssertEqual(try named().count, 3)
    try assertItsPacksAreRead()
    let listing = try Golden.listing(Golden.body(Array(try text().utf8)))
    XCTAssertEqual(listing.entries.count, 100)
  }

  /// Its packs are packs as any: we go on with them, and they with ours.
  func testWePublishAfterItAndItAfterUs() throws {
    try writeFiles(0..<100)
    try writeFiles(0..<9, "in/ü \"")
    try publish()
    let before = try places()
    let report = try pack()
    XCTAssertEqual(report.packs?.written, 0)
    XCTAssertEqual(report.packs?.files, 109)
    XCTAssertEqual(try places(), before)
    try assertPacksAreTrue()
    try writeFiles(0..<70, round: 1)
    XCTAssertEqual(try pack().packs?.written, 1)
    try assertItsPacksAreRead()
    let ours = try named()
    try writeFiles(0..<60, round: 2)
    try publish()
    try assertPacksAreTrue()
    try assertItsPacksAreRead()
    XCTAssertEqual(try places().count, 109)
    XCTAssertTrue(try Set(named().keys).isDisjoint(with: ours.keys), "an id is given once")
  }

  func testItLeavesOutWhatIsTheCatalogsAndNothingElse() throws {
    try writeFiles(0..<70)
    _ = try pack()
    try write("my catalog.ndjson notes", "mine")
    try write("in/catalog.ndjson", "mine")
    try write("holiday.packs/list", "mine")
    try publish()
    try publish()
    let listing = try Golden.listing(Golden.body(Array(try text().utf8)))
    XCTAssertEqual(listing.entries.count, 73)
    try assertPacksAreTrue()
  }

  func testItPacksOnlyWhatEverybodyMayRead() throws {
    try writeFiles(0..<70)
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o640], ofItemAtPath: folder.appending(path: "f9").path)
    try publish()
    XCTAssertEqual(try places().count, 69)
    try assertPacksAreTrue()
  }

  func testItLeavesADirectoryAloneThatIsSomebodyElses() throws {
    try write("catalog.ndjson.packs/mine", "mine")
    try publish(endsWith: .exited(1))
    XCTAssertEqual(
      try FileManager.default.contentsOfDirectory(atPath: packs.path), ["mine"])
  }
}
