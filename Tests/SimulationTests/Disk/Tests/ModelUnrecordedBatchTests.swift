import SyncLock
import XCTest

@testable import CatalogMirror

/// A batch that was placed and couldn't be recorded, and another one after it that could: what the
/// first one placed was forgotten with the second one's marks, and stayed for ever as somebody's.
final class ModelUnrecordedBatchTests: ModelMirrorTestCase {
  // Large enough to be a batch of its own.
  private let large = String(repeating: "x", count: Int(BatchLimits.large))

  func testM15_ABatchThatFailedToBeRecordedIsKnownToTheNextRunWhateverWasRecordedAfterIt()
    async throws
  {
    let disk = try emptyDisk()
    let hasFailed = Locked(false)
    disk.onCall { call in
      guard call.kind == .flush, call.path == "\(Self.folder)/d" else { return nil }
      return hasFailed.withLock { hasFailed in
        defer { hasFailed = true }
        return hasFailed ? nil : .error(.inputOutput)
      }
    }
    let site = try site(["d/large": large, "small": "small"])
    let report = try await sync(site, on: disk) { $0.concurrency = 1 }
    disk.onCall(nil)
    XCTAssertEqual(report.failures.map(\.key), ["d/large"])
    let (found, held) = (texts(disk), try await rows(disk).filter { $0.value.content != nil })
    XCTAssertEqual(found.keys.sorted(), ["d/large", "small"])
    XCTAssertEqual(held.keys.sorted(), ["small"])
    let next = try await sync(try self.site(["small": "small"]), on: disk) {
      $0.maximumRemoval = .all
    }
    XCTAssertEqual(next.outcome, .done, "\(next.failures)")
    XCTAssertEqual(texts(disk), ["small": "small"], "dropped by the catalog, and ours")
  }
}
