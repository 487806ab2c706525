import XCTest
@testable import SyncText

final class SHA256Tests: XCTestCase {
  func testTheDigestsOfTheStandardsExamplesAreRight() {
    // FIPS 180-4, examples of SHA-256: "abc" and the empty message.
    XCTAssertEqual(
      digest(of: "abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    XCTAssertEqual(
      digest(of: ""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
  }

  func testHexadecimalIsReadInBothCasesAndNothingElse() {
    let lower = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    XCTAssertEqual(SHA256Digest(hexadecimal: lower.uppercased())?.description, lower)
    XCTAssertNil(SHA256Digest(hexadecimal: String(lower.dropLast())))
    XCTAssertNil(SHA256Digest(hexadecimal: "é" + lower.dropFirst(2)))
    XCTAssertNil(SHA256Digest(hexadecimal: "g" + lower.dropFirst()))
  }

  private func digest(of text: String) -> String {
    var hasher = SHA256Hasher()
    Array(text.utf8).withUnsafeBytes { hasher.update($0) }
    return hasher.finish().description
  }
}
