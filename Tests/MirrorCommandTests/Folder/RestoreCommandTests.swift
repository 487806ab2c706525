import Foundation
import TestSupport
import XCTest

/// `mirror restore` lists what was moved away and brings it back.
final class RestoreCommandTests: MirrorTestCase {
  func testWhatWasRemovedOrDisplacedIsListedAndBroughtBack() throws {
    try publish(["a.txt": "a", "b/c.txt": "c", "b/d.txt": "d", "e.txt": "e", "f.txt": "f"])
    assertEnd(try mirror("publish", source.path), 0)
    let server = try serve()
    let catalog = server.url + "catalog.ndjson"
    assertEnd(try sync(catalog), 0)
    let empty = try mirror("restore", copy.path, "--json")
    assertEnd(empty, 0)
    XCTAssertTrue(empty.printed.contains(#""event":"restorables","#), "\(empty)")
    XCTAssertTrue(empty.printed.contains(#""files":0,"bytes":0}"#), "\(empty)")
    try withdraw("b/c.txt")
    try withdraw("b/d.txt")
    try Data("mine".utf8).write(to: copy.appending(path: "a.txt"))
    assertEnd(try mirror("publish", source.path), 0)
    assertEnd(try sync(catalog), 0)

    let listed = try mirror("restore", copy.path)
    assertEnd(listed, 0)
    for part in ["removed    1 B  b/c.txt", "displaced  4 B  a.txt", "3 files"] {
      XCTAssertTrue(listed.printed.contains(part), "\(part) isn't in \(listed)")
    }
    let status = try mirror("status", copy.path)
    XCTAssertTrue(status.printed.contains("displaced   1 file, 4 B"), "\(status)")

    let some = try mirror("restore", copy.path, "b/c.txt", "nowhere")
    assertEnd(some, 2)
    XCTAssertTrue(some.said.contains("'nowhere' doesn't lie there"), "\(some)")
    XCTAssertEqual(try copied()["b/c.txt"], "c")
    assertEnd(try mirror("restore", copy.path, "nowhere"), 1)
    let early = try mirror("restore", copy.path, "--from", "20200101T000000Z")
    assertEnd(early, 1)
    let nothingOfIt = "nothing lies there from a run '20200101T000000Z'"
    XCTAssertTrue(early.said.contains(nothingOfIt), "\(early)")

    let elsewhere = base.appending(path: "elsewhere")
    assertEnd(try mirror("restore", copy.path, "--displaced", "--to", elsewhere.path), 0)
    XCTAssertEqual(
      try readText(elsewhere.appending(path: "a.txt")), "mine")
    assertEnd(try mirror("restore", copy.path, "--all"), 0)
    XCTAssertEqual(try copied()["b/d.txt"], "d")
    XCTAssertEqual(try copied()["a.txt"], "a")

    let displaced = try mirror("restore", copy.path, "--displaced")
    assertEnd(displaced, 0)
    XCTAssertTrue(displaced.printed.contains("a.txt is now a.restored-"), "\(displaced)")
    let nothing = try mirror("restore", copy.path)
    XCTAssertTrue(nothing.printed.contains("nothing lies"), "\(nothing)")
    assertEnd(try sync(catalog), 0)
    XCTAssertEqual(try copied()["b/c.txt"], "c", "it is nobody's, and stays")
  }

  func testOnlyAMirrorHasWhatCouldBeBroughtBack() throws {
    assertRefused(try mirror("restore", copy.path), 1, saying: copy.path)
    try makeFolder(at: copy)
    let none = try mirror("restore", copy.path, "--all")
    assertRefused(none, 1, saying: copy.path, "is no mirror")
    XCTAssertFalse(none.said.contains("--existing"), "that is for who syncs: \(none)")
    assertRefused(try mirror("restore"), 64, saying: "FOLDER")
  }
}
