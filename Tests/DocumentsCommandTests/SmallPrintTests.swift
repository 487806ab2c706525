import TestSupport
import XCTest

/// What is promised of single commands, at a real server.
final class SmallPrintTests: ServedTestCase {
  func testWhatGaveWayBecomesADocumentOfItsOwnWhereThatIsWanted() throws {
    try makeShared()
    try documents("put", "a.db", "note", "milk", #"{"n": 2}"#)
    try documents("put", "b.db", "note", "milk", #"{"n": 3}"#)
    try sync("a.db")
    try documents("sync", "b.db", "--on-conflict", "server")
    let number = try XCTUnwrap(try documents("lost", "b.db", "--json").object["lost"] as? Int)
    let restored = try documents("restore", "b.db", "\(number)", "--new-id")
    let id = try XCTUnwrap(restored.lines.first)
    XCTAssertNotEqual(id, "milk")
    XCTAssertEqual(try documents("get", "b.db", id).object["n"] as? Int, 3)
    XCTAssertEqual(try documents("get", "b.db", "milk").object["n"] as? Int, 2)
    XCTAssertEqual(try documents("restore", "b.db", "\(number + 1)").status, 1)
    XCTAssertEqual(try documents("restore", "b.db", "last").status, 64)
  }

  func testADigestIsOfWhatTheServerHasAndSaysWhereMoreIsHere() throws {
    try makeShared()
    let before = try documents("digest", "a.db")
    XCTAssertEqual(before.said, "")
    try documents("put", "a.db", "note", "milk", "{}")
    try documents("put", "a.db", "note", "bread", "{}")
    let after = try documents("digest", "a.db")
    XCTAssertEqual(after.status, 0)
    XCTAssertEqual(after.printed, before.printed)
    XCTAssertTrue(after.said.contains("isn't at rest"), after.said)
    XCTAssertTrue(before.printed.dropLast().allSatisfy(\.isHexDigit))
  }

  func testWhatGoesAfterAnUnknownDocumentWaitsForItAndIsListedSo() throws {
    try makeStores()
    let put = try documents("put", "a.db", "note", "child", "{}", "--after", "parent")
    XCTAssertEqual(put.printed, "child\n")
    XCTAssertTrue(put.said.contains("'child' waits for 'parent', which isn't here yet"), put.said)
    let waiting = try documents("sync", "a.db", "--json", ends: 0)
    XCTAssertEqual((waiting.object["sent"] as? [Any])?.count, 0)
    let reason = try documents("status", "a.db", "child", "--json").object["reason"] as? String
    XCTAssertTrue(reason?.contains("parent") ?? false, reason ?? "none")
    try documents("put", "a.db", "note", "parent", "{}")
    let sent = try documents("sync", "a.db", "--json").object["sent"] as? [[String: Any]]
    XCTAssertEqual(sent?.map { $0["id"] as? String }, ["parent", "child"])
    let known = try documents("put", "a.db", "note", "other", "{}", "--after", "parent")
    XCTAssertEqual(known.said, "")
    // One that was deleted isn't waited for, and that it is was said.
    try documents("delete", "a.db", "parent")
    try sync("a.db")
    let late = try documents("put", "a.db", "note", "late", "{}", "--after", "parent")
    XCTAssertEqual(late.said, "")
    let freed = try documents("sync", "a.db", "--json").object["sent"] as? [[String: Any]]
    XCTAssertEqual(freed?.map { $0["id"] as? String }, ["late"])
  }

  func testAServersOwnMembersAreHiddenAndNoEdit() throws {
    try makeShared()
    try ask(
      "PATCH", "buckets/home/collections/note",
      #"{"data": {"schema": {"properties": {"n": {"type": "integer"}}}}}"#)
    try documents("put", "a.db", "note", "milk", #"{"n": 2}"#)
    try sync("a.db", "b.db")
    for store in ["a.db", "b.db"] {
      XCTAssertEqual(try documents("get", store, "milk").object.count, 3, "id, type and n")
    }
    XCTAssertEqual(try documents("digest", "a.db").printed, try documents("digest", "b.db").printed)
    let again = try documents("sync", "b.db", "--json")
    XCTAssertEqual((again.object["sent"] as? [Any])?.count, 0)
  }

  func testAWayOfWritingIsNoEdit() throws {
    try makeShared()
    for number in ["1.0", "1e0", "1"] {
      try documents("put", "a.db", "note", "milk", "{\"n\": \(number), \"text\": \"Milk\"}")
      XCTAssertEqual(try documents("status", "a.db", "--json").object["outbox"] as? Int, 0)
    }
  }

  func testEachWayCanBeGoneAlone() throws {
    try makeShared()
    try documents("put", "a.db", "note", "bread", "{}")
    try sync("a.db")
    try documents("put", "b.db", "note", "eggs", "{}")
    let push = try documents("sync", "b.db", "--push", "--json").object
    XCTAssertEqual((push["sent"] as? [Any])?.count, 1)
    XCTAssertEqual((push["received"] as? [Any])?.count, 0)
    let pull = try documents("sync", "b.db", "--pull", "--json").object
    XCTAssertEqual((pull["received"] as? [Any])?.count, 1)
    XCTAssertEqual(try documents("sync", "b.db", "--push", "--pull").status, 64)
  }

  func testUnsentEditsOfAnotherAccountAreDroppedWhereSomebodySaysSo() throws {
    try makeShared()
    try documents("put", "a.db", "note", "milk", #"{"n": 9}"#)
    let address = try XCTUnwrap(server).address
    let words = ["init", "a.db", "--kinto", address + "/v1", "--bucket", "home"]
    let bob = try start(words + ["--account", "bob"])
    XCTAssertEqual(try bob.end(within: .seconds(60)), .exited(1))
    let drop = try start(words + ["--account", "bob", "--drop"])
    XCTAssertEqual(try drop.end(within: .seconds(60)), .exited(0), drop.said)
    XCTAssertEqual(try documents("status", "a.db", "--json").object["outbox"] as? Int, 0)
    XCTAssertEqual(try documents("get", "a.db", "milk").status, 1, "it's ann's")
    let ann = try start(words + ["--account", "ann"])
    XCTAssertEqual(try ann.end(within: .seconds(60)), .exited(0), ann.said)
    XCTAssertEqual(try documents("get", "a.db", "milk").object["n"] as? Int, 1)
  }
}
