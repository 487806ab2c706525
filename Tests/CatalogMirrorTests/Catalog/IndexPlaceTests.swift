import SyncText
import TestSupport
import XCTest

@testable import CatalogMirror

/// Of what a `Release` names, a copy holds what apt asks for: of the wanted architectures and of
/// those that every client asks for.
final class IndexPlaceTests: XCTestCase {
  private static let digest = String(repeating: "5a", count: 32)

  private static let paths = [
    "Contents-amd64.gz", "main/Contents-all.gz", "main/Contents-source.gz",
    "main/Contents-udeb-arm64.gz", "main/binary-all/Packages", "main/binary-all/Packages.xz",
    "main/binary-amd64/Packages", "main/binary-amd64/Packages.diff/Index",
    "main/binary-amd64/Packages.xz", "main/binary-amd64/Release", "main/binary-arm64/Packages.xz",
    "main/cnf/Commands-amd64.xz", "main/debian-installer/binary-amd64/Packages.xz",
    "main/dep11/CID-Index-amd64.json.gz", "main/dep11/Components-amd64.yml.xz",
    "main/dep11/Components-arm64.yml.xz", "main/dep11/icons-64x64@2.tar.gz",
    "main/i18n/Translation-de.xz", "main/installer-amd64/current/images/SHA256SUMS",
    "main/source/Sources.xz", "other/binary-amd64/Packages.xz", "other/i18n/Translation-en.bz2",
  ]

  private func release(_ fields: String) throws -> ReleaseFile {
    let rows = Self.paths.map { " \(Self.digest) 9 \($0)\n" }.joined()
    let text = fields + "SHA256:\n" + rows
    return try XCTUnwrap(SignedText(Array(text.utf8)[...]).flatMap { ReleaseFile($0) })
  }

  private func held(
    _ fields: String, _ architectures: Set<String> = [], _ components: Set<String> = []
  ) throws -> Set<String> {
    var choice = RepositoryChoice()
    (choice.architectures, choice.components) = (architectures, components)
    let files = try release(fields).indices(of: choice).flatMap(\.forms)
    return Set(files.map { String(decoding: $0.path, as: UTF8.self) })
  }

  private static let never: Set = [
    "main/Contents-source.gz", "main/binary-amd64/Release", "main/dep11/CID-Index-amd64.json.gz",
    "main/installer-amd64/current/images/SHA256SUMS", "main/source/Sources.xz",
  ]

  func testWithoutAChoiceEverythingIsHeldThatAptAsksForAndNothingElse() throws {
    XCTAssertEqual(try held("Suite: s\n"), Set(Self.paths).subtracting(Self.never))
  }

  func testOneArchitectureBringsWhatIsForAllWhereClientsAskForIt() throws {
    let arm = Self.paths.filter { $0.contains("arm64") }
    let one = Set(Self.paths).subtracting(Self.never).subtracting(arm)
    XCTAssertEqual(try held("Suite: s\n", ["amd64"]), one)
    XCTAssertEqual(try held("Architectures: all amd64 arm64\n", ["amd64"]), one)
    let lists: Set = ["main/binary-all/Packages", "main/binary-all/Packages.xz"]
    XCTAssertEqual(
      try held(
        "Architectures: all amd64\nNo-Support-for-Architecture-all: Packages\n", ["amd64"]),
      one.subtracting(lists))
    XCTAssertEqual(
      try held("Architectures: amd64\n", ["amd64"]),
      one.subtracting(lists).subtracting(["main/Contents-all.gz"]))
    XCTAssertEqual(
      try held("Architectures: amd64\n", ["amd64", "all"]), one, "who asks for all has it")
  }

  func testOneComponentLeavesOutThoseOfOthersAndNotWhatIsOfNone() throws {
    XCTAssertEqual(
      try held("Suite: s\n", ["amd64"], ["other"]),
      ["Contents-amd64.gz", "other/binary-amd64/Packages.xz", "other/i18n/Translation-en.bz2"])
  }

  func testInAFlatRepositoryATranslationIsNamedByItsLanguage() {
    let table = [
      ("Packages.xz", true), ("en", true), ("pt_BR.xz", true), ("Translation-de", true),
      ("Sources.gz", false), ("README", false), ("english", false), ("a.deb", false),
    ]
    for (path, isIndex) in table {
      XCTAssertEqual(IndexPlace(Array(path.utf8)) != nil, isIndex, path)
    }
  }

  /// A client that holds an earlier state asks for what has changed since, packed.
  func testWhatHasChangedInAnIndexIsListedWithWhatIsKnownOfIt() throws {
    let (one, other) = (String(repeating: "1b", count: 32), String(repeating: "2c", count: 32))
    let text = """
      SHA256-Current: \(one) 9
      SHA256-History:
       \(one) 700 first
      SHA256-Patches:
       \(one) 70 first
       \(other) 80 second
      SHA256-Download:
       \(other) 50 first.gz

      """
    let root = try Golden.url("https://h/d/")
    var request = CatalogRequest("https://h/d/dists/s/m/Packages.diff/by-hash/SHA256/\(one)")
    request.step =
      RepositoryPart.differences(
        in: Array("dists/s/m/Packages.diff/".utf8), root: root
      ).step
    let body = CatalogBody(
      url: try Golden.url(request.url), request: request, bytes: Array(text.utf8))
    let page = try CatalogFormats.standard.decode(body, as: .debian)
    XCTAssertEqual(
      page.entries.compactMap(\.key),
      ["first.gz", "second.gz"].map { CatalogKey("dists/s/m/Packages.diff/\($0)") })
    let first = try XCTUnwrap(page.usable["dists/s/m/Packages.diff/first.gz"])
    XCTAssertEqual(first.locators, ["https://h/d/dists/s/m/Packages.diff/first.gz"])
    XCTAssertEqual(first.size, 50)
    XCTAssertEqual(first.sha256?.description, other)
    let second = try XCTUnwrap(page.usable["dists/s/m/Packages.diff/second.gz"])
    XCTAssertNil(second.size, "that of the unpacked one says nothing")
    XCTAssertNil(second.sha256)
    XCTAssertNotEqual(second.version, .unknown)
    for broken in ["SHA256-Download:\n x 50 first.gz\n", " continued\n", ""] {
      var body = body
      body.bytes = Array(broken.utf8)
      XCTAssertThrowsError(try CatalogFormats.standard.decode(body, as: .debian), broken)
    }
  }
}
