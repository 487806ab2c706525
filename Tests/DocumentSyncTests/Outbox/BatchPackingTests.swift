import TestSupport
import XCTest

@testable import DocumentSync

/// What goes into one request.
final class BatchPackingTests: XCTestCase {
  private typealias Candidate = BatchPacking.Candidate

  /// A batch that holds three entries or a hundred bytes, in each of its states.
  private enum Start: CaseIterable { case empty, begun, heavy, suspected, full, closed }

  private func packing(_ start: Start) -> BatchPacking {
    var packing = BatchPacking(limits: BatchLimits(entries: 3, bytes: 100))
    switch start {
    case .empty: break
    case .begun: offer(&packing, candidate("a"))
    case .heavy: offer(&packing, candidate("a", bytes: 95))
    case .suspected: offer(&packing, candidate("a", batchShare: .atMost(2)))
    case .full: for id in ["a", "b", "c"] { offer(&packing, candidate(id)) }
    case .closed:
      offer(&packing, candidate("a"))
      offer(&packing, candidate("b", bytes: 1_000))
    }
    return packing
  }

  func testAnEntryIsOffered() {
    expect(candidate("x")) {
      switch $0 {
      case .empty, .begun, .suspected: .packed
      case .heavy, .full, .closed: .closed
      }
    }
  }

  func testAnEntryIsOfferedThatIsInTheBatchAlready() {
    expect(candidate("a")) {
      switch $0 {
      case .empty: .packed
      case .begun, .heavy, .suspected: .passedOver
      case .full, .closed: .closed
      }
    }
  }

  func testAnEntryIsOfferedThatWaitsForAnother() {
    for other in ["a", "elsewhere"] {
      expect(candidate("x", awaits: [other])) {
        switch $0 {
        case .empty, .begun, .heavy, .suspected: .passedOver
        case .full, .closed: .closed
        }
      }
    }
  }

  func testAnEntryIsOfferedThatAServerBrokeOver() {
    expect(candidate("x", batchShare: .atMost(2))) {
      switch $0 {
      case .empty, .begun, .suspected: .packed
      case .heavy, .full, .closed: .closed
      }
    }
    expect(candidate("x", batchShare: .last)) {
      switch $0 {
      case .empty: .packed
      case .begun, .heavy, .suspected, .full, .closed: .closed
      }
    }
  }

  func testAnEntryIsOfferedThatIsLargerThanABatch() {
    for bytes in [101, .max] {
      expect(candidate("x", bytes: bytes)) {
        switch $0 {
        case .empty: .packed
        case .begun, .heavy, .suspected, .full, .closed: .closed
        }
      }
    }
  }

  func testNothingOvertakesAnEntryBecauseItIsSmaller() {
    var packing = packing(.begun)
    XCTAssertEqual(packing.offer(candidate("large", bytes: 99)), .closed)
    XCTAssertEqual(packing.offer(candidate("small", bytes: 1)), .closed)
    XCTAssertEqual(packing.ids, [DocumentID("a")])
  }

  func testWhatIsOfferedAloneFillsItsBatch() {
    var packing = packing(.empty)
    XCTAssertEqual(packing.offer(candidate("x", batchShare: .last)), .packed)
    XCTAssertTrue(packing.isClosed)
  }

  func testWithoutBatchesEachEntryIsOne() {
    for entries in [1, 0, -1] {
      var packing = BatchPacking(limits: BatchLimits(entries: entries, bytes: 0))
      XCTAssertEqual(packing.offer(candidate("a")), .packed)
      XCTAssertEqual(packing.offer(candidate("b")), .closed)
    }
  }

  func testOfAnySequenceEachBatchHoldsWhatItMayAndTheNextBeginsWhereItEnded() {
    for seed in 1...1_000 {
      var random = SeededGenerator(seed: UInt64(seed))
      let limits = BatchLimits(
        entries: Int.random(in: 1...6, using: &random),
        bytes: Int.random(in: 0...60, using: &random))
      let candidates = (0..<20).map { number in
        candidate(
          "\(number)", bytes: Int.random(in: 0...30, using: &random),
          awaits: random.oneIn(5) ? ["\(Int.random(in: 0..<20, using: &random))"] : [],
          batchShare: [.any, .any, .atMost(Int.random(in: 1...4, using: &random)), .last]
            .randomElement(using: &random) ?? .any)
      }
      check(candidates, limits, "seed \(seed)")
    }
  }

  private func check(_ candidates: [Candidate], _ limits: BatchLimits, _ message: String) {
    var left = candidates[...]
    var sent: [DocumentID] = []
    while !left.isEmpty {
      var packing = BatchPacking(limits: limits)
      var members: [Candidate] = []
      while let next = left.first {
        let answer = packing.offer(next)
        if answer == .closed { break }
        XCTAssertEqual(answer == .passedOver, !next.awaits.isEmpty, message)
        if answer == .packed { members.append(next) }
        left.removeFirst()
      }
      XCTAssertEqual(packing.ids, members.map(\.id), message)
      XCTAssertLessThanOrEqual(members.count, limits.entries, message)
      let bytes = members.map(\.bytes).reduce(0, +)
      XCTAssertEqual(packing.bytes, bytes, message)
      XCTAssertTrue(bytes <= limits.bytes || members.count == 1, message)
      XCTAssertTrue(members.allSatisfy { members.count <= $0.batchShare.capacity }, message)
      XCTAssertTrue(!members.isEmpty || left.isEmpty, "\(message): it goes on")
      sent += packing.ids
    }
    XCTAssertEqual(sent, candidates.filter(\.awaits.isEmpty).map(\.id), message)
  }

  private func candidate(
    _ id: String, bytes: Int = 10, awaits: Set<String> = [], batchShare: BatchShare = .any
  ) -> Candidate {
    Candidate(
      id: DocumentID(id), bytes: bytes, awaits: Set(awaits.map(DocumentID.init)),
      batchShare: batchShare)
  }

  private func offer(_ packing: inout BatchPacking, _ candidate: Candidate) {
    _ = packing.offer(candidate)
  }

  /// What is packed is in the batch, and nothing else changes what is in it.
  private func expect(
    _ candidate: Candidate, line: UInt = #line, _ row: (Start) -> BatchPacking.Answer
  ) {
    for start in Start.allCases {
      var packing = packing(start)
      let before = packing.ids
      let answer = packing.offer(candidate)
      XCTAssertEqual(answer, row(start), "\(start)", line: line)
      let added = answer == .packed ? [candidate.id] : []
      XCTAssertEqual(packing.ids, before + added, "\(start)", line: line)
    }
  }
}
