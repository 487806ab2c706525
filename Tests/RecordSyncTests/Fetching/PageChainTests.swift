import SyncText
import XCTest

@testable import RecordSync

/// Which page comes next.
final class PageChainTests: XCTestCase {
  private func chain(_ url: String) throws -> PageChain {
    PageChain(try XCTUnwrap(URLReference(url)))
  }

  func testANextPageIsResolvedAgainstTheAddressThatAnswered() throws {
    var chain = try chain("http://a.example/users?page=1")
    XCTAssertTrue(try chain.follow("?page=2", from: "http://b.example/list"))
    XCTAssertEqual(chain.current.text, "http://b.example/list?page=2")
    XCTAssertEqual(chain.count, 2)
    XCTAssertFalse(try chain.follow(nil, from: "http://b.example/list"))
  }

  func testAPageThatWasThereIsNotFollowed() throws {
    var chain = try chain("http://a.example/1")
    XCTAssertTrue(try chain.follow("/2", from: "http://a.example/1"))
    for back in ["/1", "/2"] {
      XCTAssertThrowsError(try chain.follow(back, from: "http://a.example/2")) { error in
        XCTAssertEqual(error as? PayloadProblem, .pageTwice("http://a.example\(back)"))
      }
    }
  }

  func testWhatIsNoWebAddressIsNotFollowed() throws {
    for next in ["file:///etc/passwd", "http://u:p@a.example/2", "http://a.example/2", "ftp://a/"] {
      var chain = try chain("https://a.example/1")
      XCTAssertThrowsError(try chain.follow(next, from: "https://a.example/1"), next)
    }
  }
}
