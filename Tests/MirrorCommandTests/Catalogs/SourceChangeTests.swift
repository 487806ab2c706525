import Foundation
import TestSupport
import XCTest

/// The source changes, and the folder follows: that much and no more.
final class SourceChangeTests: MirrorTestCase {
  private let before = ["kept.txt": "kept", "changed.txt": "old!", "dir/removed.txt": "gone"]
  private let after = ["kept.txt": "kept", "changed.txt": "new!", "added.txt": "here"]

  func testAListingsThreeChangesAreThreeChanges() throws {
    for listing in NginxServer.Listing.allCases {
      try start(with: before)
      let server = try serve(listing: listing)
      assertEnd(try sync(server.url), 0)
      XCTAssertEqual(try copied(), before)
      let untouched = try identity("kept.txt")
      try change()
      _ = try server.takeRequests()

      assertEnd(try sync(server.url), 0)
      XCTAssertEqual(try copied(), after, "\(listing)")
      XCTAssertEqual(
        Set(try server.takeRequests().filter { !$0.isListing }.map(\.target)),
        ["/changed.txt", "/added.txt"], "\(listing)")
      XCTAssertEqual(try identity("kept.txt"), untouched)
      XCTAssertFalse(isThere(copy.appending(path: "dir")))
    }
  }

  func testACatalogsThreeChangesAreThreeChanges() throws {
    try start(with: before)
    try publishCatalog()
    let server = try serve()
    assertEnd(try sync(server.url + "catalog.ndjson"), 0)
    let untouched = try identity("kept.txt")
    try change()
    try publishCatalog()
    _ = try server.takeRequests()

    assertEnd(try sync(server.url + "catalog.ndjson"), 0)
    XCTAssertEqual(try copied(), after)
    XCTAssertEqual(
      Set(try server.takeRequests().map(\.target)),
      ["/catalog.ndjson", "/changed.txt", "/added.txt"])
    XCTAssertEqual(try identity("kept.txt"), untouched)
  }

  func testWhatWasRemovedLiesInQuarantine() throws {
    try start(with: before)
    let server = try serve(listing: .json)
    assertEnd(try sync(server.url), 0)
    try change()
    assertEnd(try sync(server.url), 0)
    let kept = try FileManager.default.subpathsOfDirectory(
      atPath: copy.appending(path: ".mirror").path)
    XCTAssertEqual(kept.filter { $0.hasSuffix("dir/removed.txt") }.count, 1, "\(kept)")
  }

  private func start(with texts: [String: String]) throws {
    for folder in [source, copy] { try? FileManager.default.removeItem(at: folder) }
    try publish(texts)
  }

  /// One removed, one changed in place with the same size and another date, one added.
  private func change() throws {
    try FileManager.default.removeItem(at: source.appending(path: "dir"))
    try publish(["changed.txt": "new!"], dated: Self.longAgo.addingTimeInterval(86_400))
    try publish(["added.txt": "here"])
  }

  /// Which file of the file system stands at a path of `copy`.
  private func identity(_ path: String) throws -> Int {
    let facts = try FileManager.default.attributesOfItem(
      atPath: copy.appending(path: path).path)
    return try XCTUnwrap(facts[.systemFileNumber] as? Int)
  }
}
