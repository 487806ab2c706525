import TestSupport
import XCTest

@testable import Console

/// Which job runs when, event by event. An interval is 10 s, without spread.
final class WatchPlanTests: XCTestCase {
  private typealias Plan = WatchPlan<Int>

  private func order(_ names: String, atOnce: Int = 9, _ settings: Int = 0) -> WatchOrder<Int> {
    WatchOrder(names.map { job(String($0), settings) }, atOnce: atOnce)
  }

  private func job(_ name: String, _ settings: Int = 0) -> WatchJob<Int> {
    WatchJob(name, WatchTiming(interval: .seconds(10), longest: .seconds(40)), settings)
  }

  private func names(_ jobs: [WatchJob<Int>]) -> String { jobs.map(\.name).joined() }

  private func end(
    _ plan: inout Plan, _ name: String, _ now: Int, fails: Bool = false
  ) -> WatchNext? {
    plan.ended(name, isFailure: fails, at: .seconds(now), random: 0.5)
  }

  func testEveryJobRunsAtOnceAndThenWhenItIsDue() {
    var plan = Plan(order("ab"), at: .seconds(1))
    XCTAssertEqual(plan.nextDue, .seconds(1))
    XCTAssertEqual(names(plan.begin(at: .seconds(1))), "ab")
    XCTAssertNil(plan.nextDue)
    XCTAssertEqual(end(&plan, "a", 3), WatchNext(wait: .seconds(8), failures: 0))
    XCTAssertEqual(plan.nextDue, .seconds(11))
    XCTAssertEqual(names(plan.begin(at: .seconds(10))), "")
    XCTAssertEqual(names(plan.begin(at: .seconds(12))), "a")
    XCTAssertEqual(plan.counts, WatchCounts(jobs: 2, running: 2, failing: 0))
  }

  func testNoMoreRunAtOnceThanMayAndWhoHasWaitedLongestGoesFirst() {
    var plan = Plan(order("abc", atOnce: 2), at: .zero)
    XCTAssertEqual(names(plan.begin(at: .zero)), "ab")
    XCTAssertNil(plan.nextDue, "first something has to end")
    XCTAssertEqual(names(plan.begin(at: .seconds(5))), "")
    _ = end(&plan, "b", 20)
    XCTAssertEqual(names(plan.begin(at: .seconds(30))), "c", "b is due since 21, c since 0")
    _ = end(&plan, "a", 30)
    XCTAssertEqual(names(plan.begin(at: .seconds(31))), "b")
  }

  func testFailuresInARowMakeTheWaitLongerAndASuccessEndsThat() {
    var plan = Plan(order("a"), at: .zero)
    var (now, waits) = (0, [Int]())
    for fails in [true, true, true, false, true] {
      XCTAssertEqual(names(plan.begin(at: .seconds(now))), "a")
      let next = end(&plan, "a", now, fails: fails)
      waits.append(Int(next?.wait.components.seconds ?? -1))
      now += waits.last ?? 0
      XCTAssertEqual(plan.counts.failing, fails ? 1 : 0)
    }
    XCTAssertEqual(waits, [20, 40, 40, 10, 20])
  }

  func testAnotherOrderBeginsWhatIsNewOrChangedAndLeavesTheRestAlone() {
    var plan = Plan(order("abc"), at: .zero)
    _ = plan.begin(at: .zero)
    for name in ["a", "b", "c"] { _ = end(&plan, name, 1) }
    let new = WatchOrder([job("b"), job("c", 1), job("d")], atOnce: 9)
    XCTAssertEqual(
      plan.change(to: new, at: .seconds(2)),
      WatchChange(added: ["d"], changed: ["c"], removed: ["a"]))
    XCTAssertEqual(names(plan.begin(at: .seconds(2))), "cd")
    XCTAssertEqual(plan.nextDue, .seconds(10), "b waits as before")
    XCTAssertEqual(plan.change(to: new, at: .seconds(3)), WatchChange())
  }

  func testNoRunIsCutShortByAnotherOrder() {
    var plan = Plan(order("abc"), at: .zero)
    _ = plan.begin(at: .zero)
    let change = plan.change(to: WatchOrder([job("b", 1), job("c")], atOnce: 9), at: .seconds(1))
    XCTAssertEqual(change, WatchChange(changed: ["b"], removed: ["a"]))
    XCTAssertEqual(plan.counts, WatchCounts(jobs: 2, running: 3, failing: 0))
    XCTAssertEqual(names(plan.begin(at: .seconds(1))), "")
    XCTAssertNil(end(&plan, "a", 2), "it's gone")
    XCTAssertEqual(end(&plan, "b", 2)?.wait, .zero, "it runs with its new settings at once")
    XCTAssertEqual(end(&plan, "c", 2)?.wait, .seconds(8))
    XCTAssertEqual(plan.begin(at: .seconds(2)), [job("b", 1)])
  }

  func testAJobThatIsTakenOutAndPutBackDoesNotRunTwiceAtOnce() {
    var plan = Plan(order("a"), at: .zero)
    _ = plan.begin(at: .zero)
    XCTAssertEqual(plan.change(to: order(""), at: .zero), WatchChange(removed: ["a"]))
    XCTAssertEqual(plan.change(to: order(""), at: .zero), WatchChange())
    XCTAssertEqual(plan.change(to: order("a"), at: .zero), WatchChange(added: ["a"]))
    XCTAssertEqual(names(plan.begin(at: .seconds(99))), "")
    XCTAssertEqual(end(&plan, "a", 99)?.wait, .zero)
    XCTAssertEqual(names(plan.begin(at: .seconds(99))), "a")
  }

  func testAnEndOfWhatDoesNotRunChangesNothing() {
    var plan = Plan(order("a"), at: .zero)
    let before = plan
    XCTAssertNil(end(&plan, "a", 1))
    XCTAssertNil(end(&plan, "x", 1))
    XCTAssertEqual(plan, before)
  }

  /// Whatever happens, no job runs twice at once, no more run than may, and each one's turn comes.
  func testRandomWalk() {
    for seed in UInt64(0)..<200 {
      var random = SeededGenerator(seed: seed)
      var plan = Plan(order("abcd", atOnce: 2), at: .zero)
      var (running, atOnce, now) = (Set<String>(), 2, 0)
      for _ in 0..<200 {
        now += Int.random(in: 0...6, using: &random)
        if random.oneIn(15) {
          atOnce = Int.random(in: 1...3, using: &random)
          let names = "abcd".filter { _ in !random.oneIn(3) }
          let version = Int.random(in: 0...1, using: &random)
          _ = plan.change(to: order(names, atOnce: atOnce, version), at: .seconds(now))
        }
        if let name = running.sorted().first, random.oneIn(2) {
          running.remove(name)
          _ = end(&plan, name, now, fails: random.oneIn(3))
        }
        let isRoom = running.count < atOnce
        for job in plan.begin(at: .seconds(now)) {
          XCTAssertTrue(running.insert(job.name).inserted, "seed \(seed): \(job.name) twice")
          XCTAssertTrue(isRoom, "seed \(seed)")
        }
        XCTAssertEqual(plan.counts.running, running.count, "seed \(seed)")
        if let due = plan.nextDue { XCTAssertGreaterThan(due, .seconds(now), "seed \(seed)") }
      }
    }
  }
}
