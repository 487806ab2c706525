import Foundation
import TestSupport
import XCTest

/// A folder that nginx lists, mirrored.
final class ListingTests: MirrorTestCase {
  static let odd = [
    "with space.txt", "100%.txt", "a+b&c.txt", "quote'\".txt", "q?x=1#z.txt", "ünïcode.txt",
    "semi;colon.txt", "<angle>.txt", "colon:first.txt", "-dash.txt", "a%2Fb.txt", "日本語 🎈.txt",
    "caf\u{E9}.txt", "tilde~.txt", "back\u{60}tick.txt", "[x]{y}|z^.txt",
    String(repeating: "long", count: 60) + ".txt", "http:", "x..three.txt",
    "empty.txt", "http%3A.txt", "&amp;.txt",
  ]

  func testAListedTreeArrivesWholeAndOnlyListingsAreAskedForAgain() throws {
    var texts = ["top.txt": "top", "deep/er/and/deeper.txt": "down here", "deep/index.html": "<p>"]
    for name in Self.odd {
      texts[name] = name == "empty.txt" ? "" : name
      texts["odd \(name)/\(name)"] = "in \(name)"
    }
    try publish(texts)
    for listing in NginxServer.Listing.allCases {
      let server = try serve(listing: listing)
      try? FileManager.default.removeItem(at: copy)

      assertEnd(try sync(server.url), 0)
      try assertCopyIsTrue()
      let first = try server.takeRequests()
      XCTAssertEqual(first.filter { !$0.isListing }.count, texts.count, "\(listing)")
      XCTAssertEqual(Set(first.map(\.method)), ["GET"], "\(listing)")

      assertEnd(try sync(server.url), 0)
      let second = try server.takeRequests()
      XCTAssertEqual(second.filter { !$0.isListing }, [], "\(listing)")
      XCTAssertEqual(second.count, 4 + Self.odd.count, "\(listing)")
    }
  }

  func testLinksToDirectoriesAreWalkedAndADanglingOneIsAFailedItem() throws {
    try publish(["real/file.txt": "text"])
    let files = FileManager.default
    try makeLink(at: source.appending(path: "also").path, to: "real")
    try makeLink(at: source.appending(path: "dangling.txt").path, to: "nowhere")
    for listing in NginxServer.Listing.allCases {
      let server = try serve(listing: listing)
      try? files.removeItem(at: copy)

      let first = try sync(server.url)
      assertEnd(first, 2)
      XCTAssertTrue(first.said.contains("dangling.txt"), "\(first)")
      XCTAssertEqual(
        try copied(), ["real/file.txt": "text", "also/file.txt": "text"], "\(listing)")
      _ = try server.takeRequests()

      // What is known since the run before is no news.
      assertEnd(try sync(server.url), 0)
      // Only the HTML shows a dangling link as a file; the JSON says that it is neither.
      XCTAssertEqual(
        try server.takeRequests().filter { !$0.isListing }.map(\.target),
        listing == .html ? ["/dangling.txt"] : [], "\(listing)")
    }
  }

  func testNamesThatDifferOnlyInUnicodeFormAreTwoFiles() throws {
    try publish(["caf\u{E9}.txt": "composed"])
    try publish(["cafe\u{301}.txt": "decomposed"])
    let server = try serve(listing: .json)
    assertEnd(try sync(server.url), 0)
    for (name, text) in [("caf\u{E9}.txt", "composed"), ("cafe\u{301}.txt", "decomposed")] {
      XCTAssertEqual(try Data(contentsOf: copy.appending(path: name)), Data(text.utf8))
    }
  }

  func testNamesThatCantBeKeysAreFailedItemsAndNothingElseSuffers() throws {
    try publish(["good.txt": "good", "back\\slash.txt": "bad"])
    let notUTF8 = Array(source.path.utf8) + Array("/latin".utf8) + [0xE9, 0]
    let descriptor = open(notUTF8.map(CChar.init(bitPattern:)), O_CREAT | O_WRONLY, 0o644)
    XCTAssertGreaterThanOrEqual(descriptor, 0)
    close(descriptor)
    for listing in NginxServer.Listing.allCases {
      let server = try serve(listing: listing)
      try? FileManager.default.removeItem(at: copy)
      let outcome = try sync(server.url)
      XCTAssertEqual(try copied(), ["good.txt": "good"], "\(listing): \(outcome)")
      assertEnd(outcome, 2)
      XCTAssertTrue(outcome.said.contains("back"), "\(outcome)")
      XCTAssertFalse(outcome.said.utf8.contains(0xE9), "keys are escaped: \(outcome)")
    }
  }
}
