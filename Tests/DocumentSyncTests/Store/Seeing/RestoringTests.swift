import Foundation
import SyncLock
import TestSupport
import XCTest

@testable import DocumentSync

/// What gave way is taken back as a new edit, and what was refused is given up.
final class RestoringTests: StoreTestCase {
  /// A store in which an edit of one member gave way to the server's.
  private func contest(_ policies: [ConflictPolicy] = []) async throws -> DocumentStore {
    let store = try await syncedStore(milk, ["a": 1, "b": 1])
    try await store.save(edit(milk, ["a": 2, "b": 1]))
    _ = try await store.sync { [theirs] in
      try $0.pulled(
        PulledPage([DocumentChange(id: milk, state: theirs)]), of: notes,
        MeetingRules(policies: policies))
    }
    return store
  }

  private var theirs: DocumentState { .present(copy(["a": 3, "b": 3], "2")) }

  @discardableResult
  private func restore(
    _ number: Int64, _ store: DocumentStore, as newID: DocumentID? = nil, stamps: Bool = false
  ) async throws -> DocumentID {
    try await store.edit { try $0.restore(number, as: newID, stamps: stamps) }
  }

  func testAWholeDocumentIsTakenBackAsANewEdit() async throws {
    let store = try await contest()
    try await assertEqual(restore(1, store), milk)
    try await assertEqual(store.get(milk), ["a": 2, "b": 1])
    try await assertEqual(store.status(milk)?.state, .edited)
    try await assertEqual(store.begin(milk)?.order.kind, .update(DocumentVersion("2")))
    let lost = try await store.lost()
    XCTAssertEqual(lost.map(\.number), [1], "what the server had is what the edit stands on")
  }

  func testAMemberIsTakenBackIntoTheDocumentAsItIsNow() async throws {
    let store = try await contest([.merge, .serverWins])
    try await assertEqual(store.lost().map(\.loss.path), [["a"]])
    try await restore(1, store)
    try await assertEqual(store.get(milk), ["a": 2, "b": 3])
  }

  func testItBecomesANewDocumentWhereThatIsWanted() async throws {
    let store = try await contest()
    try await assertEqual(restore(1, store, as: bread), bread)
    try await assertEqual(
      [store.get(milk), store.get(bread)], [["a": 3, "b": 3], ["a": 2, "b": 1]])
    await assertFails(.isThere(bread)) { try await restore(1, store, as: bread) }
    await assertFails(.noID) { try await restore(1, store, as: DocumentID("")) }
    try await assertEqual(store.status(bread)?.state, .created)
  }

  func testWhatTakesThePlaceOfAnUnsentEditLosesNothing() async throws {
    let store = try await contest()
    try await store.save(edit(milk, ["a": 9, "b": 3]))
    try await restore(1, store)
    try await assertEqual(
      store.lost().last?.loss,
      DocumentLoss(path: .whole, value: ["a": 9, "b": 3], side: .here, reason: .restored))
    try await restore(2, store)
    try await assertEqual(store.get(milk), ["a": 9, "b": 3])
    try await assertEqual(store.lost().count, 3)
  }

  func testOfAnUnsentEditOnlyTheMemberIsToldThatGaveWay() async throws {
    let store = try await contest([.merge, .serverWins])
    try await store.stash(edit(milk, ["a": 9, "b": 7]))
    try await restore(1, store)
    try await assertEqual(store.get(milk), ["a": 2, "b": 7])
    try await assertEqual(
      store.lost().last?.loss, DocumentLoss(path: ["a"], value: 9, side: .here, reason: .restored))
    try await restore(1, store)
    try await assertEqual(store.lost().count, 2, "it's there already")
  }

  func testADocumentThatIsGoneIsMadeAnewAndAMemberOfItIsNot() async throws {
    var store = try await contest()
    try await store.pull(milk, .deleted(DocumentVersion("3")), notes)
    try await restore(1, store)
    try await assertEqual(store.get(milk), ["a": 2, "b": 1])
    try await assertEqual(store.begin(milk)?.order.kind, .create)
    await store.close()
    try FileManager.default.removeItem(at: URL(filePath: path))
    store = try await contest([.merge, .serverWins])
    try await store.pull(milk, .deleted(DocumentVersion("3")), notes)
    await assertFails(.noDocument(milk)) { try await restore(1, store) }
  }

  func testWhatIsTooOldOrWasNeverLostIsNotTakenBack() async throws {
    let store = try await contest()
    await assertFails(.notLost(7)) { try await restore(7, store) }
    time.withLock { $0 += 30 * 86_400_000 + 1 }
    await assertFails(.notLost(1)) { try await restore(1, store) }
  }

  func testARestoredMemberCarriesTheTimeOfItsRestoration() async throws {
    let store = try await contest([.merge, .serverWins])
    time.withLock { $0 += 5 }
    try await restore(1, store, stamps: true)
    try await assertEqual(store.stored(milk)?.body?["_times"], ["a": 1_700_000_000_005])
  }

  func testPeopleReadWhatWasLostInAView() async throws {
    let store = try await contest([.merge, .serverWins])
    let row = try await store.withConnection { connection in
      try connection.row("SELECT * FROM lost_view") { row in
        [
          "\(try row.integer("number"))", try row.text("id"), try row.text("collection"),
          try row.text("path"), try row.text("value"), try row.text("side"), try row.text("why"),
          "\(try row.integer("at"))",
        ]
      }
    }
    XCTAssertEqual(
      row, ["1", "milk", "notes", #"["a"]"#, "2", "here", "serverWins", "1700000000000"])
  }

  func testWhatIsTooOldIsTakenAwayWhenTheStoreIsOpenedAndAfterSyncs() async throws {
    func count(_ store: DocumentStore) async throws -> Int64? {
      try await store.number("SELECT count(*) AS n FROM lost")
    }
    var store = try await contest()
    time.withLock { $0 += 30 * 86_400_000 }
    store = try await openStore()
    try await assertEqual(count(store), 1)
    time.withLock { $0 += 1 }
    store = try await openStore()
    try await assertEqual(count(store), 0)
    try await store.save(edit(milk, ["a": 5, "b": 3]))
    try await store.pull(milk, .present(copy(["a": 6], "4")), notes)
    time.withLock { $0 += 30 * 86_400_000 + 1 }
    try await store.sync {
      try $0.note(
        SyncRun(began: Date(milliseconds: 1), ended: Date(milliseconds: 2), reason: "by hand"))
    }
    try await assertEqual(count(store), 0)
  }

  // MARK: - Giving up

  func testWhatIsGivenUpIsTheServersAgainAndIsKeptAsLost() async throws {
    let store = try await syncedStore()
    try await store.save(edit(milk, ["n": 2]))
    try await store.begin(milk)
    await assertFails(.isUnderWay(milk)) { try await store.resign(milk) }
    try await store.end(milk, .refused(Refusal(status: 400, words: "no")))
    try await assertTrue(store.sync { try $0.resign(milk) })
    let (stored, lost) = (try await store.stored(milk), try await store.lost())
    XCTAssertEqual(stored?.isSynced, true)
    XCTAssertEqual(stored?.body, ["n": 1])
    XCTAssertEqual(
      lost.map(\.loss),
      [DocumentLoss(path: .whole, value: ["n": 2], side: .here, reason: .resigned)])
    try await assertFalse(store.resign(milk))
    try await restore(1, store)
    try await assertEqual(store.get(milk), ["n": 2])
  }

  func testWhatNoServerHasIsGoneWhenItIsGivenUpAndIsKeptAsLost() async throws {
    let store = try await openStore(saving: edit(milk, ["n": 2]))
    var after = edit(bread, ["n": 1])
    after.after = [milk]
    try await store.save(after)
    try await assertTrue(store.resign(milk))
    try await assertNil(store.get(milk))
    try await assertEqual(store.lost().map(\.loss.value), [["n": 2]])
    try await assertEqual(store.ready(notes), [bread], "it waits for nobody any more")
    try await restore(1, store)
    try await assertEqual(store.status(milk)?.state, .created)
  }

  func testADeletionThatIsGivenUpBringsTheServersBack() async throws {
    let store = try await syncedStore()
    try await store.delete(milk)
    try await store.resign(milk)
    try await assertEqual(store.get(milk), ["n": 1])
    try await assertEqual(store.lost().map(\.loss.value), [nil])
    await assertFails(.noDocument(milk)) { try await restore(1, store, as: bread) }
    try await store.save(edit(milk, ["n": 7]))
    try await restore(1, store)
    try await assertNil(store.get(milk))
    let last = try await store.lost().last?.loss
    XCTAssertEqual(
      last, DocumentLoss(path: .whole, value: ["n": 7], side: .here, reason: .restored))
  }

  func testWhatIsGivenUpInAConflictIsTheServersNewest() async throws {
    let store = try await contest([.ask])
    try await store.resign(milk)
    var stored = try await store.stored(milk)
    XCTAssertEqual(stored?.isSynced, true)
    XCTAssertEqual(stored?.base?.version, DocumentVersion("2"))
    try await store.save(edit(milk, ["a": 4]))
    try await store.pull(milk, .deleted(nil), notes, .ask)
    try await store.resign(milk)
    stored = try await store.stored(milk)
    XCTAssertNil(stored)
  }
}
