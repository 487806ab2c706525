import CatalogMirror
import XCTest
@testable import SyncText

/// What services answer is read by the preset of their name.
final class PresetTests: XCTestCase {
  private func page(
    _ name: String, _ text: String, at url: String = "https://api.test/list"
  ) throws -> CatalogPage {
    try CatalogFormats.standard.decode(
      Golden.body(text, url, mediaType: "application/json"), as: CatalogFormatName(name))
  }

  func testGitHubReleasesGiveTheAssetsOfAll() throws {
    let page = try page("github-releases", ServiceGolden.githubReleases)
    XCTAssertEqual(page.entries.count, 2)
    let zip = try XCTUnwrap(page.usable["v1.1.0/hello world.zip"])
    XCTAssertEqual(
      zip.locators,
      ["https://github.com/octocat/Hello-World/releases/download/v1.1.0/hello%20world.zip"])
    XCTAssertEqual(zip.version, SHA256Digest(hexadecimal: ServiceGolden.digest).map { .digest($0) })
    XCTAssertEqual(zip.size, 1_024)
    let old = try XCTUnwrap(page.usable["v1.1.0/old.tar.gz"])
    XCTAssertEqual(old.version, .dateAndSize(date: "2026-02-28T00:00:00Z", size: 5))
    XCTAssertEqual(old.modified, CivilTime.rfc3339("2026-02-28T00:00:00Z"))
  }

  func testGitHubOrganizationsGiveTheirPictures() throws {
    let page = try page("github-orgs", ServiceGolden.githubOrganizations)
    let first = try XCTUnwrap(page.usable["github"])
    XCTAssertEqual(first.locators, ["https://avatars.githubusercontent.com/u/9919?v=4"])
    XCTAssertEqual(
      first.preview?.locator, "https://avatars.githubusercontent.com/u/9919?v=4&s=64")
    XCTAssertEqual(first.title, "How people build.")
    XCTAssertEqual(page.usable["rails"]?.title, nil)
    XCTAssertEqual(page.entries.map { $0.key }, [CatalogKey("github"), CatalogKey("rails")])
  }

  func testAHuggingFaceTreeGivesItsFilesAndNoDirectories() throws {
    let page = try page(
      "huggingface-tree", ServiceGolden.huggingFaceTree,
      at: "https://hf.test/api/models/owner/name/tree/main?recursive=true")
    XCTAssertEqual(page.entries.count, 2)
    let model = try XCTUnwrap(page.usable["onnx/model 1.onnx"])
    XCTAssertEqual(
      model.locators, ["https://hf.test/owner/name/resolve/main/onnx/model%201.onnx"])
    XCTAssertEqual(model.sha256?.description, ServiceGolden.digest)
    XCTAssertEqual(
      page.usable[".gitattributes"]?.version, .revision("a6344aac8c09253b3b630fb776ae94478aa0275b"))
  }

  func testSTACItemsGiveTheAssetsOfEachWithItsThumbnail() throws {
    let page = try page("stac-items", ServiceGolden.stacItems)
    let red = try XCTUnwrap(page.usable["sentinel-2/S2A_31UFS/B04/B04.tif"])
    XCTAssertEqual(red.sha256?.description, ServiceGolden.digest)
    XCTAssertEqual(red.size, 146_484)
    XCTAssertEqual(red.title, "Red")
    XCTAssertEqual(red.modified, CivilTime.rfc3339("2026-01-03T00:00:00Z"))
    XCTAssertEqual(red.preview?.locator, "https://data.test/S2A/preview.jpg")
    XCTAssertEqual(page.unusable.map(\.problem), [.locator(.scheme("s3"))])
    XCTAssertEqual(
      page.next?.url, "https://stac.test/collections/sentinel-2/items?token=next:1")
  }

  func testAnItemOfTheInternetArchiveGivesItsFiles() throws {
    let page = try page(
      "internet-archive", ServiceGolden.internetArchive, at: "https://ia.test/metadata/x")
    let scan = try XCTUnwrap(page.usable["pages/page 1.jp2"])
    XCTAssertEqual(
      scan.locators, ["https://ia.test/download/frenchenglishmed/pages/page%201.jp2"])
    XCTAssertEqual(scan.version, .revision("633541a3c3811a5edf337bc7fd49db43758879df"))
    XCTAssertEqual(scan.size, 520)
    XCTAssertEqual(scan.modified, 1_206_413_133)
    XCTAssertEqual(page.usable["frenchenglishmed_files.xml"]?.version, .unknown)
  }

  func testOnlyAPersonsWordMakesThemWhole() throws {
    for (name, text) in ServiceGolden.all where name != "stac-items" {
      let format = CatalogFormatName(name)
      let body = try Golden.body(text, "https://h/api/models/o/n/tree/main")
      XCTAssertEqual(
        try Golden.listing(body, as: format).completeness, .partial([.unvouchable]), name)
      XCTAssertEqual(
        try Golden.listing(body, as: format, { $0.isVouchedFor = true }).completeness, .complete)
    }
  }

  func testAnErrorOfTheServiceIsNoList() throws {
    let errors = [
      #"{"message":"API rate limit exceeded","documentation_url":"https://docs.test"}"#,
      #"{"error":"Repository not found"}"#, "{}", "null", #""no""#, "<html></html>",
    ]
    for (name, _) in ServiceGolden.all {
      for text in errors {
        XCTAssertThrowsError(try page(name, text), "\(name): \(text)") { error in
          guard case .unreadable = error as? CatalogError else { return XCTFail("\(error)") }
        }
      }
    }
  }
}
