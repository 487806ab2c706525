import XCTest

@testable import CatalogMirror
@testable import SyncText

/// Pages of real servers whose links are written otherwise, as proxies do. Seeded: a failure names
/// the seed, and the same seed makes the same page.
///
/// Links that weren't relative and plain were passed over without a word; the page counted as
/// whole, and what it still listed was removed.
final class LinkSpellingTests: XCTestCase {
  /// What a page gives: `nil` where it is refused.
  private struct Reading: Equatable {
    var addresses: [CatalogKey: String] = [:]
    var isWhole = false

    init?(_ bytes: [UInt8]) throws {
      guard let page = try? CatalogFormats.standard.decode(Golden.body(bytes)) else { return nil }
      for case .entry(let entry, _) in page.entries { addresses[entry.key] = entry.locators[0] }
      for unusable in page.unusable { addresses[unusable.key ?? CatalogKey("")] = "" }
      for directory in page.subdirectories {
        addresses[CatalogKey(bytes: directory.name + [0x2F])] = directory.request.url
      }
      isWhole = page.claim == .whole && page.notes.unreadLinks.count == 0 && page.keyless.count == 0
    }

    /// Without the queries that ask for the bytes.
    var plain: [CatalogKey: String?] {
      addresses.mapValues { URLReference($0)?.withoutQuery.normalized.text }
    }
  }

  private static let pages = ServersPages.whole.map(\.path).filter { $0 != "nginx-xml/plain" }

  func testALinkThatComesToTheSameAddressIsTheSameEntryHoweverItIsWritten() throws {
    for path in Self.pages {
      let text = try ServersPages.text(path)
      let whole = try XCTUnwrap(Reading(Array(text.utf8)))
      let page = LinkedPage(text)
      for seed in 0..<25 as Range<UInt64> {
        var pen = Pen(seed: seed)
        let other = pen.rewritten(page)
        XCTAssertNotEqual(other, text)
        let reading = try Reading(Array(other.utf8))
        XCTAssertEqual(reading?.plain, whole.plain, "seed \(seed) of \(path)")
        XCTAssertEqual(reading?.isWhole, true, "seed \(seed) of \(path)")
      }
    }
  }

  func testLinksThatSuitABaseAreTheSameEntries() throws {
    for path in Self.pages where !path.hasPrefix("caddy-json") {
      let text = try ServersPages.text(path)
      let whole = try Reading(Array(text.utf8))
      let page = LinkedPage(text)
      for (base, start) in [
        ("/data/", ""), ("https://h/other/x", "../data/"), ("/data/deep/er/", "../../"),
        ("//h/", "data/"), ("https://elsewhere.test/", "https://h/data/"),
      ] {
        var pen = Pen(seed: 0, starts: [start])
        let other = pen.rewritten(page)
          .replacing("</title>", with: "</title><base href=\"\(base)\">")
        XCTAssertEqual(try Reading(Array(other.utf8)), whole, "\(base) of \(path)")
      }
      let wrong = text.replacing("</title>", with: "</title><BASE HREF='/elsewhere/'>")
      XCTAssertNotEqual(try Reading(Array(wrong.utf8))?.isWhole, true, path)
    }
  }

  func testAnotherSpellingOfTagsOrderOfRowsOrTextOfColumnsNeverLosesAnEntry() throws {
    for path in Self.pages {
      let text = try ServersPages.text(path)
      let whole = try XCTUnwrap(Reading(Array(text.utf8)))
      for other in Self.edits(of: text) {
        guard let reading = try Reading(Array(other.utf8)), reading.isWhole else { continue }
        for (key, address) in whole.addresses {
          XCTAssertEqual(reading.addresses[key], address, "\(key) of \(path) in \(other)")
        }
      }
    }
  }

  private static func edits(of text: String) -> [String] {
    var edits = [
      text.replacing("<a href=", with: "<A HREF="),
      text.replacing("<a href=", with: "<a\n href = "),
      text.replacing("<a href=", with: "<a rel=\"nofollow\" class='x' href="),
      text.replacing(#/href="([^"']*)"/#) { "href='\($0.1)'" },
      text.replacing(#/href="([A-Za-z0-9%._-]+)"/#) { "href=\($0.1)" },
      text.replacing(#/href="([^"]*)"/#) { "href=\" \($0.1)\n\"" },
      text.replacing("2031", with: "2033"), text.replacing("1234", with: "99"),
      text.replacing("1.2M", with: "  -"), text.replacing("\n", with: "\r\n"),
      text.replacing("\r\n", with: "\n"), text.replacing("title=", with: "data-title="),
      text.replacing("<td", with: "<TD").replacing("</tr>", with: "</TR>"),
    ]
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let rows = lines.indices.filter { place in
      !lines[place].hasPrefix("<p>")
        && ["huge", "mid", "small"].contains { lines[place].contains("\"\($0)\"") }
    }
    for (one, other) in zip(rows, rows.dropFirst()) {
      var swapped = lines
      swapped.swapAt(one, other)
      edits.append(swapped.joined(separator: "\n"))
      var more = lines
      more.insert(
        Substring(lines[one].replacing(#/huge|mid|small/#, with: "added")), at: other)
      edits.append(more.joined(separator: "\n"))
    }
    return edits
  }

  func testAnEditThatGarblesThePageIsAnErrorPartialOrTheSameList() throws {
    let junk = [
      "<!--", "<!-- x ", "<script>", "<style>", "\0", "<a href=\"", "</pre>", "</ul>",
      "</table>", "<x>", "<a>y</a>", "<a href=\"%2F\">y</a>", "<li>", "<tr>", "<tr><td>", "<?x ",
    ]
    for path in Self.pages {
      let text = try ServersPages.text(path)
      let whole = try XCTUnwrap(Reading(Array(text.utf8)))
      var places: [String.Index] = []
      for name in ["huge", "mid", "small"] {
        guard let link = text.firstRange(of: "\"\(name)\"")?.lowerBound,
          let line = text[..<link].lastIndex(where: \.isNewline)
        else { continue }
        places += [text.index(after: line)]
      }
      for place in places {
        // Not noticed: libxml2 ends a `pre` at a `li`, and an open quote takes in the tag of a row.
        for word in junk
        where !(word == "<li>" && text.contains("<pre>"))
          && !(word.hasPrefix("<a href=") && text.contains("<table"))
        {
          var other = text
          other.insert(contentsOf: word, at: place)
          guard let reading = try Reading(Array(other.utf8)), reading.isWhole else { continue }
          let lost = whole.addresses.filter { reading.addresses[$0.key] == nil }
          XCTAssertEqual(lost, [:], "\(word.debugDescription) in \(path)")
        }
      }
      for link in [
        "", "huge?id=1", "%2F", "http://h/data/huge", "huge/x", "https://cdn.test/data/huge",
      ] {
        let other = text.replacing("\"huge\"", with: "\"\(link)\"")
          .replacing("\"./huge\"", with: "\"\(link)\"")
        guard other != text else { continue }
        XCTAssertNotEqual(try Reading(Array(other.utf8))?.isWhole, true, "\(link) in \(path)")
      }
    }
  }
}

/// A page that is taken apart at its links, once for all the ways to write them.
private struct LinkedPage {
  private(set) var links: [(before: Substring, text: String, isInJSON: Bool)] = []
  /// What follows the last one.
  let rest: Substring

  init(_ page: String) {
    var rest = page[...]
    while let link = rest.firstMatch(of: #/(<a [^>]*href="|"url":")([^"]*)/#) {
      links.append(
        (rest[..<link.2.startIndex], String(link.2), link.1.hasPrefix("\"url")))
      rest = rest[link.range.upperBound...]
    }
    self.rest = rest
  }
}

/// Writes the links of a page anew, each in a way that is chosen by a seed.
private struct Pen {
  private var state: UInt64
  /// What stands before a name.
  private var starts = [
    "", "./", "/data/", "https://h/data/", "HTTPS://H:443/data/", "//h/data/", "../data/",
    "/x/../data/", "./%2e/", "/%64ata/",
  ]
  private let isPlain: Bool

  init(seed: UInt64, starts: [String]? = nil) {
    state = seed
    isPlain = starts != nil
    if let starts { self.starts = starts }
  }

  /// SplitMix64.
  private mutating func next(below count: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return Int((word ^ (word >> 31)) % UInt64(count))
  }

  mutating func rewritten(_ page: LinkedPage) -> String {
    var output = ""
    for link in page.links {
      output += link.before + written(link.text, inJSON: link.isInJSON)
    }
    return output + page.rest
  }

  private mutating func written(_ link: String, inJSON: Bool) -> String {
    var name = link.hasPrefix("./") ? String(link.dropFirst(2)) : link
    if name.isEmpty || name.hasPrefix("#") || name.hasPrefix("http") { return link }
    if name == "/" || name == "../" {
      return isPlain ? "https://h/" : ["/", "../", "https://h/", "/data/.."][next(below: 4)]
    }
    if name.hasPrefix("?") { return isPlain ? "https://h/data/" + name : link }
    var start = starts[next(below: starts.count)]
    // Without anything before it, a browser takes it for an address of its own.
    if name.contains(":"), start.isEmpty { start = "./" }
    if !isPlain, next(below: 3) == 0 { name += "#part" }
    if !isPlain, !name.contains("/"), !name.contains("#"), next(below: 3) == 0 {
      name += ["?download=1", "?dl=1", "?raw=true", "?inline=false", "?"][next(below: 5)]
    }
    let whole = start + name
    guard !inJSON, !isPlain, next(below: 3) == 0 else { return whole }
    return entities(whole)
  }

  /// Some characters as what HTML has for them, none within another one.
  private mutating func entities(_ link: String) -> String {
    guard !link.contains("&") else { return link }
    return link.map { character in
      guard next(below: 4) == 0, let code = character.unicodeScalars.first?.value else {
        return String(character)
      }
      return next(below: 2) == 0 ? "&#\(code);" : "&#x\(String(code, radix: 16));"
    }.joined()
  }
}
