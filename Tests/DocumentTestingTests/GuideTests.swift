import TestSupport
import XCTest

final class GuideTests: XCTestCase {
  func testEverySwiftBlockOfTheGuideIsCompiled() throws {
    try assertCompiled(
      "Sources/OneWaySynchronizer/OneWaySynchronizer.docc/UseDocuments.md",
      in: "Tests/Clients/Documents/DocumentsGuideTests.swift")
  }
}
