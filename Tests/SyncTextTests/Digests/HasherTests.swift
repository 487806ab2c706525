import SyncText
import XCTest

final class HasherTests: XCTestCase {
  /// Also where an `Int` has 32 bits: of the same 32 twice, two of some ten thousand keys would be
  /// taken for one now and then.
  func testADigestHas64BitsWhateverAHashHas() {
    for bits in [32, 64] {
      let digests = (0..<1_000).map { number in
        var hasher = Hasher()
        hasher.combine(number)
        XCTAssertEqual(hasher.digest(bits: bits), hasher.digest(bits: bits))
        return hasher.digest(bits: bits)
      }
      let (high, low) = (
        digests.map { UInt32($0 >> 32) }, digests.map { UInt32(truncatingIfNeeded: $0) }
      )
      // Of so few, two have the same 32 bits once in some thousand runs.
      XCTAssertGreaterThan(Set(high).count, 990, "\(bits)")
      XCTAssertGreaterThan(Set(low).count, 990, "\(bits)")
      XCTAssertLessThan(zip(high, low).count { $0 == $1 }, 10, "\(bits)")
    }
  }
}
