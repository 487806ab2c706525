import XCTest

@testable import CatalogMirror

/// One thing that is too large ends the reading of a list in whichever format, as soon as it is: it
/// is neither held nor read.
///
/// An element with 400,000 attributes in a megabyte of gzip held a run for minutes; a title of
/// 700 MB took gigabytes, or was taken.
final class OneThingTooLargeTests: XCTestCase {
  private enum Text {
    case json, xml, html, lines

    /// How something begins that is too large, and goes on.
    var things: [(start: String, filler: String, CatalogError.Measure)] {
      switch self {
      case .json:
        [
          (#"{"a":""#, "x", .pieceBytes), (#"{"a":[{"b":""#, #"\""#, .pieceBytes),
          (#"{""#, "x", .pieceBytes), (#"{"a":"#, "1", .pieceBytes),
          ("[", " ", .pieceBytes), (#"[{"a":"#, "tr", .pieceBytes), ("", " ", .pieceBytes),
        ]
      case .xml, .html:
        [
          (opening + "<a ", "b='' ", .attributes), (opening + "<a ", "b ", .attributes),
          (opening + "<a b='", ">", .tagBytes), (opening + "<", "a", .tagBytes),
          (opening + "</a", " ", .tagBytes), (opening + "<a>", "b", .pieceBytes),
          (opening + "<!--", "->", .pieceBytes), (opening + "<!DOCTYPE ", "b", .pieceBytes),
          (opening + "<?b ", "b", .pieceBytes), (opening, "< ", .pieceBytes),
        ] + (self == .xml ? [(opening + "<a><![CDATA[", "b]>", .pieceBytes)] : [])
      case .lines:
        [
          ("", "a", .pieceBytes), ("# list\n", "a ", .pieceBytes),
          (String(repeating: "ab", count: 32) + "  a\n", "\u{1}", .pieceBytes),
        ]
      }
    }

    private var opening: String {
      self == .html ? "<!DOCTYPE html><html><body>" : "<?xml version='1.0'?><rss><channel>"
    }
  }

  /// What each format is written in.
  private static let formats: [(Text, [CatalogFormatName])] = [
    (
      .json,
      [.catalog, .mapping, .mapped, .nginxJSON, .caddyJSON, .simpleIndex, .opds]
        + JSONPreset.formats.map(\.name)
    ),
    (.xml, [.rss, .atom, .opds, .resourceSync, .sitemap, .metalink, .nginxXML, .s3, .webdav]),
    (
      .html,
      [
        .nginxHTML, .nginxFancyIndex, .apache, .lighttpd, .caddyHTML, .python, .simpleIndex,
        .listing,
      ]
    ),
    (.lines, [.debian, .checksums, .sha256sums]),
  ]

  private static var limits: CatalogLimits {
    var limits = CatalogLimits()
    (limits.pieceBytes, limits.tagBytes, limits.attributes) = (10_000, 5_000, 100)
    return limits
  }

  func testTheTableHasEveryFormat() {
    let named = Set(Self.formats.flatMap(\.1).map(\.rawValue))
    XCTAssertEqual(Set(MirrorOptions.formats).subtracting(named), [])
  }

  func testItEndsTheReadingInEveryFormatAsSoonAsItIs() async throws {
    let limits = Self.limits
    for (text, formats) in Self.formats {
      for (start, filler, measure) in text.things {
        let excess = PieceLimits(all: limits).excess(measure)
        guard case .limit(_, _, let most) = excess else { return XCTFail("\(excess)") }
        let piece = String(repeating: filler, count: 1_000 / filler.utf8.count)
        for format in formats.map(Optional.some) + [nil] {
          let claim = "\(format?.rawValue ?? "any"): \(start)\(filler)…"
          let source = EndlessSource(start, then: piece, atMost: 1 << 20)
          let error = try await source.end(as: format, limits)
          guard case .limit(_, measure, most)? = error else {
            XCTFail("\(claim): \(error.map { "\($0)" } ?? "no error")")
            continue
          }
          // The sieve holds back up to 64 KiB to see whether a line is a catalog's first.
          XCTAssertLessThan(source.taken, 80_000, claim)
        }
      }
    }
  }

  /// Who has a body already gets the same verdict.
  func testABodyAtHandIsMeasuredToo() throws {
    for (text, formats) in Self.formats {
      for (start, filler, measure) in text.things {
        let body = try Golden.body(start + String(repeating: filler, count: 20_000))
        for format in formats where CatalogFormats.standard[name: format] != nil {
          XCTAssertThrowsError(
            try CatalogFormats.standard.decode(body, as: format, limits: Self.limits)
          ) {
            guard case .limit(_, measure, _)? = $0 as? CatalogError else {
              return XCTFail("\(format): \(start)\(filler)…: \($0)")
            }
          }
        }
      }
    }
  }

  func testALineOfACatalogOfLinesIsSuchAThingHoweverManyValuesItHolds() async throws {
    let header = #"{"catalog":1}"# + "\n"
    let piece = String(repeating: #""a","#, count: 250)
    for start in [header, header + #"{"key":"a"}"# + "\n"] {
      let source = EndlessSource(start + #"{"key":["#, then: piece, atMost: 1 << 20)
      let error = try await source.end(as: nil, Self.limits)
      XCTAssertEqual(error, .limit(url: "https://h/d/", .pieceBytes, most: 10_000))
      XCTAssertLessThan(source.taken, 12_000)
    }
  }

  func testWhatHoldsManyThingsMayBeLarge() throws {
    let limits = Self.limits
    let digest = Golden.digest
    let numbers = 0..<2_000
    let bodies: [(String, CatalogFormatName)] = [
      ("{" + numbers.map { "\"k\($0)\":\"x\"" }.joined(separator: ",") + "}", .mapping),
      ("[" + numbers.map { "{\"key\":\"k\($0)\"}" }.joined(separator: ",\n") + "]", .catalog),
      ("{\"catalog\":1}\n" + numbers.map { "{\"key\":\"k\($0)\"}\n" }.joined(), .catalog),
      (numbers.map { "\(digest)  \($0)\n" }.joined(), .checksums),
      (FeedGolden.rss(numbers.map { FeedGolden.item("\($0)") }), .rss),
      (
        "<!DOCTYPE html><html>"
          + numbers.map { "<a href='\($0)'>a</a><script>if(a<b){}</script>" }.joined() + "</html>",
        .listing
      ),
    ]
    for (text, format) in bodies {
      let page = try CatalogFormats.standard.decode(Golden.body(text), as: format, limits: limits)
      XCTAssertEqual(page.count, 2_000, "\(format)")
    }
  }

  func testTheDefaultsAreAMebibyteAndSixtyFourKibibytesAndAThousand() throws {
    let limits = CatalogLimits()
    XCTAssertEqual(limits.pieceBytes, 1 << 20)
    XCTAssertEqual(limits.tagBytes, 64 << 10)
    XCTAssertEqual(limits.attributes, 1_000)
    let measures: [CatalogError.Measure] = [.pieceBytes, .tagBytes, .attributes, .emptyPages]
    let amounts = [1 << 20, 64 << 10, 1_000, 1_000]
    XCTAssertEqual(
      zip(measures, amounts).map { "\(CatalogError.limit(url: "U", $0, most: $1))" },
      [
        "1.0 MiB in one value, name, text or line", "64.0 KiB in one tag",
        "1000 attributes in one tag", "1000 pages in a row that list nothing",
      ].map {
        "U goes past the limit of \($0); check the address, or mend it at the source or tell who "
          + "runs it."
      })
  }
}
