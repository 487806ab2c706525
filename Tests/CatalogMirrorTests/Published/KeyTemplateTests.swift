import SyncText
import TestSupport
import XCTest

@testable import CatalogMirror

/// Names that a template makes of what a feed says of its items.
final class KeyTemplateTests: RunTestCase {
  private static let feed = root + "feed.xml"

  private func item(
    _ guid: String, _ title: String?, date: String? = "Mon, 2 Mar 2026 23:05:00 -0200",
    file: String? = nil, more: String = ""
  ) -> String {
    """
    <item><guid>\(guid)</guid>\(title.map { "<title>\($0)</title>" } ?? "")\
    \(date.map { "<pubDate>\($0)</pubDate>" } ?? "")\
    <enclosure url="\(file ?? guid + ".mp3")" type="audio/mpeg"/>\(more)</item>
    """
  }

  private func keys(_ template: String, _ items: [String]) throws -> [String] {
    let body = try Golden.body(FeedGolden.rss(items), Self.feed)
    var formats = CatalogFormats.standard
    formats.keyTemplate = try KeyTemplate(template)
    var page = try formats.decode(body)
    var named: [CatalogKey: String] = [:]
    page.nameItems(held: [:], named: &named)
    return page.entries.compactMap { $0.key?.description }
  }

  func testAnItemIsNamedByItsDateInUTCAndItsTitle() throws {
    let item = item("a", "One")
    for (template, key) in [
      ("{date} {title}{extension}", "2026-03-03 One.mp3"), ("{title}", "One.mp3"),
      ("{date}/{name} - {title}", "2026-03-03/a - One.mp3"), ("{name}{extension}", "a.mp3"),
    ] {
      XCTAssertEqual(try keys(template, [item]), [key], template)
    }
    for (template, key) in [
      ("{date} {title}", "One.mp3"), ("{date}/{title}", "One.mp3"),
      ("x {date}  {title}", "x One.mp3"),
    ] {
      XCTAssertEqual(try keys(template, [self.item("a", "One", date: nil)]), [key], template)
    }
    XCTAssertEqual(try keys("{title}", [self.item("a", nil)]), ["a.mp3"])
  }

  func testValuesMakeNoDirectoriesAndNoNameThatIsNone() throws {
    let long = String(repeating: "é", count: 300)
    for (title, key) in [
      ("a/b\\c~d", "a-b-c-d.mp3"), ("..", "g.mp3"), ("../../etc", "-..-etc.mp3"),
      (" a\n\t b ", "a b.mp3"), ("&#x85;a&#x7f;b", "a-b.mp3"), (".hidden", "hidden.mp3"),
      ("Part 1.2", "Part 1_2.mp3"), ("notes.pdf", "notes_pdf.mp3"),
      (long, String(repeating: "é", count: 115) + ".mp3"),
    ] {
      XCTAssertEqual(try keys("{title}", [item("g", title)]), [key], title)
    }
  }

  func testATemplateThatWontDoIsRefused() {
    let table: [(String, KeyTemplateProblem)] = [
      ("{date}{extension}", .sameForAll), ("", .sameForAll),
      ("{Title}", .unknownPlaceholder("Title")),
      ("{title", .openBrace), ("title}", .openBrace), ("{extension}{title}", .extensionInside),
      ("/{title}", .key(.absolute)), ("../{title}", .key(.dotComponent)),
      ("{title}/", .key(.emptyComponent)), (".mirror/{title}", .key(.insideMirrorFolder)),
      ("{title}\n", .key(.controlCharacter)),
    ]
    for (text, problem) in table { assertThrows(problem, try KeyTemplate(text), text) }
  }

  private func sync(
    _ items: [String], template: String? = "{title}", head: String = "",
    ending: MirrorReport.Outcome = .done
  ) async throws -> [String: String] {
    for name in ["a", "b", "c", "moved"] {
      try site.answer(Self.root + name + ".mp3", .text("bytes of " + name))
    }
    let text = FeedGolden.rss(items, head: head)
    try site.answer(Self.feed, .text(text, ("Content-Type", "application/rss+xml")))
    let template = try template.map { try KeyTemplate($0) }
    try await sync(ending: ending) { options in
      options.catalog = Self.feed
      options.keyTemplate = template
    }
    return try tree()
  }

  /// Two episodes called alike are two, on one page, on two pages and in two runs.
  func testItemsOfOneNameAreKeptApart() async throws {
    let (a, b) = (item("a", "T"), item("b", "T"))
    let both = try await sync([a, b])
    XCTAssertEqual(Set(both.values), ["bytes of a", "bytes of b"])
    XCTAssertEqual(both["T.mp3"], "bytes of a")
    for items in [[b, a], [b], [a]] { try await assertEqual(sync(items), both) }
  }

  func testOneThatComesAloneReplacesNoOtherOfItsName() async throws {
    try await assertEqual(sync([item("a", "T")]), ["T.mp3": "bytes of a"])
    let both = try await sync([item("b", "T")])
    XCTAssertEqual(both["T.mp3"], "bytes of a")
    XCTAssertEqual(Set(both.values), ["bytes of a", "bytes of b"])
    try await assertEqual(
      sync([item("b", "T", file: "moved.mp3")]).keys.sorted(), both.keys.sorted())
  }

  func testItemsOfOneNameOnTwoPagesAreKeptApart() async throws {
    let text = FeedGolden.rss([item("b", "T")])
    try site.answer(Self.root + "2", .text(text, ("Content-Type", "application/rss+xml")))
    let head = #"<atom:link rel="next" href="2"/>"#
    let both = try await sync([item("a", "T")], head: head)
    XCTAssertEqual(Set(both.values), ["bytes of a", "bytes of b"])
    try await assertEqual(sync([item("a", "T")], head: head), both)
  }

  func testNoFurtherFileOfAnItemTakesTheNameOfAnothers() async throws {
    _ = try await sync([item("a", "T")])
    let more = #"<enclosure url="c.mp3" type="audio/mpeg"/>"#
    let b = item("b", "T", more: more).replacing(
      #"url="b.mp3" type="audio/mpeg""#, with: #"url="b.mp3" type="audio/ogg""#)
    let tree = try await sync([b])
    XCTAssertEqual(tree["T.mp3"], "bytes of a")
    XCTAssertEqual(Set(tree.values), ["bytes of a", "bytes of b", "bytes of c"])
  }

  func testAnItemWhoseFileMovedKeepsItsName() async throws {
    _ = try await sync([item("a", "T")])
    try await assertEqual(sync([item("a", "T", file: "moved.mp3")]).keys.sorted(), ["T.mp3"])
  }

  /// A 304 would have hidden the other names.
  func testAnotherTemplateMakesOtherNamesAndRemovesNothingOfAWindow() async throws {
    try await assertEqual(sync([item("a", "T")], template: nil).keys.sorted(), ["a.mp3"])
    let text = FeedGolden.rss([item("a", "T")])
    try site.answer(
      Self.feed, .text(text, ("Content-Type", "application/rss+xml"), ("ETag", "\"1\"")))
    for (template, count) in [("{title}", 2), ("{date} {title}", 3)] {
      let template = try KeyTemplate(template)
      try await sync(ending: .done) { options in
        options.catalog = Self.feed
        options.keyTemplate = template
      }
      XCTAssertEqual(try tree().count, count)
    }
  }

  func testAnotherTemplateOfAWholeFeedIsStoppedByTheRemovalLimit() async throws {
    let items = ["a", "b", "c", "moved"].map { item($0, "T \($0)") }
    _ = try await sync(items, template: nil, head: "<fh:complete/>")
    let report = try await sync { options in
      options.catalog = Self.feed
      options.keyTemplate = try? KeyTemplate("{title}")
    }
    XCTAssertNotEqual(report.outcome, .done)
    XCTAssertTrue(try Set(tree().keys).isSuperset(of: ["a.mp3", "b.mp3", "c.mp3", "moved.mp3"]))
  }

  /// The name of a deleted entry isn't that of its file then, and might be another's.
  func testADeletedEntryTakesNoFileThatIsNamedLikeIt() throws {
    var formats = CatalogFormats.standard
    formats.keyTemplate = try KeyTemplate("{title}")
    let page = try formats.decode(Golden.body(FeedGolden.atomFeed, Self.feed))
    XCTAssertEqual(page.removed, [])
    XCTAssertEqual(page.usable.keys.sorted(), ["One.ogg"])
  }

  func testWhatIsNoFeedIsAnError() throws {
    var formats = CatalogFormats.standard
    formats.keyTemplate = try KeyTemplate("{title}")
    let body = try Golden.body(#"{"catalog":1,"items":[]}"#, Self.feed)
    assertThrows(
      CatalogError.unreadable(
        url: Self.feed, expected: .feed, found: .ownNames(CatalogFormatName.catalog.rawValue)),
      try formats.decode(body))
  }
}
