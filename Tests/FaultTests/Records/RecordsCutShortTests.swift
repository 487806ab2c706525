import Foundation
import TestSupport
import XCTest

/// F12: a sync of records killed before every state-changing system call.
final class F12RecordsTests: RecordsFaultTestCase {
  func testF12_aSyncThatIsKilledBeforeAnyCallLeavesTheOldStateOrTheNewOne() throws {
    for journal in World.Journal.allCases {
      let calls = try referenceCalls(journal)
      XCTAssertGreaterThan(calls.count, 60, "the way is long enough to be killed on")
      let numbers = Steps.chosen(of: calls.count, quick: 5)
      var states: [World.State?: Int] = [:]
      for number in numbers {
        let fault = Fault(act: .kill, kinds: FaultyDisk.Kind.changing, number: number)
        try startAnew(journal)
        let outcome = try sync(to: .new, with: fault)
        let claim = "\(fault) (\(calls[number - 1])) with \(journal)\n\(outcome)"
        XCTAssertEqual(outcome.end, .killed(by: SIGKILL), claim)
        states[try state(claim), default: 0] += 1
        try assertConverges(claim)
      }
      if Extent.asked == .full {
        // With a journal the last call is the one that counts.
        XCTAssertEqual(states[.new] ?? 0 > 0, journal == .log, "\(states) with \(journal)")
        XCTAssertGreaterThan(states[.old] ?? 0, 40, "\(states) with \(journal)")
      }
      try Extent.record(
        "F12", "killed before a system call of a sync of records, with \(journal)",
        count: numbers.count,
        "\(states[.old] ?? 0) times the old state, \(states[.new] ?? 0) times the new one, whole")
    }
  }
}

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
      if isThere(database.path + "-journal") || size?.intValue ?? 0 > 0 { return }
      RunMoment.pause(.microseconds(200))
    }
  }
}

/// F14: a call on a database fails during a sync of records, with any error, at any of its
/// occurrences.
final class F14RecordsTests: RecordsFaultTestCase {
  func testF14_aFailingCallIsOneErrorAndTheOldState() throws {
    for journal in World.Journal.allCases {
      let calls = try referenceCalls(journal)
      let numbers = Steps.chosen(of: calls.count, quick: 5)
      var failed = 0
      for number in numbers {
        let error = [EIO, ENOSPC, EACCES, EDQUOT][number % 4]
        try startAnew(journal)
        let fault = Fault(act: .fail(error), kinds: FaultyDisk.Kind.changing, number: number)
        let outcome = try sync(to: .new, with: fault)
        let claim = "\(fault) (\(calls[number - 1])) with \(journal)"
        if outcome.end == .exited(0) {
          XCTAssertEqual(try state(claim), .new, "\(claim)\n\(outcome)")
        } else {
          failed += 1
          try assertFailed(outcome, claim)
        }
        try assertConverges(claim)
      }
      XCTAssertGreaterThan(failed, 0)
      try Extent.record(
        "F14", "a call failing in a sync of records, with \(journal)", count: numbers.count,
        "\(failed) times one error, status 1 and the old state; else it did no harm; converges")
    }
  }
}

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
