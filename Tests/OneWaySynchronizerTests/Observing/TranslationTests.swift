@testable import SyncEngine
@testable import OneWaySynchronizer
import Foundation
import SyncLock
import SynchronizerTesting
import TestSupport
import XCTest

/// What an app puts in place of the engine's sentences.
final class TranslationTests: XCTestCase {
  override func tearDown() { SyncSentence.translation = nil }

  private let stages: [(SyncStage, String)] = [
    (.begin, "Getting ready"), (.fetchSourceList, "Fetching the list"),
    (.localKeys, "Looking at what is held"), (.removeLocalItems, "Removing what vanished"),
    (.itemsToUpdate, "Finding out what changed"), (.prepareDownload, "Preparing the downloads"),
    (.downloadPreviews, "Downloading previews"), (.downloadContents, "Downloading"),
    (.commitDownloads, "Storing what was downloaded"), (.end, "Finishing"),
  ]

  /// Errors that say one sentence.
  private let errors: [(error: any Error, sentence: SyncSentence, english: String)] = [
    (
      TestError(code: .failed, report: SyncReport()), .failed(first: nil, more: 0),
      "The sync failed; look at the report, then sync again."
    ),
    (
      TestError(code: .cancelled, report: SyncReport()), .cancelled,
      "The sync was cancelled before everything was done; sync again to go on."
    ),
    (
      TestError(code: .removalRefused(count: 5, of: 9), report: SyncReport()),
      .removalRefused(count: 5, of: 9),
      """
      The sync would have removed 5 of 9 local items, which is over the limit; none of them was. \
      Check the source, or raise the removal limit.
      """
    ),
    (
      TestError(code: .reentrant, report: SyncReport()), .reentrant(nil),
      """
      A processor awaited the synchronizer that was calling it, which could never end; \
      call requestSync() there, which doesn't wait.
      """
    ),
    (
      TestError(refusing: .plan), .reentrant(.plan),
      """
      A processor awaited plan() of the synchronizer that was calling it, which could never end; \
      make the plan once the sync has ended.
      """
    ),
    (
      TestError(refusing: .drain), .reentrant(.drain),
      """
      A processor awaited drain() of the synchronizer that was calling it, which could never end; \
      drain it from outside of its own calls.
      """
    ),
    (
      TestError(code: .notListed("a"), report: SyncReport()), .notListed(key: "a"),
      "The key a is neither listed nor held; look for it again after the next sync."
    ),
    (
      TestError(code: .leftOut("a"), report: SyncReport()), .leftOut(key: "a"),
      """
      The item a isn't downloaded: the processor left it out of this pass, its source says that \
      nothing changed, or neither previews nor contents are asked for. Change that, then ask again.
      """
    ),
    (
      TestError(code: .stuck(stage: .downloadContents, key: "a"), report: SyncReport()),
      .stuck(stage: .downloadContents, key: "a"),
      """
      The call of downloadContents of a hasn't returned by twice its time limit, and nothing new \
      begins before it has. Sync again later; let the processor return soon once its task is \
      cancelled.
      """
    ),
    (
      ListProblem.duplicateKey(7), .list(.duplicateKey("7")),
      "the key 7 is listed twice; give every item a key of its own"
    ),
    (
      ListProblem.updatedAndRemoved(7), .list(.updatedAndRemoved("7")),
      "the key 7 is named both as updated and as removed; name it in one of the two"
    ),
    (
      ListProblem.notAskedAbout(7), .list(.notAskedAbout("7")),
      "the item 7 was returned but not asked about; return only items that were given"
    ),
    (
      TimedOut(limit: .seconds(3)), .timedOut(limit: .seconds(3)),
      "it took longer than its limit of 3.0 seconds; try again, or raise the limit"
    ),
    (
      MissingMethod.downloadContent, .downloadContentMissing,
      """
      the processor can't download contents; give it downloadContent(of:), or \
      downloadContent(of:progress:)
      """
    ),
    (
      MissingMethod.shouldUpdate, .shouldUpdateMissing,
      "the processor can't tell what changed; give it shouldUpdate(_:), or itemsToUpdate(among:)"
    ),
  ]

  func testAnErrorIsShownInTheAppsWordsAndLoggedInEnglish() {
    for (error, sentence, english) in errors {
      SyncSentence.translation = nil
      XCTAssertEqual(error.localizedDescription, english)
      SyncSentence.translation = { $0 == sentence ? "Na so was." : "falsch" }
      XCTAssertEqual(error.localizedDescription, "Na so was.", "\(sentence)")
      XCTAssertEqual("\(error)", english)
    }
  }

  func testAFailureIsToldInTheAppsWordsWithThoseOfItsStageAndItsCause() {
    for (stage, words) in stages {
      let failure = SyncFailure(stage: stage, key: "a", cause: CancellationError())
      SyncSentence.translation = nil
      XCTAssertEqual(failure.localizedDescription, "\(words) failed for a: it was cancelled.")
      SyncSentence.translation = { "<\($0)>" }
      XCTAssertEqual(
        failure.localizedDescription, "<<\(words)> failed for a: <it was cancelled>.>")
      XCTAssertEqual("\(failure)", "\(stage.rawValue) of a failed: \(CancellationError())")
    }
    XCTAssertEqual(stages.map(\.0), SyncStage.allCases)
    let whole = SyncFailure<String>(stage: .begin, cause: TimedOut(limit: .seconds(3)))
    SyncSentence.translation = { sentence in
      switch sentence {
      case .stage: "准备"
      case .failure(let stage, nil, let cause): "\(stage)失败:\(cause)"
      case .timedOut: "超时了。"
      default: "falsch"
      }
    }
    XCTAssertEqual(whole.localizedDescription, "准备失败:超时了。")
  }

  func testTheErrorOfARunGivesItsFirstFailureAndTheNumberOfTheOthers() {
    let failures = ["a", "b", "c"].map {
      SyncFailure(stage: .downloadContents, key: $0, cause: CancellationError())
    }
    let report = SyncReport(passes: [PassReport(outcome: .failed, failures: failures)])
    SyncSentence.translation = { sentence in
      switch sentence {
      case .stage: "Laden"
      case .failure(let stage, let key?, let cause): "\(stage) von \(key): \(cause)"
      case .failed(let first?, 0): first
      case .failed(let first?, let more): "\(first) Und \(more) weitere."
      default: nil
      }
    }
    XCTAssertEqual(
      TestError(code: .failed, report: report).localizedDescription,
      "Laden von a: it was cancelled. Und 2 weitere.", "what isn't translated is in English")
  }

  func testAStatusSaysInTheAppsWordsHowARunEndedAndUnderNoLock() async throws {
    let counts = Locked(Set<Int>())
    SyncSentence.translation = { sentence in
      #if DEBUG
        let count = HeldLocks.count
        counts.withLock { _ = $0.insert(count) }
      #endif
      return "<\(sentence)>"
    }
    let going = options { $0.stopOnError = false }
    let (processor, synchronizer) = makeSynchronizer(["a"], options: going)
    processor.fail(.content("a"), with: TimedOut(limit: .seconds(3)), times: 1)
    let error = try await synchronizer.syncError()
    XCTAssertTrue(error.localizedDescription.hasPrefix("<The sync failed: <<Downloading> failed"))
    var message = await synchronizer.lastMessage()
    XCTAssertEqual(message, error.localizedDescription)
    processor.source = .unchanged
    let report = try await synchronizer.sync()
    message = await synchronizer.lastMessage()
    XCTAssertEqual(
      message,
      """
      <Not every listed item is held yet; the rest comes when the source gives its whole list \
      again.>
      """)
    XCTAssertTrue("\(report)".hasSuffix(" failed. \(SyncSentence.incomplete)"), "\(report)")
    XCTAssertTrue(counts.withLock { $0 }.isSubset(of: [0]))
  }

  func testATranslationMayBeSetFromAnyThreadAndIsLetGoOfUnderNoLock() {
    DispatchQueue.concurrentPerform(iterations: 100) { number in
      let sentences = AsksWhenItGoes()
      SyncSentence.translation = { _ in withExtendedLifetime(sentences) { "\(number)" } }
      XCTAssertNotNil(Int(SyncSentence.cancelled.localized))
    }
  }
}

/// Wants a sentence when nobody holds it any more.
private final class AsksWhenItGoes: Sendable {
  deinit { _ = SyncSentence.translation }
}

extension Synchronizer {
  /// What the status says of the last run, once that has ended.
  fileprivate func lastMessage() async -> String? {
    for await status in status where !status.isSyncing { return status.lastResult?.message }
    return nil
  }
}
