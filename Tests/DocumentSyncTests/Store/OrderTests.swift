import XCTest

@testable import DocumentSync

/// A document that goes after others waits for their success.
final class OrderTests: StoreTestCase {
  private func save(
    _ store: DocumentStore, _ id: DocumentID, after others: DocumentID...
  ) async throws {
    var edit = edit(id, ["n": 1])
    edit.after = Set(others)
    try await store.save(edit)
  }

  func testItWaitsForTheSuccessOfAnotherAndNotForItsTurn() async throws {
    let store = try await openStore()
    try await save(store, milk)
    try await save(store, bread, after: milk)
    _ = try await store.begin(milk)
    var ready = try await store.ready(notes)
    XCTAssertEqual(ready, [])
    try await store.end(milk, .refused(Refusal(status: 400, words: "")))
    let again = try await openStore()
    ready = try await again.ready(notes)
    XCTAssertEqual(ready, [], "it waits for one that was set aside")
    try await again.save(edit(milk, ["n": 2]))
    try await again.send(milk, as: "1")
    ready = try await again.ready(notes)
    XCTAssertEqual(ready, [bread])
  }

  func testItWaitsForOneThatNobodyHasHeardOfUntilThatComes() async throws {
    let store = try await openStore()
    try await save(store, milk, after: bread)
    try await save(store, eggs, after: DocumentID("oil"))
    try await store.makeSynced(bread, ["n": 1], "1", in: tags)
    try await save(store, DocumentID("oil"))
    var ready = try await store.ready(notes)
    XCTAssertEqual(ready, [milk, DocumentID("oil")])
    try await store.send(DocumentID("oil"), as: "2")
    ready = try await store.ready(notes)
    XCTAssertEqual(ready, [milk, eggs])
  }

  func testItNeedNotWaitForWhatTheServerHasNorForWhatIsGone() async throws {
    let store = try await openStore()
    try await store.makeSynced(milk, ["n": 1], "1", in: notes)
    try await store.makeSynced(eggs, ["n": 1], "2", in: notes)
    try await store.pull(eggs, .deleted(DocumentVersion("3")), notes)
    try await save(store, bread, after: milk, eggs)
    let ready = try await store.ready(notes)
    XCTAssertEqual(ready, [bread])
  }

  func testItIsReleasedWhenTheOtherIsDeletedHereOrThere() async throws {
    let store = try await openStore()
    try await store.makeSynced(eggs, ["n": 1], "1", in: notes)
    try await store.save(edit(eggs, ["n": 2]))
    try await save(store, milk)
    try await save(store, bread, after: milk, eggs)
    try await store.delete(milk)
    var ready = try await store.ready(notes)
    XCTAssertEqual(ready, [eggs])
    try await store.pull(eggs, .deleted(DocumentVersion("2")), notes)
    ready = try await store.ready(notes)
    XCTAssertEqual(ready, [bread])
  }

  func testItIsReleasedWhenWhatNobodyKnewTurnsOutToBeDeleted() async throws {
    let store = try await openStore()
    try await save(store, bread, after: milk)
    var ready = try await store.ready(notes)
    XCTAssertEqual(ready, [])
    try await store.pull(milk, .forgotten, notes)
    ready = try await store.ready(notes)
    XCTAssertEqual(ready, [], "it may come yet")
    try await store.pull(milk, .deleted(DocumentVersion("2")), notes)
    ready = try await store.ready(notes)
    XCTAssertEqual(ready, [bread])
  }

  func testACircleIsRefusedAndNothingOfItIsStored() async throws {
    let store = try await openStore()
    try await save(store, milk, after: bread)
    try await save(store, bread, after: eggs)
    await assertFails(.circle([eggs, milk, bread, eggs])) {
      try await save(store, eggs, after: milk)
    }
    await assertFails(.circle([eggs, eggs])) { try await save(store, eggs, after: eggs) }
    let stored = try await store.stored(eggs)
    XCTAssertNil(stored)
    try await save(store, eggs)
    let ready = try await store.ready(notes)
    XCTAssertEqual(ready, [eggs])
  }

  func testWhatNoServerIsToHaveIsWaitedForUntilItIs() async throws {
    let store = try await openStore()
    try await store.edit { [edit = edit(milk, ["n": 1])] in _ = try $0.stash(edit) }
    try await save(store, bread, after: milk)
    var ready = try await store.ready(notes)
    XCTAssertEqual(ready, [])
    try await store.edit { [milk] in _ = try $0.drop(milk) }
    ready = try await store.ready(notes)
    XCTAssertEqual(ready, [bread], "it won't come")
  }
}
