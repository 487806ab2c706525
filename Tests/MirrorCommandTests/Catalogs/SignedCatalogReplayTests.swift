import Foundation
import TestSupport
import XCTest

/// States of a signed catalog that were good once, and are shown again.
final class SignedCatalogReplayTests: SignedCatalogTestCase {
  func testAnOlderStateIsRefusedAlsoWithoutTheIndex() throws {
    let good = try makeKeys()
    try publish(["a.txt": "old", "b.txt": "b"])
    try publish(good)
    let old = try Data(contentsOf: catalog)
    try publish(["a.txt": "new"])
    try publish(good)
    let address = try serve().url + "catalog.ndjson"
    assertEnd(try sync(address, verified(good)), 0)
    try old.write(to: catalog)
    try assertRefused(address, verified(good), "went back from revision", "(--allow-rollback)")
    loseIndex()
    let refused = try sync(address, verified(good))
    assertEnd(refused, 1)
    XCTAssertTrue(refused.said.contains("went back from revision"), refused.said)
    XCTAssertEqual(try copied()["a.txt"], "new")
  }

  func testAStateWhoseTimeIsOverIsRefusedWhateverTheServerAnswers() throws {
    let good = try makeKeys()
    try publish(["a.txt": "a"])
    try publish(good)
    try sign(#","revision":7,"expires":"2020-11-20T21:47:24Z""#, with: good)
    let server = try serve()
    let address = server.url + "catalog.ndjson"
    let over = "was to be taken until 2020-11-20T21:47:24Z, and now it is"
    try assertRefused(address, verified(good), over, "(--allow-expired)")
    XCTAssertFalse(isThere(copy))
    assertEnd(
      try sync(address, verified(good) + ["--complete", "--allow-expired"]), 0)
    let said = try mirror("status", copy.path).printed
    XCTAssertTrue(said.contains("checked by  "), said)
    XCTAssertTrue(said.contains("; may be taken until 2020-11-20T21:47:24Z"), said)
    let options = verified(good) + ["--complete"]
    _ = try server.takeRequests()
    try assertRefused(address, options, over)
    XCTAssertEqual(
      try server.takeRequests().map(\.description),
      ["GET /catalog.ndjson 304", "GET /catalog.ndjson 304"])
    let away = base.appending(path: "away.ndjson")
    try FileManager.default.moveItem(at: catalog, to: away)
    try assertRefused(address, options, "could not be fetched: ", over)
    XCTAssertFalse(try sync(address, options).said.contains("--allow-expired"), "that can't help")
    let silent = try sync(address, options + ["--allow-expired"])
    assertEnd(silent, 1)
    XCTAssertFalse(silent.said.contains(over), silent.said)
    try FileManager.default.moveItem(at: away, to: catalog)
    assertEnd(try sync(address, options + ["--allow-expired"]), 0)
    try publish(good, "--expires", "1h")
    assertEnd(try sync(address, verified(good)), 0)
  }

  /// Publishes a file of that text, and signs a catalog that names it with these members.
  private func publish(_ text: String, _ header: String, with keys: SigningKeys) throws {
    try publish(["a.txt": text])
    try publish(keys)
    try sign(header, with: keys)
  }

  /// Asserts that the state 9, which was good, is refused now.
  private func assertOldIsRefused(
    _ old: Data, at address: String, _ keys: SigningKeys, line: UInt = #line
  ) throws {
    try old.write(to: catalog)
    try age(catalogIn: source)
    try assertRefused(address, verified(keys), "went back from revision 10 to 9", line: line)
  }

  /// A window, and a list that doesn't say that it is whole, remove nothing. They are newer all the
  /// same.
  func testAnOlderStateIsRefusedAfterOneThatIsNotWhole() throws {
    let good = try makeKeys()
    let address = try serve().url + "catalog.ndjson"
    for header in [#","revision":10,"complete":false"#, #","revision":10"#] {
      try publish("old", #","revision":9,"complete":true"#, with: good)
      let old = try Data(contentsOf: catalog)
      assertEnd(try sync(address, verified(good)), 0)
      try publish("new", header, with: good)
      assertEnd(try sync(address, verified(good)), 0)
      XCTAssertEqual(try copied(), ["a.txt": "new"])
      try assertOldIsRefused(old, at: address, good)
      try FileManager.default.removeItem(at: copy)
    }
  }

  func testAnOlderStateIsRefusedAfterARunThatWasKilled() throws {
    let good = try makeKeys()
    try publish("old", #","revision":9,"complete":true"#, with: good)
    let old = try Data(contentsOf: catalog)
    let server = try serve()
    let address = server.url + "catalog.ndjson"
    assertEnd(try sync(address, verified(good)), 0)
    try publish("new", #","revision":10,"complete":true"#, with: good)
    let hold = try LoopbackListener()
    try server.restart(
      NginxServer.Options(locations: [NginxServer.Options.holding("/a.txt", at: hold)]))
    let child = try start(["sync", address, copy.path] + verified(good))
    XCTAssertTrue(hold.waitForCaller())
    child.send(SIGKILL)
    XCTAssertEqual(try child.end(within: .seconds(30)), .killed(by: SIGKILL))
    hold.close()
    try server.restart(NginxServer.Options())
    try assertOldIsRefused(old, at: address, good)
    loseIndex()
    try assertOldIsRefused(old, at: address, good)
  }

  /// Whoever stands between can leave out how long a body is, or spoil a header field.
  func testWhatAgreesWithItsSignatureIsWholeHoweverItCame() throws {
    let good = try makeKeys()
    for directives in [
      "gzip on; gzip_types *; gzip_min_length 1; chunked_transfer_encoding off;",
      "add_header Link '<more';",
    ] {
      try publish(["b.txt": "b"])
      try publish("old", #","revision":9,"complete":true"#, with: good)
      let old = try Data(contentsOf: catalog)
      let server = try serve()
      let address = server.url + "catalog.ndjson"
      assertEnd(try sync(address, verified(good)), 0)
      try withdraw("b.txt")
      try publish("new", #","revision":10,"complete":true"#, with: good)
      try server.restart(
        NginxServer.Options(locations: ["location = /catalog.ndjson { \(directives) }"]))
      assertEnd(try sync(address, verified(good)), 0)
      XCTAssertEqual(try copied(), ["a.txt": "new"], directives)
      try assertOldIsRefused(old, at: address, good)
      try FileManager.default.removeItem(at: copy)
    }
  }

  /// An address may be signed anew each time, by its query.
  func testWhatIsRememberedHoldsWhateverTheQueryIs() throws {
    let good = try makeKeys()
    try publish("old", #","revision":9,"complete":true"#, with: good)
    let old = try Data(contentsOf: catalog)
    try publish(
      "new", #","revision":10,"complete":true,"expires":"2020-11-20T21:47:24Z""#, with: good)
    let address = try serve().url + "catalog.ndjson"
    // What was taken before anybody asked for a key counts as well.
    assertEnd(try sync(address + "?sig=1"), 0)
    try assertRefused(address + "?sig=2", verified(good), "2020-11-20T21:47:24Z")
    assertEnd(try sync(address + "?sig=1", verified(good) + ["--allow-expired"]), 0)
    for query in ["?sig=1", "?sig=2", ""] { try assertOldIsRefused(old, at: address + query, good) }
    try FileManager.default.removeItem(at: catalog)
    for query in ["?sig=2", ""] {
      try assertRefused(
        address + query, verified(good), "What it gave last was to be taken until 2020-11-20")
    }
  }
}
