import XCTest

@testable import CatalogMirror
@testable import SyncText

/// What tells one catalog from another.
final class CatalogIdentityTests: XCTestCase {
  private func identity(_ text: String) throws -> CatalogIdentity {
    CatalogIdentity(try XCTUnwrap(URLReference(text)))
  }

  func testUserInfoQueryDefaultPortAndCaseOfTheHostDontCount() throws {
    for text in [
      "http://example.org/c", "http://EXAMPLE.org/c", "http://u:p@example.org/c",
      "http://example.org:80/c", "http://example.org/c?token=1", "http://example.org/c#here",
    ] {
      XCTAssertEqual(try identity(text).text, "http://example.org/c", text)
    }
    XCTAssertEqual(try identity("http://example.org").text, "http://example.org/")
    XCTAssertEqual(try identity("file:///srv/c").text, "file:///srv/c")
    XCTAssertEqual(try identity("http://[::80]/c").text, "http://[::80]/c")
  }

  func testAServerMayGoOverToHTTPSAndNothingElseMayChange() throws {
    let rows: [(String, String, Bool)] = [
      ("http://example.org/c", "https://example.org/c", true),
      ("http://example.org:8080/c", "https://example.org:8443/c", true),
      ("http://[::1]:8080/c", "https://[::1]/c", true),
      ("http://[::1]/c", "https://[::2]/c", false),
      ("https://example.org/c", "http://example.org/c", false),
      ("http://example.org/c", "https://example.org/d", false),
      ("http://example.org/c", "https://www.example.org/c", false),
      ("http://example.org/c", "http://example.org:8080/c", false),
      ("http://example.org/\u{E9}", "http://example.org/e\u{301}", false),
      ("file:///c", "https:///c", false),
      ("http://example.org/c", "http://example.org/c/", true),
      ("http://example.org/c/", "http://example.org/c", true),
      ("http://example.org/c/", "https://example.org/c", true),
      ("http://example.org", "http://example.org/", true),
      ("http://example.org/./c/../c/", "http://example.org/c", true),
      ("http://example.org/c/", "http://example.org/c//", false),
      ("http://example.org/c", "http://example.org/c/d", false),
    ]
    for (kept, asked, isAdmitted) in rows {
      XCTAssertEqual(
        try identity(kept).admits(identity(asked)), isAdmitted, "\(kept), then \(asked)")
    }
  }

  func testWhatIsKeptIsReadBack() throws {
    let identity = try identity("https://example.org:8443/pub/")
    XCTAssertEqual(CatalogIdentity(kept: identity.text), identity)
    XCTAssertNil(CatalogIdentity(kept: "rubbish"))
  }
}
