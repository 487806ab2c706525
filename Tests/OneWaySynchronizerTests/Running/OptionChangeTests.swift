@testable import OneWaySynchronizer
@testable import SyncEngine
import SynchronizerTesting
import TestSupport
import XCTest

/// Two settings screens, or a screen and a network monitor, change options at the same time.
final class OptionChangeTests: XCTestCase {
  private let synchronizer = Synchronizer(processor: TestProcessor([]))

  /// Changes options as an assignment to one of their properties does, with something in between.
  private func change(
    _ options: inout SyncOptions, _ change: (inout SyncOptions) -> Void, meanwhile: () -> Void
  ) {
    change(&options)
    meanwhile()
  }

  func testAPropertyThatIsSetKeepsWhatIsSetElsewhereAtTheSameTime() {
    change(&synchronizer.options) {
      $0.concurrency = 7
    } meanwhile: {
      synchronizer.options.stopOnError = false
      synchronizer.options.retries = DownloadRetries(attempts: 3)
    }
    XCTAssertEqual(synchronizer.options.concurrency, 7)
    XCTAssertFalse(synchronizer.options.stopOnError)
    XCTAssertEqual(synchronizer.options.retries.attempts, 3)
    change(&synchronizer.options) {
      $0.retries.attempts = 5
    } meanwhile: {
      synchronizer.options = SyncOptions(concurrency: 2)
    }
    XCTAssertEqual(synchronizer.options.concurrency, 2)
    XCTAssertTrue(synchronizer.options.stopOnError)
    XCTAssertEqual(synchronizer.options.retries.attempts, 5)
  }

  func testEveryPropertyIsTakenOverAndNoOther() {
    let changes: [(inout SyncOptions) -> Void] = [
      { $0.concurrency = 3 }, { $0.downloadPreview = true }, { $0.downloadContent = false },
      { $0.stopOnError = false }, { $0.removal = .afterDownloads },
      { $0.removalLimit = .unlimited }, { $0.retries = DownloadRetries(attempts: 2) },
      { $0.timeLimits.stage = .seconds(9) }, { $0.budget = DownloadBudget(1) },
    ]
    let before = SyncOptions()
    XCTAssertEqual(Mirror(reflecting: before).children.count, changes.count, "of each property")
    for (place, change) in changes.enumerated() {
      var (changed, other) = (before, before)
      change(&changed)
      XCTAssertTrue(other.take(changed, madeFrom: before), "\(place)")
      XCTAssertFalse(other.take(changed, madeFrom: other), "\(place): it is as it was set")
      XCTAssertFalse(other.take(before, madeFrom: before), "\(place): nothing else is set")
    }
  }

  func testAnUpdateIsMadeOnceMoreWhenTheOptionsHaveChangedMeanwhile() {
    var seen: [Int] = []
    synchronizer.update { options in
      seen.append(options.concurrency)
      if seen.count == 1 { synchronizer.options.concurrency = 5 }
      options.concurrency += 1
    }
    XCTAssertEqual(seen, [0, 5])
    XCTAssertEqual(synchronizer.options.concurrency, 6)
  }

  func testOfUpdatesFromManyTasksNoneIsLost() async {
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask { [synchronizer] in
          for _ in 0..<500 { synchronizer.update { $0.concurrency += 1 } }
        }
        group.addTask { [synchronizer] in
          for _ in 0..<500 { synchronizer.options.downloadPreview.toggle() }
        }
      }
    }
    XCTAssertEqual(synchronizer.options.concurrency, 2_000)
  }

  func testAnUpdateThatThrowsChangesNothing() {
    XCTAssertThrowsError(
      try synchronizer.update { options in
        options.concurrency = 9
        throw Refused()
      })
    XCTAssertEqual(synchronizer.options.concurrency, 0)
  }

  func testAnUpdateThatSetsTheOptionsThemselvesEndsAllTheSame() {
    synchronizer.update { options in
      synchronizer.options.concurrency = 3
      options.stopOnError = false
    }
    XCTAssertEqual(synchronizer.options.concurrency, 3)
    XCTAssertFalse(synchronizer.options.stopOnError)
  }

  func testWhatOldOptionsHeldIsLetGoOfUnderNoLock() {
    final class Held: Sendable {
      let whenGone: @Sendable () -> Void
      init(_ whenGone: @escaping @Sendable () -> Void) { self.whenGone = whenGone }
      deinit { whenGone() }
    }
    let watch = Watch()
    func holding() -> DownloadRetries {
      let held = Held { [synchronizer] in
        _ = synchronizer.isSyncing  // would wait for ever under the lock
        watch.call()
      }
      return DownloadRetries(isWorthwhile: { _ in withExtendedLifetime(held) { true } })
    }
    synchronizer.options.retries = holding()
    synchronizer.options = SyncOptions()
    synchronizer.options.retries = holding()
    synchronizer.options.retries = DownloadRetries()
    synchronizer.options.retries = holding()
    synchronizer.update { $0.retries = DownloadRetries() }
    XCTAssertEqual(watch.count, 3)
  }
}
