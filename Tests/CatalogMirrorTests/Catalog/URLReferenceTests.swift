@testable import CatalogMirror
import XCTest

final class URLReferenceTests: XCTestCase {
  func testReferencesResolveAsInTheStandard() throws {
    // RFC 3986, sections 5.4.1 and 5.4.2, less the fragments.
    let base = try XCTUnwrap(URLReference("http://a/b/c/d;p?q"))
    let table = [
      "g:h": "g:h", "g": "http://a/b/c/g", "./g": "http://a/b/c/g", "g/": "http://a/b/c/g/",
      "/g": "http://a/g", "//g": "http://g", "?y": "http://a/b/c/d;p?y", "g?y": "http://a/b/c/g?y",
      ";x": "http://a/b/c/;x", "": "http://a/b/c/d;p?q", ".": "http://a/b/c/",
      "./": "http://a/b/c/",
      "..": "http://a/b/", "../g": "http://a/b/g", "../..": "http://a/", "../../g": "http://a/g",
      "../../../g": "http://a/g", "../../../../g": "http://a/g", "/./g": "http://a/g",
      "/../g": "http://a/g", "g.": "http://a/b/c/g.", "..g": "http://a/b/c/..g",
      "./../g": "http://a/b/g", "./g/.": "http://a/b/c/g/", "g/./h": "http://a/b/c/g/h",
      "g/../h": "http://a/b/c/h", "g;x=1/../y": "http://a/b/c/y",
      "g?y/../x": "http://a/b/c/g?y/../x",
      "#s": "http://a/b/c/d;p?q",
    ]
    for (reference, target) in table {
      let resolved = try XCTUnwrap(URLReference(reference)).resolved(against: base)
      XCTAssertEqual(resolved.text, target, reference)
    }
  }

  func testWhatIsNoURLIsRefusedAndIRIsAreEncoded() {
    for text in ["a b", "a\nb", "a\u{7F}", "<a>", "a\"b", "%", "%4", "%zz", "a\\b", "{x}"] {
      XCTAssertNil(URLReference(text), text)
    }
    XCTAssertEqual(URLReference("http://h/é")?.text, "http://h/%C3%A9")
  }

  func testUserInfoAndQueriesDoNotShowInMessages() {
    XCTAssertEqual(
      URLReference("https://me:secret@h/x?token=1")?.redacted, "https://h/x?…")
  }

  func testOnlyURLsThatACatalogMayNameAreFollowed() throws {
    let web = LocatorRules(catalog: try XCTUnwrap(URLReference("https://h/c/catalog")))
    let local = LocatorRules(catalog: try XCTUnwrap(URLReference("file:///srv/data/catalog")))
    let pathless = LocatorRules(catalog: try XCTUnwrap(URLReference("file://")))
    let refused: [(LocatorRules, String, LocatorProblem)] = [
      (pathless, "file:///etc/passwd", .fileOutsideCatalog),
      (web, "ftp://h/x", .scheme("ftp")), (web, "file:///etc/passwd", .fileOutsideCatalog),
      (web, "javascript:x", .scheme("javascript")), (web, "http:x", .notAURL),
      (web, "https://u:p@h/x", .userInfo), (local, "file:///srv/other", .fileOutsideCatalog),
      (local, "file:///srv/data/%2e%2e/x", .fileOutsideCatalog),
      (local, "file://host/srv/data/x", .fileOutsideCatalog),
    ]
    for (rules, text, problem) in refused {
      let url = try XCTUnwrap(URLReference(text))
      XCTAssertThrowsError(try rules.check(url), text) { error in
        XCTAssertEqual(error as? LocatorProblem, problem, text)
      }
    }
    try web.check(try XCTUnwrap(URLReference("http://other/x")))
    try local.check(try XCTUnwrap(URLReference("file:///srv/data/a/b")))
    XCTAssertThrowsError(try web.checkNext(try XCTUnwrap(URLReference("http://h/2"))))
  }

  func testDatesOfEveryFormAreRead() {
    XCTAssertEqual(CivilTime.rfc3339("1970-01-01T00:00:00Z"), 0)
    XCTAssertEqual(CivilTime.rfc3339("2026-11-20T21:47:24Z"), 1_795_211_244)
    XCTAssertEqual(CivilTime.rfc3339("2026-11-20T22:47:24.5+01:00"), 1_795_211_244.5)
    XCTAssertEqual(CivilTime.rfc3339("2000-02-29T12:00:00-00:30"), 951_827_400)
    XCTAssertEqual(CivilTime.httpDate("Sun, 06 Nov 1994 08:49:37 GMT"), 784_111_777)
    XCTAssertEqual(CivilTime.nginxDate("20-Nov-2026 21:47"), 1_795_211_220)
    for text in ["2026-02-30T00:00:00Z", "2026-11-20", "2026-11-20T24:00:00Z", "", "now"] {
      XCTAssertNil(CivilTime.rfc3339(text), text)
    }
    for second in stride(from: -2_000_000_000, to: 9_000_000_000, by: 98_765_432) {
      let text = CivilTime.rfc3339(secondsSince1970: second)
      XCTAssertEqual(CivilTime.rfc3339(text), Double(second), text)
    }
  }
}
