import DocumentSync
import TestSupport
import XCTest

/// Documents edited at random on both sides; a failure names the seed.
final class ThreeWayMergeWalkTests: XCTestCase {
  func testEachChangeIsInTheMergeOrClashes() {
    for seed in 0..<UInt64(400) {
      var random = SeededGenerator(seed: seed)
      let base = random.oneIn(5) ? nil : random.document()
      let (here, there) = (random.edits(base ?? [:]), random.edits(base ?? [:]))
      let winner: MergeSide = random.oneIn(2) ? .here : .there
      let merge = ThreeWayMerge(base: base, here: here, there: there) { _ in winner }
      let loser = winner.other == .here ? here : there
      let losses = merge.clashes.map { ($0.path, $0.value(winner.other)) }
      for (side, value) in [(MergeSide.here, here), (.there, there)] {
        for path in value.changes(since: base) where merge.value[path] != value[path] {
          let isClash = merge.clashes.contains { $0.path.contains(path) }
          XCTAssertTrue(isClash && side != winner, "seed \(seed): \(path) of \(side) vanished")
        }
      }
      for (path, value) in losses { XCTAssertEqual(loser[path], value, "seed \(seed)") }
    }
  }

  func testWithoutAChangeThereWhatWasMadeHereStays() {
    for seed in 0..<UInt64(200) {
      var random = SeededGenerator(seed: seed)
      let base = random.document()
      let edited = random.edits(base)
      for (here, there) in [(edited, base), (base, edited), (edited, edited)] {
        let merge = ThreeWayMerge(base: base, here: here, there: there) { _ in .there }
        XCTAssertEqual(merge.value, edited, "seed \(seed)")
        XCTAssertEqual(merge.clashes, [], "seed \(seed)")
      }
    }
  }

  /// What was merged is an edit on the server's copy: merged with it again, nothing more happens.
  func testAMergeIsStable() {
    for seed in 0..<UInt64(200) {
      var random = SeededGenerator(seed: seed)
      let base = random.document()
      let (here, there) = (random.edits(base), random.edits(base))
      let merged = ThreeWayMerge(base: base, here: here, there: there) { _ in .here }.value
      let again = ThreeWayMerge(base: there, here: merged, there: there) { _ in .there }
      XCTAssertEqual(again.value, merged, "seed \(seed)")
      XCTAssertEqual(again.clashes, [], "seed \(seed)")
    }
  }

  func testBothSidesComeToTheSameButForClashes() {
    for seed in 0..<UInt64(200) {
      var random = SeededGenerator(seed: seed)
      let base = random.document()
      let (one, other) = (random.edits(base), random.edits(base))
      let merge = ThreeWayMerge(base: base, here: one, there: other) { _ in .here }
      let mirrored = ThreeWayMerge(base: base, here: other, there: one) { _ in .there }
      XCTAssertEqual(merge.value, mirrored.value, "seed \(seed)")
      XCTAssertEqual(Set(merge.clashes.map(\.path)), Set(mirrored.clashes.map(\.path)), "\(seed)")
    }
  }
}
