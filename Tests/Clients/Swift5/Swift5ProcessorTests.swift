import OneWaySynchronizer
import SynchronizerTesting
import XCTest

// Compiled in the language mode of Swift 5.

struct Page: SyncItem {
  var id: String
}

/// A view controller's helper, as it was written for years.
@MainActor
final class PageLoader: SyncProcessor {
  var pages: Set<String> = []
  var remote: [Page] = []

  func fetchSourceList() async throws -> SourceList<Page> { .complete(remote) }
  func localKeys() async throws -> Set<String> { pages }
  func removeLocalItems(_ keys: Set<String>) async throws { pages.subtract(keys) }
  func shouldUpdate(_ item: Page) async throws -> Bool { false }
  func downloadContent(of page: Page) async throws { pages.insert(page.id) }
}

final class Swift5ProcessorTests: XCTestCase {
  @MainActor
  func testAClassOfTheMainActorIsAProcessor() async throws {
    let loader = PageLoader()
    loader.remote = [Page(id: "a"), Page(id: "b")]
    let synchronizer = Synchronizer(processor: loader)
    let report = try await synchronizer.sync()
    XCTAssertEqual(report.counts.downloaded, 2)
    XCTAssertEqual(loader.pages, ["a", "b"])
  }

  func testEventsAreReadAsEver() async throws {
    let synchronizer = Synchronizer(processor: ScriptedProcessor(["a"]))
    let recorder = EventRecorder(synchronizer.events)
    try await synchronizer.sync()
    let events = await recorder.eventsUntilRunEnd()
    XCTAssertEqual(events.count { $0.isItemEvent }, 2)
  }
}
