import OneWaySynchronizer
import SyncDatabase
import XCTest

@testable import CatalogMirror
@testable import SyncFolder
@testable import SyncText
@testable import SyncTransport

/// The one ending of a pass, a row for every way in which the engine says that it ended.
final class MirrorEndingTests: XCTestCase {
  private typealias Failure = SyncFailure<MirrorItem.ID>

  private let missing = ItemError.unframed
  private let full = FolderError(.full, "a")
  private let damaged = DatabaseError(code: .damaged, message: "m", path: "p")

  private func ending(
    _ outcome: PassOutcome, _ failures: [Failure] = [], unnamed: Int = 0
  ) -> MirrorEnding {
    MirrorEnding(PassReport(outcome: outcome, failures: failures), unnamed: unnamed)
  }

  private func item(_ key: String, _ cause: any Error) -> Failure {
    Failure(stage: .downloadContents, key: .key(CatalogKey(key)), cause: cause)
  }

  private func stage(_ cause: any Error) -> Failure {
    Failure(stage: .fetchSourceList, cause: cause)
  }

  func testEveryEndingOfTheEngineIsOneOfTheMirror() {
    let empty = MirrorError.emptyListing(held: 7)
    let table: [(PassOutcome, [Failure], MirrorReport.Outcome)] = [
      (.succeeded, [], .done),
      (.cancelled, [], .cancelled),
      (.cancelled, [item("a", missing)], .cancelled),
      (.removalRefused(count: 2, of: 3), [], .removalRefused(count: 2, of: 3)),
      (.failed, [item("a", missing)], .someFailed),
      (.failed, [stage(missing)], .failed),
      (.failed, [item("a", missing), stage(missing)], .failed),
      (.failed, [item("a", full)], .failed),
      (.failed, [stage(empty)], .removalRefused(count: 7, of: 7)),
      (.failed, [], .failed),
    ]
    for (outcome, failures, expected) in table {
      XCTAssertEqual(ending(outcome, failures).outcome, expected, "\(outcome) \(failures)")
    }
  }

  func testAnErrorThatEndsTheRunIsNoItemsAndToldOnce() {
    let ending = ending(
      .failed, [item("a", missing), item("b", full), item("c", full), stage(full)])
    XCTAssertEqual(ending.failures.map(\.key), ["a", nil])
    XCTAssertEqual(ending.failures.last?.sentence, "\(full)")
    XCTAssertEqual(ending.failed, 1)
    XCTAssertEqual(ending.counts.failed, 1)
    XCTAssertTrue(ending.wasCutShort)
    XCTAssertFalse(ending.triedEverything)
    XCTAssertFalse(ending.replacesFailures)
  }

  func testAnItemThatFailsTwiceCountsOnceAndOneWithoutAKeyToo() {
    let ending = ending(
      .failed, [item("a", missing), item("a", missing), item("b", missing)], unnamed: 3)
    XCTAssertEqual(ending.failed, 5)
    XCTAssertEqual(ending.failures.map(\.key), ["a", "b"])
    XCTAssertEqual(ending.toRetry.map(\.key), [CatalogKey("a"), CatalogKey("b")])
    XCTAssertTrue(ending.replacesFailures)
    XCTAssertTrue(ending.triedEverything)
  }

  func testOfVeryManyTheFirstAreNamedAndAllAreCounted() {
    let ending = ending(.failed, (0..<12_000).map { item("\($0)", missing) })
    XCTAssertEqual(ending.failures.count, 1_000)
    XCTAssertEqual(ending.toRetry.count, 10_000)
    XCTAssertEqual(ending.failed, 12_000)
  }

  /// Behind ten bad files at each end of a directory, the good ones would otherwise never come.
  func testWhatWasLeftAloneIsTriedBeforeWhatWasTriedAndAsItWasListed() {
    let leftAlone = TransportError(.directoryGivenUp, at: "https://h/")
    let unasked = TransportError(.originGivenUp, at: "https://h/")
    let failures = [
      item("a", missing), item("c", leftAlone), item("d", unasked), item("b", missing),
      item("e", leftAlone),
    ]
    let ending = ending(.failed, failures)
    XCTAssertEqual(ending.toRetry.map(\.key.description), ["c", "d", "e", "a", "b"])
    let many = (0..<12_000).map { item("\($0)", $0 < 100 ? missing : leftAlone) }
    let most = self.ending(.failed, many).toRetry
    XCTAssertEqual(most.map(\.key.description), (100..<10_100).map(String.init))
  }

  func testARunThatTriedNothingForgetsNoFailure() {
    XCTAssertFalse(ending(.failed, [stage(missing)]).replacesFailures)
    XCTAssertFalse(ending(.cancelled, [item("a", missing)]).replacesFailures)
    XCTAssertTrue(ending(.succeeded).replacesFailures)
  }

  func testDirectoriesThatCantBeReadAreNewsOnlyAfterAGoodRun() {
    var good = ending(.succeeded)
    good.foundNewUnreadable()
    XCTAssertEqual(good.outcome, .someFailed)
    XCTAssertTrue(good.hasNewUnreadable)
    var refused = ending(.removalRefused(count: 1, of: 2))
    refused.foundNewUnreadable()
    XCTAssertEqual(refused.outcome, .removalRefused(count: 1, of: 2))
  }

  func testARunThatCantBeRecordedIsNotDone() {
    var good = ending(.succeeded)
    good.recordingFailed(full)
    XCTAssertEqual(good.outcome, .failed)
    XCTAssertEqual(good.failures.map(\.key), [nil])
    var failed = ending(.failed, [stage(missing)])
    failed.recordingFailed(full)
    XCTAssertEqual(failed.failures.count, 1, "it says its first error")
    for outcome in [PassOutcome.cancelled, .removalRefused(count: 1, of: 2)] {
      var other = ending(outcome)
      other.recordingFailed(full)
      XCTAssertNotEqual(other.outcome, .failed)
      other.recordingFailed(damaged)
      XCTAssertEqual(other.outcome, .failed)
      XCTAssertTrue(other.foundDamagedIndex)
    }
  }

  func testADamagedIndexIsNoticedWhereverItWasMet() {
    XCTAssertTrue(ending(.failed, [stage(damaged)]).foundDamagedIndex)
    XCTAssertTrue(ending(.failed, [item("a", damaged)]).foundDamagedIndex)
    XCTAssertFalse(ending(.failed, [item("a", missing)]).foundDamagedIndex)
  }
}
