import TestSupport
import XCTest

@testable import CatalogMirror
@testable import SyncText

/// Lines that are known are taken out of a catalog, and those that are plain are read at once;
/// nothing else is, and nothing changes by it.
final class LineSieveTests: XCTestCase {
  private let url = "https://h/data/"

  private func line(_ number: Int) -> String {
    switch number % 5 {
    case 0: #"{"key":"k\#(number)","version":"1"}"#
    case 1: #"{"key":"k\#(number)","sha256":"\#(Golden.digest)","size":5,"url":"x/\#(number)"}"#
    case 2: #"  {"key":"k\#(number)","version":"ü","title":"\#(number)"}  "#
    case 3: #"{"key":"k\#(number)"}"#  // nothing tells its version
    default: #"{"key":"k\#(number)","version":true}"#  // it can't be used
    }
  }

  /// The page of a body, read with the lines of `known` as the known ones.
  private func sieved(
    _ body: String, knowing known: [LineDigest?], at url: String? = nil, by piece: Int
  ) throws -> (page: CatalogPage, rest: LineSieve.Rest) {
    let url = url ?? self.url
    let sieve = LineSieve {
      KnownLines(known)
    } opened: { first in
      guard let body = try? Golden.body(first, url) else { return nil }
      return CatalogFormats.standard.lines(of: body, as: nil, limits: CatalogLimits())
    }
    var bytes = Array(body.utf8)[...]
    while !bytes.isEmpty {
      try bytes.prefix(piece).withUnsafeBytes(sieve.take)
      bytes = bytes.dropFirst(piece)
    }
    let rest = try sieve.finish()
    var left = try Golden.body(rest.bytes, url)
    (left.known, left.read, left.positions) = (rest.known, rest.read, rest.positions)
    let format: CatalogFormatName? = rest.lacksLines ? .catalog : nil
    return (try CatalogFormats.standard.decode(left, as: format), rest)
  }

  /// The lines of all entries of a body, in their order.
  private func lines(of body: String, at url: String? = nil) throws -> [LineDigest?] {
    Self.lines(of: try CatalogFormats.standard.decode(Golden.body(body, url ?? self.url)))
  }

  private static func lines(of page: CatalogPage) -> [LineDigest?] {
    page.entries.map { entry in
      if case .entry(let entry, _) = entry { entry.line } else { nil }
    }
  }

  func testWhatIsLeftAndWhatIsKnownAreTheWholeHoweverTheBodyComes() throws {
    var random = SeededGenerator(seed: 7)
    let header = #"{"catalog":1,"complete":true}"#
    for round in 0..<200 {
      var lines = (0..<Int.random(in: 0...20, using: &random)).map(line)
      if round % 3 > 0 { lines.insert(header, at: 0) }
      if round % 4 == 0 { lines.insert(" ", at: Int.random(in: 0...lines.count, using: &random)) }
      var body = lines.joined(separator: round % 5 == 0 ? "\r\n" : "\n")
      if round % 7 > 0 { body += "\n" }
      if round % 11 == 0 { body = "\u{FEFF}" + body }
      guard let whole = try? Golden.page(body) else { continue }
      let digests = whole.entries.map { entry -> LineDigest? in
        guard case .entry(let entry, _) = entry, !random.oneIn(3) else { return nil }
        return entry.line
      }
      let piece = Int.random(in: 1...60, using: &random)
      let (page, rest) = try sieved(body, knowing: digests, by: piece)
      XCTAssertEqual(rest.digest, Golden.hash(body))
      XCTAssertEqual(page.count, whole.count, "round \(round)")
      XCTAssertEqual(page.claim, whole.claim, "round \(round)")
      XCTAssertEqual(page.header, whole.header)
      let known = Dictionary(
        uniqueKeysWithValues: page.lines.known.map { (Int($0.position), Int($0.place)) })
      for (position, place) in known { XCTAssertEqual(position, place + 1) }
      let positions = page.lines.positions.isEmpty ? Array(1...UInt32(21)) : page.lines.positions
      for (entry, position) in zip(page.entries, positions) {
        XCTAssertNil(known[Int(position)])
        XCTAssertEqual(entry, whole.entries[Int(position) - 1], "round \(round)")
      }
    }
  }

  func testEveryLineThatTellsItsVersionIsKnownAgain() throws {
    let body = ([#"{"catalog":1}"#] + (0..<10).map(line)).map { $0 + "\n" }.joined()
    let digests = try lines(of: body)
    XCTAssertEqual(digests.map { $0 != nil }, (0..<10).map { $0 % 5 < 3 })
    let (page, _) = try sieved(body, knowing: digests, by: 1_000)
    XCTAssertEqual(page.lines.known.map(\.position), [1, 2, 3, 6, 7, 8])
    XCTAssertEqual(page.lines.positions, [4, 5, 9, 10])
  }

  func testOfACatalogThatIsReadForTheFirstTimeOnlyWhatIsOddIsLeft() throws {
    let body = ([#"{"catalog":1}"#] + (0..<10).map(line)).map { $0 + "\n" }.joined()
    let (page, rest) = try sieved(body, knowing: [], by: 7)
    XCTAssertEqual(page.entries, try Golden.page(body).entries)
    let known = Self.lines(of: page)
    XCTAssertEqual(known, try lines(of: body), "the next pass knows them by it")
    XCTAssertEqual(known.count { $0 != nil }, 6)
    XCTAssertEqual(rest.read.positions, [1, 2, 3, 4, 6, 7, 8, 9])
    let odd = [#"{"catalog":1}"#, line(4), line(9)].map { $0 + "\n" }.joined()
    XCTAssertEqual(rest.bytes, Array(odd.utf8))
  }

  func testMoreEntriesThanMayBeAreRefusedAndNotHeld() throws {
    var limits = CatalogLimits()
    limits.entries = 3
    let body = ([#"{"catalog":1}"#] + (0..<10).map { _ in line(0) }).map { $0 + "\n" }.joined()
    let sieve = LineSieve({ .none }) { first in
      (try? Golden.body(first, self.url)).flatMap {
        CatalogFormats.standard.lines(of: $0, as: nil, limits: limits)
      }
    }
    try Array(body.utf8).withUnsafeBytes(sieve.take)
    let rest = try sieve.finish()
    XCTAssertEqual(rest.read.entries.count, 3)
    var left = try Golden.body(rest.bytes, url)
    (left.read, left.positions) = (rest.read, rest.positions)
    assertThrows(
      CatalogError.limit(url: url, .entries, most: 3),
      try CatalogFormats.standard.decode(left, as: .catalog, limits: limits))
  }

  func testAKnownLineWithinAnotherKindOfBodyStays() throws {
    let text = line(1)
    let known = try lines(of: #"{"catalog":1}"# + "\n" + text + "\n")
    XCTAssertEqual(known.compactMap(\.self).count, 1)
    for body in [
      "{\"catalog\":1,\"items\":[\n\(text)\n]}\n", "[\n\(text)\n]\n",
      "{\"catalog\":1,\n\"items\":[\n\(text)\n]}\n",
    ] {
      let (page, rest) = try sieved(body, knowing: known, by: 9)
      XCTAssertEqual(rest.known, [], body)
      XCTAssertEqual(page.entries.count, 1, body)
    }
  }

  func testTheLastLineStaysWhereItMayHaveBeenCut() throws {
    let header = #"{"catalog":1,"complete":true}"# + "\n"
    let known = try lines(of: header + line(0) + "\n" + line(1) + "\n")
    let (page, rest) = try sieved(header + line(0) + "\n" + line(1), knowing: known, by: 9)
    XCTAssertEqual(rest.known.map(\.position), [1])
    XCTAssertEqual(page.lines.positions, [2])
    XCTAssertEqual(page.claim, .unvouched)
  }

  func testALineIsAnotherOneWhereItsURLsStartFromElsewhere() throws {
    let body = #"{"catalog":1}"# + "\n" + line(0) + "\n"
    let based = #"{"catalog":1,"base":"other/"}"# + "\n" + line(0) + "\n"
    let own = try lines(of: body)
    XCTAssertEqual(own, try lines(of: body, at: url + "?signed=1"), "signed anew")
    XCTAssertNotEqual(own, try lines(of: based))
    XCTAssertNotEqual(own, try lines(of: body, at: "https://h/other/"))
    XCTAssertNotEqual(own, try lines(of: body, at: "http://h/data/"))
    let elsewhere = #"{"catalog":1,"base":"https://h/data/"}"# + "\n" + line(0) + "\n"
    XCTAssertEqual(own, try lines(of: elsewhere, at: "https://mirror/"), "another door")
  }

  func testAnEntryThatTookOverASignatureIsReadEachTime() throws {
    let text = #"{"catalog":1}"# + "\n" + #"{"key":"a","version":"1","url":""}"# + "\n"
    XCTAssertEqual(try lines(of: text, at: url + "?signed=1"), [nil])
    XCTAssertEqual(try lines(of: text), [nil], "it may be signed the next time")
  }

  func testKnownLinesAndNoOthersAreFound() throws {
    let digests = (0..<1_000).map { number in
      LineDigest(bytes: Golden.hash("\(number)").bytes.prefix(16))
    }
    let known = KnownLines(digests.enumerated().map { $0 % 3 == 0 ? nil : $1 })
    for (place, digest) in digests.enumerated() {
      XCTAssertEqual(known.place(of: try XCTUnwrap(digest)), place % 3 == 0 ? nil : place)
    }
    let digest = try XCTUnwrap(digests[1])
    XCTAssertNil(KnownLines.none.place(of: digest))
    XCTAssertEqual(LineDigest(bytes: digest.bytes), digest)
    XCTAssertNil(LineDigest(bytes: digest.bytes.dropLast()))
  }
}
