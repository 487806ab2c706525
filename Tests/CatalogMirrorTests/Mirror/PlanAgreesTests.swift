import Foundation
import XCTest

@testable import CatalogMirror

/// Whatever the situation is: what a plan says, the run that follows does.
final class PlanAgreesTests: RunTestCase {
  private typealias Change = (inout MirrorOptions) -> Void

  /// A mirror of two items is there; then something happens.
  private struct Situation {
    var name: String
    var fetched: Set<String> = []
    var asked: Set<String> = []
    var adopted: Set<String> = []
    var displaced: Set<String> = []
    var removed: Set<String> = []
    var failed = 0
    var outcome = MirrorReport.Outcome.done
    var options: Change = { _ in }
    var happens: (PlanAgreesTests) throws -> Void
  }

  private static let old = [Thing("a", "alpha"), Thing("b/c", "gamma")]
  private static let undated = [Thing("a", "alpha", bare), Thing("b/c", "gamma", bare)]

  private static func bare(_ thing: inout Thing) {
    (thing.hasDigest, thing.hasSize) = (false, false)
  }

  private var situations: [Situation] {
    let old = Self.old
    return [
      Situation(name: "nothing") { _ in },
      Situation(name: "new and changed", fetched: ["a", "n"]) {
        try $0.serve([Thing("a", "other"), old[1], Thing("n", "new")])
      },
      Situation(name: "edited here", fetched: ["a"], displaced: ["a"]) {
        try $0.place("mine", at: "a")
      },
      Situation(name: "deleted here", fetched: ["b/c"]) { try $0.remove("b") },
      Situation(name: "edited here to what is published now", adopted: ["a"]) {
        try $0.place("other", at: "a")
        try $0.serve([Thing("a", "other"), old[1]])
      },
      Situation(name: "removed there", removed: ["b/c"]) { try $0.serve([old[0]]) },
      Situation(name: "removed there and edited here", displaced: ["b/c"], removed: ["b/c"]) {
        try $0.place("mine", at: "b/c")
        try $0.serve([old[0]])
      },
      Situation(name: "a file in the way", fetched: ["n"], displaced: ["n"]) {
        try $0.place("mine", at: "n")
        try $0.serve(old + [Thing("n", "new")])
      },
      Situation(name: "a file in the way that is equal", adopted: ["n"]) {
        try $0.place("new", at: "n")
        try $0.serve(old + [Thing("n", "new")])
      },
      Situation(name: "a directory in the way", fetched: ["n"], displaced: ["n/x", "n/y/z"]) {
        try $0.place("mine", at: "n/x")
        try $0.place("mine", at: "n/y/z")
        try $0.serve(old + [Thing("n", "new")])
      },
      Situation(
        name: "a file that stays where a directory has to be", failed: 1, outcome: .someFailed,
        options: { $0.maximumRemoval = .never }
      ) { try $0.serve([Thing("a/x", "new"), old[1]]) },
      Situation(
        name: "a file that stays where a directory further up has to be", failed: 1,
        outcome: .someFailed, options: { $0.maximumRemoval = .never }
      ) { try $0.serve([Thing("a/x/y/z", "new"), old[1]]) },
      Situation(
        name: "a directory with files that stay where a file has to be", failed: 1,
        outcome: .someFailed, options: { $0.maximumRemoval = .never }
      ) { try $0.serve([old[0], Thing("b", "new")]) },
      Situation(
        name: "a file that is gone here where a directory has to be", fetched: ["a/x"],
        options: { $0.maximumRemoval = .never }
      ) {
        try $0.remove("a")
        try $0.serve([Thing("a/x", "new"), old[1]])
      },
      Situation(
        name: "a file that was edited here where a directory has to be", fetched: ["a/x"],
        displaced: ["a"], options: { $0.maximumRemoval = .never }
      ) {
        try $0.place("mine", at: "a")
        try $0.serve([Thing("a/x", "new"), old[1]])
      },
      Situation(
        name: "a file in the way where a directory further up has to be",
        fetched: ["n/x/y", "n/z"], displaced: ["n"]
      ) {
        try $0.place("mine", at: "n")
        try $0.serve(old + [Thing("n/x/y", "new"), Thing("n/z", "new")])
      },
      Situation(
        name: "a file that goes where a directory has to be", fetched: ["a/x"], removed: ["a"]
      ) { try $0.serve([Thing("a/x", "new"), old[1]]) },
      Situation(
        name: "a directory that goes where a file has to be", fetched: ["b"], removed: ["b/c"]
      ) { try $0.serve([old[0], Thing("b", "new")]) },
      Situation(
        name: "too much removed", removed: ["a", "b/c"],
        outcome: .removalRefused(count: 2, of: 2)
      ) { try $0.serve([Thing("n", "new")]) },
      Situation(
        name: "an empty listing", removed: ["a", "b/c"], outcome: .removalRefused(count: 2, of: 2)
      ) { try $0.serve([]) },
      Situation(name: "an entry that can't be used", failed: 1, outcome: .someFailed) {
        try $0.serve(old + [Thing("../up", "x")])
      },
      Situation(name: "previews too", fetched: ["a"], options: { $0.previews = .also }) {
        try $0.serve([
          Thing("a", "alpha") { $0.preview = .init(url: "p/1", text: "p", mediaType: "image/png") },
          old[1],
        ])
      },
      Situation(name: "nothing may be removed", options: { $0.maximumRemoval = .never }) {
        try $0.serve([old[0]])
      },
    ]
  }

  func testARunDoesWhatItsPlanSaysInEverySituation() async throws {
    for situation in situations {
      try? FileManager.default.removeItem(atPath: folder)
      try await syncWell(to: Self.old)
      try situation.happens(self)
      let plan = try await mirror(situation.options).plan()
      try await assertThat(plan, foretells: situation)
    }
  }

  func testWhatIsOnlyAskedAboutIsCountedApartAndItsBytesAtMost() async throws {
    try serve(Self.undated)
    for thing in Self.undated {
      try site.answer(Self.root + thing.key, .text(thing.text, ("ETag", "\"1\"")))
    }
    try await syncWell()
    try site.answer(Self.root + "b/c", .text("other", ("ETag", "\"2\"")))
    let plan = try await mirror().plan()
    XCTAssertEqual(plan.fetches, [])
    XCTAssertEqual(plan.asks.map(\.key), ["a", "b/c"])
    XCTAssertEqual(Set(plan.asks.map(\.reason)), [.unversioned])
    XCTAssertEqual(plan.bytes, 0)
    let done = try await Deeds(of: mirror())
    XCTAssertEqual(done.confirmed, ["a"])
    XCTAssertEqual(done.reasons, ["b/c": "changed"])
    XCTAssertEqual(done.report.confirmed, 1)
    XCTAssertEqual(done.report.updated, 1)
  }

  func testAPlanEndsAsTheRunAlsoWhereADirectoryCannotBeRead() async throws {
    let page = #"[{"name":"d","type":"directory","mtime":"Fri, 31 Jan 2025 10:00:00 GMT"}]"#
    try site.answer(Self.root, .text(page, ("Content-Type", "application/json")))
    try site.answer(Self.root + "d/", .status(403))
    let mirror = mirror { $0.catalog = Self.root }
    let news = try await mirror.plan()
    XCTAssertTrue(news.hasNewUnreadable)
    XCTAssertEqual(news.outcome, .someFailed)
    let run = try await mirror.sync().outcome
    XCTAssertEqual(run, .someFailed)
    let known = try await mirror.plan()
    XCTAssertEqual(known.unreadable.count, 1)
    XCTAssertEqual(known.outcome, .done)
    let again = try await mirror.sync().outcome
    XCTAssertEqual(again, .done)
  }

  private func assertThat(_ plan: MirrorPlan, foretells situation: Situation) async throws {
    let name = situation.name
    XCTAssertEqual(Set(plan.fetches.map(\.key)), plannedFetches(situation), name)
    XCTAssertEqual(Set(plan.asks.map(\.key)), situation.asked, name)
    XCTAssertEqual(Set(plan.adoptions), situation.adopted, name)
    XCTAssertEqual(Set(plan.displacements.map(\.key)), situation.displaced, name)
    XCTAssertEqual(Set(plan.removals), situation.removed, name)
    XCTAssertEqual(plan.unusableCount, situation.failed, name)
    XCTAssertEqual(plan.outcome, situation.outcome, name)
    let done = try await Deeds(of: mirror(situation.options))
    XCTAssertEqual(done.report.outcome, situation.outcome, name)
    guard plan.refusedRemoval == nil else { return }
    XCTAssertEqual(done.fetched, situation.fetched, name)
    XCTAssertEqual(done.adopted, situation.adopted, name)
    XCTAssertEqual(done.displaced, situation.displaced, name)
    XCTAssertEqual(done.removed, situation.removed, name)
    XCTAssertEqual(done.report.failed, situation.failed, name)
    XCTAssertEqual(done.report.failures, plan.unusable, name)
    XCTAssertEqual(done.report.kept, plan.kept, name)
    // The catalog gives no sizes of previews.
    if done.report.previews == 0 { XCTAssertEqual(done.report.bytes, plan.bytes, name) }
  }

  /// A plan says of a refusal what would be done without it.
  private func plannedFetches(_ situation: Situation) -> Set<String> {
    situation.name == "too much removed" ? ["n"] : situation.fetched
  }
}
