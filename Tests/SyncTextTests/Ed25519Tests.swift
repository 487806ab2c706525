import XCTest

@testable import SyncText

/// Signatures by keys of Ed25519, and the files that such keys stand in.
final class Ed25519Tests: XCTestCase {
  /// RFC 8032, section 7.1, tests 1 to 3: the private key, the public one, message and signature.
  private static let published = [
    [
      "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
      "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "",
      "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701c"
        + "f9b46bd25bf5f0595bbe24655141438e7a100b",
    ],
    [
      "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
      "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", "72",
      "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0"
        + "f11d8c387b2eaeb4302aeeb00d291612bb0c00",
    ],
    [
      "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
      "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025", "af82",
      "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f76098"
        + "4dc6594a7c15e9716ed28dc027beceea1ec40a",
    ],
  ]

  private static func bytes(_ hexadecimal: String) -> [UInt8] {
    let digits = Array(hexadecimal.utf8).compactMap(Hexadecimal.value(ofDigit:))
    return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }

  func testTheCasesOfItsSpecificationComeOutAsPublished() throws {
    for row in Self.published.map({ $0.map(Self.bytes) }) {
      let key = try XCTUnwrap(Ed25519PrivateKey(seed: row[0]))
      XCTAssertEqual(key.publicKey.bytes, row[1])
      #if !canImport(CryptoKit)
        XCTAssertEqual(key.signature(of: row[2]), row[3])
      #endif
      XCTAssertTrue(key.publicKey.hasSigned(row[2], by: row[3]))
      XCTAssertTrue(key.publicKey.hasSigned(row[2], by: key.signature(of: row[2])))
    }
  }

  func testNoOtherBitOfMessageKeyOrSignatureWillDo() throws {
    let row = Self.published[1].map(Self.bytes)
    let key = try XCTUnwrap(Ed25519PublicKey(bytes: row[1]))
    for bit in 0..<512 {
      var signature = row[3]
      signature[bit / 8] ^= 1 << (bit % 8)
      XCTAssertFalse(key.hasSigned(row[2], by: signature), "bit \(bit)")
    }
    for bit in 0..<8 { XCTAssertFalse(key.hasSigned([row[2][0] ^ 1 << bit], by: row[3])) }
    XCTAssertFalse(key.hasSigned([], by: row[3]))
    XCTAssertFalse(key.hasSigned(row[2], by: []))
    XCTAssertFalse(key.hasSigned(row[2], by: row[3] + [0]))
    let other = try XCTUnwrap(Ed25519PublicKey(bytes: Self.bytes(Self.published[2][1])))
    XCTAssertFalse(other.hasSigned(row[2], by: row[3]))
    XCTAssertNil(Ed25519PublicKey(bytes: Array(row[1].dropLast())))
    XCTAssertNil(Ed25519PrivateKey(seed: row[0] + [0]))
  }

  func testNothingThatIsPrintedHoldsThePrivateKey() throws {
    let seed = Self.bytes(Self.published[0][0])
    let key = try XCTUnwrap(Ed25519PrivateKey(seed: seed))
    var printed = ""
    dump(key, to: &printed)
    for text in [printed, "\(key)", String(reflecting: key)] {
      XCTAssertFalse(text.contains("\(seed[0])") && text.contains("\(seed[31])"), text)
    }
    XCTAssertEqual(key.publicKey.id, "21fe31dfa154a261")
  }

  /// The keys of RFC 8410, section 10.
  func testKeysAreReadFromTheirArmourWhateverStandsAround() throws {
    let text = """
      a comment, as openssl writes one
      -----BEGIN PUBLIC KEY-----\r
      MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=
      -----END PUBLIC KEY-----
      -----BEGIN PRIVATE KEY-----
      MC4CAQAwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC
      -----END PRIVATE KEY-----
      """
    let blocks = PEMText(Array(text.utf8)).blocks
    XCTAssertEqual(blocks.map(\.label), ["PUBLIC KEY", "PRIVATE KEY"])
    let key = try XCTUnwrap(Ed25519PublicKey(blocks[0]))
    XCTAssertEqual(try XCTUnwrap(Ed25519PrivateKey(blocks[1])).publicKey, key)
    XCTAssertNil(Ed25519PublicKey(blocks[1]))
    XCTAssertNil(Ed25519PrivateKey(blocks[0]))
  }

  func testArmourThatIsNotWholeHoldsNothing() {
    let whole = "-----BEGIN A-----\nAAAA\n-----END A-----\n"
    for (old, new) in [
      ("END A", "END B"), ("AAAA", "AAA"), ("AAAA\n", ""), ("-----END A-----\n", ""),
      ("-----BEGIN A-----\n", ""), ("AAAA", "AA%A"),
    ] {
      XCTAssertEqual(PEMText(Array(whole.replacing(old, with: new).utf8)).blocks, [], new)
    }
    XCTAssertEqual(PEMText(Array(whole.utf8)).blocks.count, 1)
  }
}
