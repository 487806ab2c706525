import Foundation
import TestSupport
import XCTest

@testable import CatalogMirror
@testable import SyncText

/// Previews have files, versions and lives of their own.
final class PreviewTests: RunTestCase {
  private func thing(
    _ key: String, _ text: String, preview: String?, url: String? = nil, version: String? = "1",
    type: String? = "image/png"
  ) -> Thing {
    Thing(key, text) { thing in
      thing.preview = preview.map { text in
        Thing.Preview(
          url: url ?? "previews/\(key)", text: text, version: version, mediaType: type)
      }
    }
  }

  private func name(_ key: String, _ suffix: String) -> String {
    digest(of: key).description + suffix
  }

  private func assertPreviews(
    _ expected: [String: String], line: UInt = #line
  ) async throws {
    XCTAssertEqual(try inside("previews"), expected, line: line)
    let claimed = try await rows().values.compactMap(\.preview?.name)
    XCTAssertEqual(Set(claimed), Set(expected.keys), line: line)
    try await assertIndexIsTrue(line: line)
  }

  private let also: @Sendable (inout MirrorOptions) -> Void = {
    $0.previews = .also
    $0.concurrency = 1
  }

  func testAllPreviewsComeBeforeTheContents() async throws {
    let report = try await syncWell(
      to: [thing("a", "alpha", preview: "p"), thing("b", "beta", preview: "q")], also)
    XCTAssertEqual(
      Array(site.asked.dropFirst()), ["/pub/previews/a", "/pub/previews/b", "/pub/a", "/pub/b"])
    XCTAssertEqual(report.previews, 2)
    try await assertPreviews([name("a", ".png"): "p", name("b", ".png"): "q"])
  }

  func testTheExtensionComesFromTheMediaTypeOrElseFromTheURL() async throws {
    try await syncWell(
      to: [
        thing("a", "a", preview: "p", url: "p/a.png", type: "image/webp"),
        thing("b", "b", preview: "p", url: "p/b.JPEG", type: nil),
        thing("c", "c", preview: "p", url: "p/c.not-one", type: "application/x-odd"),
      ], also)
    XCTAssertEqual(
      Set(try inside("previews").keys), [name("a", ".webp"), name("b", ".jpeg"), name("c", "")])
  }

  func testAnItemWhosePreviewAndContentFailCountsOnceHoweverManyThereAre() async throws {
    let count = 1_500
    let things = (0..<count).map { thing("item\($0)", "text", preview: "p") }
    try serve(things)
    for thing in things {
      try site.answer(Self.root + thing.key, .status(404))
      try site.answer(Self.root + "previews/" + thing.key, .status(404))
    }
    let report = try await sync { $0.previews = .also }
    XCTAssertEqual(report.failed, count)
    XCTAssertEqual(report.failures.count, 1_000)
    XCTAssertEqual(Set(report.failures.map(\.key)).count, 1_000, "each is named once")
  }

  func testAPreviewIsFetchedAgainOnlyWhenItsOwnVersionChanged() async throws {
    try await syncWell(to: [thing("a", "alpha", preview: "p")], also)
    try await syncWell(to: [thing("a", "changed", preview: "p")], also)
    XCTAssertEqual(site.asked, ["/pub/catalog.ndjson", "/pub/a"])
    try await syncWell(to: [thing("a", "changed", preview: "p2", version: "2")], also)
    XCTAssertEqual(site.asked, ["/pub/catalog.ndjson", "/pub/previews/a"])
    try await assertPreviews([name("a", ".png"): "p2"])
  }

  func testAPreviewWithoutVersionIsToldApartByItsURL() async throws {
    try await syncWell(to: [thing("a", "a", preview: "p", url: "p/1", version: nil)], also)
    try await syncWell(
      to: [thing("a", "a", preview: "p", url: "p/1", version: nil), Thing("b", "b")], also)
    XCTAssertEqual(site.asked, ["/pub/catalog.ndjson", "/pub/b"])
    try await syncWell(to: [thing("a", "a", preview: "p2", url: "p/2", version: nil)], also)
    try await assertPreviews([name("a", ".png"): "p2"])
  }

  func testAPreviewGoesWithItsItem() async throws {
    try await syncWell(
      to: [thing("a", "alpha", preview: "p"), thing("b", "beta", preview: "q")], also)
    try await syncWell(to: [thing("b", "beta", preview: "q")], also)
    try await assertPreviews([name("b", ".png"): "q"])
  }

  func testAPreviewGoesWithAnItemThatADirectoryReplaced() async throws {
    try await syncWell(
      to: [thing("a", "alpha", preview: "p"), thing("b", "beta", preview: "q")], also)
    try await syncWell(to: [Thing("a/x", "new"), thing("b", "beta", preview: "q")], also)
    XCTAssertEqual(try tree(), ["a/x": "new", "b": "beta"])
    try await assertPreviews([name("b", ".png"): "q"])
  }

  func testAPreviewThatTheCatalogDroppedGoes() async throws {
    for previews in [MirrorOptions.Previews.also, .only, .none] {
      try await syncWell(
        to: [thing("a", "alpha", preview: "p"), thing("b", "beta", preview: "q")], also)
      try await syncWell(to: [thing("a", "alpha", preview: nil), thing("b", "beta", preview: "q")])
      { $0.previews = previews }
      try await assertPreviews([name("b", ".png"): "q"])
    }
  }

  func testADroppedPreviewGoesAlsoWhenTheContentFails() async throws {
    try await syncWell(to: [thing("a", "alpha", preview: "p")], also)
    try serve([thing("a", "changed", preview: nil)])
    try site.answer(Self.root + "a", .status(404))
    try await sync(ending: .someFailed, also)
    try await assertPreviews([:])
  }

  func testAPreviewUnderAnotherExtensionLeavesNothingBehind() async throws {
    try await syncWell(to: [thing("a", "alpha", preview: "p")], also)
    try await syncWell(
      to: [thing("a", "alpha", preview: "p2", version: "2", type: "image/webp")], also)
    try await assertPreviews([name("a", ".webp"): "p2"])
  }

  func testADamagedPreviewIsRepairedAndLeavesNothingBehind() async throws {
    try await syncWell(to: [thing("a", "alpha", preview: "p")], also)
    try place("damage", at: ".mirror/previews/" + name("a", ".png"))
    let changed = thing("a", "alpha", preview: "p", type: "image/webp")
    try await syncWell(to: [changed, Thing("b", "b")], also)
    try await assertPreviews([name("a", ".webp"): "p"])
    try remove(".mirror/previews/" + name("a", ".webp"))
    try await assertTrue(syncWell(also).wasUnchanged)
    try await assertPreviews([name("a", ".webp"): "p"])
  }

  func testPreviewsMayComeAloneAndTheContentsLater() async throws {
    try await syncWell(to: [thing("a", "alpha", preview: "p"), Thing("b", "beta")]) {
      $0.previews = .only
    }
    XCTAssertEqual(try tree(), [:])
    try await assertPreviews([name("a", ".png"): "p"])
    let status = try await mirror().status()
    XCTAssertEqual(status.runs.map(\.downloaded), [1], "a preview is something fetched")
    try await assertTrue(syncWell { $0.previews = .only }.wasUnchanged)
    try await assertEqual(syncWell(also).previews, 0)
    XCTAssertEqual(try tree(), ["a": "alpha", "b": "beta"])
    try await assertTrue(syncWell(also).wasUnchanged)
    XCTAssertEqual(site.asked.count, 1)
  }

  func testAFailedPreviewFailsItsItemAndTheContentComesAllTheSame() async throws {
    try serve([thing("a", "alpha", preview: "p")])
    try site.answer(Self.root + "previews/a", .status(404))
    try await sync(ending: .someFailed, also)
    XCTAssertEqual(try tree(), ["a": "alpha"])
    try await syncWell(to: [thing("a", "alpha", preview: "p")], also)
    try await assertPreviews([name("a", ".png"): "p"])
  }

  private func modified(_ key: String) throws -> Double {
    let facts = try FileManager.default.attributesOfItem(atPath: folder + "/" + key)
    return try XCTUnwrap(facts[.modificationDate] as? Date).timeIntervalSince1970
  }

  func testAFileHasTheDateThatTheCatalogSays() async throws {
    try await syncWell(to: [Thing("a", "alpha") { $0.modified = "2020-02-29T12:00:00.5+01:00" }])
    XCTAssertEqual(try modified("a"), 1_582_974_000.5, accuracy: 0.001)
  }

  /// As the page on the format says. The file's inode may have other names, and be in a snapshot.
  func testANewDateOfTheSameBytesChangesNothingOfTheFile() async throws {
    try await syncWell(to: [Thing("a", "alpha") { $0.modified = "2020-01-01T00:00:00Z" }])
    let report = try await syncWell(
      to: [Thing("a", "alpha") { $0.modified = "2021-01-01T00:00:00Z" }])
    XCTAssertEqual([report.updated, report.repaired, report.confirmed], [0, 0, 0])
    XCTAssertEqual(askedByThemselves, [])
    XCTAssertEqual(try modified("a"), 1_577_836_800)
    try await assertIndexIsTrue()
  }
}
