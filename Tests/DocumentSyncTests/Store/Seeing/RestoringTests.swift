import Foundation
import SyncDatabase
import SyncLock
import XCTest

@testable import DocumentSync

/// What gave way is taken back as a new edit, and what was refused is given up.
final class RestoringTests: StoreTestCase {
  /// A store in which an edit of one member gave way to the server's.
  private func contest(_ policies: [ConflictPolicy] = []) async throws -> DocumentStore {
    let store = try await openStore()
    try await store.makeSynced(milk, ["a": 1, "b": 1], "1", in: notes)
    try await store.save(edit(milk, ["a": 2, "b": 1]))
    _ = try await store.sync { [milk, notes, theirs] in
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

  private func lost(_ store: DocumentStore) async throws -> [LostChange] {
    try await store.read { try $0.lost() }
  }

  func testAWholeDocumentIsTakenBackAsANewEdit() async throws {
    let store = try await contest()
    let id = try await restore(1, store)
    XCTAssertEqual(id, milk)
    let (read, status) = (try await store.get(milk), try await store.status(milk))
    XCTAssertEqual(read, ["a": 2, "b": 1])
    XCTAssertEqual(status?.state, .edited)
    let sent = try await store.begin(milk)
    XCTAssertEqual(sent?.order.kind, .update(DocumentVersion("2")))
    let lost = try await lost(store)
    XCTAssertEqual(lost.map(\.number), [1], "what the server had is what the edit stands on")
  }

  func testAMemberIsTakenBackIntoTheDocumentAsItIsNow() async throws {
    let store = try await contest([.merge, .serverWins])
    let lost = try await lost(store)
    XCTAssertEqual(lost.map(\.loss.path), [["a"]])
    try await restore(1, store)
    let read = try await store.get(milk)
    XCTAssertEqual(read, ["a": 2, "b": 3])
  }

  func testItBecomesANewDocumentWhereThatIsWanted() async throws {
    let store = try await contest()
    let id = try await restore(1, store, as: bread)
    XCTAssertEqual(id, bread)
    let (old, new) = (try await store.get(milk), try await store.get(bread))
    XCTAssertEqual([old, new], [["a": 3, "b": 3], ["a": 2, "b": 1]])
    await assertFails(.isThere(bread)) { try await restore(1, store, as: bread) }
    await assertFails(.noID) { try await restore(1, store, as: DocumentID("")) }
    let status = try await store.status(bread)
    XCTAssertEqual(status?.state, .created)
  }

  func testWhatTakesThePlaceOfAnUnsentEditLosesNothing() async throws {
    let store = try await contest()
    try await store.save(edit(milk, ["a": 9, "b": 3]))
    try await restore(1, store)
    let lost = try await lost(store)
    XCTAssertEqual(
      lost.last?.loss,
      DocumentLoss(path: .whole, value: ["a": 9, "b": 3], side: .here, reason: .restored))
    try await restore(2, store)
    let read = try await store.get(milk)
    XCTAssertEqual(read, ["a": 9, "b": 3])
    let count = try await self.lost(store).count
    XCTAssertEqual(count, 3)
  }

  func testOfAnUnsentEditOnlyTheMemberIsToldThatGaveWay() async throws {
    let store = try await contest([.merge, .serverWins])
    try await store.edit { [edit = edit(milk, ["a": 9, "b": 7])] in _ = try $0.stash(edit) }
    try await restore(1, store)
    let (read, lost) = (try await store.get(milk), try await lost(store))
    XCTAssertEqual(read, ["a": 2, "b": 7])
    XCTAssertEqual(
      lost.last?.loss, DocumentLoss(path: ["a"], value: 9, side: .here, reason: .restored))
    try await restore(1, store)
    let count = try await self.lost(store).count
    XCTAssertEqual(count, 2, "it's there already")
  }

  func testADocumentThatIsGoneIsMadeAnewAndAMemberOfItIsNot() async throws {
    var store = try await contest()
    try await store.pull(milk, .deleted(DocumentVersion("3")), notes)
    try await restore(1, store)
    let (read, sent) = (try await store.get(milk), try await store.begin(milk))
    XCTAssertEqual(read, ["a": 2, "b": 1])
    XCTAssertEqual(sent?.order.kind, .create)
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
    let stored = try await store.stored(milk)
    XCTAssertEqual(stored?.body?["_times"], ["a": 1_700_000_000_005])
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
      try await store.withConnection { connection in
        try connection.row("SELECT count(*) AS n FROM lost") { try $0.integer("n") }
      }
    }
    var store = try await contest()
    time.withLock { $0 += 30 * 86_400_000 }
    store = try await openStore()
    var left = try await count(store)
    XCTAssertEqual(left, 1)
    time.withLock { $0 += 1 }
    store = try await openStore()
    left = try await count(store)
    XCTAssertEqual(left, 0)
    try await store.save(edit(milk, ["a": 5, "b": 3]))
    try await store.pull(milk, .present(copy(["a": 6], "4")), notes)
    time.withLock { $0 += 30 * 86_400_000 + 1 }
    try await store.sync { try $0.note(SyncRun(began: 1, ended: 2, reason: "by hand")) }
    left = try await count(store)
    XCTAssertEqual(left, 0)
  }

  // MARK: - Giving up

  func testWhatIsGivenUpIsTheServersAgainAndIsKeptAsLost() async throws {
    let store = try await openStore()
    try await store.makeSynced(milk, ["n": 1], "1", in: notes)
    try await store.save(edit(milk, ["n": 2]))
    _ = try await store.begin(milk)
    await assertFails(.isUnderWay(milk)) { [milk] in try await store.edit { try $0.resign(milk) } }
    try await store.end(milk, .refused(Refusal(status: 400, words: "no")))
    let resigned = try await store.sync { [milk] in try $0.resign(milk) }
    XCTAssertTrue(resigned)
    let (stored, lost) = (try await store.stored(milk), try await lost(store))
    XCTAssertEqual(stored?.isSynced, true)
    XCTAssertEqual(stored?.body, ["n": 1])
    XCTAssertEqual(
      lost.map(\.loss),
      [DocumentLoss(path: .whole, value: ["n": 2], side: .here, reason: .resigned)])
    let again = try await store.edit { [milk] in try $0.resign(milk) }
    XCTAssertFalse(again)
    try await restore(1, store)
    let read = try await store.get(milk)
    XCTAssertEqual(read, ["n": 2])
  }

  func testWhatNoServerHasIsGoneWhenItIsGivenUpAndIsKeptAsLost() async throws {
    let store = try await openStore()
    try await store.save(edit(milk, ["n": 2]))
    var after = edit(bread, ["n": 1])
    after.after = [milk]
    try await store.save(after)
    let resigned = try await store.edit { [milk] in try $0.resign(milk) }
    XCTAssertTrue(resigned)
    let (read, lost) = (try await store.get(milk), try await lost(store))
    XCTAssertNil(read)
    XCTAssertEqual(lost.map(\.loss.value), [["n": 2]])
    let ready = try await store.ready(notes)
    XCTAssertEqual(ready, [bread], "it waits for nobody any more")
    try await restore(1, store)
    let status = try await store.status(milk)
    XCTAssertEqual(status?.state, .created)
  }

  func testADeletionThatIsGivenUpBringsTheServersBack() async throws {
    let store = try await openStore()
    try await store.makeSynced(milk, ["n": 1], "1", in: notes)
    try await store.delete(milk)
    _ = try await store.edit { [milk] in try $0.resign(milk) }
    var read = try await store.get(milk)
    XCTAssertEqual(read, ["n": 1])
    let lost = try await lost(store)
    XCTAssertEqual(lost.map(\.loss.value), [nil])
    await assertFails(.noDocument(milk)) { try await restore(1, store, as: bread) }
    try await store.save(edit(milk, ["n": 7]))
    try await restore(1, store)
    read = try await store.get(milk)
    XCTAssertNil(read)
    let last = try await self.lost(store).last?.loss
    XCTAssertEqual(
      last, DocumentLoss(path: .whole, value: ["n": 7], side: .here, reason: .restored))
  }

  func testWhatIsGivenUpInAConflictIsTheServersNewest() async throws {
    let store = try await contest([.ask])
    _ = try await store.edit { [milk] in try $0.resign(milk) }
    var stored = try await store.stored(milk)
    XCTAssertEqual(stored?.isSynced, true)
    XCTAssertEqual(stored?.base?.version, DocumentVersion("2"))
    try await store.save(edit(milk, ["a": 4]))
    try await store.pull(milk, .deleted(nil), notes, .ask)
    _ = try await store.edit { [milk] in try $0.resign(milk) }
    stored = try await store.stored(milk)
    XCTAssertNil(stored)
  }
}
