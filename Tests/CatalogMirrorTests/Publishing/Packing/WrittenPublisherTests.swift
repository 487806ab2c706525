import Foundation
import TestSupport
import XCTest

@testable import CatalogMirror
@testable import CatalogPublishing
@testable import SyncText

/// The publisher that stands in the documentation, run as it stands there.
final class WrittenPublisherTests: PackingTestCase {
  private func publish() throws {
    let records = try temporaryFolder()
    let scripts = try Self.formatPage("python")
    let script = records.appending(path: "publish.py")
    try Data(try XCTUnwrap(scripts.first).utf8).write(to: script)
    let child = try ChildProcess(
      try Programs.find("python3"), [script.path, folder.path], environment: [:],
      directory: folder, records: records)
    XCTAssertEqual(try child.end(within: .seconds(60)), .exited(0), child.said)
  }

  func testItsPacksAreTrueAndItsCatalogIsRead() throws {
    try writeFiles(0..<90, size: 200 << 10)
    try writeFiles(0..<9, "in/ü \"")
    try write("empty", "")
    try publish()
    try assertPacksAreTrue()
    XCTAssertEqual(try places().count, 99)
    XCTAssertEqual(try named().count, 3)
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
    try writeFiles(0..<60, round: 1)
    try publish()
    try assertPacksAreTrue()
    XCTAssertEqual(try places().count, 109)
  }
}
