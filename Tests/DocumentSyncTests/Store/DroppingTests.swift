import SyncDatabase
import TestSupport
import XCTest

@testable import DocumentSync

/// Whole collections, and the whole content, taken away.
final class DroppingTests: StoreTestCase {
  private func isEmpty(_ store: DocumentStore, but tables: Set<String> = []) async throws -> Bool {
    try await store.withConnection { connection in
      let names = try connection.rows(
        """
        SELECT name FROM sqlite_schema
        WHERE type = 'table' AND name NOT IN ('store', 'scopes', 'migrations', 'upkeep')
          AND name NOT LIKE 'sqlite%'
        """
      ) { try $0.text("name") }
      return try names.filter { !tables.contains($0) }.compactMap { Identifier($0) }
        .allSatisfy { name in
          try connection.row("SELECT count(*) FROM \(name)") { try $0.integer(0) } == 0
        }
    }
  }

  func testACollectionGoesAndNothingElse() async throws {
    let store = try await syncedStore()
    try await store.makeSynced(bread, in: tags)
    try await store.sync { door in
      var page = PulledPage([], checkpoint: "7")
      page.unreadable = [UnreadableDocument(name: "x", words: "no JSON")]
      _ = try door.pulled(page, of: notes)
    }
    try await assertEqual(store.edit { try $0.dropCollection(notes) }, 1)
    try await assertNil(store.status(milk))
    try await assertEqual(store.get(bread), ["n": 1])
    let (checkpoint, failures) = try await store.read {
      (try $0.checkpoint(of: notes), try $0.failures(of: notes))
    }
    XCTAssertNil(checkpoint, "the next pull brings all again")
    XCTAssertEqual(failures, [])
    try await assertEqual(store.ready(notes), [], "no server is told")
    try await store.makeSynced(milk)
    try await assertEqual(store.get(milk), ["n": 1])
  }

  func testChangesThatWaitKeepACollectionUnlessTheyAreToGo() async throws {
    let store = try await syncedStore()
    try await store.save(edit(bread, ["n": 1]))
    try await store.delete(milk)
    await assertFails(.changesWait(2)) {
      try await store.edit { try $0.dropCollection(notes) }
    }
    await assertFails(.changesWait(2)) { try await store.edit { try $0.dropEverything() } }
    try await assertEqual(store.counts().outbox, 2)
    XCTAssertEqual(
      "\(DocumentError.changesWait(2))",
      "2 changes wait to be sent; sync first, or say that they may go")
    try await assertEqual(store.edit { try $0.dropCollection(notes, discardingChanges: true) }, 1)
    try await assertTrue(isEmpty(store))
  }

  func testWhoWaitsForADocumentThatWasDroppedWaitsNoLonger() async throws {
    let store = try await openStore()
    let first = DocumentEdit(bread, in: tags, [:])
    var second = edit(milk, [:])
    second.after = [bread]
    try await store.edit { [second] in
      _ = try $0.save(first)
      _ = try $0.save(second)
    }
    try await assertEqual(store.ready(notes), [])
    try await store.edit { _ = try $0.dropCollection(tags, discardingChanges: true) }
    try await assertEqual(store.ready(notes), [milk])
  }

  func testAnAnswerForWhatWasDroppedChangesNothing() async throws {
    let store = try await openStore(saving: edit(milk, ["n": 1]))
    try await store.begin(milk)
    try await store.save(edit(milk, ["n": 2]))
    try await store.edit { _ = try $0.dropCollection(notes, discardingChanges: true) }
    try await store.end(milk, .accepted(.init("1")))
    try await assertNil(store.status(milk))
    try await assertTrue(isEmpty(store))
  }

  func testOfEverythingOnlyWhereItWasAtHomeStays() async throws {
    let store = try await syncedStore()
    try await store.makeSynced(bread, in: tags)
    try await store.save(edit(milk, ["n": 2]))
    try await store.pull(milk, .deleted(.init("2")), notes, .serverWins)
    try await store.pull(DocumentID("gone"), .deleted(.init("3")), notes)
    try await store.save(edit(eggs, ["n": 1]))
    try await store.begin(eggs)
    try await store.save(edit(eggs, ["n": 2]))
    let name = try await store.name()
    try await assertEqual(store.edit { try $0.dropEverything(discardingChanges: true) }, 2)
    try await assertTrue(isEmpty(store))
    try await assertEqual(store.name(), name)
    try await store.save(edit(milk, ["n": 3]))
    try await assertEqual(store.ready(notes), [milk])
  }
}
