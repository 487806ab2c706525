import DocumentSync
import SyncText
import TestSupport
import XCTest

final class DocumentEqualityTests: XCTestCase {
  /// Both are compared part by part where that tells, and by an index where it doesn't.
  func testValuesAreEqualWhereTheirCanonicalTextsAre() throws {
    var random = SeededGenerator(seed: 7)
    var equal = 0
    for _ in 0..<2_000 {
      let one = random.document()
      let other = random.oneIn(3) ? random.document() : reordered(random.edit(one), &random)
      let isSame = one.json.canonicalBytes == other.json.canonicalBytes
      XCTAssertEqual(one == other, isSame, "\(one) and \(other)")
      XCTAssertEqual(other == one, isSame, "\(other) and \(one)")
      equal += isSame ? 1 : 0
    }
    XCTAssertGreaterThan(equal, 100)
  }

  private func reordered(_ value: DocumentValue, _ random: inout SeededGenerator) -> DocumentValue {
    guard var members = value.members else { return value }
    if random.oneIn(2) { members.shuffle(using: &random) }
    return members.reduce([:]) { $0.with($1.name, reordered($1.value, &random)) }
  }
}
