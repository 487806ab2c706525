import Foundation
import SyncDatabase
import TestSupport
import XCTest

@testable import DocumentSync

/// A store that ships with an app is where each user's own one begins.
final class ShippedStoreTests: StoreTestCase {
  private var shipped: String { folder.appending(path: "shipped'.sqlite").path }

  private func openCopy() async throws -> DocumentStore {
    try await DocumentStore(path, copying: shipped, options: options)
  }

  private func ship() async throws -> String {
    let store = try await openStore(.file(shipped))
    try await store.makeSynced(milk)
    try await store.pull(PulledPage([], checkpoint: "7"), of: notes)
    try await store.save(edit(bread, ["n": 1]))
    let name = try await store.name()
    await store.close()
    return name
  }

  private func files() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") }.sorted()
  }

  func testItIsCopiedWholeUnderANameOfItsOwn() async throws {
    let name = try await ship()
    let before = try Data(contentsOf: URL(filePath: shipped))
    let store = try await openCopy()
    try await assertEqual(store.get(milk), ["n": 1])
    try await assertEqual(store.ready(notes), [bread])
    let (checkpoint, own) = try await store.read {
      (try $0.checkpoint(of: notes), try $0.storeName())
    }
    XCTAssertEqual(checkpoint, "7")
    XCTAssertNotEqual(own, name)
    XCTAssertEqual(own.utf8.count, 32)
    XCTAssertEqual(try Data(contentsOf: URL(filePath: shipped)), before)
    XCTAssertEqual(try files(), ["shipped'.sqlite", "store.sqlite"])
  }

  func testItIsCopiedOnceOnly() async throws {
    _ = try await ship()
    var store = try await openCopy()
    try await store.save(edit(milk, ["n": 2]))
    let name = try await store.name()
    await store.close()
    store = try await openCopy()
    try await assertEqual(store.get(milk), ["n": 2])
    try await assertEqual(store.name(), name)
    // Nor is what ships looked at again.
    await store.close()
    try FileManager.default.removeItem(atPath: shipped)
    try await assertEqual(openCopy().get(milk), ["n": 2])
  }

  func testItIsCopiedWhereItMayOnlyBeReadAndTheCopyMayBeWritten() async throws {
    _ = try await ship()
    try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: shipped)
    try await assertEqual(openCopy().get(milk), ["n": 1])
    try await openCopy().save(edit(milk, ["n": 2]))
  }

  func testOfSeveralWhoCopyAtOnceOneDoes() async throws {
    _ = try await ship()
    let names = try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<6 {
        group.addTask { [path, shipped, options] in
          try await DocumentStore(path, copying: shipped, options: options)
            .name()
        }
      }
      return try await group.reduce(into: Set()) { $0.insert($1) }
    }
    XCTAssertEqual(names.count, 1)
    XCTAssertEqual(try files(), ["shipped'.sqlite", "store.sqlite"])
  }

  func testWhatIsNoStoreOrOfANewerProgramIsRefusedAndNothingIsLeft() async throws {
    _ = try await ship()
    do {
      let connection = try Connection(path: shipped)
      _ = try connection.run("INSERT INTO migrations (name) VALUES ('wings')")
    }
    await assertEqual(
      thrown(DatabaseError.self, by: try await openCopy())?.code, .newerVersion(["wings"]))
    XCTAssertEqual(try files(), ["shipped'.sqlite"])
    try FileManager.default.removeItem(atPath: shipped)
    do {
      let other = try Connection(path: shipped)
      try other.execute("CREATE TABLE birds (name TEXT)")
    }
    await assertFails(.notAStore(shipped)) { try await openCopy() }
    try FileManager.default.removeItem(atPath: shipped)
    await assertEqual(thrown(DatabaseError.self, by: try await openCopy())?.code, .cannotOpen)
    XCTAssertEqual(try files(), [])
  }

  func testWhatIsLeftOfACopyThatWasCutOffIsTakenAway() async throws {
    _ = try await ship()
    for (name, age) in [("old", -7_200.0), ("young", -60)] {
      let left = "\(path)-shipped-\(name)"
      try Data("half".utf8).write(to: URL(filePath: left))
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: age)], ofItemAtPath: left)
    }
    await (try await openCopy()).close()
    XCTAssertEqual(try files(), ["shipped'.sqlite", "store.sqlite", "store.sqlite-shipped-young"])
  }
}
