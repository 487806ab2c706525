import DocumentSync
import XCTest

final class NameTests: XCTestCase {
  func testNamesAreEqualToTheByte() {
    let (composed, decomposed) = ("\u{E9}", "e\u{301}")
    XCTAssertEqual(composed, decomposed)
    XCTAssertNotEqual(DocumentID(composed), DocumentID(decomposed))
    XCTAssertNotEqual(DocumentVersion(composed), DocumentVersion(decomposed))
    XCTAssertEqual(Set([DocumentID("a"), DocumentID("a"), DocumentID("b")]).count, 2)
    let ids = ["b", "B", "a"].map(DocumentID.init)
    XCTAssertEqual(ids.sorted().map(\.text), ["B", "a", "b"])
  }
}
