import XCTest

@testable import OneWaySynchronizer

/// The transitions of `SyncPass`, stage by stage.
final class SyncPassTableTests: XCTestCase {
  private typealias Event = SyncPass.Event

  func testTheStagesOfAPassInWhichEverythingHappens() {
    var options = SyncOptions()
    options.downloadPreview = true
    expect(
      [
        (.succeeded, .fetchSourceList), (.listed(.complete), .localKeys),
        (.compared(removals: 1, local: 4), .removeLocalItems), (.succeeded, .itemsToUpdate),
        (.succeeded, .prepareDownload), (.prepared(downloads: 2), .downloadPreviews),
        (.downloaded(.allTried(failures: false)), .downloadContents),
        (.downloaded(.allTried(failures: false)), .commitDownloads),
        (.committed(failures: false), .end),
      ], options: options, outcome: .succeeded)
  }

  func testRemovalAfterTheDownloads() {
    var options = SyncOptions()
    options.removal = .afterDownloads
    expect(
      [
        (.succeeded, .fetchSourceList), (.listed(.changes), .localKeys),
        (.compared(removals: 1, local: 4), .itemsToUpdate), (.succeeded, .prepareDownload),
        (.prepared(downloads: 2), .downloadContents),
        (.downloaded(.allTried(failures: true)), .commitDownloads),
        (.committed(failures: true), .removeLocalItems), (.succeeded, .end),
      ], options: options, outcome: .failed)
  }

  func testWhatAPassWithoutWorkLeavesOut() {
    expect([(.succeeded, .fetchSourceList), (.listed(.unchanged), .end)], outcome: .succeeded)
    expect(
      planned(0) + [
        (.prepared(downloads: 0), .commitDownloads), (.committed(failures: false), .end),
      ],
      outcome: .succeeded)
    var neither = SyncOptions()
    neither.downloadContent = false
    expect(planned(0) + [(.prepared(downloads: 5), .commitDownloads)], options: neither)
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

  func testAFailureOfAnyStageEndsThePass() {
    for road in roads { expect(road + [(.failed, .end)], outcome: .failed) }
    let committing: [(Event, SyncStage)] = [(.prepared(downloads: 0), .commitDownloads)]
    expect(planned(0) + committing + [(.failed, .end)], outcome: .failed)
  }

  func testCancellingBeforeAnyStageEndsThePass() {
    for road in roads { expect(road + [(.cancelRequested, .end)], outcome: .cancelled) }
  }

  func testWhatWasDownloadedIsCommittedAlsoWhenThePassIsStoppedOrCancelled() {
    let begun = planned(0) + [(Event.prepared(downloads: 2), SyncStage.downloadContents)]
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
    let begun = planned(3) + [(Event.prepared(downloads: 2), SyncStage.downloadContents)]
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
        (.prepared(downloads: 2), .downloadPreviews),
        (.downloaded(.allTried(failures: false)), .downloadContents),
        (.cancelRequested, .commitDownloads), (.committed(failures: false), .end),
      ], options: options, outcome: .cancelled)
  }

  func testCancellingWhenOnlyTheEndIsLeftIsTooLate() {
    expect(
      planned(0) + [
        (.prepared(downloads: 2), .downloadContents),
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
    _ rows: [(Event, SyncStage)], options: SyncOptions = SyncOptions(),
    outcome: PassOutcome? = nil, line: UInt = #line
  ) {
    var pass = SyncPass(options: options)
    for (event, stage) in rows {
      XCTAssertEqual(pass.handle(event), stage, "after \(event)", line: line)
    }
    if let outcome { XCTAssertEqual(pass.outcome, outcome, line: line) }
  }
}
