import Foundation
import TestSupport
import XCTest

/// F12: a sync of records killed at random moments, on its way from either state to the other.
final class F12RecordsKillTests: RecordsFaultTestCase {
  override var world: World { .large }

  func testF12_aSyncThatIsKilledAtAnyMomentLeavesOneStateOrTheOther() throws {
    let (seed, count) = (Extent.seed(), Extent.count(quick: 5, full: 1_000))
    for journal in World.Journal.allCases {
      var random = SeededGenerator(seed: seed ^ 0x16)
      try startAnew(journal)
      var now = World.State.old
      let length = try length(of: now.other)
      now = now.other
      var (kept, moved, done) = (0, 0, 0)
      for round in 1...count {
        let isLate = random.oneIn(2)
        let share = Double.random(in: 0..<1.1, using: &random)
        let run = try start(to: now.other)
        if isLate { waitUntilItWrites(run) }
        RunMoment.pause(length * (isLate ? share * share : share))
        run.send(SIGKILL)
        let end = try run.end(within: .seconds(10))
        let claim = "seed \(seed), round \(round), with \(journal), killed at \(share)"
        let found = try XCTUnwrap(try state(claim), claim)
        if end == .killed(by: SIGKILL) {
          if found == now { kept += 1 } else { moved += 1 }
        } else {
          XCTAssertEqual(end, .exited(0), "\(run.said); \(claim)")
          XCTAssertEqual(found, now.other, claim)
          done += 1
        }
        now = found
      }
      try assertConverges("seed \(seed), at the end, with \(journal)")
      if Extent.asked == .full {
        XCTAssertGreaterThan(kept + moved, count / 4, "hardly a run was caught")
      }
      try Extent.record(
        "F12", "SIGKILL at a random moment of a sync of records, with \(journal)",
        count: kept + moved,
        "\(kept) times the old state, \(moved) times the new one, whole; \(done) runs were done")
    }
  }

  /// Waits until the file is there that a transaction needs that writes.
  private func waitUntilItWrites(_ run: ChildProcess) {
    let files = FileManager.default
    while !run.hasEnded {
      let size = try? files.attributesOfItem(atPath: database.path + "-wal")[.size] as? NSNumber
      if files.fileExists(atPath: database.path + "-journal") || size?.intValue ?? 0 > 0 { return }
      RunMoment.pause(.microseconds(200))
    }
  }
}
