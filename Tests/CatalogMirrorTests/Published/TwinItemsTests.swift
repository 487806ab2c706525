import Foundation
import SyncTransport
import TestSupport
import XCTest

@testable import CatalogMirror
@testable import SyncText

/// Items of a feed with one identifier. One of two was left out without a word, and which one
/// depended on the order.
final class TwinItemsTests: RunTestCase {
  private static let feed = root + "feed.xml"
  private static let plain = "g.mp3"

  /// What an item is called whose identifier is another's.
  private func own(_ file: String, _ name: String = "g") -> String {
    name + "~" + SHA256Digest(of: (Self.root + file).utf8).description.prefix(8) + ".mp3"
  }

  private func item(_ file: String, _ guid: String = "g") -> String {
    """
    <item><guid>\(guid)</guid><pubDate>Mon, 1 Jan 2024 00:00:00 GMT</pubDate>\
    <enclosure url="\(file)" type="audio/mpeg"/></item>
    """
  }

  private func sync(_ files: [String], head: String = "") async throws -> [String: String] {
    for file in files { try site.answer(Self.root + file, .text("bytes of " + file)) }
    let text = FeedGolden.rss(files.map { item($0) }, head: head)
    try site.answer(Self.feed, .text(text, ("Content-Type", "application/rss+xml")))
    try await sync(ending: .done) { $0.catalog = Self.feed }
    return try tree()
  }

  func testEachHasAFileOfItsOwnForGoodInWhicheverOrderAndWhicheverIsListed() async throws {
    let both = [Self.plain: "bytes of 1.mp3", own("2.mp3"): "bytes of 2.mp3"]
    for files in [
      ["1.mp3", "2.mp3"], ["2.mp3", "1.mp3"], ["2.mp3"], ["1.mp3"], ["2.mp3", "1.mp3", "2.mp3"],
    ] {
      try await assertEqual(sync(files), both, "\(files)")
    }
    let three = try await sync(["3.mp3", "2.mp3"])
    XCTAssertEqual(three, both.merging([own("3.mp3"): "bytes of 3.mp3"]) { $1 })
  }

  func testTheOneThatIsHeldKeepsTheNameWhenAnotherComesBeforeIt() async throws {
    _ = try await sync(["1.mp3"])
    let tree = try await sync(["2.mp3", "1.mp3"])
    XCTAssertEqual(tree, [Self.plain: "bytes of 1.mp3", own("2.mp3"): "bytes of 2.mp3"])
  }

  /// Its key is free, as their files end otherwise; the name isn't.
  func testTheOneThatIsHeldKeepsTheNameThoughTheOthersFileEndsOtherwise() throws {
    let items = ["2.ogg", "1.mp3"].map {
      item($0).replacing("audio/mpeg", with: $0 == "2.ogg" ? "audio/ogg" : "audio/mpeg")
    }
    let body = try Golden.body(FeedGolden.rss(items, head: ""), Self.feed)
    var page = try CatalogFormats.standard.decode(body, as: .rss)
    page.nameItems(held: [CatalogKey(Self.plain): Self.root + "1.mp3"])
    XCTAssertEqual(
      Set(page.usable.keys),
      [Self.plain, own("2.ogg").replacing(#/mp3$/#, with: "ogg")])
  }

  func testAnItemWhoseAddressChangedIsTheSameItem() async throws {
    _ = try await sync(["1.mp3"])
    try await assertEqual(Set(sync(["moved.mp3"]).keys), [Self.plain])
  }

  func testTheOtherKeepsItsNameWhenTheFirstIsGone() async throws {
    let head = "<fh:complete/>"
    _ = try await sync(["1.mp3", "2.mp3"], head: head)
    for files in [["2.mp3"], ["2.mp3"]] {
      try await assertEqual(sync(files, head: head), [own("2.mp3"): "bytes of 2.mp3"])
    }
  }

  /// Each run had another token, and fetched all anew into files that had it in their names.
  func testATokenInAQueryMakesNoOtherItemAndIsInNoName() async throws {
    for guid in ["", "<guid>g</guid>"] {
      var trees: [[String: String]] = []
      for token in ["t0k3n1", "t0k3n2", "t0k3n3"] {
        let items = ["1.mp3", "2.mp3"].map { file in
          item("\(file)?sig=\(token)").replacing("<guid>g</guid>", with: guid)
        }
        for file in ["1.mp3", "2.mp3"] {
          try site.answer(Self.root + file + "?sig=" + token, .text("bytes of " + file))
        }
        let reversed = token == "t0k3n2" ? Array(items.reversed()) : items
        try site.answer(
          Self.feed,
          .text(FeedGolden.rss(reversed, head: ""), ("Content-Type", "application/rss+xml")))
        try await sync(ending: .done) { $0.catalog = Self.feed }
        trees.append(try tree())
      }
      XCTAssertEqual(trees[1], trees[0], guid)
      XCTAssertEqual(trees[2], trees[0], guid)
      XCTAssertEqual(Set(trees[0].values), ["bytes of 1.mp3", "bytes of 2.mp3"], guid)
      XCTAssertFalse(trees[0].keys.contains { $0.contains("t0k3n") }, "\(trees[0].keys)")
      for key in trees[0].keys { try remove(key) }
    }
  }

  func testItemsThatOnlyTheirQueriesTellApartAreSeveralForGood() throws {
    for (guid, file) in [
      ("", "dl"), ("<guid>g</guid>", "dl"), ("", "1.mp3"), ("<guid>g</guid>", "1.mp3"),
    ] {
      let items = ["?id=1", "?id=2", "?id=1"].map {
        item(file + $0).replacing("<guid>g</guid>", with: guid)
      }
      let names = { (items: [String], held: [CatalogKey: String]) throws -> [CatalogKey: String] in
        let body = try Golden.body(FeedGolden.rss(items, head: ""), Self.feed)
        var page = try CatalogFormats.standard.decode(body, as: .rss)
        page.nameItems(held: held.filter { page.decidingKeys.contains($0.key) })
        return Dictionary(
          page.usable.values.map { ($0.key, $0.locators[0]) }, uniquingKeysWith: { $1 })
      }
      let first = try names(items, [:])
      XCTAssertEqual(
        Set(first.values), [Self.root + file + "?id=1", Self.root + file + "?id=2"], guid)
      XCTAssertEqual(try names([items[1], items[0]], first), first, guid)
      XCTAssertEqual(try names([items[1]], first), first.filter { $0.value.hasSuffix("2") }, guid)
    }
  }

  /// Where the path is no file's, the query may be all that tells an item from the next one.
  func testAnItemThatOnlyAQueryNamesIsAnotherOneInEachFeed() throws {
    let keys = { (address: String) throws -> Set<String> in
      let one = self.item(address).replacing("<guid>g</guid>", with: "")
      let body = try Golden.body(FeedGolden.rss([one], head: ""), Self.feed)
      return Set(try CatalogFormats.standard.decode(body, as: .rss).usable.keys)
    }
    XCTAssertTrue(try keys("dl?id=1").isDisjoint(with: try keys("dl?id=2")))
    XCTAssertEqual(try keys("1.mp3?id=1"), try keys("1.mp3?id=2"))
  }

  func testInAtomAndOPDSItIsTheSame() throws {
    let entries = ["1", "2"].map { name in
      """
      <entry><id>g</id><updated>2026-01-01T00:00:00Z</updated>\
      <link rel="enclosure" type="audio/mpeg" href="\(name).mp3"/>\
      <link rel="http://opds-spec.org/acquisition" type="audio/mpeg" href="\(name).mp3"/></entry>
      """
    }
    let text =
      "<feed xmlns=\"http://www.w3.org/2005/Atom\"><title>T</title>"
      + entries.joined() + "</feed>"
    let json = """
      {"metadata":{"title":"T"},"publications":[\(["1", "2"].map { name in
        """
        {"metadata":{"title":"x","identifier":"g"},"links":[{"type":"audio/mpeg",\
        "rel":"http://opds-spec.org/acquisition","href":"\(name).mp3"}]}
        """
      }.joined(separator: ","))]}
      """
    for (text, format) in [(text, CatalogFormatName.atom), (text, .opds), (json, .opds)] {
      var page = try CatalogFormats.standard.decode(
        Golden.body(text, Self.feed), as: format)
      page.nameItems(held: [:])
      XCTAssertEqual(Set(page.usable.keys), [Self.plain, own("2.mp3")], format.rawValue)
    }
  }
}
