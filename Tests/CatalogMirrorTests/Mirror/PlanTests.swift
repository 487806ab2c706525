import Foundation
import TestSupport
import XCTest

@testable import CatalogMirror

/// A plan says what a run does, and does nothing.
final class PlanTests: RunTestCase {
  private let things = [Thing("a", "alpha"), Thing("b/c", "gamma"), Thing("d", "delta")]

  func testAPlanMakesNotEvenTheFolder() async throws {
    try serve(things)
    let plan = try await mirror().plan()
    XCTAssertEqual(plan.fetches.map(\.key), ["a", "b/c", "d"])
    XCTAssertEqual(plan.fetches.map(\.reason), [.new, .new, .new])
    XCTAssertEqual(plan.fetches.map(\.bytes), [5, 5, 5])
    XCTAssertFalse(isThere(folder))
    try makeFolder(at: folder)
    _ = try await mirror().plan()
    XCTAssertEqual(try listing(of: folder), [:])
  }

  func testAPlanChangesNothingAndNeitherDoStatusAndVerify() async throws {
    try await syncWell(to: things)
    try place("edited", at: "a")
    try remove("d")
    try serve([Thing("a", "new"), Thing("e", "new"), things[2]])
    let before = (try listing(of: folder), try files(below: folder))
    site.forgetLog()
    let plan = try await mirror().plan()
    _ = try await mirror().status()
    _ = try await mirror().verify()
    let after = (try listing(of: folder), try files(below: folder))
    XCTAssertEqual(before.0, after.0)
    XCTAssertEqual(before.1, after.1)
    XCTAssertEqual(site.asked, ["/pub/catalog.ndjson"])
    XCTAssertEqual(
      Dictionary(plan.fetches.map { ($0.key, $0.reason) }) { $1 },
      ["a": .damaged, "d": .deleted, "e": .new])
    XCTAssertEqual(plan.displacements, [.init(key: "a", reason: .edited)])
    XCTAssertEqual(plan.removals, ["b/c"])
  }

  func testAPlanTellsOfRefusedRemovalAndOfPartialListings() async throws {
    let many = (0..<30).map { Thing("\($0)", "text") }
    try await syncWell(to: many)
    try serve([many[0]])
    let refused = try await mirror().plan()
    XCTAssertEqual(refused.refusedRemoval?.count, 29)
    XCTAssertEqual(refused.refusedRemoval?.of, 30)
    XCTAssertEqual(Set(refused.removals), Set(many.dropFirst().map(\.key)), "they are named")
    XCTAssertNil(refused.refusal)
    try serve([])
    let empty = try await mirror().plan()
    XCTAssertEqual(empty.refusedRemoval?.count, 30)
    XCTAssertEqual(empty.removals.count, 30)
    let failures = try await sync().failures
    XCTAssertEqual(failures, [try XCTUnwrap(empty.refusal)], "the same words")
    try serve([many[0]], isComplete: false)
    let partial = try await mirror().plan()
    XCTAssertEqual(partial.removals, [])
    XCTAssertNotEqual(partial.partial, [])
    try serve(many)
    let same = try await mirror().plan()
    XCTAssert(same.wasUnchanged)
    XCTAssertEqual(same.fetches, [])
  }

  func testAPlanOfAFailingCatalogFails() async throws {
    do {
      _ = try await mirror().plan()
      XCTFail("no error")
    } catch MirrorError.catalog(let error) {
      XCTAssert("\(error)".contains(Self.catalogURL), "\(error)")
    }
  }

  func testAPlanSaysWhatTheRunThenDoes() async throws {
    for seed in UInt64(100)...104 {
      try? FileManager.default.removeItem(atPath: folder)
      var world = RandomWorld(seed: seed)
      for step in 1...10 {
        world.change()
        for key in RandomWorld.keys where world.random.oneIn(8) {
          if world.random.oneIn(2) { try? remove(key) } else { try? place("x", at: key) }
        }
        let isComplete = !world.random.oneIn(5)
        try world.publish(by: self, isComplete: isComplete)
        let (previews, limit) = (world.random.oneIn(2), world.random.oneIn(4))
        let mirror = mirror { options in
          options.previews = previews ? .also : .none
          options.maximumRemoval = limit ? .count(0) : .all
        }
        let plan = try await mirror.plan()
        try await compare(plan, with: mirror, "seed \(seed), step \(step)")
      }
    }
  }

  private func compare(
    _ plan: MirrorPlan, with mirror: FolderMirror, _ place: String
  ) async throws {
    let done = try await Deeds(of: mirror)
    if let refused = plan.refusedRemoval {
      XCTAssertEqual(
        done.report.outcome, .removalRefused(count: refused.count, of: refused.of), place)
      return
    }
    let planned =
      (plan.fetches + plan.copies.map(\.item) + plan.asks).map(\.key) + plan.adoptions
    XCTAssertEqual(Set(planned), done.fetched.union(done.adopted), place)
    let copies = plan.copies.compactMap { copy in copy.content.map { (copy.item.key, $0) } }
    XCTAssertEqual(Dictionary(copies) { $1 }, done.copied, place)
    XCTAssertEqual(Set(plan.unusable.compactMap(\.key)), done.failed, place)
    // Of a file whose item has no digest only the bytes tell.
    let perhaps = plan.displacements.filter { $0.reason == .unlessEqual }.map(\.key)
    XCTAssertEqual(
      Set(plan.adoptions).subtracting(perhaps), done.adopted.subtracting(perhaps), place)
    XCTAssertEqual(
      Set(plan.displacements.map(\.key)).subtracting(perhaps),
      done.displaced.subtracting(perhaps), place)
    XCTAssertEqual(Set(plan.removals), done.removed, place)
    XCTAssertEqual(plan.wasUnchanged, done.report.wasUnchanged, place)
    XCTAssertEqual(plan.partial, done.report.partial, place)
  }
}
