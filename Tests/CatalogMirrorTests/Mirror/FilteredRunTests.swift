import Foundation
import SyncLock
import TestSupport
import XCTest

@testable import CatalogMirror

/// Runs that mirror a part of a catalog: what lies outside is none of their business.
final class FilteredRunTests: RunTestCase {
  private let things = [
    Thing("a.txt", "alpha"), Thing("b.iso", "beta"), Thing("d/c.txt", "gamma"),
    Thing("d/e.iso", "delta"),
  ]

  func testWhatIsExcludedIsNotFetched() async throws {
    try serve(things)
    let scope = try scope("- *.iso")
    let report = try await syncWell { $0.scope = scope }
    XCTAssertEqual(try tree(), ["a.txt": "alpha", "d/c.txt": "gamma"])
    XCTAssertEqual(report.listed, 2)
    XCTAssertEqual(report.leftOut, 2)
    XCTAssertFalse(report.hasNewScope, "there was no scope before")
    XCTAssertFalse(site.asked.contains { $0.hasSuffix(".iso") })
  }

  func testWhatANewFilterExcludesStaysAndIsToldOnce() async throws {
    try await syncWell(to: things, etag: "\"1\"")
    let scope = try scope("- *.iso")
    let report = try await syncWell(to: Array(things.prefix(1)), etag: "\"2\"") { $0.scope = scope }
    XCTAssertEqual(try tree(), ["a.txt": "alpha", "b.iso": "beta", "d/e.iso": "delta"])
    XCTAssertEqual(report.removed, 1)
    XCTAssert(report.hasNewScope)
    XCTAssertEqual(report.outside, 2)
    let again = try await syncWell { $0.scope = scope }
    XCTAssertFalse(again.hasNewScope)
    XCTAssert(again.wasUnchanged)
    try await assertTrue(syncWell().hasNewScope)
    XCTAssertEqual(try tree(), ["a.txt": "alpha"], "now the catalog counts for them as well")
  }

  func testWhatIsExcludedGoesToQuarantineIfThatIsAskedFor() async throws {
    try await syncWell(to: things)
    let scope = try scope("- *.iso")
    let report = try await syncWell { options in
      (options.scope, options.removesExcluded) = (scope, true)
    }
    XCTAssertEqual(try tree(), ["a.txt": "alpha", "d/c.txt": "gamma"])
    XCTAssertEqual(try movedAway(to: "quarantine"), ["b.iso": "beta", "d/e.iso": "delta"])
    XCTAssertEqual(report.removed, 2)
    XCTAssertEqual(report.outside, 0)
    try await assertIndexIsTrue()
  }

  func testRemovingWhatIsExcludedIsHeldToTheLimit() async throws {
    try await syncWell(to: things + [Thing("f.iso", "f"), Thing("g.iso", "g")])
    let scope = try scope("- *.iso")
    let report = try await sync(ending: .removalRefused(count: 4, of: 6)) { options in
      (options.scope, options.removesExcluded) = (scope, true)
    }
    XCTAssertEqual(report.leaving, 4)
    XCTAssertEqual(try tree().count, 6)
  }

  func testTheRemovalLimitCountsOnlyWhatIsInside() async throws {
    let inside = (0..<8).map { Thing("in/\($0)", "text") }
    let outside = (0..<40).map { Thing("out/\($0)", "text") }
    try await syncWell(to: inside + outside)
    try serve(Array(inside.prefix(4)) + outside)
    let scope = try scope("- out/")
    try await sync(ending: .removalRefused(count: 4, of: 8)) { $0.scope = scope }
  }

  func testAListingWithNothingInsideRemovesNothing() async throws {
    try await syncWell(to: things)
    try serve(Array(things.suffix(1)))
    let scope = try scope("- *.iso")
    let report = try await sync(ending: .removalRefused(count: 2, of: 2)) { $0.scope = scope }
    let told = report.failures.first?.sentence ?? ""
    XCTAssert(told.contains("Check the filters"), told)
    XCTAssertEqual(try tree().count, 4)
  }

  func testOtherFiltersAskAnew() async throws {
    try serve(things, etag: "\"1\"")
    let first = try scope("- *.iso")
    try await syncWell { $0.scope = first }
    for lines in ["- *.txt", "- none"] {
      let scope = try scope(lines)
      try await assertFalse(syncWell { $0.scope = scope }.wasUnchanged, lines)
    }
    XCTAssertEqual(try tree().count, 4)
  }

  func testAnItemThatGrowsPastTheLimitStaysAsItWas() async throws {
    try await syncWell(to: things) { $0.scope.maximumSize = 5 }
    let report = try await syncWell(to: [Thing("a.txt", "alphabet"), things[1], things[2]]) {
      $0.scope.maximumSize = 5
    }
    XCTAssertEqual(try tree(), ["a.txt": "alpha", "b.iso": "beta", "d/c.txt": "gamma"])
    XCTAssertEqual(report.leftOut, 1)
    XCTAssertEqual(report.outside, 1)
    try await syncWell(to: [Thing("a.txt", "al"), things[1], things[2]]) {
      $0.scope.maximumSize = 5
    }
    XCTAssertEqual(try tree()["a.txt"], "al")
  }

  func testWhatGrowsTooOldStaysOrGoesAsAskedFor() async throws {
    let old = Thing("old", "old") { $0.modified = "2025-01-30T00:00:00Z" }
    let new = Thing("new", "new") { $0.modified = "2025-01-31T00:00:00Z" }
    try serve([old, new, things[0]], etag: "\"1\"")
    let age = Duration.seconds(3 * 86_400)
    try await syncWell { $0.scope.maximumAge = age }
    XCTAssertEqual(try tree().count, 3)
    now.withLock { $0 += 2.5 * 86_400 }
    try await syncWell { $0.scope.maximumAge = age }
    XCTAssertEqual(try tree().count, 3)
    try await syncWell { ($0.scope.maximumAge, $0.removesExcluded) = (age, true) }
    XCTAssertEqual(try tree().keys.sorted(), ["a.txt", "new"])
    now.withLock { $0 += 86_400 }
    try await syncWell { ($0.scope.maximumAge, $0.removesExcluded) = (age, true) }
    XCTAssertEqual(try tree().keys.sorted(), ["a.txt"], "though the catalog is unchanged")
  }

  func testDamageOutsideIsNeitherRepairedNorFound() async throws {
    try await syncWell(to: things, etag: "\"1\"")
    let scope = try scope("- *.iso")
    try await syncWell { $0.scope = scope }
    try place("BETA", at: "b.iso")
    try remove("a.txt")
    for _ in 0..<2 {
      try await syncWell { $0.scope = scope }
      XCTAssertEqual(try tree()["b.iso"], "BETA")
      XCTAssertEqual(try tree()["a.txt"], "alpha")
    }
    let found = try await mirror { $0.scope = scope }.verify()
    XCTAssertEqual(found.problems, [])
    XCTAssertEqual(found.files, 2)
    try await assertEqual(mirror().verify().problems.map(\.key), ["b.iso"])
  }

  func testARebuiltIndexLeavesWhatIsOutsideAlone() async throws {
    try await syncWell(to: things)
    for suffix in ["", "-wal", "-shm"] { try? remove(".mirror/index.sqlite\(suffix)") }
    let scope = try scope("- *.iso")
    try await assertEqual(syncWell { ($0.scope, $0.removesExcluded) = (scope, true) }.adopted, 2)
    XCTAssertEqual(try tree().count, 4)
  }

  func testAnEntryThatCantBeUsedMayBeLeftOut() async throws {
    try serve(things + [Thing("a.txt/x", "collides"), Thing("../up", "leads out")])
    let scope = try scope("- /a.txt/x", "- up")
    try await syncWell { $0.scope = scope }
    XCTAssertEqual(try tree().count, 4)
  }

  func testAPlanSaysWhatIsLeftOutAndWhy() async throws {
    try await syncWell(to: things)
    var filters = try scope("- d/", "+ *.txt", "- *.iso")
    filters.minimumSize = 9
    let plan = try await mirror { [filters] in $0.scope = filters }.plan()
    XCTAssertEqual(
      plan.leftOut.map { "\($0.key) \($0.reason)" },
      [
        "a.txt too small", "b.iso excluded by '*.iso'", "d/c.txt excluded by 'd/'",
        "d/e.iso excluded by 'd/'",
      ])
    XCTAssertEqual(plan.leftOutCounts.map(\.items), [1, 1, 2])
    XCTAssertEqual(plan.outside, 4)
    XCTAssert(plan.hasNewScope)
    XCTAssertEqual(plan.removals, [])
  }

  func testADirectoryThatIsLeftOutIsNotAskedFor() async throws {
    try serveTree([
      "keep/x": .init(text: "x"), "skip/y": .init(text: "y"), "skip/deep/z": .init(text: "z"),
      "top": .init(text: "top"),
    ])
    let scope = try scope("- skip/")
    for _ in 0..<2 {
      try await syncWell { options in
        tree(&options)
        options.scope = scope
      }
      XCTAssertEqual(site.asked.filter { $0.hasSuffix("/") }.sorted(), ["/pub/", "/pub/keep/"])
      XCTAssertEqual(try tree(), ["keep/x": "x", "top": "top"])
    }
    let plan = try await mirror { options in
      tree(&options)
      options.scope = scope
    }.plan()
    XCTAssertEqual(plan.leftOut.map(\.key), ["skip/"])
    XCTAssertEqual(plan.fetches, [])
  }

  /// Whatever the filters: a run touches nothing outside of them, and all is well inside.
  func testRandomFiltersTouchNothingOutside() async throws {
    for seed in UInt64(1)...3 {
      try? FileManager.default.removeItem(atPath: folder)
      var world = RandomWorld(seed: seed)
      for step in 1...10 {
        now.withLock { $0 += 60 }
        world.change()
        try world.publish(by: self)
        let filters = try Self.filters(&world.random)
        let before = try tree()
        _ = try await sync { options in
          options.scope = filters
          options.maximumRemoval = .all
        }
        let (after, place) = (try tree(), "seed \(seed), step \(step)")
        let boundary = ScopeBoundary(filters, at: 0)
        let isOutside = { boundary.reason(toLeaveOut: CatalogKey($0)) != nil }
        XCTAssertEqual(
          before.filter { isOutside($0.key) }, after.filter { isOutside($0.key) }, place)
      }
      try await sync { $0.maximumRemoval = .all }
      XCTAssertEqual(
        try tree(), Dictionary(world.list.map { ($0.key, $0.text) }) { $1 }, "seed \(seed)")
    }
  }

  private static func filters(_ random: inout SeededGenerator) throws -> Scope {
    let patterns = RandomWorld.keys + ["c/", "*", "?", "c/**", "[a-c]"]
    var scope = Scope()
    for _ in 0..<Int.random(in: 0...3, using: &random) {
      let pattern = try KeyPattern(patterns.randomElement(using: &random) ?? "*")
      scope.rules.append(random.oneIn(2) ? .include(pattern) : .exclude(pattern))
    }
    return scope
  }
}
