import Foundation
import TestSupport
import XCTest

@testable import CatalogMirror
@testable import CatalogPublishing
@testable import SyncText

/// A folder that is published with packs, and what its catalog says of them.
class PackingTestCase: PublishingTestCase {
  /// What an entry, or a preview, says of where its bytes lie.
  struct Packed: Equatable {
    var pack: UInt32
    var offset: Int64
    var size: Int64
    var digest: String
  }

  var packs: URL { folder.appending(path: "catalog.ndjson.packs") }

  func pack(
    ahead seconds: Double = 60, _ change: (inout CatalogWriter.Options) -> Void = { _ in }
  ) throws -> PublishReport {
    try writer(ahead: seconds) {
      $0.packs = true
      change(&$0)
    }.write()
  }

  /// Writes files of a name, a number and this many bytes, each with bytes of its own.
  func writeFiles(
    _ numbers: some Sequence<Int>, size: Int = 100, _ name: String = "f", round: Int = 0
  ) throws {
    for number in numbers {
      let text = "\(name) \(number) \(round) "
      try write(
        "\(name)\(number)",
        String(String(repeating: text, count: size / text.utf8.count + 1).prefix(size)))
    }
  }

  func header() throws -> JSONValue {
    let line = Array(try text().utf8.prefix { $0 != UInt8(ascii: "\n") })
    return try JSONValue(line, in: line.indices, nesting: 32)
  }

  /// The packs that the header names, by id.
  func named() throws -> [UInt32: NamedPack] {
    var named: [UInt32: NamedPack] = [:]
    try header()["packs"]?.forEachElement { row in
      guard let row = row.elements, row.count == 3,
        let id = row[0].integer.flatMap(UInt32.init(exactly:)), let size = row[1].integer,
        let digest = row[2].string.flatMap(SHA256Digest.init(hexadecimal:))
      else { return XCTFail("a row of packs") }
      XCTAssertNil(named[id], "an id twice")
      named[id] = NamedPack(id: id, size: size, digest: digest)
    }
    return named
  }

  /// Where the catalog says that entries' bytes lie, by key; those of previews by "preview of KEY".
  func places() throws -> [String: Packed] {
    var places: [String: Packed] = [:]
    for line in try text().split(separator: "\n").dropFirst() {
      let bytes = Array(line.utf8)
      let entry = try JSONValue(bytes, in: bytes.indices, nesting: 32)
      let key = try XCTUnwrap(entry["key"]?.string)
      for (name, value) in [(key, entry), ("preview of \(key)", entry["preview"] ?? entry)] {
        guard name == key || entry["preview"] != nil, let row = value["pack"]?.elements else {
          continue
        }
        places[name] = Packed(
          pack: try XCTUnwrap(row[0].integer.flatMap(UInt32.init(exactly:))),
          offset: try XCTUnwrap(row[1].integer),
          size: try XCTUnwrap(value["size"]?.integer),
          digest: try XCTUnwrap(value["sha256"]?.string))
      }
    }
    return places
  }

  /// Every pack that the catalog names is there, whole; every place holds the bytes that it is said
  /// to hold; and at least half of all bytes are some file's.
  func assertPacksAreTrue(file: StaticString = #filePath, line: UInt = #line) throws {
    let (named, places) = (try named(), try places())
    var bodies: [UInt32: Data] = [:]
    for (id, pack) in named {
      let body = try Data(contentsOf: packs.appending(path: "\(pack.digest)"))
      XCTAssertEqual(Int64(body.count), pack.size, file: file, line: line)
      XCTAssertEqual(SHA256Digest(of: body), pack.digest, file: file, line: line)
      bodies[id] = body
    }
    var live: [UInt32: [Int64: Int64]] = [:]
    for (key, place) in places {
      let body = try XCTUnwrap(bodies[place.pack], key, file: file, line: line)
      let bytes = body.dropFirst(Int(place.offset)).prefix(Int(place.size))
      XCTAssertEqual("\(SHA256Digest(of: bytes))", place.digest, key, file: file, line: line)
      live[place.pack, default: [:]][place.offset] = place.size
    }
    for (id, pack) in named {
      let bytes = live[id, default: [:]].values.reduce(0, +)
      XCTAssertGreaterThanOrEqual(bytes * 2, pack.size, "pack \(id)", file: file, line: line)
    }
  }

  /// The names in the directory of packs, but for the one that marks it.
  func filesOfPacks() throws -> Set<String> {
    guard FileManager.default.fileExists(atPath: packs.path) else { return [] }
    return Set(try FileManager.default.contentsOfDirectory(atPath: packs.path))
      .subtracting([PublishedNames.mark])
  }
}
