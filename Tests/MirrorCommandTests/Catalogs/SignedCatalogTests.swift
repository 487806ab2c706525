import Foundation
import SyncText
import TestSupport
import XCTest

/// Catalogs that are believed only if a key has signed them.
final class SignedCatalogTests: SignedCatalogTestCase {
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
    XCTAssertEqual(try copied().count, 4)
  }

  /// Each of these lists what is there as well as a catalog does, and nobody has signed it.
  func testWhatIsNoCatalogInLinesOnOnePageIsNotBelieved() throws {
    let good = try makeKeys()
    try publish(["a.txt": "a"])
    try publish(["SHA256SUMS": "\(SHA256Digest(of: "a".utf8))  a.txt\n"])
    try publish(["list.json": #"{"a.txt":"a.txt"}"#])
    try publish(["items.json": #"{"catalog":1,"revision":1,"items":[{"key":"a.txt"}]}"#])
    let server = try serve(listing: .html)
    for (place, more) in [
      ("SHA256SUMS", []), ("", []), ("list.json", ["--format", "mapping"]), ("items.json", []),
    ] {
      let address = server.url + place
      let word = place == "items.json" ? "isn't signed" : "on one page are signed"
      try assertRefused(address, verified(good) + more, word)
      assertEnd(try sync(address, more), 0)
      try FileManager.default.removeItem(at: copy)
    }
  }

  func testAFolderThatWasCheckedIsNotFollowedWithoutAKeyUnlessThatIsSaid() throws {
    let (good, other) = (try makeKeys(), try makeKeys("other"))
    try publish(["a.txt": "a"])
    try publish(good, "--expires", "1d")
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
        for part in ["which isn't given now", "(--unsigned)"] {
          XCTAssertTrue(refused.said.contains(part), refused.said)
        }
      }
    }
    XCTAssertEqual(try files(in: copy), before)
    assertEnd(try sync(address, ["--unsigned"]), 0)
    XCTAssertEqual(try copied()["a.txt"], "forged")
    let told = try mirror("status", copy.path).printed
    XCTAssertTrue(told.contains(" before; the last run took it without (--unsigned)"), told)
    XCTAssertFalse(told.contains("may be taken until"), told)
    XCTAssertTrue(try mirror("status", copy.path, "--json").printed.contains(#""unsigned":true"#))
    let staged = copy.appending(path: ".mirror/staging/left")
    try Data("left".utf8).write(to: staged)
    assertEnd(try sync(address), 64)
    XCTAssertTrue(isThere(staged), "a run that has no business here sweeps nothing")
    // The index knows it as well, and the marker without the index.
    try FileManager.default.removeItem(at: copy.appending(path: ".mirror/marker"))
    try Data("left".utf8).write(to: staged)
    assertEnd(try sync(address), 64)
    XCTAssertTrue(isThere(staged))
    assertEnd(try sync(address, ["--unsigned"]), 0)
    loseIndex()
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
    let end = try sync(address, verified(good))
    assertEnd(end, 2)
    XCTAssertTrue(end.said.contains("has no \"sha256\""), end.said)
    XCTAssertEqual(try copied(), ["a.txt": "a", "b.txt": "b"])
    assertEnd(try sync(address, ["--unsigned"]), 0)
    XCTAssertEqual(try copied()["c.txt"], "c")
    // The index knows each of these lines by now.
    let again = try sync(address, verified(good))
    assertEnd(again, 2)
    XCTAssertTrue(again.said.contains("has no \"sha256\""), again.said)
  }

  /// That a file has the size and the date doesn't make it the one that was signed.
  func testAFileOfTheSameSizeAndDateIsNotAdoptedForTheSignedOne() throws {
    let good = try makeKeys()
    try publish(["a.txt": "a"])
    try publish(good)
    try makeFolder(at: copy)
    let (file, theirs) = (copy.appending(path: "a.txt"), source.appending(path: "a.txt"))
    try Data("b".utf8).write(to: file)
    let date = try theirs.resourceValues(forKeys: [.contentModificationDateKey])
    try FileManager.default.setAttributes(
      [.modificationDate: try XCTUnwrap(date.contentModificationDate)], ofItemAtPath: file.path)
    let address = try serve().url + "catalog.ndjson"
    assertEnd(try sync(address, verified(good) + ["--adopt", "size-date"]), 0)
    XCTAssertEqual(try copied()["a.txt"], "a")
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
      (good.privateFile.path, "holds a private key"), ("/dev/null", "is no regular file"),
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
    XCTAssertTrue(checked.contains(", as given."), checked)
    XCTAssertFalse(checked.contains("as well"), checked)
    // Anybody may add the name of a key.
    let (text, id) = (try readText(catalog), "0123456789abcdef")
    try Data(text.replacing("]}\n", with: #",{"key":"\#(id)","ed25519":"AAAA"}]}"# + "\n").utf8)
      .write(to: catalog)
    let claimed = try mirror(["doctor", address] + verified(good)).printed
    XCTAssertTrue(
      claimed.contains("It says that it is signed by the key \(id) as well."), claimed)
    XCTAssertTrue(claimed.contains(", as given."), claimed)
    XCTAssertFalse(claimed.contains("\(id), as given"), claimed)
    XCTAssertTrue(checked.contains("--verify-key \(good.publicFile.path)"), checked)
    try publish(nil)
    XCTAssertTrue(try mirror("doctor", address).printed.contains("It isn't signed."))
  }
}
