@testable import SyncEngine
@testable import OneWaySynchronizer
import SyncLock
import SynchronizerTesting
import TestSupport
import XCTest

/// A processor of many items that is only ever asked about those that a list names.
private final class Warehouse: StoreSyncProcessor {
  struct Notes {
    var asked: [Set<String>] = []
    var wholes = 0
    var removed: Set<String> = []
    var offered: [String] = []
  }

  let list: SourceList<TestItem>
  let notes = Locked(Notes())

  init(_ list: SourceList<TestItem>) {
    self.list = list
  }

  func fetchSourceList() async throws -> SourceList<TestItem> { list }

  func localKeys() async throws -> Set<String> {
    notes.withLock { $0.wholes += 1 }
    return ["held", "gone"]
  }

  func localKeys(among named: Set<String>) async throws -> LocalKeys<String> {
    notes.withLock { $0.asked.append(named) }
    return LocalKeys(keys: named.intersection(["held", "gone"]), count: 1_000)
  }

  func removeLocalItems(_ keys: Set<String>) async throws {
    notes.withLock { $0.removed = keys }
  }

  func itemsToUpdate(among items: [TestItem]) async throws -> [TestItem] {
    notes.withLock { $0.offered = items.map(\.id) }
    return []
  }

  func downloadContent(of item: TestItem) async throws {}
}

final class NamedKeysTests: XCTestCase {
  func testAListOfChangesAsksOnlyAboutWhatItNames() async throws {
    let processor = Warehouse(.changes(updated: ["held", "new"], removed: ["gone", "unknown"]))
    let report = try await Synchronizer(processor: processor).sync()
    let notes = processor.notes.withLock { $0 }
    XCTAssertEqual(notes.asked, [["held", "new", "gone", "unknown"]])
    XCTAssertEqual(notes.wholes, 0)
    XCTAssertEqual(notes.removed, ["gone"])
    XCTAssertEqual(notes.offered, ["held"])
    XCTAssertEqual(report.passes[0].counts.downloaded, 1)
  }

  func testAPartialListAsksOnlyAboutWhatItNames() async throws {
    let processor = Warehouse(.partial(["held", "new"]))
    try await Synchronizer(processor: processor).sync()
    let notes = processor.notes.withLock { $0 }
    XCTAssertEqual(notes.asked, [["held", "new"]])
    XCTAssertEqual([notes.wholes, notes.removed.count], [0, 0])
  }

  func testACompleteListAsksForAllKeys() async throws {
    let processor = Warehouse(.complete(["held"]))
    try await Synchronizer(processor: processor).sync()
    let notes = processor.notes.withLock { $0 }
    XCTAssertEqual(notes.asked, [])
    XCTAssertEqual(notes.wholes, 1)
    XCTAssertEqual(notes.removed, ["gone"])
  }

  func testTheShareIsOfAllItemsThatAreHeld() async throws {
    for (share, isAllowed) in [(0.001, true), (0.0009, false)] {
      let processor = Warehouse(.changes(updated: [], removed: ["gone"]))
      let limited = options { $0.removalLimit = .share(share) }
      let synchronizer = Synchronizer(processor: processor, options: limited)
      if isAllowed {
        try await synchronizer.sync()
      } else {
        try await assertEqual(synchronizer.syncError().code, .removalRefused(count: 1, of: 1_000))
      }
      XCTAssertEqual(processor.notes.withLock { $0.removed }, isAllowed ? ["gone"] : [])
    }
  }

  func testByDefaultAllKeysAreAskedFor() async throws {
    let processor = TestProcessor([], local: ["a", "b", "c"])
    try await assertEqual(processor.localKeys(among: ["a", "d"]), LocalKeys(keys: ["a"], count: 3))
  }

  func testAProcessorMayBeAskedWithTheItemsThemselves() async throws {
    let shelf = CardIndex(.changes(updated: ["held", "new"], removed: ["gone"]))
    let report = try await Synchronizer(processor: shelf).sync()
    let notes = shelf.notes.withLock { $0 }
    XCTAssertEqual(notes.items, ["held", "new"])
    XCTAssertEqual(notes.others, ["gone"])
    XCTAssertEqual(notes.removed, ["gone"])
    XCTAssertEqual(report.passes[0].counts.downloaded, 1)
  }
}

/// A processor that makes no set of the keys of a list.
private final class CardIndex: StoreSyncProcessor {
  struct Notes {
    var items: [String] = []
    var others: Set<String> = []
    var removed: Set<String> = []
  }

  let list: SourceList<TestItem>
  let notes = Locked(Notes())

  init(_ list: SourceList<TestItem>) {
    self.list = list
  }

  func fetchSourceList() async throws -> SourceList<TestItem> { list }

  func localKeys() async throws -> Set<String> { ["held", "gone"] }

  func localKeys(
    among items: [TestItem], and others: Set<String>
  ) async throws -> LocalKeys<String> {
    notes.withLock { notes in
      notes.items = items.map { $0.id }
      notes.others = others
    }
    let named = others.union(items.map { $0.id })
    return LocalKeys(keys: named.intersection(["held", "gone"]), count: 1_000)
  }

  func removeLocalItems(_ keys: Set<String>) async throws {
    notes.withLock { $0.removed = keys }
  }

  func shouldUpdate(_ item: TestItem) async throws -> Bool { false }

  func downloadContent(of item: TestItem) async throws {}
}
