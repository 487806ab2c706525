import Foundation
import TestSupport
import XCTest

@testable import CatalogMirror
@testable import CatalogPublishing
@testable import SyncText

/// The publisher that stands in the documentation, run as it stands there.
final class WrittenPublisherTests: PackingTestCase {
  @discardableResult
  private func publish(
    _ other: String? = nil, endsWith end: ChildProcess.End = .exited(0)
  ) throws -> ChildProcess {
    let records = try temporaryFolder()
    let scripts = try Self.formatPage("python")
    let script = records.appending(path: "publish.py")
    try Data(try XCTUnwrap(scripts.first).utf8).write(to: script)
    let child = try ChildProcess(
      try Programs.find("python3"), [script.path, other ?? folder.path], environment: [:],
      directory: folder, records: records)
    XCTAssertEqual(try child.end(within: .seconds(60)), end, child.said)
    return child
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
    // A file that everybody may read lies where not everybody may go.
    try write("private/deep/f", "secret")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o700], ofItemAtPath: folder.appending(path: "private").path)
    try publish()
    XCTAssertEqual(try places().count, 69)
    try assertPacksAreTrue()
  }

  func testEachStateHasARevisionOfItsOwn() throws {
    try writeFiles(0..<3)
    var last: Int64 = 0
    for round in 1...3 {
      try writeFiles(0..<3, round: round)
      try publish()
      let revision = try XCTUnwrap(try header()["revision"]?.integer)
      XCTAssertGreaterThan(revision, last)
      last = revision
    }
  }

  func testWhatIsNoFileAndNamesOutsideUTF8AreLeftOut() throws {
    try writeFiles(0..<3)
    XCTAssertEqual(mkfifo(folder.appending(path: "pipe").path, 0o644), 0)
    let name = Array("\(folder.path)/".utf8) + [0xE9, 0]
    name.withUnsafeBufferPointer { path in
      path.withMemoryRebound(to: CChar.self) { path in
        let file = path.baseAddress.map { open($0, O_CREAT | O_WRONLY, 0o644) } ?? -1
        XCTAssertGreaterThanOrEqual(file, 0)
        close(file)
      }
    }
    let said = try publish().said
    XCTAssertTrue(said.contains("'\\udce9'"), said)
    XCTAssertEqual(try places().keys.sorted(), ["f0", "f1", "f2"])
    let listing = try Golden.listing(Golden.body(Array(try text().utf8)))
    XCTAssertEqual(listing.entries.count, 3)
    XCTAssertTrue(listing.unusable.isEmpty)
  }

  func testOfAFolderThatIsNotThereNothingIsMade() throws {
    let other = folder.appending(path: "mistyped")
    try publish(other.path, endsWith: .exited(1))
    XCTAssertFalse(FileManager.default.fileExists(atPath: other.path))
  }

  func testItLeavesADirectoryAloneThatIsSomebodyElses() throws {
    try write("catalog.ndjson.packs/mine", "mine")
    try publish(endsWith: .exited(1))
    XCTAssertEqual(
      try FileManager.default.contentsOfDirectory(atPath: packs.path), ["mine"])
  }
}
