import DocumentSync
import XCTest

final class MemberPathTests: XCTestCase {
  func testPathsAreWrittenWithDots() {
    let table: [(MemberPath, String)] = [
      (.whole, ""), (["a"], "a"), (["a", "b_2", "c-d"], "a.b_2.c-d"), (["é"], "é"),
      (["a.b", "", "x\"y"], #""a.b".""."x\"y""#),
    ]
    for (path, text) in table { XCTAssertEqual("\(path)", text) }
  }

  func testAPathContainsItselfAndWhatIsInside() {
    let path: MemberPath = ["a", "b"]
    for other: MemberPath in [["a", "b"], ["a", "b", "c"]] { XCTAssertTrue(path.contains(other)) }
    for other: MemberPath in [.whole, ["a"], ["b", "a"], ["a", "c", "b"]] {
      XCTAssertFalse(path.contains(other))
    }
    XCTAssertTrue(MemberPath.whole.contains(path))
  }

  func testPathsAreEqualToTheByte() {
    let paths: Set<MemberPath> = [["\u{E9}"], ["e\u{301}"], ["a", "b"], ["ab"], ["a", "b"]]
    XCTAssertEqual(paths.count, 4)
    XCTAssertFalse(MemberPath("\u{E9}").contains(MemberPath("e\u{301}", "x")))
  }
}
