@testable import SyncEngine
@testable import OneWaySynchronizer
import TestSupport
import XCTest

/// What is found is the same whichever way is taken: small keys are looked up in the list, others
/// in the set.
final class ListComparisonTests: XCTestCase {
  private struct Numbered: SyncItem {
    let id: Int
  }

  private struct Named: SyncItem {
    let id: String
  }

  func testNumbersAndNamesAreComparedAlike() throws {
    for seed in 1...200 {
      var random = SeededGenerator(seed: UInt64(seed))
      let range = 0..<Int.random(in: 1...300, using: &random)
      let listed = range.filter { _ in Bool.random(using: &random) }.shuffled(using: &random)
      let local = Set(range.filter { _ in Bool.random(using: &random) })
      let removed = Set(range.filter { _ in Bool.random(using: &random) }).subtracting(listed)
      let numbers = listed.map { Numbered(id: $0) }
      let names = listed.map { Named(id: "\($0)") }
      let (localNames, removedNames) = (Set(local.map { "\($0)" }), Set(removed.map { "\($0)" }))
      let lists: [(SourceList<Numbered>, SourceList<Named>, removals: Set<Int>)] = [
        (.complete(numbers), .complete(names), local.subtracting(listed)),
        (.partial(numbers), .partial(names), []),
        (
          .changes(updated: numbers, removed: removed),
          .changes(updated: names, removed: removedNames), local.intersection(removed)
        ),
      ]
      for (some, others, removals) in lists {
        let number = ListComparison(try CheckedList(some), local: local)
        let name = ListComparison(try CheckedList(others), local: localNames)
        XCTAssertEqual(number.removals, removals, "seed \(seed)")
        XCTAssertEqual(name.removals, Set(removals.map { "\($0)" }), "seed \(seed)")
        let existing = listed.filter(local.contains)
        XCTAssertEqual(number.existing.map(\.id), existing, "seed \(seed)")
        XCTAssertEqual(name.existing.map(\.id), existing.map { "\($0)" }, "seed \(seed)")
        let new = listed.filter { !local.contains($0) }
        XCTAssertEqual(try number.downloads(updating: []).map(\.id), new, "seed \(seed)")
        XCTAssertEqual(
          try name.downloads(updating: []).map(\.id), new.map { "\($0)" }, "seed \(seed)")
      }
    }
  }
}
