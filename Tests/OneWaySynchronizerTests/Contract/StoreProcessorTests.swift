import OneWaySynchronizer
import SynchronizerTesting
import TestSupport
import XCTest

/// What a processor of a large store may have in place of a plain one's methods.
final class StoreProcessorTests: XCTestCase {
  func testFiveMethodsMakeAProcessorThatKeepsACopyTrue() async throws {
    let server = Versions(["same": 1, "changed": 2, "new": 1])
    let copy = Versions(["same": 1, "changed": 1, "gone": 1])
    let synchronizer = Synchronizer(processor: Copier(server: server, copy: copy))
    let report = try await synchronizer.sync()
    let (copied, original) = await (copy.versions, server.versions)
    XCTAssertEqual(copied, original)
    XCTAssertEqual(report.counts.updated, 1)
  }

  func testAStoreThatCannotTellWhatChangedIsToldWhatItLacks() async throws {
    let error = await thrown(
      SyncError<String>.self, by: try await Synchronizer(processor: Undecided()).sync())
    let failure = try XCTUnwrap(error?.report.failures.first)
    XCTAssertEqual(failure.stage, .itemsToUpdate)
    XCTAssertEqual(
      "\(failure.cause)",
      "the processor can't tell what changed; give it shouldUpdate(_:), or itemsToUpdate(among:)")
  }

  func testAProcessorMayBecomeOneOfAStoreInAnExtension() async throws {
    let synchronizer = Synchronizer(processor: Extended())
    let report = try await synchronizer.sync()
    XCTAssertEqual(report.counts.updated, 1)
  }
}

private actor Versions {
  private(set) var versions: [String: Int]
  init(_ versions: [String: Int]) { self.versions = versions }
  func put(_ key: String, _ version: Int?) { versions[key] = version }
}

private struct Edition: SyncItem {
  let id: String
  let number: Int
}

private struct Copier: SyncProcessor {
  let server: Versions
  let copy: Versions

  func fetchSourceList() async throws -> SourceList<Edition> {
    .complete(await server.versions.map { Edition(id: $0, number: $1) })
  }
  func localKeys() async throws -> Set<String> { Set(await copy.versions.keys) }
  func removeLocalItems(_ keys: Set<String>) async throws {
    for key in keys { await copy.put(key, nil) }
  }
  func shouldUpdate(_ item: Edition) async throws -> Bool {
    await copy.versions[item.id] != item.number
  }
  func downloadContent(of item: Edition) async throws { await copy.put(item.id, item.number) }
}

private struct Undecided: StoreSyncProcessor {
  func fetchSourceList() async throws -> SourceList<TestItem> { .complete(["held"]) }
  func localKeys() async throws -> Set<String> { ["held"] }
  func removeLocalItems(_ keys: Set<String>) async throws {}
  func downloadContent(of item: TestItem) async throws {}
}

private struct Extended: SyncProcessor {
  func fetchSourceList() async throws -> SourceList<TestItem> { .complete(["held"]) }
  func localKeys() async throws -> Set<String> { ["held"] }
  func removeLocalItems(_ keys: Set<String>) async throws {}
  func shouldUpdate(_ item: TestItem) async throws -> Bool { false }
  func downloadContent(of item: TestItem) async throws {}
}

extension Extended: StoreSyncProcessor {
  func itemsToUpdate(among items: [TestItem]) async throws -> [TestItem] { items }
}
