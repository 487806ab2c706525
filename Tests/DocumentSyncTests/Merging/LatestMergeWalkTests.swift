@testable import DocumentSync
import TestSupport
import XCTest

/// States of replicas made at random, with few times so that many are the same; a failure names the
/// seed.
final class LatestMergeWalkTests: XCTestCase {
  private func replica(_ random: inout SeededGenerator) -> TimedDocument {
    var (value, times): (DocumentValue, DocumentValue) = ([:], [:])
    for name in ["a", "b", "c"] {
      if random.oneIn(2) { value = value.with(name, random.value(depth: 1)) }
      if random.oneIn(2) { times = times.with(name, .init(Int.random(in: 0..<4, using: &random))) }
    }
    if !random.oneIn(4) { value = value.with("_times", times) }
    return TimedDocument(
      value: value, time: random.oneIn(4) ? nil : .random(in: 0..<4, using: &random))
  }

  private func unite(_ one: TimedDocument, _ other: TimedDocument) -> TimedDocument {
    // What comes of it has a time for each member, so that its own doesn't count.
    TimedDocument(value: LatestMerge(here: one, there: other).value, time: 99)
  }

  func testTheOrderInWhichReplicasMeetDoesNotMatter() {
    for seed in 0..<UInt64(120) {
      var random = SeededGenerator(seed: seed)
      let (a, b, c) = (replica(&random), replica(&random), replica(&random))
      XCTAssertEqual(unite(a, b), unite(b, a), "seed \(seed)")
      XCTAssertEqual(unite(unite(a, b), c), unite(a, unite(b, c)), "seed \(seed)")
      XCTAssertEqual(unite(unite(a, c), b), unite(unite(a, b), c), "seed \(seed)")
    }
  }

  func testMeetingAgainChangesNothing() {
    for seed in 0..<UInt64(120) {
      var random = SeededGenerator(seed: seed)
      let (a, b) = (replica(&random), replica(&random))
      let united = unite(a, b)
      for one in [a, b, united] {
        XCTAssertEqual(unite(united, one), united, "seed \(seed)")
        XCTAssertEqual(unite(one, united), united, "seed \(seed)")
      }
      XCTAssertEqual(unite(a, a).value.withoutTimes, a.value.withoutTimes, "seed \(seed)")
      XCTAssertEqual(LatestMerge(here: united, there: united).overruled, [], "seed \(seed)")
    }
  }

  func testWhatIsNotInTheMergeWasOverruled() {
    for seed in 0..<UInt64(120) {
      var random = SeededGenerator(seed: seed)
      let (a, b) = (replica(&random), replica(&random))
      let merge = LatestMerge(here: a, there: b)
      for (side, value) in [(MergeSide.here, a.value), (.there, b.value)] {
        for member in value.withoutTimes.members ?? []
        where merge.value[member.name] != member.value {
          let lost = LatestMerge.Overruled(name: member.name, side: side, value: member.value)
          XCTAssertTrue(merge.overruled.contains(lost), "seed \(seed): \(member.name) of \(side)")
        }
      }
    }
  }
}
