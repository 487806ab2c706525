import Foundation
import TestSupport
import XCTest

@testable import CatalogMirror
@testable import SyncFolder
@testable import SyncText

/// F13: the power is cut at any moment of a run, on real file systems; counted is only what was
/// reported as recorded before the cut.
final class F13PowerCutTests: DiskTestCase {
  private var image: TestDisk?
  private var kind = TestDisk.Kind.ext4
  private var durability = Durability.batch

  override var world: ReferenceWorld { .many }
  override var options: [String] { ["--durability", durability.rawValue] }

  /// A fresh file system at the copy's place, as a new disk is.
  override func startAnew() throws {
    try image?.end()
    try makeFolder(at: copy)
    image = try TestDisk(
      kind, in: base.appending(path: "image"), bytes: kind == .xfs ? 300 << 20 : 64 << 20,
      at: copy)
  }

  override func tearDownWithError() throws {
    try image?.end()
    try super.tearDownWithError()
  }

  func testF13_whatWasRecordedOutlastsAPowerCut() async throws {
    for (durability, quick, full) in [(Durability.batch, 1, 200), (.file, 1, 100)] {
      self.durability = durability
      let last = [
        ReferenceWorld.State.first: try referenceCalls(to: .first).count,
        .second: try referenceCalls(to: .second).count,
      ]
      for kind in [TestDisk.Kind.ext4, .xfs] {
        self.kind = kind
        try await cutPower(Extent.count(quick: quick, full: full), before: last)
      }
    }
  }

  private func cutPower(
    _ rounds: Int, before last: [ReferenceWorld.State: Int]
  ) async throws {
    var reported = 0
    for cut in cuts(rounds, before: last) {
      let claim = "\(kind), \(durability), \(cut), seed \(Extent.seed())"
      let told = try run(into: cut)
      reported += told.fetched.count
      try await assertIsThere(told, of: cut.state, claim)
      try await assertAllIsWell(afterTheWayTo: cut.state, claim)
    }
    XCTAssertGreaterThanOrEqual(reported, rounds, "hardly anything; seed \(Extent.seed())")
    try Extent.record(
      "F13", "power cut on \(kind), durability \(durability)", count: rounds,
      "what was reported as recorded is there and right; converges")
  }

  /// Without flushes, a power cut may cost what was recorded. What is promised is that `verify`
  /// finds every file that isn't right any more, and mends it.
  func testF13_withoutFlushesVerifyFindsAndMendsWhatAPowerCutCost() async throws {
    durability = .none
    for kind in [TestDisk.Kind.ext4, .xfs] {
      self.kind = kind
      let rounds = Extent.count(quick: 1, full: 50)
      for _ in 0..<rounds { try await cutPowerAfterARunWithoutFlushes() }
      try Extent.record(
        "F13", "power cut on \(kind) after a run with durability none", count: rounds,
        "verify names every file that isn't right, and mends it")
    }
  }

  private func cutPowerAfterARunWithoutFlushes() async throws {
    try prepare(for: .first)
    assertEnd(try sync(with: nil), 0)
    try image?.cutPower()
    try image?.restart()
    let wrong = try await Self.rows(in: copy).filter { $0.state == .present }
      .map(\.key.description)
      .filter { key in
        (try? Data(contentsOf: copy.appending(path: key))) != world.items[.first]?[key]
      }
    let found = try mirror(["verify", copy.path, "--json"])
    let named = try Told(found.printed).problems
    XCTAssertEqual(
      Set(wrong).subtracting(named).sorted().prefix(3), [], "not found to be wrong\n\(found.said)")
    assertEnd(try mirror(["sync", try catalog, copy.path] + options), 0)
    assertEnd(try mirror(["verify", copy.path, "--repair"]), 0)
    try assertCopyIsTrue(except: ["catalog.ndjson"])
    try await assertAllIsWell(afterTheWayTo: .first, "\(kind), without flushes")
  }

  func testF13_aFileSystemThatIsGoneMidwayEndsTheRunWithOneError() async throws {
    let last = try referenceCalls(to: .second).count
    var generator = SeededGenerator(seed: Extent.seed())
    let rounds = Extent.count(quick: 1, full: 100)
    for _ in 0..<rounds {
      kind = generator.oneIn(2) ? .ext4 : .xfs
      try prepare(for: .second)
      let fault = Fault(
        act: .loseFileSystem, kinds: FaultyDisk.Kind.changing,
        number: Int.random(in: 1...last, using: &generator))
      let outcome = try sync(with: fault, ["--quiet"])
      let claim = "\(kind), \(fault), seed \(Extent.seed())\n\(outcome)"
      try image?.restart()
      // Gone when everything was recorded, it is no loss to anybody.
      let all = Set(world.items[.second]?.keys.map { "/" + $0 } ?? [])
      let isDone = outcome.end == .exited(0) ? try await recorded(of: .second) : []
      if !isDone.isSuperset(of: all) {
        XCTAssertEqual(outcome.end, .exited(1), claim)
        XCTAssertEqual(outcome.said.split(separator: "\n").count, 1, claim)
      }
      try await assertAllIsWell(afterTheWayTo: .second, claim)
    }
    try Extent.record(
      "F13", "the file system gone midway", count: rounds,
      "one error and status 1, or all was recorded; whole, true, converges once it is back")
  }

  /// A cut at a call of the way to a state.
  private struct Cut: CustomStringConvertible {
    var state: ReferenceWorld.State
    var fault: Fault

    var description: String { "\(fault) on the way to \(state)" }
  }

  private func cuts(_ count: Int, before last: [ReferenceWorld.State: Int]) -> [Cut] {
    var generator = SeededGenerator(seed: Extent.seed() &+ (kind == .xfs ? 1 : 0))
    return (0..<count).map { round in
      let state = generator.oneIn(2) ? ReferenceWorld.State.first : .second
      let calls = last[state] ?? 1
      // Most of what is recorded is recorded late, and everything before the last call.
      let first = round == 0 ? calls : generator.oneIn(3) ? 1 : calls * 19 / 20
      return Cut(
        state: state,
        fault: Fault(
          act: generator.oneIn(2) ? .cutPower : .cutPowerMeanwhile,
          kinds: FaultyDisk.Kind.changing, number: Int.random(in: first...calls, using: &generator))
      )
    }
  }

  /// What a run told before the cut. The machine has started again afterwards.
  private func run(into cut: Cut) throws -> Told {
    try prepare(for: cut.state)
    let outcome = try sync(with: cut.fault, ["--json"])
    // One that came to its end before had everything recorded; the cut may be as late as that.
    if outcome.end != .killed(by: SIGKILL) { try? image?.cutPower() }
    try image?.restart()
    return try Told(outcome.printed)
  }

  private func assertIsThere(
    _ told: Told, of state: ReferenceWorld.State, _ claim: String
  ) async throws {
    let items = world.items[state] ?? [:]
    let rows = try await Self.rows(in: copy)
    let present = Set(rows.filter { $0.state == .present }.map(\.key.description))
    for key in told.fetched {
      let bytes = try? Data(contentsOf: copy.appending(path: key))
      XCTAssert(bytes == items[key], "\(key) was recorded and isn't right; \(claim)")
      XCTAssert(present.contains(key), "\(key) isn't in the index; \(claim)")
    }
    for key in told.removed {
      XCTAssertFalse(
        isThere(copy.appending(path: key)),
        "\(key) was removed and came back; \(claim)")
    }
  }
}

/// What the lines of `--json` tell of items.
private struct Told {
  var fetched: Set<String> = []
  var removed: Set<String> = []
  var problems: Set<String> = []

  init(_ printed: String) throws {
    // The last line may be cut, too.
    for line in printed.split(separator: "\n") where line.hasSuffix("}") {
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      guard let key = object?["key"] as? String else { continue }
      switch object?["event"] as? String {
      case "fetched", "adopted": fetched.insert(key)
      case "removed": removed.insert(key)
      case "problem": problems.insert(key)
      default: break
      }
    }
  }
}
