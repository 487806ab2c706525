import SyncText
import Foundation
import SyncFolder
import XCTest

final class NameFoldingTests: XCTestCase {
  /// Foundation's tables are others than the standard library's; only what both know is compared.
  func testEachScalarIsDecomposedAsFoundationDoes() {
    let folding = NameFolding(unicodeNormalizing: true)
    var compared = 0
    for scalar in (0...0x10FFFF).lazy.compactMap(Unicode.Scalar.init) {
      guard let age = scalar.properties.age, age.major < 15 else { continue }
      let text = String(scalar)
      let expected = Array(text.decomposedStringWithCanonicalMapping.utf8)
      guard folding.fold(Array(text.utf8)) != expected else {
        compared += 1
        continue
      }
      XCTFail("U+\(String(scalar.value, radix: 16)) is decomposed otherwise")
    }
    XCTAssertGreaterThan(compared, 140_000)
  }

  func testMarksStandInOneOrder() {
    let folding = NameFolding(unicodeNormalizing: true)
    let (one, other) = ("\u{1FB3}\u{301}", "\u{3B1}\u{301}\u{345}")
    XCTAssertEqual(folding.fold(Array(one.utf8)), folding.fold(Array(other.utf8)))
    XCTAssertEqual(folding.fold(Array(other.utf8)), Array(other.utf8))
    XCTAssertNotEqual(NameFolding.none.fold(Array(one.utf8)), Array(other.utf8))
  }
}
