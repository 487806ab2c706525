import SyncText
import XCTest

@testable import CatalogMirror

final class LocatorRulesTests: XCTestCase {
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
      XCTAssertEqual(rules.problem(with: url), problem, text)
    }
    XCTAssertNil(web.problem(with: try XCTUnwrap(URLReference("http://other/x"))))
    XCTAssertNil(local.problem(with: try XCTUnwrap(URLReference("file:///srv/data/a/b"))))
    XCTAssertEqual(
      web.problem(withNext: try XCTUnwrap(URLReference("http://h/2"))), .leavesHTTPS)
  }
}
