import Foundation
import SyncLock
import TestSupport
import XCTest

@testable import DocumentSync

/// A new document of which nothing else is to be said has no row in the outbox, and nobody notices.
final class PlainlyNewTests: StoreTestCase {
  private func rows(_ store: DocumentStore) async throws -> Int64? {
    try await store.number("SELECT count(*) FROM outbox")
  }

  private func advance(by milliseconds: Int64) { time.withLock { $0 += milliseconds } }

  func testItIsToBeSentAsAnyOther() async throws {
    let store = try await openStore()
    let made = time.withLock { $0 }
    try await store.save(edit(milk, ["n": 1]))
    try await assertEqual(rows(store), 0)
    advance(by: 5)
    let counts = try await store.counts()
    XCTAssertEqual([counts.documents, counts.outbox, counts.setAside], [1, 1, 0])
    XCTAssertEqual(counts.oldest?.milliseconds, made)
    try await assertFalse(store.read { try $0.isAtRest() })
    try await assertEqual(store.status(milk)?.isPending, true)
    try await assertEqual(store.status(milk)?.reason, .isToBeSent(tries: 0))
    try await assertEqual(store.life(of: milk)?.moments.map(\.time), [made])
    try await assertEqual(store.read { try $0.unsent(ofOthersThan: "bob", at: notes.server) }, 1)
  }

  func testOnlyWhatElseIsToBeSaidMakesARow() async throws {
    let store = try await syncedStore(bread)
    try await store.save(edit(bread, ["n": 2]))
    try await assertEqual(rows(store), 1, "it stands on a server's copy")
    var after = edit(eggs, ["n": 1])
    after.after = [milk]
    try await store.save(after)
    try await assertEqual(self.rows(store), 2, "it waits")
    try await store.stash(DocumentEdit(tea, in: notes, ["n": 1]))
    try await store.save(edit(tea, ["n": 1]))
    try await assertEqual(self.rows(store), 2)
    try await store.begin(tea)
    try await assertEqual(self.rows(store), 3, "a server may have it")
  }

  func testItKeepsItsPlaceAndItsAgeWhenItGetsARow() async throws {
    let store = try await openStore()
    let made = time.withLock { $0 }
    for id in [milk, bread, eggs] { try await store.save(edit(id, ["n": 1])) }
    advance(by: 5)
    try await store.save(edit(bread, ["n": 2]))
    try await store.save(edit(tea, ["n": 1]))
    try await assertEqual(store.ready(notes), [milk, bread, eggs, tea])
    try await store.delete(milk)
    try await assertEqual(store.counts().oldest?.milliseconds, made)
    try await assertEqual(store.life(of: bread)?.moments.map(\.time), [made])
    let some = try await store.sync { door in
      try door.ready(in: notes, after: 2, limit: 2).map(\.candidate.id)
    }
    XCTAssertEqual(some, [eggs, tea])
  }

  func testTheOldestIsThatOfAllCollections() async throws {
    let store = try await openStore()
    let made = time.withLock { $0 }
    let first = DocumentEdit(DocumentID("a"), in: tags, ["n": 1])
    try await store.save(first)
    advance(by: 5)
    try await store.makeSynced(bread)
    try await store.save(edit(bread, ["n": 2]))
    try await store.save(edit(milk, ["n": 1]))
    try await assertEqual(store.counts().oldest?.milliseconds, made)
    try await store.delete(first.id)
    try await assertEqual(store.counts().oldest?.milliseconds, made + 5)
  }

  func testAnotherAccountTakesItOverOrDropsIt() async throws {
    for wish in [UnsentEdits.keep, .drop] {
      let store = try await openStore(.memory)
      try await store.save(edit(milk, ["n": 1]))
      try await assertEqual(store.becomes("bob", wish), wish == .keep ? .moves : .drops)
      let bobs = DocumentScope(server: notes.server, account: "bob", collection: "notes")
      let (theirs, ours) = (try await store.ready(bobs), try await store.ready(notes))
      XCTAssertEqual([theirs, ours], [wish == .keep ? [milk] : [], []])
      try await assertEqual(store.stored(milk)?.entry != nil, wish == .keep)
    }
  }

  func testItIsFoundByIndexes() async throws {
    let store = try await openStore(saving: edit(milk, ["n": 1]))
    let plan = try await store.withConnection { connection in
      try connection.rows("EXPLAIN QUERY PLAN \(StoreEditor.ready)", 1, 0, 0, 9, 1) {
        try $0.text("detail")
      }
    }
    XCTAssertFalse(plan.contains { $0.contains("TEMP B-TREE") || $0.contains("SCAN") }, "\(plan)")
  }
}
