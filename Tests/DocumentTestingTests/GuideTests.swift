import TestSupport
import XCTest

final class GuideTests: XCTestCase {
  private let page = "Sources/OneWaySynchronizer/OneWaySynchronizer.docc/UseDocuments.md"

  func testEverySwiftBlockOfTheGuideIsCompiled() throws {
    try assertCompiled(
      page, in: "Tests/Clients/Documents/DocumentsGuide.swift",
      "Tests/Clients/Notebook/Notebook.swift")
  }

  func testTheGuideSaysThatNothingIsEncrypted() throws {
    let text = try String(contentsOf: Programs.package.appending(path: page), encoding: .utf8)
    XCTAssertTrue(text.contains("isn't encrypted"))
  }
}
