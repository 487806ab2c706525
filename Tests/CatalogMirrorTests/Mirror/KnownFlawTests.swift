import SynchronizerTesting
import TestSupport
import XCTest

@testable import CatalogMirror

/// A link that leads nowhere, or a file without rights, anywhere in a source once kept what comes
/// last back for ever, in every run alike.
final class KnownFlawTests: RunTestCase {
  private static let pool = ["a", "broken"]

  private static func repository(_ round: Int, _ pool: [String]) -> [String: ServedFile] {
    var files = ["dists/Index": ServedFile(text: "\(round)")]
    files["dists/Index"]?.modified = "Sat, 01 Jan 2022 00:00:\(10 + round) GMT"
    for name in pool { files["pool/\(name)"] = ServedFile(text: name) }
    return files
  }

  private func serve(
    _ round: Int, _ pool: [String] = pool, refusing status: Int? = 404
  ) throws {
    try serveTree(Self.repository(round, pool))
    if let status { try site.answer(Self.root + "pool/broken", .status(status)) }
  }

  private func last(_ options: inout MirrorOptions) {
    tree(&options)
    options.last = (try? [KeyPattern("/dists/")]) ?? []
    options.maximumRemoval = .all
    options.retries = 0
  }

  func testWhatWasRefusedInTwoRunsIsNoReasonAgainstTheIndex() async throws {
    try serve(1)
    let first = try await sync(ending: .someFailed) { last(&$0) }
    XCTAssertEqual(first.failures.map(\.key), ["pool/broken", "dists/Index"])
    XCTAssertNil(try tree()["dists/Index"], "the flaw is new")
    try serve(2)
    let second = try await syncWell { last(&$0) }
    XCTAssertEqual(second.flaws.map(\.key), ["pool/broken"])
    XCTAssertEqual(second.failed, 0)
    XCTAssertEqual(try tree()["dists/Index"], "2")
    try serve(3, ["broken"])
    try await assertEqual(syncWell { last(&$0) }.removed, 1)
    XCTAssertEqual(try tree()["dists/Index"], "3")
    // It is asked for in every run, and taken as soon as it is there.
    try serve(3, ["broken"], refusing: nil)
    let mended = try await syncWell { last(&$0) }
    XCTAssertEqual(mended.flaws, [])
    XCTAssertEqual(try tree()["pool/broken"], "broken")
  }

  func testAPlanEndsAsTheRunAfterIt() async throws {
    func plan() async throws -> MirrorPlan { try await mirror { last(&$0) }.plan() }
    // A name that no file can have is seen at once, what the source refuses only by asking.
    let (bad, worse) = (String(repeating: "x", count: 256), String(repeating: "y", count: 256))
    func serve(_ round: Int, _ unusable: [String], refusing status: Int? = 404) throws {
      try self.serve(round, Self.pool + unusable, refusing: status)
    }
    try serve(1, [bad])
    try await assertEqual(plan().outcome, .someFailed)
    try await sync(ending: .someFailed) { last(&$0) }
    for round in 2...3 {
      try serve(round, [bad])
      let plan = try await plan()
      XCTAssertEqual(plan.outcome, .done)
      XCTAssertEqual(plan.flaws.map(\.key), ["pool/" + bad])
      XCTAssertEqual(plan.unusableCount, 0)
      try await assertEqual(syncWell { last(&$0) }.flaws.count, 2)
    }
    for (round, unusable) in [(4, [bad, worse]), (5, [bad])] {
      try serve(round, unusable)
      let plan = try await plan()
      XCTAssertEqual(plan.outcome, .someFailed, "another set is news")
      XCTAssertEqual(plan.unusableCount, unusable.count)
      XCTAssertEqual(plan.flaws, [])
      try await sync(ending: .someFailed) { last(&$0) }
    }
    try serve(6, [], refusing: nil)
    let mended = try await plan()
    XCTAssertEqual([mended.flaws.count, mended.unusableCount], [0, 0])
  }

  func testWhatWasHeldCountsInEveryRun() async throws {
    try serve(1, refusing: nil)
    try await syncWell { last(&$0) }
    var files = Self.repository(2, Self.pool)
    files["pool/broken"] = ServedFile(text: "another state")
    files["pool/broken"]?.modified = "Sat, 01 Jan 2022 00:01:00 GMT"
    for _ in 0..<3 {
      try serveTree(files)
      try site.answer(Self.root + "pool/broken", .status(404))
      let report = try await sync(ending: .someFailed) { last(&$0) }
      XCTAssertEqual(report.flaws, [])
      XCTAssertEqual(try tree()["dists/Index"], "1")
    }
  }

  func testAPassingFailureCountsInEveryRun() async throws {
    for round in 1...3 {
      try serve(round, refusing: 503)
      try await sync(ending: .someFailed) { last(&$0) }
      XCTAssertNil(try tree()["dists/Index"])
    }
  }

  func testAFlawThatIsNewHoldsBackBesideOneThatIsKnown() async throws {
    for round in 1...2 {
      try serve(round)
      _ = try await sync { last(&$0) }
    }
    try serve(3, Self.pool + ["new"])
    try site.answer(Self.root + "pool/new", .status(403))
    let report = try await sync(ending: .someFailed) { last(&$0) }
    XCTAssertEqual(
      Set(report.failures.map(\.key)), ["pool/broken", "pool/new", "dists/Index"])
    XCTAssertEqual(try tree()["dists/Index"], "2")
    try serve(4, Self.pool + ["new"])
    try site.answer(Self.root + "pool/new", .status(403))
    try await assertEqual(syncWell { last(&$0) }.flaws.count, 2)
    XCTAssertEqual(try tree()["dists/Index"], "4")
    // One fewer is another set: told once more, and no reason against the index.
    try serve(5)
    try await sync(ending: .someFailed) { last(&$0) }
    XCTAssertEqual(try tree()["dists/Index"], "5")
  }

  func testOnlyANamedStatusIsPassedOver() async throws {
    for round in 1...3 {
      try serve(round, refusing: 451)
      try await sync(ending: .someFailed) { last(&$0) }
      XCTAssertNil(try tree()["dists/Index"])
    }
    for round in 4...5 {
      try serve(round, refusing: 451)
      _ = try await sync { options in
        last(&options)
        options.skippedStatuses = [451]
      }
    }
    XCTAssertEqual(try tree()["dists/Index"], "5")
  }
}
