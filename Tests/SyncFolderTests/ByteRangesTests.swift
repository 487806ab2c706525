import Foundation
import TestSupport
import XCTest

@testable import SyncFolder

final class ByteRangesTests: XCTestCase {
  /// Each byte on its own.
  private struct Model {
    var bytes = [Bool](repeating: false, count: 60)

    var ranges: [Range<Int64>] {
      var result: [Range<Int64>] = []
      for place in bytes.indices where bytes[place] {
        if let last = result.last, last.upperBound == place {
          result[result.count - 1] = last.lowerBound..<Int64(place + 1)
        } else {
          result.append(Int64(place)..<Int64(place + 1))
        }
      }
      return result
    }
  }

  func testAtRandomTheyAreTheBytesThatWerePutIn() throws {
    var random = SeededGenerator(seed: 41)
    for _ in 0..<300 {
      var (model, ranges) = (Model(), ByteRanges())
      for _ in 0..<Int.random(in: 0...12, using: &random) {
        let start = Int64.random(in: 0..<60, using: &random)
        let range = start..<Int64.random(in: start...min(60, start + 9), using: &random)
        for place in range { model.bytes[Int(place)] = true }
        ranges.insert(range)
      }
      XCTAssertEqual(ranges.ranges, model.ranges)
      XCTAssertEqual(ranges.count, Int64(model.bytes.count { $0 }))
      XCTAssertEqual(ranges.end, Int64(model.bytes.lastIndex(of: true).map { $0 + 1 } ?? 0))
      XCTAssertEqual(ranges.prefix, Int64(model.bytes.firstIndex(of: false) ?? 60))
      let size = Int64.random(in: 1...60, using: &random)
      let missing = model.bytes[..<Int(size)].firstIndex(of: false)
      let next = missing.map { model.bytes[$0..<Int(size)].firstIndex(of: true) ?? Int(size) }
      XCTAssertEqual(
        ranges.gap(below: size), missing.map { Int64($0)..<Int64(next ?? Int(size)) })
      let bounds = (size / 3)..<size
      for place in model.bytes.indices where !bounds.contains(Int64(place)) {
        model.bytes[place] = false
      }
      XCTAssertEqual(ranges.clamped(to: bounds).ranges, model.ranges)
      let data = try JSONEncoder().encode(ranges)
      XCTAssertEqual(try JSONDecoder().decode(ByteRanges.self, from: data), ranges)
    }
  }

  func testWhatIsNoListOfRangesIsRefused() throws {
    for text in ["[1]", "[-1,2]", "[0,0]", "[3,2]", "[0,4,4,8]", "[0,4,2,8]", "[0,4,8]", "{}"] {
      XCTAssertThrowsError(
        try JSONDecoder().decode(ByteRanges.self, from: Data(text.utf8)), text)
    }
    let text = Data("[0,4,8,9]".utf8)
    XCTAssertEqual(try JSONDecoder().decode(ByteRanges.self, from: text).ranges, [0..<4, 8..<9])
  }
}
