import Foundation
import TestSupport
import XCTest

@testable import CatalogMirror

/// The program told to end, once and twice, at random moments.
final class F19SignalTests: RunningTestCase {
  /// What came of the signals.
  private struct Tally {
    var cancelled = 0
    var done = 0
    /// Ended by the signal itself, before there was anything to cancel.
    var early = 0
    var slowest = Duration.zero
    var slowestSecond = Duration.zero
    var stages: Set<String> = []
  }

  /// What one round sends.
  private struct Signals: CustomStringConvertible {
    let first: Int32
    let moment: RunMoment
    let second: (signal: Int32, after: Duration)?

    init(_ random: inout SeededGenerator, moment: RunMoment) {
      self.moment = moment
      first = random.oneIn(2) ? SIGINT : SIGTERM
      let distance = Duration.microseconds(Int.random(in: 0..<20_000, using: &random))
      second = random.oneIn(2) ? (random.oneIn(2) ? SIGINT : SIGTERM, distance) : nil
    }

    var description: String {
      "signal \(first) \(moment)" + (second.map { ", \($0.signal) \($0.after) later" } ?? "")
    }
  }

  func testF19_aSignalAtAnyMomentEndsTheRunInOrderAndASecondAtOnce() async throws {
    let (seed, count) = (Extent.seed(), Extent.count(quick: 40, full: 1_000))
    var random = SeededGenerator(seed: seed ^ 19)
    var shifting = try shiftingSource(seed: seed ^ 19)
    try makeFolder(at: copy)
    try mine.write(to: copy.appending(path: "mine.txt"))
    var tally = Tally()
    for round in 1...count {
      let claim = "seed \(seed), round \(round)"
      try await interruptOnce(shifting, &random, &tally, claim)
      if random.oneIn(3) {
        try await assertConverges(to: shifting, claim)
        try shifting.forgetOldVersions()
      }
      if !random.oneIn(3) { try shifting.change() }
    }
    try await assertConverges(to: shifting, "seed \(seed), at the end")
    XCTAssertGreaterThan(tally.cancelled, count / 4, "hardly a run was caught: \(tally)")
    try Extent.record(
      "F19", "SIGINT or SIGTERM at a random moment, once or twice", count: count,
      """
      \(tally.cancelled) runs cancelled with status 130 (the slowest after \
      \(Self.milliseconds(tally.slowest)) ms, a second signal after \
      \(Self.milliseconds(tally.slowestSecond)) ms), \(tally.done) done already, \(tally.early) \
      ended before they began; nothing lost, nothing ran on
      """)
  }

  /// How soon a run ends that was told to, on a machine that does nothing else; the quick
  /// form runs on any.
  static var promise: Duration { Extent.asked == .full ? .seconds(2) : .seconds(10) }

  private static func milliseconds(_ duration: Duration) -> Int { Int(duration / .milliseconds(1)) }

  private func interruptOnce(
    _ shifting: ShiftingSource, _ random: inout SeededGenerator, _ tally: inout Tally,
    _ claim: String
  ) async throws {
    let before = try await indexClaims()
    let signals = Signals(&random, moment: moment(&random, of: shifting))
    let server = try XCTUnwrap(server)
    let answered = try server.answered()
    let run = try startRun(of: shifting)
    _ = try signals.moment.wait(for: run)
    // On a busy machine it has come further than what it has printed tells.
    let hasAskedForItems = try server.answered() > answered + 1
    let stage = hasAskedForItems ? "contents" : RunMoment.stage(in: run.printed)
    let sent = ContinuousClock.now
    run.send(signals.first)
    if let second = signals.second {
      RunMoment.pause(second.after)
      run.send(second.signal)
    }
    let end = try run.end(within: .seconds(60))
    let took = sent.duration(to: .now)
    let claim = "\(claim), \(signals) in \(stage), \(took)"
    try judge(run, end, took, stage, signals, &tally, claim)
    try assertNothingIsFetchedAgain(of: shifting, before, claim)
    try await assertNothingIsLost(of: shifting, try await indexClaims(), claim)
  }

  private func judge(
    _ run: ChildProcess, _ end: ChildProcess.End, _ took: Duration, _ stage: String,
    _ signals: Signals, _ tally: inout Tally, _ claim: String
  ) throws {
    // A flush that has begun is waited for, and a busy disk takes its time.
    let mayFlush = ["contents", "commit", "remove"].contains(stage) && signals.second == nil
    let promise = Patience.promised(Self.promise)
    XCTAssertLessThan(took, promise + (mayFlush ? .seconds(10) : .zero), claim)
    switch end {
    case .exited(130):
      tally.cancelled += 1
      if signals.second == nil {
        tally.slowest = max(tally.slowest, took)
        try assertEndedInOrder(run, claim)
      } else {
        tally.slowestSecond = max(tally.slowestSecond, took - (signals.second?.after ?? .zero))
      }
    case .exited(0):
      XCTAssertTrue(run.hasTold("ended"), claim)
      let isLate = ["contents", "commit", "remove", "done"].contains(stage)
      XCTAssertTrue(isLate || !run.hasTold("fetched"), "the signal was lost; \(claim)")
      tally.done += 1
    case .killed(by: signals.first), .killed(by: signals.second?.signal ?? signals.first):
      XCTAssertEqual(run.printed, "", "not cancelled but ended; \(claim)")
      tally.early += 1
    case .exited, .killed:
      XCTFail("\(end): \(run.said); \(claim)")
    }
  }

  /// A run that was told once says what to do next, and leaves in the staging area only what can be
  /// gone on with.
  private func assertEndedInOrder(_ run: ChildProcess, _ claim: String) throws {
    XCTAssertTrue(run.hasTold("ended"), "\(run.printed); \(claim)")
    XCTAssertEqual(run.said.split(separator: "\n").count, 1, "\(run.said); \(claim)")
    XCTAssertTrue(run.said.contains("again"), "\(run.said); \(claim)")
    let staged = try names(in: "staging")
    let records = staged.count { $0.hasPrefix("resume-") }
    XCTAssertEqual(staged.count, 2 * records, "\(staged); \(claim)")
  }
}

extension ChildProcess {
  /// Whether it wrote an event of this name.
  fileprivate func hasTold(_ event: String) -> Bool { printed.contains("\"event\":\"\(event)\"") }
}
