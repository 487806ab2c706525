import XCTest

@testable import DocumentSync

/// A seeded walk: one document, edited here, at a server that is modelled beside it, over a network
/// that loses requests and answers, with a store that is closed at any moment.
final class EntryRandomWalkTests: XCTestCase {
  func testAloneAtAServerNothingIsLostSentTwiceOrInConflictWithItself() {
    for seed in 1...3_000 { walk(seed: UInt64(seed), hasOthers: false) }
  }

  func testAmongOthersWhatTheServerHasIsMetBeforeItIsOverwritten() {
    for seed in 1...3_000 { walk(seed: UInt64(seed), hasOthers: true) }
  }

  private func walk(seed: UInt64, hasOthers: Bool) {
    var walk = EntryWalk(seed: seed, hasOthers: hasOthers)
    for _ in 0..<80 { walk.step() }
    walk.comeToRest()
    XCTAssertEqual(walk.violations, [], "seed \(seed)")
  }
}
