import TestSupport
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
    try await store.begin(milk)
    try await assertEqual(store.ready(notes), [])
    try await store.end(milk, .refused(Refusal(status: 400, words: "")))
    let again = try await openStore()
    try await assertEqual(again.ready(notes), [], "it waits for one that was set aside")
    try await again.save(edit(milk, ["n": 2]))
    try await again.send(milk, as: "1")
    try await assertEqual(again.ready(notes), [bread])
  }

  func testItWaitsForOneThatNobodyHasHeardOfUntilThatComes() async throws {
    let store = try await openStore()
    try await save(store, milk, after: bread)
    try await save(store, eggs, after: DocumentID("oil"))
    try await store.makeSynced(bread, in: tags)
    try await save(store, DocumentID("oil"))
    try await assertEqual(store.ready(notes), [milk, DocumentID("oil")])
    try await store.send(DocumentID("oil"), as: "2")
    try await assertEqual(store.ready(notes), [milk, eggs])
  }

  func testItNeedNotWaitForWhatTheServerHasNorForWhatIsGone() async throws {
    let store = try await syncedStore()
    try await store.makeSynced(eggs, ["n": 1], "2")
    try await store.pull(eggs, .deleted(DocumentVersion("3")), notes)
    try await save(store, bread, after: milk, eggs)
    try await assertEqual(store.ready(notes), [bread])
  }

  func testItIsReleasedWhenTheOtherIsDeletedHereOrThere() async throws {
    let store = try await syncedStore(eggs)
    try await store.save(edit(eggs, ["n": 2]))
    try await save(store, milk)
    try await save(store, bread, after: milk, eggs)
    try await store.delete(milk)
    try await assertEqual(store.ready(notes), [eggs])
    try await store.pull(eggs, .deleted(DocumentVersion("2")), notes)
    try await assertEqual(store.ready(notes), [bread])
  }

  func testItIsReleasedWhenWhatNobodyKnewTurnsOutToBeDeleted() async throws {
    let store = try await openStore()
    try await save(store, bread, after: milk)
    try await assertEqual(store.ready(notes), [])
    try await store.pull(milk, .forgotten, notes)
    try await assertEqual(store.ready(notes), [], "it may come yet")
    try await store.pull(milk, .deleted(DocumentVersion("2")), notes)
    try await assertEqual(store.ready(notes), [bread])
  }

  func testACircleIsRefusedAndNothingOfItIsStored() async throws {
    let store = try await openStore()
    try await save(store, milk, after: bread)
    try await save(store, bread, after: eggs)
    await assertFails(.circle([eggs, milk, bread, eggs])) {
      try await save(store, eggs, after: milk)
    }
    await assertFails(.circle([eggs, eggs])) { try await save(store, eggs, after: eggs) }
    try await assertNil(store.stored(eggs))
    try await save(store, eggs)
    try await assertEqual(store.ready(notes), [eggs])
  }

  func testWhatNoServerIsToHaveIsWaitedForUntilItIs() async throws {
    let store = try await openStore()
    try await store.stash(edit(milk, ["n": 1]))
    try await save(store, bread, after: milk)
    try await assertEqual(store.ready(notes), [])
    try await store.drop(milk)
    try await assertEqual(store.ready(notes), [bread], "it won't come")
  }
}
