import TestSupport
import XCTest

@testable import DocumentSync

/// Which collections are sent from side by side.
final class SendLanesTests: XCTestCase {
  func testTheLaneWithTheOldestEntryGoesFirst() {
    let lanes = SendLanes()
    let heads: [String: Int64] = ["notes": 7, "tags": 3, "files": 12]
    XCTAssertEqual(lanes.free(heads: heads, isProbing: false), ["tags", "notes", "files"])
    XCTAssertEqual(lanes.free(heads: [:], isProbing: false), [])
  }

  func testALaneIsNotSentFromWhileARequestWithItsEntriesIsUnderWay() {
    var lanes = SendLanes()
    lanes.began(1, from: ["notes", "tags"])
    let heads: [String: Int64] = ["notes": 7, "tags": 3, "files": 12]
    XCTAssertEqual(lanes.free(heads: heads, isProbing: false), ["files"])
    lanes.ended(1)
    XCTAssertEqual(lanes.free(heads: heads, isProbing: false), ["tags", "notes", "files"])
  }

  func testNoMoreRequestsAreUnderWayThanTheLimit() {
    var lanes = SendLanes(limit: 2)
    lanes.began(1, from: ["a"])
    XCTAssertEqual(lanes.free(heads: ["c": 1], isProbing: false), ["c"])
    lanes.began(2, from: ["b"])
    XCTAssertEqual(lanes.free(heads: ["c": 1], isProbing: false), [])
    lanes.ended(1)
    XCTAssertEqual(lanes.free(heads: ["c": 1], isProbing: false), ["c"])
    XCTAssertEqual(SendLanes(limit: 0).free(heads: ["c": 1], isProbing: false), ["c"])
  }

  func testAServerThatWasInTroubleIsAskedOnceAtATime() {
    var lanes = SendLanes(limit: 4)
    XCTAssertEqual(lanes.free(heads: ["a": 1], isProbing: true), ["a"])
    lanes.began(1, from: ["a"])
    XCTAssertEqual(lanes.free(heads: ["b": 2], isProbing: true), [])
    XCTAssertEqual(lanes.free(heads: ["b": 2], isProbing: false), ["b"])
  }

  func testWhateverEndsFirstNoLaneIsEverInTwoRequests() {
    for seed in 1...500 {
      var random = SeededGenerator(seed: UInt64(seed))
      var lanes = SendLanes(limit: Int.random(in: 1...4, using: &random))
      var open: [Int: Set<String>] = [:]
      for request in 0..<40 {
        var heads: [String: Int64] = [:]
        for name in ["a", "b", "c", "d", "e"] where random.oneIn(2) {
          heads[name] = Int64.random(in: 0..<5, using: &random)
        }
        let free = lanes.free(heads: heads, isProbing: random.oneIn(5))
        let taken = Set(free.prefix(Int.random(in: 1...2, using: &random)))
        if !taken.isEmpty {
          XCTAssertTrue(open.values.allSatisfy { $0.isDisjoint(with: taken) }, "seed \(seed)")
          open[request] = taken
          lanes.began(request, from: taken)
        }
        XCTAssertLessThanOrEqual(open.count, lanes.limit, "seed \(seed)")
        if random.oneIn(2), let ended = open.keys.sorted().randomElement(using: &random) {
          open[ended] = nil
          lanes.ended(ended)
        }
        XCTAssertEqual(lanes.underWay, open, "seed \(seed)")
      }
    }
  }
}
