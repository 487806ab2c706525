import Foundation
import TestSupport
import XCTest

@testable import CatalogMirror
@testable import SyncText

/// Previews of items that moved, and bytes that an earlier run fetched a part of.
final class CopiedPreviewTests: RunTestCase {
  private func line(_ key: String, _ text: String, preview: String) -> String {
    """
    {"key":"\(key)","size":\(text.utf8.count),"sha256":"\(digest(of: text))",\
    "preview":{"url":"previews/\(key)","sha256":"\(digest(of: preview))"}}

    """
  }

  private func publish(_ key: String, _ text: String, preview: String) throws {
    site.clear()
    try serveCatalog(#"{"catalog":1,"complete":true}"# + "\n" + line(key, text, preview: preview))
    try site.answer(Self.root + key, .text(text))
    try site.answer(
      Self.root + "previews/" + key, .text(preview, ("Content-Type", "image/png")))
    site.forgetLog()
  }

  func testAPreviewIsCopiedWithTheExtensionThatItHad() async throws {
    let also: @Sendable (inout MirrorOptions) -> Void = {
      ($0.previews, $0.maximumRemoval) = (.also, .all)
    }
    try publish("old", "text", preview: "shown")
    try await syncWell(also)
    try publish("new", "text", preview: "shown")
    let plan = try await mirror(also).plan()
    XCTAssertEqual(plan.copies.map(\.preview), [CopySource(key: "old", place: .preview)])
    XCTAssertEqual(plan.copies.map(\.content), [CopySource(key: "old", place: .content)])
    site.forgetLog()
    let report = try await mirror(also).sync()
    XCTAssertEqual(site.asked, ["/pub/catalog.ndjson"])
    XCTAssertEqual([report.added, report.previews, report.copied], [1, 1, 2])
    XCTAssertEqual(report.copiedBytes, 9)
    XCTAssertEqual(try inside("previews"), ["\(digest(of: "new")).png": "shown"])
    try await assertIndexIsTrue()
  }

  /// A preview's bytes may be those of a content, and the reverse.
  func testAContentIsMadeOfAPreview() async throws {
    let also: @Sendable (inout MirrorOptions) -> Void = {
      ($0.previews, $0.maximumRemoval) = (.also, .all)
    }
    try publish("old", "text", preview: "shown")
    try await syncWell(also)
    try publish("new", "shown", preview: "text")
    let report = try await syncWell(also)
    XCTAssertEqual(site.asked, ["/pub/catalog.ndjson"])
    XCTAssertEqual(report.copied, 2)
    XCTAssertEqual(try tree(), ["new": "shown"])
    XCTAssertEqual(try inside("previews"), [digest(of: "new").description: "text"])
  }
}
