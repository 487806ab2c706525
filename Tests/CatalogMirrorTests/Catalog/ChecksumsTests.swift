import TestSupport
import XCTest

@testable import CatalogMirror
@testable import SyncFolder
@testable import SyncText

final class ChecksumsTests: XCTestCase {
  private static let md5 = String(repeating: "5a", count: 16)
  private static let sha1 = String(repeating: "1b", count: 20)
  private static let sha512 = String(repeating: "6c", count: 64)

  func testEveryFormOfALineIsRead() throws {
    let page = try Golden.page(Golden.sums)
    XCTAssertEqual(page.format, .checksums)
    XCTAssertEqual(
      page.entries.compactMap(\.key),
      ["a.txt", "b c.bin", "new\nline\\", "tagged (1).txt"].map { CatalogKey($0) })
    let entry = try XCTUnwrap(page.usable["b c.bin"])
    XCTAssertEqual(entry.locators, ["https://h/data/b%20c.bin"])
    XCTAssertEqual(entry.sha256?.description, Golden.digest)
    XCTAssertEqual(entry.version, entry.sha256.map(ItemVersion.digest))
  }

  func testALineThatIsWrittenIsReadAsTheSameName() throws {
    let digest = SHA256Digest(of: Array("text".utf8))
    for (name, end) in [
      ("a.txt", "  a.txt"), (" *b", "   *b"), ("é \"x\"", "  é \"x\""), ("-", "  ./-"),
      ("a\\b", "  a\\\\b"), ("a\nb\r", "  a\\nb\\r"),
    ] {
      let text = ChecksumLine.text(of: digest, Array(name.utf8))
      XCTAssertEqual(text, (end.contains("\\") ? "\\" : "") + "\(digest)\(end)")
      let line = try XCTUnwrap(ChecksumLine(Array(text.utf8)[...]))
      XCTAssertEqual(String(decoding: line.name, as: UTF8.self), name)
      XCTAssertEqual(line.digest.sha256, digest)
    }
  }

  func testTheNumberOfDigitsOrATagTellsTheAlgorithm() throws {
    let page = try Golden.page(
      """
      # a comment

      \(Self.md5)  a
      ; another
      \(Self.sha1) *b
      \(Self.sha512)  c
      MD5 (d) = \(Self.md5)
      SHA1(e)= \(Self.sha1)
      SHA512 (f (1) = ) = \(Self.sha512)
      SHA2-256(g)= \(Golden.digest)
      """)
    let usable = page.usable
    XCTAssertEqual(usable["a"]?.checks.map(\.description), ["md5:\(Self.md5)"])
    XCTAssertEqual(usable["a"]?.version, .revision("md5:\(Self.md5)"))
    XCTAssertEqual(usable["b"]?.checks.map(\.description), ["sha1:\(Self.sha1)"])
    XCTAssertEqual(usable["c"]?.proof?.description, "sha512:\(Self.sha512)")
    XCTAssertNil(usable["d"]?.proof)
    XCTAssertEqual(usable["e"]?.checks.first?.algorithm, .sha1)
    XCTAssertEqual(usable["f (1) = "]?.checks.first?.algorithm, .sha512)
    XCTAssertEqual(usable["g"]?.sha256?.description, Golden.digest)
  }

  func testSeveralDigestsOfANameAreOneEntry() throws {
    let page = try Golden.page(
      """
      MD5 (a) = \(Self.md5)
      MD5 (b) = \(Self.md5)
      SHA256 (a) = \(Golden.digest)
      \(Self.sha512)  a

      """)
    XCTAssertEqual(page.entries.count, 2)
    let entry = try XCTUnwrap(page.usable["a"])
    XCTAssertEqual(entry.sha256?.description, Golden.digest)
    XCTAssertEqual(entry.checks.map(\.algorithm), [.md5, .sha512])
  }

  /// What `sha256sum *.tar.gz special.tar.gz` writes.
  func testAFileThatIsListedTwiceWithOneDigestIsOneEntryAndWithTwoAnError() throws {
    let (other, short) = (String(Self.md5.reversed()), Self.md5.dropFirst() + "0")
    for lines in ["\(Self.md5)  a\nMD5 (a) = \(Self.md5)\n", "\(Self.md5) *./a\n"] {
      let twice = "\(Self.md5)  a\n\(Self.sha1)  a\n" + lines
      let listing = try Golden.listing(Golden.body(twice))
      XCTAssertEqual(listing.entries.map(\.key), [CatalogKey("a")])
      XCTAssertEqual(listing.entries.first?.checks.count, 2)
    }
    for digest in [other, String(short)] where digest != Self.md5 {
      let twice = "\(Self.md5)  a\n\(Self.sha1)  a\n\(digest)  a\n"
      assertThrows(
        CatalogError.duplicateKey(CatalogKey("a")), try Golden.listing(Golden.body(twice)))
    }
  }

  func testAListThatIsSignedInClearIsReadWithinItsArmour() throws {
    let listing = try Golden.listing(Golden.body(Golden.signedSums))
    XCTAssertEqual(listing.entries.map(\.key), ["a.txt", "b.txt"].map { CatalogKey($0) })
    for damage in [
      Golden.signedSums + "\(Golden.digest)  late.txt\n",
      Golden.signedSums.replacing("-----END PGP SIGNATURE-----", with: ""),
      Golden.signedSums.replacing("Hash: SHA512\n\n", with: "Hash: SHA512\n"),
      Golden.signedSums.replacing("-----BEGIN PGP SIGNATURE-----", with: "-----BEGIN-----"),
    ] {
      XCTAssertThrowsError(try Golden.page(damage, as: .checksums), damage)
    }
  }

  func testLinesMayEndAsOnWindowsAndTheLastNeedsNoEnd() throws {
    let page = try Golden.page("\(Golden.digest)  a\r\n\(Golden.digest)  b")
    XCTAssertEqual(page.usable.keys.sorted(), ["a", "b"])
    XCTAssertThrowsError(
      try Golden.page("\(Golden.digest)  a\nSHA256 (b) = \(Golden.digest.dropLast())"))
  }

  func testAListOfDigestsIsPartialUnlessAPersonVouchesForIt() throws {
    let body = try Golden.body(Golden.sums)
    XCTAssertEqual(try Golden.listing(body).completeness, .partial([.unvouchable]))
    let vouched = try Golden.listing(body, { $0.isVouchedFor = true })
    XCTAssertEqual(vouched.completeness, .complete)
    XCTAssertEqual(vouched.unusable.map(\.problem), [.key(.controlCharacter)])
  }

  func testTheNameOfOneAlgorithmReadsListsOfThatAlone() throws {
    XCTAssertEqual(try Golden.page(Golden.sums, as: .sha256sums).entries.count, 4)
    XCTAssertThrowsError(try Golden.page("\(Self.sha1)  a\n", as: .sha256sums))
  }

  func testALineOfAnotherFormMakesTheListUnreadable() throws {
    let digest = Golden.digest
    for line in [
      "\(digest) a", "\(digest)  ", "\(digest.dropLast())  a", "g\(digest.dropFirst())  a",
      "\\\(digest)  a\\x", "SHA256 (a) = 12", "SHA1 (a) = \(digest)", digest, "note",
    ] {
      XCTAssertThrowsError(try Golden.page(Golden.sums + line + "\n"), line)
    }
    XCTAssertThrowsError(try Golden.page("# nothing\n", as: .checksums))
  }
}
