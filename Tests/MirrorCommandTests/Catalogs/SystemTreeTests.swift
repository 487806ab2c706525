import TestSupport
import Foundation
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
      try assertCopyHolds(expected)
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
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(contentsOf: origin).write(to: file)
    }
    assertEnd(try mirror("publish", gallery.path, within: .seconds(120)), 0)
    try age(catalogIn: gallery)
    let server = try serve(gallery)

    assertEnd(try sync(server.url + "catalog.ndjson", within: .seconds(120)), 0)
    try assertCopyHolds(linked)
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
      try FileManager.default.createSymbolicLink(
        at: source.appending(path: package), withDestinationURL: all.appending(path: package))
    }
  }

  private func assertCopyHolds(_ tree: ServedTree) throws {
    let found = try FileManager.default.subpathsOfDirectory(atPath: copy.path)
      .filter { !$0.hasPrefix(".mirror") && !tree.isDirectory($0) }
    XCTAssertEqual(Set(found), Set(tree.files.keys), "other files")
    for (path, origin) in tree.files {
      let isEqual = FileManager.default.contentsEqual(
        atPath: origin.path, andPath: copy.appending(path: path).path)
      XCTAssertTrue(isEqual, "\(path) has other bytes")
    }
  }
}

/// What nginx serves of a folder: links followed, names that begin with a dot left out.
struct ServedTree {
  /// Where the bytes of each file are, by path.
  private(set) var files: [String: URL] = [:]
  /// Links that lead nowhere: listed, and not there.
  private(set) var dangling: Set<String> = []
  private var directoryPaths: Set<String> = [""]

  init(_ root: URL) throws {
    try add(root, as: "")
  }

  /// How many directories there are, the root included.
  var directories: Int { directoryPaths.count }

  func isDirectory(_ path: String) -> Bool { directoryPaths.contains(path) }

  private mutating func add(_ folder: URL, as path: String) throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path)
    where !name.hasPrefix(".") {
      let inner = path.isEmpty ? name : "\(path)/\(name)"
      let file = folder.appending(path: name).resolvingSymlinksInPath()
      var isDirectory: ObjCBool = false
      if !FileManager.default.fileExists(atPath: file.path, isDirectory: &isDirectory) {
        dangling.insert(inner)
      } else if isDirectory.boolValue {
        directoryPaths.insert(inner)
        try add(file, as: inner)
      } else {
        files[inner] = file
      }
    }
  }
}
