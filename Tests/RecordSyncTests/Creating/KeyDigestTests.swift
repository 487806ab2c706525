import SyncText
import XCTest

@testable import RecordSync

/// The digests by which keys of objects are told apart.
final class KeyDigestTests: XCTestCase {
  func testKeysThatNameOneRowHaveOneDigestAndOthersHaveOthers() throws {
    let keys = [
      ["7", "7.0", "70e-1", #""7""#, #""\u0037""#], ["8"], ["-7"], ["0", "-0"], [#""""#], [#"" ""#],
      [#""a""#, #""\u0061""#], [#""aa""#], [#""ab""#], [#""é""#, #""\u00e9""#],
      ["1.5", "15e-1", #""1.5""#], [#""of-more-than-eight-bytes-1""#],
      [#""of-more-than-eight-bytes-2""#],
    ]
    let digests = try keys.map { try Set($0.map(digest)) }
    for (spellings, digests) in zip(keys, digests) {
      XCTAssertEqual(digests.count, 1, "\(spellings)")
    }
    XCTAssertEqual(Set(digests.joined()).count, keys.count)
  }

  private func digest(_ key: String) throws -> UInt64 {
    var tape = JSONTape(nesting: 8)
    tape.begin(Array("[\(key)]".utf8))
    let root = try tape.append(at: 0).root
    return tape.digest(ofKey: tape.inside(root))
  }
}
