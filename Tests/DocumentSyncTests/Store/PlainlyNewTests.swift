import SyncDatabase
import SyncLock
import XCTest

@testable import DocumentSync

/// A new document of which nothing else is to be said has no row in the outbox, and nobody notices.
final class PlainlyNewTests: StoreTestCase {
  private let tea = DocumentID("tea")

  private func rows(_ store: DocumentStore) async throws -> Int64? {
    try await store.withConnection { connection in
      try connection.row("SELECT count(*) FROM outbox") { try $0.integer(0) }
    }
  }

  private func advance(by milliseconds: Int64) { time.withLock { $0 += milliseconds } }

  func testItIsToBeSentAsAnyOther() async throws {
    let store = try await openStore()
    let made = time.withLock { $0 }
    try await store.save(edit(milk, ["n": 1]))
    let rows = try await rows(store)
    XCTAssertEqual(rows, 0)
    advance(by: 5)
    let counts = try await store.read { try $0.counts() }
    XCTAssertEqual([counts.documents, counts.outbox, counts.setAside], [1, 1, 0])
    XCTAssertEqual(counts.oldest, made)
    let isAtRest = try await store.read { try $0.isAtRest() }
    XCTAssertFalse(isAtRest)
    let status = try await store.status(milk)
    XCTAssertEqual(status?.isPending, true)
    XCTAssertEqual(status?.reason, .isToBeSent(tries: 0))
    let life = try await store.read { [milk] in try $0.life(of: milk) }
    XCTAssertEqual(life?.moments.map(\.time), [made])
    let unsent = try await store.read { [notes] in
      try $0.unsent(ofOthersThan: "bob", at: notes.server)
    }
    XCTAssertEqual(unsent, 1)
  }

  func testOnlyWhatElseIsToBeSaidMakesARow() async throws {
    let store = try await openStore()
    try await store.makeSynced(bread, ["n": 1], "1", in: notes)
    try await store.save(edit(bread, ["n": 2]))
    var rows = try await rows(store)
    XCTAssertEqual(rows, 1, "it stands on a server's copy")
    var after = edit(eggs, ["n": 1])
    after.after = [milk]
    try await store.save(after)
    rows = try await self.rows(store)
    XCTAssertEqual(rows, 2, "it waits")
    _ = try await store.edit { [notes, tea] in
      try $0.stash(DocumentEdit(tea, in: notes, ["n": 1]))
    }
    try await store.save(edit(tea, ["n": 1]))
    rows = try await self.rows(store)
    XCTAssertEqual(rows, 2)
    _ = try await store.begin(tea)
    rows = try await self.rows(store)
    XCTAssertEqual(rows, 3, "a server may have it")
  }

  func testItKeepsItsPlaceAndItsAgeWhenItGetsARow() async throws {
    let store = try await openStore()
    let made = time.withLock { $0 }
    for id in [milk, bread, eggs] { try await store.save(edit(id, ["n": 1])) }
    advance(by: 5)
    try await store.save(edit(bread, ["n": 2]))
    try await store.save(edit(tea, ["n": 1]))
    let ready = try await store.ready(notes)
    XCTAssertEqual(ready, [milk, bread, eggs, tea])
    try await store.delete(milk)
    let counts = try await store.read { try $0.counts() }
    XCTAssertEqual(counts.oldest, made)
    let life = try await store.read { [bread] in try $0.life(of: bread) }
    XCTAssertEqual(life?.moments.map(\.time), [made])
    let some = try await store.sync { [notes] door in
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
    try await store.makeSynced(bread, ["n": 1], "1", in: notes)
    try await store.save(edit(bread, ["n": 2]))
    try await store.save(edit(milk, ["n": 1]))
    var oldest = try await store.read { try $0.counts() }.oldest
    XCTAssertEqual(oldest, made)
    try await store.delete(first.id)
    oldest = try await store.read { try $0.counts() }.oldest
    XCTAssertEqual(oldest, made + 5)
  }

  func testAnotherAccountTakesItOverOrDropsIt() async throws {
    for wish in [UnsentEdits.keep, .drop] {
      let store = try await openStore(.memory)
      try await store.save(edit(milk, ["n": 1]))
      let decision = try await store.edit { [notes] in
        try $0.becomes(account: "bob", of: notes.server, unsent: wish)
      }
      XCTAssertEqual(decision, wish == .keep ? .moves : .drops)
      let bobs = DocumentScope(server: notes.server, account: "bob", collection: "notes")
      let (theirs, ours) = (try await store.ready(bobs), try await store.ready(notes))
      XCTAssertEqual([theirs, ours], [wish == .keep ? [milk] : [], []])
      let stored = try await store.stored(milk)
      XCTAssertEqual(stored?.entry != nil, wish == .keep)
    }
  }

  func testItIsFoundByIndexes() async throws {
    let store = try await openStore()
    try await store.save(edit(milk, ["n": 1]))
    let plan = try await store.withConnection { connection in
      try connection.rows("EXPLAIN QUERY PLAN \(StoreEditor.ready)", 1, 0, 0, 9, 1) {
        try $0.text("detail")
      }
    }
    XCTAssertFalse(plan.contains { $0.contains("TEMP B-TREE") || $0.contains("SCAN") }, "\(plan)")
  }
}
