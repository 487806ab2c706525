import Foundation
import TestSupport
import XCTest

/// F4: the same key twice. Which of the two is meant can't be known, so the listing is an error.
final class F4DuplicateKeyTests: FaultTestCase {
  func testF4_aKeyThatIsListedTwiceIsAnErrorOfTheListing() async throws {
    let server = try serve()
    let texts = ["a": "a", "b/c": "bc", "top": "top"]
    try republish(texts)
    assertEnd(try sync(server.url + Self.catalogName), 0)
    let before = try tree()
    let entry = #"{"key":"b/c","size":2,"version":"1"}"#
    let other = #"{"key":"new","url":"a","size":1}"#
    let twice: [[String]] = [
      [entry, entry], [entry, #"{"key":"b/c","size":9,"version":"2","url":"top"}"#],
      [entry, other, other, entry], [entry, #"{"key":"\u0062\u002fc","size":2}"#],
      [entry, #"{"key":"b/c"}"#], [entry, #"{"key":"b/c","url":7}"#],
      [#"{"key":"../x"}"#, #"{"key":"../x"}"#],
    ]
    for (round, entries) in twice.enumerated() {
      for header in [#"{"catalog":1,"complete":true}"#, #"{"catalog":1}"#] {
        try writeCatalog([header] + entries, round: round + 1)
        for command in ["plan", "sync"] {
          let outcome = try mirror(
            command, server.url + Self.catalogName, copy.path, "--max-delete", "all")
          // Of two that are listed twice, the first that comes a second time is named.
          let key = ["../x", "'new'", "'b/c'"].first { outcome.said.contains($0) }
          assertRefused(outcome, 1, saying: "lists the key", try XCTUnwrap(key), "twice")
        }
      }
      XCTAssertEqual(try tree(), before, "\(entries)")
    }
    try await assertNothingIsLost(of: Versions(texts).all, "keys listed twice")
    try republish(texts, round: 100)
    try assertConverges(on: server)
    try Extent.record(
      "F4", "a key listed twice", count: twice.count * 2, "an error of the listing, nothing changed"
    )
  }

  func testF4_aKeyThatIsListedOnTwoPagesIsOneToo() async throws {
    let server = try mirrored(["a": "a", "top": "top"])
    try publish(["two.ndjson": #"{"catalog":1}"# + "\n" + #"{"key":"a","size":1}"# + "\n"])
    try writeCatalog(
      [#"{"catalog":1,"complete":true,"next":"two.ndjson"}"#, #"{"key":"a","size":1}"#], round: 1)
    assertRefused(try sync(server.url + Self.catalogName), 1, saying: "'a'", "twice")
    XCTAssertEqual(try copied(), ["a": "a", "top": "top"])
  }

  func testF4_aFirstRunMakesNothingOfAKeyThatIsListedTwice() throws {
    let server = try serve()
    try publish(["a": "a"])
    try writeCatalog(
      [#"{"catalog":1,"complete":true}"#, #"{"key":"a","size":1}"#, #"{"key":"a","size":1}"#])
    assertRefused(try sync(server.url + Self.catalogName), 1, saying: "'a'", "twice")
    XCTAssertFalse(isThere(copy))
  }
}
