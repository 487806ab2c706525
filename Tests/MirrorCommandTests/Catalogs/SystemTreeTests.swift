import Foundation
import TestSupport
import XCTest

/// Thousands of files that no one here made: this system's own documentation.
final class SystemTreeTests: MirrorTestCase {
  func testTheSystemsOwnTreesArriveWholeThroughBothListings() throws {
    try link()
    let expected = try ServedTree(source)
    XCTAssertGreaterThan(expected.files.count, 1_000, "this system has hardly any documentation")
    for listing in NginxServer.Listing.allCases {
      try? FileManager.default.removeItem(at: copy)
      let server = try serve(listing: listing)
      let status: Int32 = expected.dangling.isEmpty ? 0 : 2
      assertEnd(try sync(server.url, within: .seconds(120)), status)
      try expected.assertIsHeld(in: copy)
      let first = try server.takeRequests()
      XCTAssertEqual(
        first.count, expected.directories + expected.files.count + expected.dangling.count)

      assertEnd(try sync(server.url, within: .seconds(120)), status)
      let second = try server.takeRequests()
      XCTAssertEqual(second.filter(\.isListing).count, expected.directories)
      XCTAssertEqual(second.filter { !$0.isListing }.count, expected.dangling.count)
    }
  }

  func testTheSystemsOwnTreesPublishedCostOneRequestTheSecondTime() throws {
    // Published trees hold no links, so what the server would give is copied first.
    try link()
    let linked = try ServedTree(source)
    let gallery = base.appending(path: "published")
    for (path, origin) in linked.files {
      let file = gallery.appending(path: path)
      try makeFolder(at: file.deletingLastPathComponent())
      try Data(contentsOf: origin).write(to: file)
    }
    assertEnd(try mirror("publish", gallery.path, within: .seconds(120)), 0)
    try age(catalogIn: gallery)
    let server = try serve(gallery)

    // The trees may hold a file that is so large that it would come in parts.
    let whole = ["--streams", "1"]
    assertEnd(try sync(server.url + "catalog.ndjson", whole, within: .seconds(120)), 0)
    try linked.assertIsHeld(in: copy)
    XCTAssertEqual(try server.takeRequests().count, linked.files.count + 1)

    let second = try sync(server.url + "catalog.ndjson", within: .seconds(120))
    assertEnd(second, 0)
    XCTAssertEqual(
      try server.takeRequests().map(\.description), ["GET /catalog.ndjson 304"], "\(second)")
  }

  private func link() throws {
    let all = URL(filePath: "/usr/share/doc")
    let packages = try FileManager.default.contentsOfDirectory(atPath: all.path).sorted()
    // Half of them: there are thousands of files all the same.
    for (number, package) in packages.enumerated() where number.isMultiple(of: 2) {
      try makeLink(at: source.appending(path: package), to: all.appending(path: package))
    }
  }
}
