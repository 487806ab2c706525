import Foundation
import TestSupport
import XCTest

/// F30: the power is cut while packs are published.
final class F30PackPowerTests: PackPublisherTestCase {
  func testF30_afterAPowerCutTheCatalogThatStandsHasAllItsPacks() throws {
    for kind in [TestDisk.Kind.ext4, .xfs] {
      let calls = try publishAfterACut(kind, nil)
      let rounds = Extent.count(quick: 2, full: 60)
      var generator = SeededGenerator(seed: Extent.seed())
      for round in 0..<rounds {
        let fault = FaultyDisk.Fault(
          act: generator.oneIn(2) ? .cutPower : .cutPowerMeanwhile,
          kinds: FaultyDisk.Kind.changing,
          // The last ones place the packs and the catalog.
          number: round == 0 ? calls : Int.random(in: 1...calls, using: &generator))
        _ = try publishAfterACut(kind, fault)
      }
      try Extent.record(
        "F30", "power cut on \(kind) while packs are published", count: rounds,
        "the old catalog or the new one, with all its packs")
    }
  }

  /// Publishes the second state into a cut; without one, how many calls that takes.
  private func publishAfterACut(_ kind: TestDisk.Kind, _ fault: FaultyDisk.Fault?) throws -> Int {
    let image = try TestDisk(
      kind, in: base.appending(path: "image"), bytes: kind == .xfs ? 300 << 20 : 64 << 20,
      at: source)
    defer { try? image.end() }
    try write(1)
    assertEnd(try mirror(arguments), 0)
    try write(2)
    // The files are their owner's business.
    flushEverything()
    let outcome = try mirror(arguments, environment: disk.environment(fault, in: source))
    let calls = try disk.calls(in: source).count
    guard let fault else { return calls }
    if outcome.end != .killed(by: SIGKILL) { try? image.cutPower() }
    try image.restart()
    let claim = "\(kind), \(fault), seed \(Extent.seed())"
    try assertPacksAreTrue(claim)
    assertEnd(try mirror(arguments), 0)
    try assertPacksAreTrue("published after \(claim)")
    XCTAssertEqual(try unnamed(), [], claim)
    return calls
  }
}

/// Has all file systems write what they hold.
private func flushEverything() { sync() }
