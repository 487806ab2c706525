import Foundation
import SyncTransport
import XCTest

@testable import CatalogMirror

/// Whole runs over feeds.
final class FeedRunTests: RunTestCase {
  private static let feed = root + "feed.xml"

  private func serve(_ text: String, at path: String = "feed.xml") throws {
    try site.answer(Self.root + path, .text(text, ("Content-Type", "application/rss+xml")))
  }

  private func serveFiles(_ names: [String]) throws {
    for name in names { try site.answer(Self.root + name, .text("bytes of " + name)) }
  }

  private func syncFeed(
    _ change: (inout MirrorOptions) -> Void = { _ in }
  ) async throws -> MirrorReport {
    try await sync { options in
      options.catalog = Self.feed
      change(&options)
    }
  }

  func testAPodcastThatShowsItsLastEpisodesIsKeptWhole() async throws {
    // 300 episodes, of which the feed shows 50.
    try serveFiles((1...300).map { "ep-\($0).mp3" })
    for run in 1...6 {
      let shown = ((run - 1) * 50 + 1)...(run * 50)
      try serve(FeedGolden.rss(shown.reversed().map { FeedGolden.item("ep-\($0)") }))
      assertEnds(try await syncFeed())
      XCTAssertEqual(try tree().count, run * 50)
    }
    XCTAssertEqual(try tree().count, 300)
    _ = try await syncFeed { $0.vouchesForCompleteness = true }
    XCTAssertEqual(try tree().count, 300, "not even a person's word makes a window whole")
  }

  func testAFeedThatDidNotChangeCostsOneRequestAndSendsNothing() async throws {
    try serveFiles(["a.mp3"])
    let text = FeedGolden.rss([FeedGolden.item("a")])
    try site.answer(Self.feed, .text(text, ("ETag", "\"1\"")))
    _ = try await syncFeed()
    assertEnds(try await syncFeed())
    XCTAssertEqual(site.log.map { $0.headers["If-None-Match"] }, ["\"1\""])
    XCTAssertEqual(Set(try tree().keys), ["a.mp3"])
    try remove("a.mp3")
    _ = try await syncFeed()
    XCTAssertEqual(Set(try tree().keys), ["a.mp3"], "what is damaged is repaired even then")
  }

  func testAFeedThatSaysThatItIsCompleteIs() async throws {
    try serveFiles(["a.mp3", "b.mp3", "c.mp3"])
    try serve(FeedGolden.rss(["a", "b", "c"].map { FeedGolden.item($0) }))
    _ = try await syncFeed()
    try serve(FeedGolden.rss([FeedGolden.item("a")], head: "<fh:complete/>"))
    _ = try await syncFeed()
    XCTAssertEqual(Set(try tree().keys), ["a.mp3"])
  }

  func testArchivesReadToTheLastMakeItWholeAndTheNewestWordCounts() async throws {
    try serveFiles(["a.mp3", "b.mp3", "c.mp3", "new.mp3"])
    let link = #"<atom:link rel="prev-archive" href="old.xml"/>"#
    let moved = FeedGolden.item("b", 9).replacing("\"b.mp3\"", with: "\"new.mp3\"")
    try serve(FeedGolden.rss([FeedGolden.item("c"), moved], head: link))
    try serve(
      FeedGolden.rss([FeedGolden.item("b"), FeedGolden.item("a")], head: "<fh:archive/>"),
      at: "old.xml")
    assertEnds(try await syncFeed())
    XCTAssertEqual(
      try tree(),
      ["a.mp3": "bytes of a.mp3", "b.mp3": "bytes of new.mp3", "c.mp3": "bytes of c.mp3"])
    try serve(FeedGolden.rss([FeedGolden.item("a")], head: "<fh:archive/>"), at: "old.xml")
    _ = try await syncFeed()
    XCTAssertEqual(Set(try tree().keys), ["a.mp3", "b.mp3", "c.mp3"])
    try serve(FeedGolden.rss([FeedGolden.item("c")], head: link))
    _ = try await syncFeed()
    XCTAssertEqual(Set(try tree().keys), ["a.mp3", "c.mp3"])
    try serve(FeedGolden.rss([]), at: "old.xml")
    _ = try await syncFeed()
    XCTAssertEqual(try tree().count, 2, "a page that is no archive closes nothing")
  }

  func testAnEntryThatIsDeletedGoesAndNothingElse() async throws {
    try serveFiles(["a.mp3", "b.mp3", "c.mp3"])
    let entries = ["a", "b", "c"].map { name in
      """
      <entry><id>\(name)</id><updated>2026-01-01T00:00:00Z</updated>\
      <link rel="enclosure" type="audio/mpeg" href="\(name).mp3"/></entry>
      """
    }
    let head = """
      <feed xmlns="http://www.w3.org/2005/Atom" xmlns:at="http://purl.org/atompub/tombstones/1.0">\
      <title>T</title>
      """
    try serve(head + entries.joined() + "</feed>")
    _ = try await syncFeed()
    XCTAssertEqual(try tree().count, 3)
    try serve(
      head + entries[0] + #"<at:deleted-entry ref="b" when="2026-01-02T00:00:00Z"/></feed>"#)
    assertEnds(try await syncFeed())
    XCTAssertEqual(Set(try tree().keys), ["a.mp3", "c.mp3"])
  }
}
