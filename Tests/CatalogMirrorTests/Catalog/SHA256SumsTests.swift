import CatalogMirror
import XCTest
@testable import SyncFolder
@testable import SyncText

final class SHA256SumsTests: XCTestCase {
  func testEveryFormOfALineIsRead() throws {
    let page = try Golden.page(Golden.sums)
    XCTAssertEqual(page.format, .sha256sums)
    XCTAssertEqual(
      page.entries.compactMap(\.key),
      ["a.txt", "b c.bin", "new\nline\\", "tagged (1).txt"].map { CatalogKey($0) })
    let entry = try XCTUnwrap(page.usable["b c.bin"])
    XCTAssertEqual(entry.locators, ["https://h/data/b%20c.bin"])
    XCTAssertEqual(entry.sha256?.description, Golden.digest)
    XCTAssertEqual(entry.version, entry.sha256.map(ItemVersion.digest))
  }

  func testAListOfDigestsIsPartialUnlessAPersonVouchesForIt() throws {
    let body = try Golden.body(Golden.sums)
    XCTAssertEqual(try Golden.listing(body).completeness, .partial([.unvouchable]))
    let vouched = try Golden.listing(body, { $0.isVouchedFor = true })
    XCTAssertEqual(vouched.completeness, .complete)
    XCTAssertEqual(vouched.unusable.map(\.problem), [.key(.controlCharacter)])
  }

  func testALineOfAnotherFormMakesTheListUnreadable() throws {
    let digest = Golden.digest
    for line in [
      "\(digest) a", "\(digest)  ", "\(digest.dropLast())  a", "g\(digest.dropFirst())  a",
      "# note",
      "\\\(digest)  a\\x", "SHA256 (a) = 12", "SHA1 (a) = \(digest)", digest,
    ] {
      XCTAssertThrowsError(try Golden.page(Golden.sums + line + "\n"), line)
    }
  }
}
