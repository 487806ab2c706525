import Foundation
import TestSupport
import XCTest

@testable import CatalogMirror

/// The program killed at random moments, and what the next run makes of that.
final class F12RandomKillTests: RunningTestCase {
  /// What the kills met.
  private struct Tally {
    var kills = 0
    var stages: [String: Int] = [:]
    var finished = 0
    var unrecorded = 0
    var removing = 0
    var resumed = 0

    func count(_ names: String...) -> Int { names.reduce(0) { $0 + stages[$1, default: 0] } }
  }

  func testF12_aKillAtAnyMomentLosesNothingAndWhatWasRecordedIsNotFetchedAgain() async throws {
    let (seed, count) = (Extent.seed(), Extent.count(quick: 30, full: 2_000))
    var random = SeededGenerator(seed: seed ^ 12)
    var shifting = try shiftingSource(seed: seed)
    try makeFolder(at: copy)
    try mine.write(to: copy.appending(path: "mine.txt"))
    var tally = Tally()
    while tally.kills < count {
      let claim = "seed \(seed), after \(tally.kills) kills, revision \(shifting.revision)"
      try await killOnce(of: shifting, &random, &tally, claim)
      if random.oneIn(2) {
        try await assertConverges(to: shifting, claim)
        try shifting.forgetOldVersions()
        try shifting.change()
      } else if random.oneIn(2) {
        try shifting.change()
      }
    }
    try await assertConverges(to: shifting, "seed \(seed), at the end")
    tally.resumed = resumed
    try judge(tally)
  }

  private func killOnce(
    of shifting: ShiftingSource, _ random: inout SeededGenerator, _ tally: inout Tally,
    _ claim: String
  ) async throws {
    let before = try await indexClaims()
    let moment = moment(&random, of: shifting)
    let run = try startRun(of: shifting)
    _ = try moment.wait(for: run)
    run.send(SIGKILL)
    let end = try run.end(within: .seconds(10))
    let claim = "\(claim), killed \(moment) in \(RunMoment.stage(in: run.printed))"
    let held = try await indexClaims()
    try assertNothingIsFetchedAgain(of: shifting, before, claim)
    try await assertNothingIsLost(of: shifting, held, claim)
    guard end == .killed(by: SIGKILL) else {
      XCTAssertEqual(end, .exited(0), "\(run.said); \(claim)")
      tally.finished += 1
      return
    }
    tally.kills += 1
    tally.stages[RunMoment.stage(in: run.printed), default: 0] += 1
    tally.unrecorded += held.placed > 0 ? 1 : 0
    tally.removing += held.removing > 0 ? 1 : 0
  }

  private func judge(_ tally: Tally) throws {
    let phases = [
      ("before the listing", tally.count("start", "look", "list")),
      ("downloading", tally.count("decide", "previews", "contents")),
      ("committing and after", tally.count("commit", "remove", "done")),
    ]
    let words = phases.map { "\($1) \($0)" }.joined(separator: ", ")
    for (name, count) in phases where tally.kills >= 100 {
      XCTAssertGreaterThan(count, tally.kills / 20, "too few kills \(name): \(tally)")
    }
    if tally.kills >= 100 { XCTAssertGreaterThan(tally.resumed, 0, "nothing was resumed") }
    try Extent.record(
      "F12", "SIGKILL at a random moment (\(words))", count: tally.kills,
      """
      0 files lost or torn, 0 rows of the index ahead of the disk, nothing recorded fetched again; \
      \(tally.unrecorded) kills between a file's rename and its record, \(tally.removing) within a \
      removal, \(tally.resumed) partial files gone on with
      """)
  }
}
