import SyncDatabase
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
    let store = try await openStore()
    try await store.makeSynced(milk, ["n": 1], "1", in: notes)
    try await store.makeSynced(bread, ["n": 1], "1", in: tags)
    try await store.sync { [notes] door in
      var page = PulledPage([], checkpoint: "7")
      page.unreadable = [UnreadableDocument(name: "x", words: "no JSON")]
      _ = try door.pulled(page, of: notes)
    }
    let count = try await store.edit { [notes] in try $0.dropCollection(notes) }
    XCTAssertEqual(count, 1)
    let (one, other) = (try await store.status(milk), try await store.get(bread))
    XCTAssertNil(one)
    XCTAssertEqual(other, ["n": 1])
    let (checkpoint, failures) = try await store.read { [notes] in
      (try $0.checkpoint(of: notes), try $0.failures(of: notes))
    }
    XCTAssertNil(checkpoint, "the next pull brings all again")
    XCTAssertEqual(failures, [])
    let ready = try await store.ready(notes)
    XCTAssertEqual(ready, [], "no server is told")
    try await store.makeSynced(milk, ["n": 1], "1", in: notes)
    let again = try await store.get(milk)
    XCTAssertEqual(again, ["n": 1])
  }

  func testChangesThatWaitKeepACollectionUnlessTheyAreToGo() async throws {
    let store = try await openStore()
    try await store.makeSynced(milk, ["n": 1], "1", in: notes)
    try await store.save(edit(bread, ["n": 1]))
    try await store.delete(milk)
    await assertFails(.changesWait(2)) {
      try await store.edit { [notes] in try $0.dropCollection(notes) }
    }
    await assertFails(.changesWait(2)) { try await store.edit { try $0.dropEverything() } }
    let counts = try await store.read { try $0.counts() }
    XCTAssertEqual(counts.outbox, 2)
    XCTAssertEqual(
      "\(DocumentError.changesWait(2))",
      "2 changes wait to be sent; sync first, or say that they may go")
    let count = try await store.edit { [notes] in
      try $0.dropCollection(notes, discardingChanges: true)
    }
    XCTAssertEqual(count, 1)
    let isEmpty = try await isEmpty(store)
    XCTAssertTrue(isEmpty)
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
    var ready = try await store.ready(notes)
    XCTAssertEqual(ready, [])
    try await store.edit { [tags] in _ = try $0.dropCollection(tags, discardingChanges: true) }
    ready = try await store.ready(notes)
    XCTAssertEqual(ready, [milk])
  }

  func testAnAnswerForWhatWasDroppedChangesNothing() async throws {
    let store = try await openStore()
    try await store.save(edit(milk, ["n": 1]))
    _ = try await store.begin(milk)
    try await store.save(edit(milk, ["n": 2]))
    try await store.edit { [notes] in _ = try $0.dropCollection(notes, discardingChanges: true) }
    try await store.end(milk, .accepted(.init("1")))
    let status = try await store.status(milk)
    XCTAssertNil(status)
    let isEmpty = try await isEmpty(store)
    XCTAssertTrue(isEmpty)
  }

  func testOfEverythingOnlyWhereItWasAtHomeStays() async throws {
    let store = try await openStore()
    try await store.makeSynced(milk, ["n": 1], "1", in: notes)
    try await store.makeSynced(bread, ["n": 1], "1", in: tags)
    try await store.save(edit(milk, ["n": 2]))
    try await store.pull(milk, .deleted(.init("2")), notes, .serverWins)
    try await store.pull(DocumentID("gone"), .deleted(.init("3")), notes)
    try await store.save(edit(eggs, ["n": 1]))
    _ = try await store.begin(eggs)
    try await store.save(edit(eggs, ["n": 2]))
    let name = try await store.read { try $0.storeName() }
    let count = try await store.edit { try $0.dropEverything(discardingChanges: true) }
    XCTAssertEqual(count, 2)
    let isEmpty = try await isEmpty(store)
    XCTAssertTrue(isEmpty)
    let nameNow = try await store.read { try $0.storeName() }
    XCTAssertEqual(nameNow, name)
    try await store.save(edit(milk, ["n": 3]))
    let ready = try await store.ready(notes)
    XCTAssertEqual(ready, [milk])
  }
}
