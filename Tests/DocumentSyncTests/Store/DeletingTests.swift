import TestSupport
import XCTest

@testable import DocumentSync

/// What is deleted is gone at once, and the server is told if it can have it.
final class DeletingTests: StoreTestCase {
  func testWhatNoServerCanHaveLeavesNoTrace() async throws {
    let store = try await openStore(saving: edit(milk, ["n": 1]))
    try await store.delete(milk)
    try await assertNil(store.stored(milk))
    try await assertEqual(store.counts(), StoreCounts())
  }

  func testADocumentOfTheServersIsGoneAtOnceAndItsDeletionIsToBeSent() async throws {
    let store = try await syncedStore()
    try await store.delete(milk)
    try await assertNil(store.get(milk))
    try await assertEqual(store.status(milk)?.state, .deleted)
    let sent = try await store.begin(milk)
    XCTAssertEqual(sent?.order.kind, .delete(DocumentVersion("1")))
    XCTAssertNil(sent?.content)
    try await store.end(milk, .deleted(DocumentVersion("2")))
    try await assertNil(store.stored(milk))
  }

  func testMadeAgainBeforeItWasSentItIsAnEditOrACreation() async throws {
    let store = try await syncedStore()
    for id in [milk, bread] {
      try await store.save(edit(id, ["n": 2]))
      try await store.delete(id)
      try await store.save(edit(id, ["n": 3]))
    }
    let orders = [try await store.begin(milk), try await store.begin(bread)].map(\.?.order.kind)
    XCTAssertEqual(orders, [.update(DocumentVersion("1")), .create])
  }

  func testADeletionWhoseCreationHadNoAnswerAsksFirst() async throws {
    let store = try await openStore(saving: edit(milk, ["n": 1]))
    try await store.send(milk, ending: .unknown(.lost))
    try await store.delete(milk)
    var sent = try await store.begin(milk)
    XCTAssertEqual(sent?.order.kind, .look)
    XCTAssertNil(sent?.idempotencyKey)
    let there = copy(["n": 1], "1")
    try await store.end(milk, .shown(.present(there), Refusal(status: 200, words: "")))
    sent = try await store.begin(milk)
    XCTAssertEqual(sent?.order.kind, .delete(DocumentVersion("1")))
    try await assertEqual(store.lost(), [])
  }

  func testDroppingTakesTheLocalCopyOnlyAndNeverWhatIsToBeSent() async throws {
    let store = try await syncedStore()
    try await store.save(edit(bread, ["n": 1]))
    await assertFails(.isToBeSent(bread)) { try await store.drop(bread) }
    try await assertEqual(store.edit { [try $0.drop(milk), try $0.drop(milk)] }, [true, false])
    try await assertEqual(store.ready(notes), [bread])
    try await store.makeSynced(milk)
    try await assertEqual(store.get(milk), ["n": 1])
  }

  func testAfterADeletionThatWasSentTheSameIDIsANewDocument() async throws {
    let store = try await syncedStore()
    try await store.delete(milk)
    try await store.send(milk, as: "2")
    try await store.save(edit(milk, ["n": 2]))
    // The server shows the old deletion again.
    try await store.pull(milk, .deleted(DocumentVersion("2")), notes)
    let again = try await openStore()
    try await assertEqual(again.begin(milk)?.order.kind, .create)
    try await again.end(milk, .unknown(.lost))
    try await again.pull(milk, .deleted(DocumentVersion("2")), notes)
    try await assertEqual(again.get(milk), ["n": 2])
  }

  func testDeletingWhatIsInConflictTellsWhatTheServerHadMeanwhile() async throws {
    let store = try await syncedStore()
    try await store.save(edit(milk, ["n": 2]))
    try await store.pull(milk, .present(copy(["n": 3], "2")), notes, .ask)
    try await store.delete(milk)
    try await assertEqual(store.begin(milk)?.order.kind, .delete(DocumentVersion("2")))
    try await assertEqual(store.lost().map(\.loss.value), [["n": 3]])
    try await assertEqual(store.lost().map(\.loss.side), [.there])
  }
}
