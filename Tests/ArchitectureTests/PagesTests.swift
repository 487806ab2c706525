import Foundation
import XCTest

/// The pages of the documentation can be found, and what links to them leads somewhere.
final class PagesTests: XCTestCase {
  private static let root = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL
  private static let catalog = "Sources/OneWaySynchronizer/OneWaySynchronizer.docc"
  private static let address = "example.org/OneWaySynchronizer"

  private func text(_ path: String) throws -> String {
    try String(contentsOf: Self.root.appending(path: path), encoding: .utf8)
  }

  private func pages() throws -> [String] {
    try FileManager.default.contentsOfDirectory(
      atPath: Self.root.appending(path: Self.catalog).path
    ).filter { $0.hasSuffix(".md") }
  }

  func testTheFrontPageOrTheHouseLinksToEveryPage() throws {
    let front = try text("\(Self.catalog)/OneWaySynchronizer.md")
    let house = try text("\(Self.catalog)/House.md")
    let pages = try pages().filter { $0 != "OneWaySynchronizer.md" }
    XCTAssertTrue(front.contains("<doc:House>"))
    XCTAssertGreaterThan(pages.count, 20)
    for page in pages {
      let name = page.dropLast(".md".count)
      XCTAssertTrue(
        (front + house).contains("<doc:\(name)>") || house.contains("/\(name)>"),
        "no link to \(page)")
    }
  }

  func testEveryPageBeginsWithWhomItIsFor() throws {
    for page in try pages() {
      let paragraphs = try text("\(Self.catalog)/\(page)").components(separatedBy: "\n\n")
      XCTAssertTrue(paragraphs[1].hasPrefix("For who "), page)
    }
  }

  func testEveryLinkOfAPageOutsideLeadsToAFile() throws {
    let pages = [
      "README.md", "CHANGELOG.md", ".github/CONTRIBUTING.md", ".github/SECURITY.md",
    ]
    var count = 0
    for page in pages {
      let folder = Self.root.appending(path: page).deletingLastPathComponent()
      for link in try text(page).components(separatedBy: "](").dropFirst()
        .compactMap({ $0.components(separatedBy: ")").first }).filter({ !$0.hasPrefix("http") })
      {
        let file = folder.appending(path: link).standardizedFileURL
        XCTAssertTrue(FileManager.default.fileExists(atPath: file.path), "\(page): \(link)")
        count += 1
      }
    }
    XCTAssertGreaterThan(count, 25)
  }

  /// Who reads in a sentence that there are none looks there for where they are to be.
  func testThePageOfInstallingHasThePlacesOfCertificatesInTheirOrder() throws {
    let source = try text("Sources/SyncTransport/Curl/CurlLibrary.swift")
    let places = source.matches(of: /"(\/[a-z\/.-]+)",/).map { String($0.1) }
    let told = try text("\(Self.catalog)/Install.md").matches(of: /`(\/[a-z\/.-]+\.(?:crt|pem))`/)
      .map { String($0.1) }
    XCTAssertGreaterThan(places.count, 4)
    XCTAssertEqual(told, places)
  }

  /// Where the real one has to be put in once there is one, and how many times.
  func testTheAddressThatIsStillToComeStandsInTheReadmeAndTheCopyrightAlone() throws {
    let places = ["README.md": 2, "Demo/packaging/debian/copyright": 1]
    var found: [String: Int] = [:]
    for path in try Self.files(below: "Sources", "Demo", ".github", ".ci")
      + ["README.md", "CHANGELOG.md", "Package.swift", ".spi.yml"]
    {
      var rest = try Data(contentsOf: Self.root.appending(path: path))[...]
      while let place = rest.range(of: Data(Self.address.utf8)) {
        found[path, default: 0] += 1
        rest = rest[place.upperBound...]
      }
    }
    XCTAssertEqual(found, places)
  }

  private static func files(below folders: String...) throws -> [String] {
    try folders.flatMap { folder in
      try FileManager.default.subpathsOfDirectory(atPath: root.appending(path: folder).path)
        .map { "\(folder)/\($0)" }
    }.filter { root.appending(path: $0).isRegularFile }
  }

  func testTheChangelogTellsOfTheVersionAndTheDayThatEachProgramShows() throws {
    let heading = try XCTUnwrap(
      try text("CHANGELOG.md").firstMatch(of: /\n## \[(\d+\.\d+\.\d+)\] - (\d{4}-\d\d-\d\d)\n/))
    for program in ["mirror", "records", "documents"] {
      let described = try text("Demo/\(program)/Arguments/Invocation+Program.swift")
      XCTAssertTrue(
        described.contains("version: \"\(heading.1)\", date: \"\(heading.2)\""), program)
    }
  }
}

extension URL {
  fileprivate var isRegularFile: Bool {
    (try? resourceValues(forKeys: [.isRegularFileKey]))?.isRegularFile == true
  }
}
