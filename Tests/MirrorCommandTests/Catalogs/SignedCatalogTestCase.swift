import Foundation
import TestSupport
import XCTest

/// A source whose catalog is signed, and a copy that is made of it with the key.
class SignedCatalogTestCase: MirrorTestCase {
  func makeKeys(_ name: String = "good") throws -> SigningKeys {
    try SigningKeys(name, in: base)
  }

  /// Publishes, signed by the keys or by nobody.
  func publish(_ keys: SigningKeys?, _ more: String...) throws {
    let key = keys.map { ["--sign-key", $0.privateFile.path] } ?? ["--unsigned"]
    assertEnd(try mirror(["publish", source.path] + key + more), 0)
    try age(catalogIn: source)
  }

  func verified(_ keys: SigningKeys...) -> [String] {
    keys.flatMap { ["--verify-key", $0.publicFile.path] }
  }

  var catalog: URL { source.appending(path: "catalog.ndjson") }

  func assertRefused(
    _ address: String, _ options: [String], _ words: String..., line: UInt = #line
  ) throws {
    let before = isThere(copy) ? try files(in: copy) : nil
    for command in [["sync"], ["plan"]] {
      let refused = try mirror(command + [address, copy.path] + options)
      assertEnd(refused, 1, line: line)
      for part in words { XCTAssertTrue(refused.said.contains(part), refused.said, line: line) }
    }
    XCTAssertEqual(isThere(copy) ? try files(in: copy) : nil, before, line: line)
  }

  /// Signs the catalog's lines as they are under another header, as another publisher would.
  func sign(_ header: String, with keys: SigningKeys) throws {
    let lines = try readText(catalog).drop { $0 != "\n" }.dropFirst()
    try keys.sign(String(lines), after: #"{"catalog":1"# + header, to: catalog)
    try age(catalogIn: source)
  }

  /// Takes the index away, and leaves the marker.
  func loseIndex() {
    for suffix in ["", "-wal"] {
      try? FileManager.default.removeItem(
        at: copy.appending(path: ".mirror/index.sqlite" + suffix))
    }
  }
}
