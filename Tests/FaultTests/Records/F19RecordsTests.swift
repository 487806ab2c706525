import Foundation
import TestSupport
import XCTest

/// F19: a sync of records told to end at random moments.
final class F19RecordsTests: RecordsFaultTestCase {
  override var world: World { .large }

  func testF19_aSignalAtAnyMomentEndsASyncWithOneStateOrTheOther() throws {
    let (seed, count) = (Extent.seed(), Extent.count(quick: 5, full: 500))
    var random = SeededGenerator(seed: seed ^ 0x1916)
    try startAnew(.rollback)
    let length = try length(of: .new)
    var now = World.State.new
    var (cancelled, done, early) = (0, 0, 0)
    var slowest = Duration.zero
    for round in 1...count {
      let signal = random.oneIn(2) ? SIGINT : SIGTERM
      let share = Double.random(in: 0..<1.1, using: &random)
      let run = try start(to: now.other)
      RunMoment.pause(length * share)
      run.send(signal)
      let sent = ContinuousClock.now
      let end = try run.end(within: .seconds(20))
      let claim = "seed \(seed), round \(round), signal \(signal): \(end) \(run.said)"
      let found = try XCTUnwrap(try state(claim), claim)
      switch end {
      case .exited(130):
        cancelled += 1
        slowest = max(slowest, sent.duration(to: .now))
        XCTAssertEqual(found, now, claim)
        XCTAssertTrue(run.said.contains("nothing was written"), claim)
      case .exited(0):
        done += 1
        XCTAssertEqual(found, now.other, claim)
      default:
        // Before it could be told anything.
        early += 1
        XCTAssertEqual(end, .killed(by: signal), claim)
        XCTAssertEqual(found, now, claim)
      }
      now = found
    }
    try assertConverges("seed \(seed), at the end")
    XCTAssertLessThan(slowest, Patience.promised(F19SignalTests.promise))
    if Extent.asked == .full {
      XCTAssertGreaterThan(cancelled, count / 4, "hardly a run was caught")
    }
    try Extent.record(
      "F19", "SIGINT or SIGTERM at a random moment of a sync of records", count: count,
      """
      \(cancelled) runs cancelled with status 130 and the old state, \(done) done already, \(early) \
      ended before they began
      """)
  }
}
