import SyncText
import XCTest

@testable import CatalogMirror
@testable import CatalogPublishing

/// Debian repositories that somebody would mirror as directories.
final class SuiteSearchTests: XCTestCase {
  func testDebianRepositoriesAreFoundInLists() throws {
    func suites(_ files: [String], _ directories: [String] = []) throws -> [String] {
      let root = try XCTUnwrap(URLReference("https://u:p@h/d/?q"))
      var listing = Listing(format: .nginxHTML)
      listing.entries = files.map { .plain($0) }
      var page = CatalogPage(format: .nginxHTML, claim: .whole)
      page.subdirectories = directories.map {
        .init(url: "https://h/d/\($0)/", name: Array($0.utf8))
      }
      listing.pages = [
        PageRecord(
          url: root.text, page: page, digest: SHA256Digest(of: []), within: .none,
          prefix: [])
      ]
      return SuiteSearch(listing, at: root).addresses
    }
    let table: [([String], [String], [String])] = [
      (["InRelease", "Release"], [], ["https://h/d/"]),
      (["Release"], [], []), (["a.txt"], ["dists"], []),
      (["a.txt"], ["dists", "pool"], ["https://h/d/dists/SUITE/"]),
      (
        ["dists/b x/Release.gpg", "dists/a/InRelease", "dists/a/main/binary-all/Release"],
        ["dists", "pool"], ["https://h/d/dists/a/", "https://h/d/dists/b%20x/"]
      ),
    ]
    for (files, directories, expected) in table {
      XCTAssertEqual(try suites(files, directories), expected, "\(files)")
    }
  }
}
