import XCTest

@testable import DocumentSync

/// How a member of a document names a file.
final class FileReferenceTests: XCTestCase {
  private static let digest = String(repeating: "0a", count: 32)
  private let content = FileFacts(digest: digest, size: 3, name: "a \"b\".png", type: "image/png")

  func testAMemberThatNamesAFileIsReadAsItWasWritten() throws {
    let small = FileFacts(
      digest: String(repeating: "1b", count: 32), size: 0, name: "s", type: "image/png")
    for reference in [FileReference(content), FileReference(content, preview: small)] {
      XCTAssertEqual(FileReference(try reference.value), reference)
      let document: DocumentValue = ["n": 1, "picture": try reference.value]
      XCTAssertEqual(FileReference.all(in: document), [reference])
    }
  }

  private struct Page: Codable, Equatable {
    var picture: FileReference?
    var n = 1
  }

  func testAMemberOfATypeThatIsAFileIsWrittenAsMembersNameFiles() throws {
    let small = FileFacts(digest: Self.digest, size: 0, name: "s", type: "image/png")
    for reference in [FileReference(content), FileReference(content, preview: small)] {
      let page = Page(picture: reference)
      let written = try DocumentValue.encode(page)
      XCTAssertTrue(try written["picture"]?.hasSameContent(as: reference.value) ?? false)
      XCTAssertEqual(try written.decode(), page)
      XCTAssertEqual(
        try (["n": 1, "picture": reference.value] as DocumentValue).decode(), page)
    }
    XCTAssertEqual(try (["n": 1] as DocumentValue).decode(), Page(picture: nil))
  }

  func testAMemberThatNamesNoFileIsNoneOfAType() throws {
    let file = DocumentValue("sha256:\(Self.digest)")
    let rows: [DocumentValue] = [
      "a", [], [["file": "sha256:../../etc/passwd", "size": 3]], [["file": file, "size": -1]],
      [["file": file, "size": 3], 1],
    ]
    for value in rows {
      let page: DocumentValue = ["n": 1, "picture": value]
      XCTAssertThrowsError(try page.decode(Page.self), "\(value)") {
        XCTAssertTrue($0 is DecodingError, "\($0)")
      }
    }
  }

  func testWhatNamesNoFileIsNone() throws {
    let file = DocumentValue("sha256:\(Self.digest)")
    let rows: [(DocumentValue, Bool)] = [
      ([["file": file, "size": 3]], true),
      ([["file": file, "size": -1]], false),
      ([["file": file]], false),
      (["file": file, "size": 3], false),
      ([["file": file, "size": 3], 1], false),
      ([["file": "sha256:../../etc/passwd", "size": 3]], false),
      ([["file": DocumentValue("sha256:\(Self.digest.uppercased())"), "size": 3]], false),
      ([["file": DocumentValue(Self.digest), "size": 3]], false),
      ([], false), ("a", false),
    ]
    for (value, isFile) in rows { XCTAssertEqual(FileReference(value) != nil, isFile, "\(value)") }
  }

  func testTheEndingOfANameSaysItsType() {
    let rows = [
      ("a.png", "image/png"), ("a.b.JPG", "image/jpeg"), ("png", "application/octet-stream"),
      ("a.", "application/octet-stream"),
    ]
    for (name, type) in rows { XCTAssertEqual(FileTypes.type(ofName: name), type, name) }
  }
}
