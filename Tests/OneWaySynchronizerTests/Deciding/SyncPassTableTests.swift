@testable import SyncEngine
@testable import OneWaySynchronizer
import TestSupport
import XCTest

/// The transitions of `SyncPass`, stage by stage.
final class SyncPassTableTests: XCTestCase {
  private typealias Event = SyncPass.Event

  func testAPassInWhichEverythingHappensGoesThroughEveryStage() {
    var options = SyncOptions()
    options.downloadPreview = true
    expect(
      [
        (.succeeded, .fetchSourceList), (.listed(.complete), .localKeys),
        (.compared(removals: 1, local: 4), .removeLocalItems), (.succeeded, .itemsToUpdate),
        (.succeeded, .prepareDownload), (.prepared(downloads: 2, spared: 0), .downloadPreviews),
        (.downloaded(.allTried(failures: false)), .downloadContents),
        (.downloaded(.allTried(failures: false)), .commitDownloads),
        (.committed(failures: false), .end),
      ], options: options, outcome: .succeeded)
  }

  func testRemovalMayComeAfterTheDownloads() {
    var options = SyncOptions()
    options.removal = .afterDownloads
    expect(
      [
        (.succeeded, .fetchSourceList), (.listed(.changes), .localKeys),
        (.compared(removals: 1, local: 4), .itemsToUpdate), (.succeeded, .prepareDownload),
        (.prepared(downloads: 2, spared: 0), .downloadContents),
        (.downloaded(.allTried(failures: true)), .commitDownloads),
        (.committed(failures: true), .removeLocalItems), (.succeeded, .end),
      ], options: options, outcome: .failed)
  }

  func testAPassWithoutWorkLeavesOutTheStagesThatNeedSome() {
    expect([(.succeeded, .fetchSourceList), (.listed(.unchanged), .end)], outcome: .succeeded)
    expect(
      planned(0) + [
        (.prepared(downloads: 0, spared: 0), .commitDownloads), (.committed(failures: false), .end),
      ],
      outcome: .succeeded)
    var neither = SyncOptions()
    neither.downloadContent = false
    expect(planned(0) + [(.prepared(downloads: 5, spared: 0), .commitDownloads)], options: neither)
  }

  func testARefusedRemovalEndsThePassBeforeAnythingIsDone() {
    var options = SyncOptions()
    options.removalLimit = .count(1)
    for removal in [SyncOptions.Removal.beforeDownloads, .afterDownloads] {
      options.removal = removal
      expect(
        [
          (.succeeded, .fetchSourceList), (.listed(.complete), .localKeys),
          (.compared(removals: 2, local: 4), .end),
        ], options: options, outcome: .removalRefused(count: 2, of: 4))
    }
  }

  func testAPlanRemovesAndDownloadsNothingAndTellsWhatARefusedSyncWouldDo() {
    let planned: [(Event, SyncStage)] = [
      (.succeeded, .fetchSourceList), (.listed(.complete), .localKeys),
      (.compared(removals: 2, local: 4), .itemsToUpdate), (.succeeded, .prepareDownload),
      (.prepared(downloads: 3, spared: 0), .end),
    ]
    expect(planned, kind: .plan, outcome: .succeeded)
    var options = SyncOptions(removalLimit: .count(1))
    expect(planned, options: options, kind: .plan, outcome: .removalRefused(count: 2, of: 4))
    options.removal = .afterDownloads
    expect(planned, options: options, kind: .plan, outcome: .removalRefused(count: 2, of: 4))
  }

  func testALateRemovalThatIsWhollySparedIsNotCalled() {
    let options = SyncOptions(removal: .afterDownloads)
    let road: [(Event, SyncStage)] = [
      (.succeeded, .fetchSourceList), (.listed(.complete), .localKeys),
      (.compared(removals: 2, local: 4), .itemsToUpdate), (.succeeded, .prepareDownload),
    ]
    let rows: [(spared: Int, SyncStage)] = [
      (0, .removeLocalItems), (1, .removeLocalItems), (2, .end),
    ]
    for (spared, last) in rows {
      expect(
        road + [
          (.prepared(downloads: 2, spared: spared), .downloadContents),
          (.downloaded(.allTried(failures: false)), .commitDownloads),
          (.committed(failures: false), last),
        ], options: options)
    }
  }

  func testAPassThatIsCancelledBeforeItsFirstCallHasNotBegun() {
    var pass = SyncPass(SyncPass.Rules())
    XCTAssertEqual(pass.handle(.cancelRequested), .end)
    XCTAssertFalse(pass.hasBegun)
    XCTAssertEqual(pass.outcome, .cancelled)
    for event in [Event.succeeded, .failed, .interrupted] {
      pass = SyncPass(SyncPass.Rules())
      _ = pass.handle(event)
      XCTAssertTrue(pass.hasBegun, "\(event)")
    }
  }

  func testAFailureOfAnyStageEndsThePass() {
    for road in roads { expect(road + [(.failed, .end)], outcome: .failed) }
    let committing: [(Event, SyncStage)] = [(.prepared(downloads: 0, spared: 0), .commitDownloads)]
    expect(planned(0) + committing + [(.failed, .end)], outcome: .failed)
  }

  func testCancellingBeforeOrDuringAnyStageEndsThePass() {
    for road in roads {
      expect(road + [(.cancelRequested, .end)], outcome: .cancelled)
      expect(road + [(.interrupted, .end)], outcome: .cancelled)
    }
  }

  func testAFailureAfterACancellationStaysACancellation() {
    let begun = planned(0) + [(Event.prepared(downloads: 2, spared: 0), SyncStage.downloadContents)]
    expect(
      begun + [(.downloaded(.cancelled), .commitDownloads), (.failed, .end)], outcome: .cancelled)
  }

  func testALateRemovalThatFailsOrIsCutShortEndsThePass() {
    var options = SyncOptions()
    options.removal = .afterDownloads
    let removing =
      planned(3) + [
        (Event.prepared(downloads: 0, spared: 0), SyncStage.commitDownloads),
        (.committed(failures: false), .removeLocalItems),
      ]
    expect(removing + [(.failed, .end)], options: options, outcome: .failed)
    expect(removing + [(.interrupted, .end)], options: options, outcome: .cancelled)
  }

  func testASeededWalkAlwaysEndsAndCommitsOnceWhatWasBegun() {
    for seed in 1...2_000 {
      var random = SeededGenerator(seed: UInt64(seed))
      var options = SyncOptions()
      options.downloadPreview = Bool.random(using: &random)
      options.downloadContent = Bool.random(using: &random)
      if Bool.random(using: &random) { options.removal = .afterDownloads }
      if Bool.random(using: &random) { options.removalLimit = .count(1) }
      let kind: PassKind = Int.random(in: 0..<5, using: &random) == 0 ? .plan : .sync
      var pass = SyncPass(SyncPass.Rules(options, for: kind))
      var visited = [pass.stage]
      while pass.stage != .end, visited.count < 20 {
        let stage = pass.handle(event(for: pass, using: &random))
        // A request to cancel that comes too late is answered with the stage that is to be performed.
        if stage != visited.last || stage != .commitDownloads { visited.append(stage) }
      }
      XCTAssertEqual(visited.last, .end, "seed \(seed): \(visited)")
      let commits = visited.count { $0 == .commitDownloads }
      XCTAssertLessThanOrEqual(commits, 1, "seed \(seed): \(visited)")
      let began = visited.dropLast().contains {
        [.downloadPreviews, .downloadContents].contains($0)
      }
      if began, pass.downloadsBegan { XCTAssertGreaterThan(commits, 0, "seed \(seed)") }
    }
  }

  /// Any event that may come while a stage is to be performed, or is.
  private func event(for pass: SyncPass, using random: inout SeededGenerator) -> Event {
    let stage = pass.stage
    switch Int.random(in: 0..<8, using: &random) {
    case 0: return .cancelRequested
    case 1 where ![.downloadPreviews, .downloadContents].contains(stage): return .failed
    case 2 where ![.downloadPreviews, .downloadContents, .commitDownloads].contains(stage):
      return .interrupted
    default: break
    }
    switch stage {
    case .begin, .removeLocalItems, .itemsToUpdate, .end: return .succeeded
    case .fetchSourceList:
      let kinds: [ListKind] = [.complete, .partial, .changes, .unchanged]
      return .listed(kinds.randomElement(using: &random) ?? .complete)
    case .localKeys: return .compared(removals: Int.random(in: 0...3, using: &random), local: 5)
    case .prepareDownload:
      return .prepared(
        downloads: Int.random(in: 0...3, using: &random),
        spared: Int.random(in: 0...pass.removals, using: &random))
    case .downloadPreviews, .downloadContents:
      let ends: [SyncPass.DownloadsEnd] = [
        .allTried(failures: false), .allTried(failures: true), .stopped, .cancelled,
      ]
      return .downloaded(ends.randomElement(using: &random) ?? .stopped)
    case .commitDownloads: return .committed(failures: Bool.random(using: &random))
    }
  }

  func testWhatWasDownloadedIsCommittedAlsoWhenThePassIsStoppedOrCancelled() {
    let begun = planned(0) + [(Event.prepared(downloads: 2, spared: 0), SyncStage.downloadContents)]
    expect(
      begun + [(.downloaded(.stopped), .commitDownloads), (.committed(failures: false), .end)],
      outcome: .failed)
    expect(
      begun + [(.downloaded(.cancelled), .commitDownloads), (.cancelRequested, .commitDownloads)],
      outcome: .cancelled)
  }

  func testAStoppedOrCancelledPassRemovesNothingLate() {
    var options = SyncOptions()
    options.removal = .afterDownloads
    let begun = planned(3) + [(Event.prepared(downloads: 2, spared: 0), SyncStage.downloadContents)]
    for end in [SyncPass.DownloadsEnd.stopped, .cancelled] {
      expect(
        begun + [(.downloaded(end), .commitDownloads), (.committed(failures: false), .end)],
        options: options)
    }
    expect(
      begun + [
        (.downloaded(.allTried(failures: false)), .commitDownloads),
        (.committed(failures: false), .removeLocalItems), (.cancelRequested, .end),
      ], options: options, outcome: .cancelled)
  }

  func testCancellingBetweenPreviewsAndContentsCommitsThePreviews() {
    var options = SyncOptions()
    options.downloadPreview = true
    expect(
      planned(0) + [
        (.prepared(downloads: 2, spared: 0), .downloadPreviews),
        (.downloaded(.allTried(failures: false)), .downloadContents),
        (.cancelRequested, .commitDownloads), (.committed(failures: false), .end),
      ], options: options, outcome: .cancelled)
  }

  func testCancellingWhenOnlyTheEndIsLeftIsTooLate() {
    expect(
      planned(0) + [
        (.prepared(downloads: 2, spared: 0), .downloadContents),
        (.downloaded(.allTried(failures: false)), .commitDownloads),
        (.cancelRequested, .commitDownloads), (.committed(failures: false), .end),
        (.cancelRequested, .end),
      ], outcome: .succeeded)
  }

  /// The roads to every stage before the downloads.
  private var roads: [[(Event, SyncStage)]] {
    let whole = planned(0)
    return (0...whole.count).map { Array(whole.prefix($0)) }
  }

  private func planned(_ removals: Int) -> [(Event, SyncStage)] {
    [
      (.succeeded, .fetchSourceList), (.listed(.complete), .localKeys),
      (.compared(removals: removals, local: 9), .itemsToUpdate), (.succeeded, .prepareDownload),
    ]
  }

  private func expect(
    _ rows: [(Event, SyncStage)], options: SyncOptions = SyncOptions(), kind: PassKind = .sync,
    outcome: PassOutcome? = nil, line: UInt = #line
  ) {
    var pass = SyncPass(SyncPass.Rules(options, for: kind))
    for (event, stage) in rows {
      XCTAssertEqual(pass.handle(event), stage, "after \(event)", line: line)
    }
    if let outcome { XCTAssertEqual(pass.outcome, outcome, line: line) }
  }
}
