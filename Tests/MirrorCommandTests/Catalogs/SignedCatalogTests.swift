import Foundation
import TestSupport
import XCTest

/// Catalogs that are believed only if a key has signed them.
final class SignedCatalogTests: MirrorTestCase {
  private func makeKeys(_ name: String = "good") throws -> SigningKeys {
    try SigningKeys(name, in: base)
  }

  private func publish(_ keys: SigningKeys?, _ more: String...) throws {
    let key = keys.map { ["--sign-key", $0.privateFile.path] } ?? []
    assertEnd(try mirror(["publish", source.path] + key + more), 0)
    try age(catalogIn: source)
  }

  private func verified(_ keys: SigningKeys...) -> [String] {
    keys.flatMap { ["--verify-key", $0.publicFile.path] }
  }

  private var catalog: URL { source.appending(path: "catalog.ndjson") }

  private func assertRefused(
    _ address: String, _ options: [String], _ words: String..., line: UInt = #line
  ) throws {
    let before = isThere(copy) ? try files(in: copy) : nil
    for command in [["sync"], ["plan"]] {
      let refused = try mirror(command + [address, copy.path] + options)
      assertEnd(refused, 1, line: line)
      for part in words { XCTAssertTrue(refused.said.contains(part), refused.said, line: line) }
    }
    XCTAssertEqual(isThere(copy) ? try files(in: copy) : nil, before, line: line)
  }

  func testOnlyWhatAGivenKeyHasSignedIsBelieved() throws {
    let (good, other) = (try makeKeys(), try makeKeys("other"))
    try publish(["a.txt": "a", "b/c.txt": "cd"])
    try publish(good)
    let server = try serve()
    let address = server.url + "catalog.ndjson"
    try assertRefused(address, verified(other), "by none that is given")
    XCTAssertFalse(isThere(copy))
    assertEnd(try sync(address, verified(other, good)), 0)
    XCTAssertEqual(try copied(), ["a.txt": "a", "b/c.txt": "cd"])
    _ = try server.takeRequests()
    assertEnd(try sync(address, verified(other, good)), 0)
    XCTAssertEqual(try server.takeRequests().map(\.description), ["GET /catalog.ndjson 304"])

    try publish(["a.txt": "another"])
    try publish(other)
    try assertRefused(address, verified(good), "can't be believed", "by none that is given")
    try publish(nil)
    try assertRefused(address, verified(good), "isn't signed")
    assertEnd(try sync(address, verified(other)), 1)
    try publish(good)
    assertEnd(try sync(address, verified(good)), 0)
    XCTAssertEqual(try copied()["a.txt"], "another")
  }

  func testOtherBytesThanThoseThatWereSignedAreRefusedAndNothingIsPlaced() throws {
    let good = try makeKeys()
    try publish(["a.txt": "a", "b.txt": "b", "c.txt": "c", "d.txt": "d"])
    try publish(good)
    let address = try serve().url + "catalog.ndjson"
    let signed = try readText(catalog)
    let line = try XCTUnwrap(signed.split(separator: "\n").last { $0.contains("d.txt") })
    for (old, new, words) in [
      ("\"d.txt\"", "\"e.txt\"", "its lines aren't those"),
      ("\(line)\n", "", "its lines aren't those"),
      ("\"count\":4", "\"count\":3", "its header isn't the one"),
      (#","signature":"#, #","signatures":"#, "isn't signed"),
      ("]}\n", #"],"next":"more.ndjson"}"# + "\n", "its signature can't be read"),
    ] {
      let forged = signed.replacing(old, with: new, maxReplacements: 1)
      XCTAssertNotEqual(forged, signed)
      try Data(forged.utf8).write(to: catalog)
      try assertRefused(address, verified(good), words)
    }
    try Data(signed.utf8).write(to: catalog)
    assertEnd(try sync(address, verified(good)), 0)
    let without = String(signed.prefix { $0 != "[" }.dropLast(#","signature":"#.count)) + "}"
    let stripped = without + signed.drop { $0 != "\n" }
    try Data(stripped.utf8).write(to: catalog)
    try assertRefused(address, verified(good), "isn't signed")
    for format in ["checksums", "mapping"] {
      assertEnd(try sync(address, verified(good) + ["--format", format]), 1)
    }
    XCTAssertEqual(try copied().count, 4)
  }

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
    for suffix in ["", "-wal"] {
      try? FileManager.default.removeItem(
        at: copy.appending(path: ".mirror/index.sqlite" + suffix))
    }
    let refused = try sync(address, verified(good))
    assertEnd(refused, 1)
    XCTAssertTrue(refused.said.contains("went back from revision"), refused.said)
    XCTAssertEqual(try copied()["a.txt"], "new")
  }

  func testAStateWhoseTimeIsOverIsRefusedWhateverTheServerAnswers() throws {
    let good = try makeKeys()
    try publish(["a.txt": "a"])
    try publish(good)
    let lines = try readText(catalog).drop { $0 != "\n" }.dropFirst()
    try good.sign(
      String(lines), after: #"{"catalog":1,"revision":7,"expires":"2020-11-20T21:47:24Z""#,
      to: catalog)
    try age(catalogIn: source)
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
    let silent = try sync(address, options + ["--allow-expired"])
    assertEnd(silent, 1)
    XCTAssertFalse(silent.said.contains(over), silent.said)
    try FileManager.default.moveItem(at: away, to: catalog)
    assertEnd(try sync(address, options + ["--allow-expired"]), 0)
    try publish(good, "--expires", "1h")
    assertEnd(try sync(address, verified(good)), 0)
  }

  func testAFolderThatWasCheckedIsNotFollowedWithoutAKeyUnlessThatIsSaid() throws {
    let (good, other) = (try makeKeys(), try makeKeys("other"))
    try publish(["a.txt": "a"])
    try publish(good)
    let address = try serve().url + "catalog.ndjson"
    assertEnd(try sync(address, verified(good)), 0)
    let marker = try readText(copy.appending(path: ".mirror/marker"))
    XCTAssertTrue(marker.contains("\nkeys "), marker)
    let before = try files(in: copy)
    try publish(["a.txt": "forged"])
    try publish(nil)
    for command in ["sync", "plan"] {
      for more in [[], ["--new-catalog"]] {
        let refused = try mirror([command, address, copy.path] + more)
        assertEnd(refused, 64)
        for part in ["no key is given now", "(--unsigned)"] {
          XCTAssertTrue(refused.said.contains(part), refused.said)
        }
      }
    }
    XCTAssertEqual(try files(in: copy), before)
    assertEnd(try sync(address, ["--unsigned"]), 0)
    XCTAssertEqual(try copied()["a.txt"], "forged")
    assertEnd(try sync(address), 64)
    // The index knows it as well, and the marker without the index.
    try FileManager.default.removeItem(at: copy.appending(path: ".mirror/marker"))
    assertEnd(try sync(address), 64)
    assertEnd(try sync(address, ["--unsigned"]), 0)
    for suffix in ["", "-wal"] {
      try? FileManager.default.removeItem(
        at: copy.appending(path: ".mirror/index.sqlite" + suffix))
    }
    assertEnd(try sync(address), 64)
    try publish(other)
    assertEnd(try sync(address, verified(other)), 0)
    XCTAssertNotEqual(try readText(copy.appending(path: ".mirror/marker")), marker)
  }

  func testWhatHasNoDigestFailsByItselfAndWhatIsThereStays() throws {
    let good = try makeKeys()
    try publish(["a.txt": "a", "b.txt": "b"])
    try publish(good)
    let server = try serve()
    let address = server.url + "catalog.ndjson"
    assertEnd(try sync(address, verified(good)), 0)
    // Signed by openssl alone, as another publisher would.
    let lines = try readText(catalog).split(separator: "\n").dropFirst()
      .map { String($0).replacing(/,"sha256":"[0-9a-f]*"/, with: "") }
    let text = """
      \(lines[0])
      \(lines[1].dropLast()),"preview":{"url":"a.txt"}}
      {"key":"c.txt","size":1}

      """
    try publish(["c.txt": "c"])
    try good.sign(
      text, after: #"{"catalog":1,"revision":4000000000,"count":3,"complete":true"#, to: catalog)
    for options in [[], ["--adopt", "size-date"]] {
      let end = try sync(address, verified(good) + options)
      assertEnd(end, 2)
      XCTAssertTrue(end.said.contains("has no \"sha256\""), end.said)
      XCTAssertEqual(try copied(), ["a.txt": "a", "b.txt": "b"])
    }
    assertEnd(try sync(address, ["--unsigned"]), 0)
    XCTAssertEqual(try copied()["c.txt"], "c")
    // The index knows each of these lines by now.
    let again = try sync(address, verified(good))
    assertEnd(again, 2)
    XCTAssertTrue(again.said.contains("has no \"sha256\""), again.said)
  }

  func testItIsUnpackedBeforeItIsCheckedAndMayNameNoPageThatNobodyHasSigned() throws {
    let good = try makeKeys()
    try publish(["a.txt": String(repeating: "a", count: 100), "b.txt": "b"])
    try publish(good)
    let packed = try serve(
      nil,
      NginxServer.Options(locations: [
        "location = /catalog.ndjson { gzip on; gzip_types *; gzip_min_length 1; }"
      ]))
    assertEnd(try sync(packed.url + "catalog.ndjson", verified(good)), 0)
    XCTAssertEqual(try copied().count, 2)
    try Data(#"{"key":"c.txt"}"#.utf8).write(to: source.appending(path: "more.ndjson"))
    let linking = try serve(
      nil,
      NginxServer.Options(locations: [
        #"location = /catalog.ndjson { add_header Link '<more.ndjson>; rel="next"'; }"#
      ]))
    try FileManager.default.removeItem(at: copy)
    try assertRefused(linking.url + "catalog.ndjson", verified(good), "on one page are signed")
    XCTAssertFalse(isThere(copy))
  }

  func testAFileThatIsNoPublicKeyIsAMatterOfUsage() throws {
    let good = try makeKeys()
    try publish(["a.txt": "a"])
    try publish(good)
    let address = try serve().url + "catalog.ndjson"
    for (file, words) in [
      (good.privateFile.path, "holds a private key"), ("/dev/null", "holds no key in PEM"),
      (base.path + "/none", "can't be read"),
    ] {
      let refused = try sync(address, ["--verify-key", file])
      assertEnd(refused, 64)
      XCTAssertTrue(refused.said.contains(words), refused.said)
    }
    XCTAssertFalse(isThere(copy))
    let published = try mirror("publish", source.path, "--sign-key", good.publicFile.path)
    assertEnd(published, 64)
    XCTAssertTrue(published.said.contains("--sign-key: the key"), published.said)
    assertEnd(try mirror("publish", source.path, "--expires", "1d"), 64)
  }

  func testWhoAsksForNoSignatureReadsItAsEverAndTheDoctorSaysWhoSigns() throws {
    let good = try makeKeys()
    try publish(["a.txt": "a"])
    try publish(good, "--expires", "1d")
    let address = try serve().url + "catalog.ndjson"
    assertEnd(try sync(address), 0)
    XCTAssertEqual(try copied(), ["a.txt": "a"])
    // That nothing has changed says nothing of who has signed it.
    try assertRefused(address, verified(try makeKeys("other")), "by none that is given")
    let said = try mirror("doctor", address).printed
    XCTAssertTrue(said.contains("It says that it is signed by the key "), said)
    let checked = try mirror(["doctor", address] + verified(good)).printed
    XCTAssertTrue(checked.contains("has proved it"), checked)
    XCTAssertTrue(checked.contains("--verify-key \(good.publicFile.path)"), checked)
    try publish(nil)
    XCTAssertTrue(try mirror("doctor", address).printed.contains("It isn't signed."))
  }
}
