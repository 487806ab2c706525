import Foundation
import XCTest

@testable import CatalogMirror

/// A source that publishes its resources and what changes in them by ResourceSync.
final class ResourceSyncRunTests: RunTestCase {
  private func serve(_ name: String, _ text: String) throws {
    let local = text.replacing("https://h/", with: Self.root)
    try site.answer(Self.root + name, .text(local, ("Content-Type", "application/xml")))
  }

  private func serveBytes(_ names: String...) throws {
    for name in names { try site.answer(Self.root + name, .text("bytes of " + name)) }
  }

  private func syncList() async throws -> MirrorReport {
    try await sync { $0.catalog = Self.root + "capabilitylist.xml" }
  }

  private func syncFirst() async throws {
    try serve("capabilitylist.xml", SitemapGolden.capabilities)
    try serve(
      "resourcelist.xml",
      SitemapGolden.document(
        "resourcelist", #"at="2026-01-03T00:00:00Z""#,
        ["a", "b", "c"].map { SitemapGolden.place("https://h/" + $0, #"hash="md5:1""#) }))
    try serveBytes("a", "b", "c")
    assertEnds(try await syncList())
    XCTAssertEqual(Set(try tree().keys), ["pub/a", "pub/b", "pub/c"])
  }

  private func change(_ name: String, _ kind: String) -> String {
    SitemapGolden.place(
      "https://h/" + name, #"change="\#(kind)" datetime="2026-01-04T00:00:00Z""#)
  }

  func testTheNextPassAsksOnlyForWhatHasChanged() async throws {
    try await syncFirst()
    try serveBytes("d")
    try serve(
      "changelist.xml",
      SitemapGolden.document(
        "changelist", #"from="2026-01-01T00:00:00Z""#,
        [change("d", "created"), change("b", "deleted")]))
    assertEnds(try await syncList())
    XCTAssertEqual(Set(try tree().keys), ["pub/a", "pub/c", "pub/d"])
    XCTAssertEqual(site.asked, ["/pub/changelist.xml", "/pub/d"])
  }

  func testWhereChangesDoNotReachBackTheWholeListIsRead() async throws {
    try await syncFirst()
    try serve(
      "changelist.xml",
      SitemapGolden.document(
        "changelist", #"from="2026-01-04T00:00:00Z""#, [change("b", "deleted")]))
    assertEnds(try await syncList())
    XCTAssertEqual(try tree().count, 3)
    XCTAssert(site.asked.contains("/pub/resourcelist.xml"))
  }
}
