import Foundation
import TestSupport
import XCTest

@testable import CatalogMirror
@testable import SyncText

/// A folder of small files that is published with packs, twice.
class PackPublisherTestCase: FaultTestCase {
  private var faultyDisk: FaultyDisk?

  var disk: FaultyDisk { get throws { try XCTUnwrap(faultyDisk) } }
  var catalog: URL { source.appending(path: Self.catalogName) }
  var packs: URL { source.appending(path: "\(Self.catalogName).packs") }
  var arguments: [String] { ["publish", source.path, "--packs", "--keep-packs", "0s"] }

  override func setUpWithError() throws {
    try super.setUpWithError()
    faultyDisk = try FaultyDisk(in: base.appending(path: "records"))
  }

  /// Writes the files of one of two states, of which most files are another one's.
  func write(_ state: Int) throws {
    var texts: [String: String] = [:]
    for number in 0..<80 { texts["f\(number)"] = "file \(number) \(number < 70 ? state : 0)" }
    try publish(texts)
  }

  /// The catalog that stands there names packs that are there, whole, and of each file the bytes
  /// that it has in its pack.
  func assertPacksAreTrue(
    _ claim: String, file: StaticString = #filePath, line: UInt = #line
  ) throws {
    let lines = try readText(catalog).split(separator: "\n").map { Array($0.utf8) }
    let header = try JSONValue(lines[0], in: lines[0].indices, nesting: 32)
    var bodies: [Int64: Data] = [:]
    header["packs"]?.forEachElement { row in
      guard let row = row.elements, let id = row[0].integer, let name = row[2].string else {
        return
      }
      bodies[id] = try? Data(contentsOf: packs.appending(path: name))
      XCTAssertEqual(bodies[id].map(digest), name, claim, file: file, line: line)
    }
    XCTAssertFalse(bodies.isEmpty, claim, file: file, line: line)
    for bytes in lines.dropFirst() {
      let entry = try JSONValue(bytes, in: bytes.indices, nesting: 32)
      guard let row = entry["pack"]?.elements, let pack = row[0].integer,
        let offset = row[1].integer, let size = entry["size"]?.integer
      else { continue }
      let body = bodies[pack]?.dropFirst(Int(offset)).prefix(Int(size))
      XCTAssertEqual(
        body.map { digest(Data($0)) }, entry["sha256"]?.string, claim, file: file, line: line)
    }
  }

  /// The names in the directory of packs that are no pack of the catalog's, nor its mark.
  func unnamed() throws -> [String] {
    let text = try readText(catalog)
    return try FileManager.default.contentsOfDirectory(atPath: packs.path)
      .filter { $0 != PublishedNames.mark && !text.contains($0) }
  }
}
