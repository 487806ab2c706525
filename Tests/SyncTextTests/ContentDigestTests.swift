import XCTest

@testable import SyncText

final class ContentDigestTests: XCTestCase {
  /// Of "abc": RFC 1321, section A.5, and the examples of FIPS 180-4.
  private static let abc: [ContentDigest.Algorithm: String] = [
    .md5: "900150983cd24fb0d6963f7d28e17f72",
    .sha1: "a9993e364706816aba3e25717850c26c9cd0d89d",
    .sha256: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
    .sha512: "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
      + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f",
  ]

  func testEachAlgorithmGivesItsPublishedDigestHoweverTheBytesCome() throws {
    for algorithm in ContentDigest.Algorithm.allCases {
      let expected = try XCTUnwrap(Self.abc[algorithm])
      let whole = ContentDigest(algorithm, of: Array("abc".utf8))
      XCTAssertEqual(whole?.description, "\(algorithm.rawValue):\(expected)")
      let hasher = try XCTUnwrap(ContentHasher(algorithm))
      for byte in "abc".utf8 { [byte].withUnsafeBytes { hasher.update($0) } }
      XCTAssertEqual(hasher.finish(), whole)
    }
  }

  func testADigestIsReadFromDigitsAndFromBase64AndFromNothingElse() throws {
    for (algorithm, digits) in Self.abc {
      let digest = try XCTUnwrap(ContentDigest(algorithm, hexadecimal: digits.utf8))
      XCTAssertEqual(ContentDigest(algorithm, hexadecimal: digits.uppercased().utf8), digest)
      XCTAssertEqual(ContentDigest(algorithm, base64: Base64.text(of: digest.bytes)), digest)
      for wrong in [String(digits.dropLast()), digits + "0", "g" + digits.dropFirst(), ""] {
        XCTAssertNil(ContentDigest(algorithm, hexadecimal: wrong.utf8), wrong)
      }
      XCTAssertNil(ContentDigest(algorithm, base64: Base64.text(of: [1, 2, 3])))
    }
  }

  func testOnlyWhatNobodyCanForgeProvesEquality() {
    let proving = ContentDigest.Algorithm.allCases.filter(\.provesEquality)
    XCTAssertEqual(proving, [.sha256, .sha512])
  }
}
