import SyncText
import XCTest

@testable import CatalogMirror
@testable import CatalogPublishing

/// Which formats are offered for what can't be read as it was asked for.
final class CandidateTests: RunTestCase {
  private func examine(
    _ change: (inout MirrorOptions) throws -> Void = { _ in }
  ) async throws -> SourceDiagnosis {
    var options = MirrorOptions(catalog: Self.catalogURL, folder: "/nowhere")
    options.retries = 0
    try change(&options)
    return try await SourceDoctor(options, in: environment).examine()
  }

  /// Any object was offered as one of keys with their URLs.
  func testAFormatOfWhoseItemsNoneCanBeUsedIsNotOffered() async throws {
    try site.answer(Self.catalogURL, .text(#"{"total":2,"data":7}"#))
    let diagnosis = try await examine()
    XCTAssertNil(diagnosis.list)
    XCTAssertEqual(diagnosis.candidates, [])
  }

  /// The mapping that had just failed was offered, by a name that is no format's.
  func testAfterAMappingThatFailsNothingIsOffered() async throws {
    try site.answer(Self.catalogURL, .text(#"{"n":9,"a":[{"k":"a"}],"b":"files/b"}"#))
    for mapping in ["items=lost,key=k", "items=a,key=k,count=n", "items=a,key=k,count=lost"] {
      let diagnosis = try await examine { $0.mapping = try JSONMapping(mapping) }
      XCTAssertNotNil(diagnosis.problem, mapping)
      XCTAssertEqual(diagnosis.candidates, [], mapping)
    }
  }

  func testAnotherFormatThanTheWrongOneThatWasNamedIsOffered() async throws {
    try serve([Thing("a", "alpha")])
    let diagnosis = try await examine { $0.format = "nginx" }
    XCTAssertNil(diagnosis.list)
    XCTAssertEqual(diagnosis.candidates.first?.format, "catalog", "\(diagnosis)")
    XCTAssertFalse(diagnosis.candidates.contains { $0.format == "nginx" })
  }

  /// They were left out of the account, so that a page of directories seemed to be empty.
  func testDirectoriesOfAPageAreCounted() async throws {
    let page =
      "<html><body><h1>Files</h1><a href='one/'>one/</a><a href='two/'>two/</a></body></html>"
    try site.answer(Self.catalogURL, .text(page, ("Content-Type", "text/html")))
    let listing = try await examine().candidates.first { $0.format == "listing" }
    XCTAssertEqual(listing?.items, 0)
    XCTAssertEqual(listing?.directories, 2)
  }

  func testAPartOfARepositoryIsNoChoiceElsewhere() async throws {
    try serve([Thing("a", "alpha")])
    let diagnosis = try await examine { $0.repository.architectures = ["arm64"] }
    let sentence = try XCTUnwrap(diagnosis.problem?.sentence)
    XCTAssert(sentence.contains("has no architectures and components to choose from"), sentence)
    XCTAssertEqual(diagnosis.candidates, [])
  }
}

/// Debian repositories that somebody would mirror as directories.
final class SuiteSearchTests: XCTestCase {
  func testDebianRepositoriesAreFoundInLists() throws {
    func suites(_ files: [String], _ directories: [String] = []) throws -> [String] {
      let root = try XCTUnwrap(URLReference("https://u:p@h/d/?q"))
      var listing = Listing(format: .nginxHTML)
      listing.entries = UsableEntries(files.map { .plain($0) })
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
