import SyncLock
import XCTest

@testable import CatalogMirror

/// F19: a run that adds, replaces, displaces and removes is cancelled at every step that it has,
/// one after the other: it ends, loses nothing, and the next run makes everything right.
final class F19CancelledMirrorTests: XCTestCase {
  /// How long the run is, and how it ended.
  private struct Finding: Sendable {
    var steps = 0
    var outcome: MirrorReport.Outcome?
  }

  private static let seeds = [SimulationExtent.asked.first]

  func testF19_aRunThatIsCancelledAtAnyStepEndsAndKeepsWhatIsFinished() {
    for seed in Self.seeds {
      let whole = story(seed, .itsOwn)
      XCTAssertEqual(whole.outcome, .done, "seed \(seed)")
      XCTAssertGreaterThan(whole.steps, 100, "seed \(seed)")
      var cancelled = 0
      var tried = 0
      for step in SimulationExtent.places(from: 0) {
        guard step < whole.steps else { break }
        tried += 1
        let found = story(seed, .cancelled(.step(step)))
        XCTAssert(
          found.outcome == .cancelled || found.outcome == .done,
          "seed \(seed), cancelled after step \(step): \(String(describing: found.outcome))")
        if found.outcome == .cancelled { cancelled += 1 }
      }
      XCTAssertGreaterThan(cancelled, tried / 2, "seed \(seed)")
    }
  }

  /// A good run, changes on both sides, the run in question, and a run that makes all right.
  @discardableResult
  private func story(_ seed: UInt64, _ ending: RunPlan.Ending) -> Finding {
    let world = World(seed: seed)
    let story = MirrorStory(world)
    let finding = Locked(Finding())
    world.executor.run {
      story.changeCatalog()
      await story.run(.clean)
      story.changeCatalog()
      story.workInTheFolder()
      var plan = RunPlan.clean
      plan.ending = ending
      let steps = world.executor.steps
      let report = await story.run(plan)
      finding.withLock {
        $0 = Finding(steps: world.executor.steps - steps, outcome: report?.outcome)
      }
      await story.converge()
    }
    XCTAssertEqual(world.executor.problems, [], "seed \(seed), \(ending)")
    return finding.withLock { $0 }
  }
}
