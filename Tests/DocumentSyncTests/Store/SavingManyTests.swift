import TestSupport
import XCTest

@testable import DocumentSync

/// Many documents saved in one transaction, of which some are new: each ends as if it were alone.
final class SavingManyTests: StoreTestCase {
  func testKnownOnesAmongNewOnesAreEdits() async throws {
    let store = try await syncedStore(bread)
    try await store.save(edit(eggs, ["n": 1]))
    let edits = [milk, bread, oil, eggs, milk].map { edit($0, ["n": 2]) }
    try await assertEqual(store.save(edits), 4, "the last one says what is there already")
    let ready = try await store.ready(notes)
    XCTAssertEqual(ready, [eggs, milk, bread, oil], "in the order of the first unsent changes")
    for (id, state) in [(milk, DocumentStatus.State.created), (bread, .edited), (eggs, .created)] {
      try await assertEqual(store.status(id)?.state, state, "\(id)")
      try await assertEqual(store.get(id), ["n": 2], "\(id)")
    }
  }

  func testNewOnesAreAsTheyWouldBeAlone() async throws {
    let (one, other) = (try await openStore(), try await openStore(.memory))
    let edits = [milk, bread, eggs, oil].map { edit($0, ["n": 1]) }
    try await one.save(edits)
    for edit in edits { try await other.save(edit) }
    for id in edits.map(\.id) {
      let (stored, alone) = (try await one.stored(id), try await other.stored(id))
      XCTAssertNotNil(stored)
      XCTAssertEqual(stored, alone)
    }
  }

  func testOneThatWasDeletedIsMadeAnewAmongOthers() async throws {
    let store = try await syncedStore(eggs)
    try await store.delete(eggs)
    try await store.send(eggs, as: "2")
    let edits = [milk, bread, eggs, oil].map { edit($0, ["n": 2]) }
    try await store.save(edits)
    try await assertEqual(store.stored(eggs)?.tombstone, .at(DocumentVersion("2")))
  }

  func testOneThatIsDeletedBetweenIsNew() async throws {
    let store = try await openStore()
    let edits = [milk, bread].map { edit($0, ["n": 1]) }
    let saved = try await store.edit { door in
      try door.save(edits)
      try door.delete(bread)
      return try door.save(edits)
    }
    XCTAssertEqual(saved, 1)
    try await assertEqual(store.ready(notes), [milk, bread])
  }

  func testOneThatIsAtHomeElsewhereIsAnErrorAndNothingIsStored() async throws {
    let store = try await syncedStore(eggs, in: tags)
    let edits = [milk, bread, eggs].map { edit($0, ["n": 2]) }
    await assertFails(.atHomeElsewhere(eggs, collection: tags.collection)) {
      try await store.save(edits)
    }
    try await assertEqual(store.counts().outbox, 0)
  }

  func testThoseThatGoAfterOthersOfTheSameTransactionWait() async throws {
    let store = try await openStore()
    var late = edit(eggs, ["n": 1])
    late.after = [bread]
    let edits = [edit(milk, ["n": 1]), edit(bread, ["n": 1]), late]
    try await store.save(edits)
    try await assertEqual(store.ready(notes), [milk, bread])
    try await store.send(bread, as: "1")
    try await assertEqual(store.ready(notes), [milk, eggs])
  }
}
