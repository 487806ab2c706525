import TestSupport
import XCTest

@testable import CatalogMirror
@testable import SyncText

/// A line is read in one walk or as JSON, and is the same entry.
final class PlainEntryTests: XCTestCase {
  /// Members of every kind, and what isn't one.
  private static let members = [
    #""key":"a/b.txt""#, #""key":"k""#, #""key":"ü ?#""#, #""key":"a:b""#, #""key":"""#,
    #""key":"\u0061""#, #""key":7"#, #""key":"../x""#, #""key":"x/.y""#,
    #""size":0"#, #""size":12"#, #""size":-1"#, #""size":007"#, #""size":1.0"#, #""size":1e3"#,
    #""size":"12""#, #""size":null"#, #""size":999999999999999999"#,
    #""size":9223372036854775807"#, #""size":9223372036854775808"#,
    #""sha256":"\#(Golden.digest)""#, #""sha256":"\#(Golden.digest.uppercased())""#,
    #""sha256":"ab""#, #""sha256":"\#(String(repeating: "zz", count: 32))""#,
    #""modified":"2020-01-01T00:00:00Z""#, #""modified":"2020-02-30T00:00:00Z""#,
    #""modified":"2020-01-01t00:00:00.25+01:00""#, #""modified":"yesterday""#,
    #""version":"7""#, #""version":7"#, #""version":"\"""#, #""version":true"#,
    #""title":"T""#, #""title":"é\t""#, #""order":3"#, #""order":-3"#, #""order":"3""#,
    #""url":"x/y?z=1""#, #""url":"""#, #""url":"ftp://h/x""#, #""url":["a","b"]"#,
    #""url":"https://cdn/x#y""#, #""url":" ""#, #""tags":[1,{"a":2}]"#, #""preview":{"url":"p"}"#,
    #""k\u0065y":"twice""#, #""pack":[1,2]"#, #""pack":[4294967295,4294967295]"#,
    #""pack":[1,4294967296]"#, #""pack":[1]"#, #""pack":[ 1 , 2 ]"#, #""pack":7"#,
  ]

  /// Each address, with and without a directory in which all may be followed.
  private static let bases = [
    "https://h/data/", "https://h/data/?signed=1", "file:///srv/list/catalog.ndjson", "ftp://h/x",
  ]

  private func line(_ random: inout SeededGenerator) -> [UInt8] {
    let count = Int.random(in: 0...5, using: &random)
    var members = (0..<count).compactMap { _ in Self.members.randomElement(using: &random) }
    if !random.oneIn(4) { members.insert(Self.members[0], at: members.startIndex) }
    let blank = random.oneIn(5) ? " \t" : ""
    let text = members.joined(separator: "\(blank),\(blank)")
    var bytes = Array("\(blank){\(blank)\(text)\(blank)}\(blank)".utf8)
    while random.oneIn(2) {
      let place = Int.random(in: 0..<bytes.count, using: &random)
      switch Int.random(in: 0..<3, using: &random) {
      case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
      case 1: bytes.insert(bytes[Int.random(in: 0..<bytes.count, using: &random)], at: place)
      default: if bytes.count > 1 { bytes.remove(at: place) }
      }
    }
    return bytes
  }

  func testALineThatIsReadInOneWalkIsTheEntryThatItIsAsJSON() throws {
    var random = SeededGenerator(seed: 19)
    var read = 0
    let readers = try Self.bases.map { base in
      EntryReader(base: try Golden.url(base), catalog: try Golden.url(base))
    }
    for round in 0..<40_000 {
      let bytes = line(&random)
      let reader = readers[round % readers.count]
      guard let entry = bytes.withUnsafeBytes({ reader.plainEntry(line: $0) }) else { continue }
      read += 1
      let text = String(decoding: bytes, as: UTF8.self)
      XCTAssertNotNil(String(validating: bytes, as: UTF8.self), text)
      let value = try JSONValue(bytes, in: 0..<bytes.count, nesting: 4)
      let isSettled = entry.version != .unknown
      let other = reader.read(value, position: 1)
      XCTAssertEqual(other, .entry(entry, settled: isSettled), "\(round): \(text)")
      if case .entry(let other, _) = other { XCTAssertEqual(other.pack, entry.pack, text) }
    }
    XCTAssertGreaterThan(read, 2_000, "nearly nothing was plain")
  }

  func testWhatNearlyEveryCatalogHoldsIsPlain() throws {
    let url = try Golden.url("https://h/data/")
    let reader = EntryReader(base: url, catalog: url)
    for line in [
      Golden.entryLines[0],
      #"{"key":"a","size":5,"sha256":"\#(Golden.digest)","version":"2","title":"ü","order":1}"#,
      #" { "key" : "a b" , "url" : "x/y" } "# + "\r",
      #"{"key":"a","size":5,"sha256":"\#(Golden.digest)","pack":[12,345678]}"#,
    ] {
      let entry = Array(line.utf8).withUnsafeBytes { reader.plainEntry(line: $0) }
      XCTAssertNotNil(entry, line)
    }
  }
}
