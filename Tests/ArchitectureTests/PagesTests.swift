import Foundation
import XCTest

/// The pages of the documentation can be found, and what links to them leads somewhere.
final class PagesTests: XCTestCase {
  private static let root = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL
  private static let catalog = "Sources/OneWaySynchronizer/OneWaySynchronizer.docc"

  private func text(_ path: String) throws -> String {
    try String(contentsOf: Self.root.appending(path: path), encoding: .utf8)
  }

  func testTheFrontPageLinksToEveryPage() throws {
    let front = try text("\(Self.catalog)/OneWaySynchronizer.md")
    let pages = try FileManager.default.contentsOfDirectory(
      atPath: Self.root.appending(path: Self.catalog).path
    ).filter { $0.hasSuffix(".md") && $0 != "OneWaySynchronizer.md" }
    XCTAssertGreaterThan(pages.count, 20)
    for page in pages {
      let name = page.dropLast(".md".count)
      XCTAssertTrue(
        front.contains("<doc:\(name)>") || front.contains("/\(name)>"), "no link to \(page)")
    }
  }

  func testEveryLinkOfTheReadmeLeadsToAFile() throws {
    let links = try text("README.md").components(separatedBy: "](").dropFirst()
      .compactMap { $0.components(separatedBy: ")").first }
      .filter { !$0.hasPrefix("http") }
    XCTAssertGreaterThan(links.count, 10)
    for link in links {
      XCTAssertTrue(
        FileManager.default.fileExists(atPath: Self.root.appending(path: link).path), link)
    }
  }
}
