import DocumentSync
import XCTest

final class MemberPathTests: XCTestCase {
  func testPathsAreWrittenWithDots() {
    let table: [(DocumentPath, String)] = [
      (.whole, ""), (["a"], "a"), (["a", "b_2", "c-d"], "a.b_2.c-d"), (["é"], "é"),
      (["a.b", "", "x\"y"], #""a.b".""."x\"y""#),
    ]
    for (path, text) in table { XCTAssertEqual("\(path)", text) }
  }

  func testAPathContainsItselfAndWhatIsInside() {
    let path: DocumentPath = ["a", "b"]
    for other: DocumentPath in [["a", "b"], ["a", "b", "c"]] { XCTAssertTrue(path.contains(other)) }
    for other: DocumentPath in [.whole, ["a"], ["b", "a"], ["a", "c", "b"]] {
      XCTAssertFalse(path.contains(other))
    }
    XCTAssertTrue(DocumentPath.whole.contains(path))
  }

  func testPathsAreEqualToTheByte() {
    let paths: Set<DocumentPath> = [["\u{E9}"], ["e\u{301}"], ["a", "b"], ["ab"], ["a", "b"]]
    XCTAssertEqual(paths.count, 4)
    XCTAssertFalse(
      DocumentPath(names: ["\u{E9}"]).contains(DocumentPath(names: ["e\u{301}", "x"])))
  }
}
