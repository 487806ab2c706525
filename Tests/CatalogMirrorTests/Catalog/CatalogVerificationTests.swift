import XCTest

@testable import CatalogMirror
@testable import SyncText

/// What is believed of a catalog that is checked by keys, from its first byte to its last.
final class CatalogVerificationTests: XCTestCase {
  private static func key(_ seed: UInt8) throws -> Ed25519PrivateKey {
    try XCTUnwrap(Ed25519PrivateKey(seed: [UInt8](repeating: seed, count: 32)))
  }

  private static let lines = "{\"key\":\"a\"}\n{\"key\":\"b\"}\n"
  private static let members = #"{"catalog":1,"revision":7,"count":2"#

  /// A catalog that is signed by these keys.
  private func text(
    _ members: String = members, _ lines: String = lines, by seeds: [UInt8] = [1]
  ) throws -> String {
    let start = members + ",\"body\":\"\(SHA256Digest(of: lines.utf8))\""
    let message = SignedHeader.message(of: start.utf8)
    let signatures = try seeds.map { seed in
      let key = try Self.key(seed)
      return """
        {"key":"\(key.publicKey.id)","ed25519":"\(Base64.text(of: key.signature(of: message)))"}
        """
    }
    return start + #","signature":["# + signatures.joined(separator: ",") + "]}\n" + lines
  }

  /// What is said of a body that comes in pieces of that length.
  private func check(
    _ text: String, by seeds: [UInt8] = [1], now: Double = 1_000, pieces: Int = .max
  ) throws -> Result<SignedCatalog?, CatalogError> {
    let keys = try seeds.map { try Self.key($0).publicKey }
    let bytes = Array(text.utf8)
    do {
      var check = CatalogVerification(by: keys, at: now, of: "u")
      var rest = bytes[...]
      while !rest.isEmpty {
        let piece = Array(rest.prefix(pieces))
        rest = rest.dropFirst(piece.count)
        try piece.withUnsafeBytes { try check.take($0) }
      }
      return .success(try check.finish())
    } catch let error as CatalogError {
      return .failure(error)
    }
  }

  private func assertRefused(
    _ text: String, _ problem: SignatureProblem, by seeds: [UInt8] = [1], line: UInt = #line
  ) throws {
    XCTAssertEqual(
      try check(text, by: seeds), .failure(.unsigned(url: "u", problem)), text, line: line)
  }

  func testWhatIsSignedIsBelievedHoweverItComes() throws {
    let text = try text()
    for pieces in 1...text.utf8.count {
      let signed = try XCTUnwrap(check(text, pieces: pieces).get(), "\(pieces)")
      XCTAssertEqual(signed.keys, [try Self.key(1).publicKey.id])
      XCTAssertEqual(signed.revision, 7)
      XCTAssertEqual([signed.published, signed.expires], [nil, nil])
    }
    let nested = try self.text(Self.members + #","x":{"a":1,"signature":2}"#)
    XCTAssertNotNil(try check(nested).get(), "what another writes within isn't the signature")
  }

  func testNoBitOfItMayBeAnotherOne() throws {
    let text = try text()
    for place in text.utf8.indices {
      var bytes = Array(text.utf8)
      let offset = text.utf8.distance(from: text.utf8.startIndex, to: place)
      bytes[offset] ^= 1
      let end = try check(String(decoding: bytes, as: UTF8.self))
      if case .success(let signed?) = end { XCTFail("byte \(offset) doesn't count: \(signed)") }
    }
  }

  func testEveryPrefixIsRefusedOrNotTakenForSigned() throws {
    let text = try text()
    for count in 0..<text.utf8.count {
      let end = try check(String(text.prefix(count)))
      if case .success(let signed?) = end { XCTFail("\(count) bytes will do: \(signed)") }
    }
  }

  func testOneGoodSignatureSufficesAndABadOneSpeaksAgainstAll() throws {
    XCTAssertEqual(try check(text(by: [2, 1])).get()?.keys, [try Self.key(1).publicKey.id])
    XCTAssertNotNil(try check(text(by: [2]), by: [1, 2]).get())
    try assertRefused(text(by: [2]), .unknownKeys([Self.key(2).publicKey.id]))
    let ids = try [1, 2].map { try Self.key($0).publicKey.id }
    let stolen = try text(by: [2]).replacing(ids[1], with: ids[0])
    try assertRefused(stolen, .badSignature(ids[0]))
    let both = try text(by: [1, 2])
    try assertRefused(both.replacing(ids[1], with: ids[0]), .badSignature(ids[0]))
  }

  /// What stands behind the signatures is nobody's word.
  func testNothingMayStandBehindTheSignature() throws {
    let good = try text()
    // The same signatures once more, over other lines, in forms that aren't looked for.
    let evil = SHA256Digest(of: Self.lines.replacing("\"a\"", with: "\"A\"").utf8)
    let signatures = try XCTUnwrap(good.firstMatch(of: /"signature":(\[.*?\])/)).1
    for added in [
      #","next":"https://evil/""#, #","base":"https://evil/""#, #","count":3"#,
      #","signature":[]"#, #","body":"","signature":[]"#,
      #","body":"\#(evil)","signature" :\#(signatures)"#,
      #","body":"\#(evil)","signatur\u0065":\#(signatures)"#,
    ] {
      let forged = good.replacing("]}\n{", with: "]\(added)}\n{", maxReplacements: 1)
      XCTAssertNotEqual(forged, good)
      if case .success(let signed?) = try check(forged) { XCTFail("\(added): \(signed)") }
    }
    try assertRefused(good.replacing(#","signature":"#, with: #", "signature":"#), .damaged)
    try assertRefused(good.replacing("]}\n{", with: #"],"x":1}"# + "\n{"), .damaged)
  }

  /// No lines are looked at where the header lists entries by itself.
  func testWhatListsEntriesInItsHeaderIsNotInLines() throws {
    let items = #"{"catalog":1,"revision":1,"complete":true,"items":[{"key":"a","size":1}]"#
    for lines in ["", Self.lines] { try assertRefused(text(items, lines), .notInLines) }
    let escaped = items.replacing("items", with: #"item\u0073"#)
    try assertRefused(text(escaped, ""), .notInLines)
  }

  func testOtherLinesAreRefusedOnceTheyHaveCome() throws {
    let (text, id) = (try text(), try Self.key(1).publicKey.id)
    for other in [
      text + "{\"key\":\"c\"}\n", text.replacing("\"a\"", with: "\"A\""),
      String(text.dropLast()), String(text.dropLast(12)),
    ] {
      try assertRefused(other, .otherLines(id))
    }
  }

  func testWhatBearsNoSignatureIsNotBelievedAndNotAnErrorYet() throws {
    for text in [
      Self.members + "}\n" + Self.lines, Self.lines, "", "\n" + (try text()), "<html>\n</html>\n",
      "\u{FEFF}" + (try text()), "[" + String(repeating: " ", count: 2 << 20),
      #"{"signature":[]}"# + "\n",
    ] {
      XCTAssertEqual(try check(text), .success(nil), String(text.prefix(80)))
    }
  }

  func testAStateThatNobodyCanTellFromAnOlderOneIsRefused() throws {
    let id = try Self.key(1).publicKey.id
    for revision in ["", #","revision":"7""#, #","revision":7.5"#, #","revision":null"#] {
      try assertRefused(text(#"{"catalog":1"# + revision), .unordered(id))
    }
  }

  func testItsDatesAreReadAndOneOfTheFutureIsRefused() throws {
    let dated =
      #"{"catalog":1,"revision":7,"published":"1970-01-01T00:16:50.5Z""#
      + #","expires":"1970-01-01T00:20:00Z""#
    let signed = try check(text(dated)).get()
    XCTAssertEqual([signed?.published, signed?.expires], [1_010, 1_200])
    XCTAssertEqual(
      try check(text(dated), now: 999),
      .failure(.ofTheFuture(url: "u", date: 1_010, now: 999)))
    for wrong in [#","expires":5"#, #","expires":"soon""#, #","published":"x""#] {
      try assertRefused(text(Self.members + wrong), .damaged)
    }
    XCTAssertNotNil(try check(text(Self.members + #","expires":null"#)).get())
  }

  func testSignaturesThatAreNoneAreTold() throws {
    let start = Self.members + ",\"body\":\"\(SHA256Digest(of: Self.lines.utf8))\""
    for (value, problem) in [
      ("[]", .damaged), ("{}", .damaged), ("7", .damaged), ("null", .damaged),
      ("[7]", .unknownKeys([])), (#"[{"key":"x","rsa":"y"}]"#, .unknownKeys([])),
      (#"[{"key":"x","ed25519":"?"}]"#, .damaged),
      (#"[{"key":"x","ed25519":"AAAA"}]"#, .unknownKeys(["x"])),
      ("[" + Array(repeating: "7", count: 65).joined(separator: ",") + "]", .damaged),
    ] as [(String, SignatureProblem)] {
      try assertRefused(start + #","signature":"# + value + "}\n" + Self.lines, problem)
    }
  }
}
