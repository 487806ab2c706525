import OneWaySynchronizer
import SynchronizerTesting
import TestSupport
import XCTest

/// Readers of streams that come and go while a sync runs.
///
/// Status and events were told under locks that a leaving reader takes, too: after some views the
/// program stood still for good.
final class LeavingReadersTests: XCTestCase {
  private let synchronizer = Synchronizer(processor: Twenty())

  func testViewsOfTheStatusComeAndGoWhileASyncRuns() {
    XCTAssertTrue(
      LeavingReaders.comeAndGo { [synchronizer] in
        synchronizer.status
      } while: { [synchronizer] in
        _ = try? await synchronizer.sync()
      })
  }

  func testReadersOfTheEventsComeAndGoWhileItemsTellHowFarTheyAre() {
    XCTAssertTrue(
      LeavingReaders.comeAndGo { [synchronizer] in
        synchronizer.events
      } while: { [synchronizer] in
        _ = try? await synchronizer.sync()
      })
  }
}

/// Twenty items, none of which is held, and nothing to do for them but to tell of each.
private struct Twenty: SyncProcessor {
  func fetchSourceList() async throws -> SourceList<TestItem> {
    .complete((0..<20).map { TestItem("\($0)") })
  }
  func localKeys() async throws -> Set<String> { [] }
  func removeLocalItems(_ keys: Set<String>) async throws {}
  func shouldUpdate(_ item: TestItem) async throws -> Bool { false }
  func downloadContent(of item: TestItem) async throws {}
  func downloadContent(of item: TestItem, progress: DownloadProgress) async throws {
    progress.report(bytes: 1, of: 2)
    progress.report(bytes: 2, of: 2)
  }
}
