import Foundation
import TestSupport
import XCTest

/// Files that the source moved, mirrored from a real server: what its log says was asked for.
final class MovedFilesTests: MirrorTestCase {
  private var catalog: String { "catalog.ndjson" }

  /// Moves a folder of the source and publishes it anew.
  private func move(_ old: String, to new: String) throws {
    let place = source.appending(path: new)
    try makeFolder(at: place.deletingLastPathComponent())
    try FileManager.default.moveItem(at: source.appending(path: old), to: place)
    try publishCatalog()
  }

  private func requests(_ server: NginxServer) throws -> [String] {
    try server.takeRequests().map(\.description)
  }

  func testAFolderThatMovedIsCopiedAndNotAskedFor() throws {
    let names = (0..<50).map { "\($0).jpg" }
    try publish(
      Dictionary(uniqueKeysWithValues: names.map { ("old/\($0)", "picture \($0)") })
        .merging(["readme": "read me"]) { $1 })
    try publishCatalog()
    let server = try serve()
    assertEnd(try sync(server.url + catalog), 0)
    _ = try server.takeRequests()
    try move("old", to: "albums/new")

    let plan = try mirror("plan", server.url + catalog, copy.path, "--max-delete", "all")
    assertEnd(plan, 0)
    XCTAssertTrue(
      plan.printed.contains("copy      albums/new/7.jpg (new, copied from old/7.jpg)\n"),
      plan.printed)
    XCTAssertTrue(
      plan.printed.contains("would copy 50 items (690 B) from what is here, remove 50"),
      plan.printed)
    XCTAssertEqual(try requests(server), ["GET /catalog.ndjson 200"])

    let json = try sync(server.url + catalog, ["--max-delete", "all", "--json"])
    assertEnd(json, 0)
    XCTAssertEqual(try requests(server), ["GET /catalog.ndjson 200"])
    XCTAssertEqual(
      try copied(),
      Dictionary(uniqueKeysWithValues: names.map { ("albums/new/\($0)", "picture \($0)") })
        .merging(["readme": "read me"]) { $1 })
    XCTAssertTrue(
      json.printed.contains(
        """
        "key":"albums/new/7.jpg","transfer":"content","bytes":13,"reason":"new",\
        "from":"old/7.jpg","fromPlace":"content"
        """), json.printed)
    XCTAssertTrue(json.printed.contains(#""copied":50,"#), json.printed)
    let bytes = names.reduce(0) { $0 + "picture \($1)".utf8.count }
    XCTAssertTrue(json.printed.contains(#""bytes":0,"copiedBytes":\#(bytes),"#), json.printed)
    let status = try mirror("status", copy.path)
    XCTAssertTrue(status.printed.contains("50 added or updated, 50 removed"), status.printed)
    XCTAssertTrue(status.printed.contains("copied for 50 of them"), status.printed)
    assertEnd(try mirror("verify", copy.path), 0)
  }

  func testWhatWasRemovedByMistakeComesBackWithoutARequest() throws {
    try publish(["a": "alpha", "b": "beta", "empty": ""])
    try publishCatalog()
    let server = try serve()
    assertEnd(try sync(server.url + catalog), 0)
    XCTAssertEqual(
      try requests(server).sorted(),
      ["GET /a 200", "GET /b 200", "GET /catalog.ndjson 200"], "none for the empty file")
    try FileManager.default.moveItem(
      at: source.appending(path: "b"), to: base.appending(path: "mislaid"))
    try publishCatalog()
    assertEnd(try sync(server.url + catalog), 0)
    XCTAssertEqual(try copied(), ["a": "alpha", "empty": ""])
    try FileManager.default.moveItem(
      at: base.appending(path: "mislaid"), to: source.appending(path: "found"))
    try publishCatalog()
    _ = try server.takeRequests()
    let back = try sync(server.url + catalog, ["-v"])
    assertEnd(back, 0)
    XCTAssertEqual(try requests(server), ["GET /catalog.ndjson 200"])
    XCTAssertEqual(try copied(), ["a": "alpha", "found": "beta", "empty": ""])
    XCTAssertTrue(
      (back.printed + back.said).contains("added found (copied from b in quarantine)"),
      back.printed + back.said)
    XCTAssertTrue(back.printed.contains("1 added, 4 B copied for 1 of them"), back.printed)
  }
}
