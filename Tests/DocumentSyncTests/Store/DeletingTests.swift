import XCTest

@testable import DocumentSync

/// What is deleted is gone at once, and the server is told if it can have it.
final class DeletingTests: StoreTestCase {
  func testWhatNoServerCanHaveLeavesNoTrace() async throws {
    let store = try await openStore()
    try await store.save(edit(milk, ["n": 1]))
    try await store.delete(milk)
    let (stored, counts) = (
      try await store.stored(milk), try await store.read { try $0.counts() }
    )
    XCTAssertNil(stored)
    XCTAssertEqual(counts, StoreCounts())
  }

  func testADocumentOfTheServersIsGoneAtOnceAndItsDeletionIsToBeSent() async throws {
    let store = try await openStore()
    try await store.makeSynced(milk, ["n": 1], "1", in: notes)
    try await store.delete(milk)
    let (read, status) = (try await store.get(milk), try await store.status(milk))
    XCTAssertNil(read)
    XCTAssertEqual(status?.state, .deleted)
    let sent = try await store.begin(milk)
    XCTAssertEqual(sent?.order.kind, .delete(DocumentVersion("1")))
    XCTAssertNil(sent?.content)
    try await store.end(milk, .deleted(DocumentVersion("2")))
    let stored = try await store.stored(milk)
    XCTAssertNil(stored)
  }

  func testMadeAgainBeforeItWasSentItIsAnEditOrACreation() async throws {
    let store = try await openStore()
    try await store.makeSynced(milk, ["n": 1], "1", in: notes)
    for id in [milk, bread] {
      try await store.save(edit(id, ["n": 2]))
      try await store.delete(id)
      try await store.save(edit(id, ["n": 3]))
    }
    let orders = [try await store.begin(milk), try await store.begin(bread)].map(\.?.order.kind)
    XCTAssertEqual(orders, [.update(DocumentVersion("1")), .create])
  }

  func testADeletionWhoseCreationHadNoAnswerAsksFirst() async throws {
    let store = try await openStore()
    try await store.save(edit(milk, ["n": 1]))
    _ = try await store.begin(milk)
    try await store.end(milk, .unknown(.lost))
    try await store.delete(milk)
    var sent = try await store.begin(milk)
    XCTAssertEqual(sent?.order.kind, .look)
    XCTAssertNil(sent?.idempotencyKey)
    let there = copy(["n": 1], "1")
    try await store.end(milk, .shown(.present(there), Refusal(status: 200, words: "")))
    sent = try await store.begin(milk)
    XCTAssertEqual(sent?.order.kind, .delete(DocumentVersion("1")))
    let lost = try await store.read { try $0.lost() }
    XCTAssertEqual(lost, [])
  }

  func testDroppingTakesTheLocalCopyOnlyAndNeverWhatIsToBeSent() async throws {
    let store = try await openStore()
    try await store.makeSynced(milk, ["n": 1], "1", in: notes)
    try await store.save(edit(bread, ["n": 1]))
    await assertFails(.isToBeSent(bread)) { [bread] in
      try await store.edit { try $0.drop(bread) }
    }
    let dropped = try await store.edit { [milk] in [try $0.drop(milk), try $0.drop(milk)] }
    XCTAssertEqual(dropped, [true, false])
    let ready = try await store.ready(notes)
    XCTAssertEqual(ready, [bread])
    try await store.makeSynced(milk, ["n": 1], "1", in: notes)
    let read = try await store.get(milk)
    XCTAssertEqual(read, ["n": 1])
  }

  func testAfterADeletionThatWasSentTheSameIDIsANewDocument() async throws {
    let store = try await openStore()
    try await store.makeSynced(milk, ["n": 1], "1", in: notes)
    try await store.delete(milk)
    try await store.send(milk, as: "2")
    try await store.save(edit(milk, ["n": 2]))
    // The server shows the old deletion again.
    try await store.pull(milk, .deleted(DocumentVersion("2")), notes)
    let again = try await openStore()
    let sent = try await again.begin(milk)
    XCTAssertEqual(sent?.order.kind, .create)
    try await again.end(milk, .unknown(.lost))
    try await again.pull(milk, .deleted(DocumentVersion("2")), notes)
    let read = try await again.get(milk)
    XCTAssertEqual(read, ["n": 2])
  }

  func testDeletingWhatIsInConflictTellsWhatTheServerHadMeanwhile() async throws {
    let store = try await openStore()
    try await store.makeSynced(milk, ["n": 1], "1", in: notes)
    try await store.save(edit(milk, ["n": 2]))
    try await store.pull(milk, .present(copy(["n": 3], "2")), notes, .ask)
    try await store.delete(milk)
    let sent = try await store.begin(milk)
    XCTAssertEqual(sent?.order.kind, .delete(DocumentVersion("2")))
    let lost = try await store.read { try $0.lost() }
    XCTAssertEqual(lost.map(\.loss.value), [["n": 3]])
    XCTAssertEqual(lost.map(\.loss.side), [.there])
  }
}
