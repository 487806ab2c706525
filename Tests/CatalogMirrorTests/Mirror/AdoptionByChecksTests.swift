import Foundation
import SyncText
import SyncTransport
import TestSupport
import TransportTesting
import XCTest

@testable import CatalogMirror

/// Items whose list gives a date and a digest that proves nothing, as a program's own format may:
/// what such a digest speaks against isn't taken over, as it isn't when it is downloaded.
final class AdoptionByChecksTests: RunTestCase {
  /// A list of one item.
  private struct OneItemFormat: CatalogFormat {
    let name = CatalogFormatName("one")
    let noun = "a list of one item"
    let entry: CatalogEntry

    func page(
      _ body: CatalogBody, within limits: CatalogLimits
    ) throws(CatalogError) -> CatalogPage {
      var page = CatalogPage(format: name, claim: .whole)
      page.take(.entry(entry, settled: true), at: 1)
      return page
    }
  }

  private func mirror(of algorithm: ContentDigest.Algorithm) throws -> FolderMirror {
    var entry = CatalogEntry(
      key: CatalogKey("a"), locators: [Self.root + "a"],
      version: .dateAndSize(date: "2022-01-01T00:00:00Z", size: 5))
    entry.size = 5
    entry.checks = [try XCTUnwrap(ContentDigest(algorithm, of: Array("alpha".utf8)))]
    return mirror { options in
      options.additionalFormats = [OneItemFormat(entry: entry)]
      options.format = "one"
    }
  }

  private func begin(with text: String) throws {
    try? FileManager.default.removeItem(atPath: folder)
    try place(text, at: "a")
    try setDate(Date(timeIntervalSince1970: 1_640_995_200), of: folder + "/a")
    try site.answer(Self.catalogURL, .text("one"))
    try site.answer(
      Self.root + "a",
      .text(
        "alpha", ("Date", Site.today), ("Last-Modified", "Sat, 01 Jan 2022 00:00:00 GMT"),
        ("Content-Length", "5")))
    site.forgetLog()
  }

  private var questions: [String] {
    site.log.filter { $0.address.path == "/pub/a" }.map(\.method.name)
  }

  func testWhatADigestOfTheListSpeaksAgainstIsNotAdopted() async throws {
    for algorithm in [ContentDigest.Algorithm.md5, .sha1] {
      try begin(with: "alphA")
      let mirror = try mirror(of: algorithm)
      let report = try await mirror.sync()
      XCTAssertEqual([report.adopted, report.displaced], [0, 1], "\(algorithm)")
      XCTAssertEqual(questions, ["HEAD", "GET"])
      XCTAssertEqual(mirror.progress.bytesDone, 5, "what came to nothing is taken back")
      XCTAssertEqual(try tree(), ["a": "alpha"])
      XCTAssertEqual(try movedAway(to: "displaced"), ["a": "alphA"])
    }
  }

  func testWhatAgreesWithItIsAdoptedByOneQuestion() async throws {
    for algorithm in [ContentDigest.Algorithm.md5, .sha1] {
      try begin(with: "alpha")
      try await assertEqual(mirror(of: algorithm).sync().adopted, 1, "\(algorithm)")
      XCTAssertEqual(questions, ["HEAD"])
      try await assertIndexIsTrue()
    }
  }

  func testAPlanReadsWhatADigestMaySpeakAgainst() async throws {
    for (text, adoptions) in [("alpha", ["a"]), ("alphA", [])] {
      try begin(with: text)
      try await assertEqual(mirror(of: .md5).plan().adoptions, adoptions, text)
    }
  }
}
