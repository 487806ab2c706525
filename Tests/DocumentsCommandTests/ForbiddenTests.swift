import TestSupport
import XCTest

/// What an account may not read or use.
final class ForbiddenTests: ServedTestCase {
  /// Bob reads what Ann lets him, until she doesn't.
  func testWhatMayNotBeReadAnyMoreIsHiddenAndComesBackWithoutASecondSend() throws {
    try makeShared()
    try ask("PUT", "accounts/bob", #"{"data": {"password": "secret"}}"#, as: nil)
    let readers = #"{"permissions": {"write": ["account:bob"]}}"#
    try ask("PATCH", "buckets/home", readers)
    let address = try XCTUnwrap(server).address
    environment["DOCUMENTS_PASSWORD"] = "secret"
    try documents(
      "init", "c.db", "--kinto", address, "--bucket", "home", "--type", "note", "--account", "bob")
    try sync("c.db")
    try documents("put", "c.db", "note", "mine", "{}")
    try ask("PUT", "buckets/home", #"{"permissions": {"write": []}}"#)
    try documents(
      "sync", "c.db", ends: 1,
      says: "collection note can't be used (403): This user cannot access this resource; its")
    XCTAssertEqual(try documents("get", "c.db", "milk").status, 1)
    XCTAssertEqual(try documents("list", "c.db").lines, ["mine"], "it never was at the server")
    XCTAssertEqual(try documents("export", "c.db").object["id"] as? String, "mine")
    XCTAssertEqual(try documents("get", "c.db", "mine").status, 0)
    let status = try documents("status", "c.db", "--json").object
    XCTAssertEqual(status["hidden"] as? Int, 1)
    XCTAssertEqual(status["outbox"] as? Int, 1, "no document is blamed")
    XCTAssertEqual(status["setAside"] as? Int, 0)
    try ask("PATCH", "buckets/home", readers)
    let back = try documents("sync", "c.db", "--json", ends: 0)
    XCTAssertEqual((back.object["sent"] as? [Any])?.count, 1)
    XCTAssertEqual(try documents("list", "c.db").lines, ["milk", "mine"])
  }
}
