import Foundation
import SyncLock
import TestSupport
import XCTest

@testable import DocumentSync

/// Where both sides changed a document, what was decided is carried out, and what gave way is kept.
final class ConflictTests: StoreTestCase {
  /// A store in which somebody edited what the server changed meanwhile.
  private func contest(
    _ news: DocumentState, _ policies: ConflictPolicy...
  ) async throws -> DocumentStore {
    let store = try await syncedStore(milk, ["n": 1, "m": 1])
    try await store.save(edit(milk, ["n": 2, "m": 1]))
    _ = try await store.sync {
      try $0.pulled(
        PulledPage([DocumentChange(id: milk, state: news)]), of: notes,
        MeetingRules(policies: policies))
    }
    return try await openStore()
  }

  private var theirs: DocumentState { .present(copy(["n": 3, "m": 1], "2")) }

  func testWhatGaveWayToTheServersIsKept() async throws {
    let store = try await contest(theirs)
    try await assertEqual(store.status(milk)?.state, .synced)
    try await assertEqual(
      store.lost(),
      [
        LostChange(
          number: 1, id: milk,
          loss: DocumentLoss(
            path: .whole, value: ["n": 2, "m": 1], side: .here, reason: .policy(.serverWins)),
          time: Date(milliseconds: 1_700_000_000_000))
      ])
    try await assertEqual(
      store.read { reader in try [milk, bread].map { try reader.lost(of: $0).count } }, [1, 0])
  }

  func testWhatGaveWayIsForgottenAfterThirtyDays() async throws {
    let store = try await contest(theirs)
    time.withLock { $0 += 30 * 86_400_000 }
    try await assertEqual(store.read { try $0.counts().lost }, 1)
    time.withLock { $0 += 1 }
    try await assertEqual(store.read { try $0.counts().lost }, 0)
    try await store.save(edit(milk, ["n": 4]))
    try await store.pull(milk, .deleted(nil), notes)
    let numbers = try await store.withConnection { connection in
      try connection.rows("SELECT number FROM lost") { try $0.integer("number") }
    }
    XCTAssertEqual(numbers, [2], "a number is never another one's")
  }

  func testTheLocalEditStandsOnTheServersAndIsSentInItsOldPlace() async throws {
    let store = try await contest(theirs, .localWins(atMost: 3))
    try await store.save(edit(bread, ["n": 1]))
    try await assertEqual(store.ready(notes), [milk, bread])
    let sent = try await store.begin(milk)
    XCTAssertEqual(sent?.order.kind, .update(DocumentVersion("2")))
    XCTAssertEqual(sent?.content, ["n": 2, "m": 1])
  }

  func testAnEditThatIsOvertakenEachTimeIsSetAsideWithBothSides() async throws {
    let store = try await contest(theirs, .localWins(atMost: 2))
    for version in ["3", "4", "5"] {
      try await assertNotNil(store.begin(milk), version)
      let there = copy(["n": .init(version)], version)
      try await store.end(
        milk, .shown(.present(there), Refusal(status: 412, words: "")), .localWins(atMost: 2))
    }
    try await assertEqual(store.status(milk)?.problem, .conflict)
    try await assertEqual(store.conflict(milk)?.there?.value, ["n": "5"])
    // It was told as in conflict and as set aside.
    let summary = try await store.read { try $0.summary() }
    XCTAssertEqual([summary.counts.outbox, summary.counts.conflicts], [1, 1])
    XCTAssertEqual([summary.counts.parked, summary.counts.setAside], [1, 0])
    XCTAssertEqual([summary.conflicts, summary.setAside], [[milk], []])
    try await store.resolve(milk, .here)
    try await assertEqual(store.begin(milk)?.order.kind, .update(DocumentVersion("5")))
  }

  func testBothSidesWaitBesideEachOtherUntilSomebodyDecides() async throws {
    for resolution: DocumentConflict.Resolution in [.here, .there, .document(["n": 5])] {
      let store = try await contest(theirs, .ask)
      try await assertEqual(store.counts().conflicts, 1)
      try await assertEqual(store.ready(notes), [])
      let (base, there) = try await store.read {
        (try $0.baseCopy(milk)?.version, try $0.serverCopy(milk)?.version)
      }
      XCTAssertEqual([base, there], [DocumentVersion("1"), DocumentVersion("2")])
      try await store.resolve(milk, resolution)
      let (body, status) = (try await store.get(milk), try await store.status(milk))
      XCTAssertNil(status?.problem)
      switch resolution {
      case .here: XCTAssertEqual(body, ["n": 2, "m": 1])
      case .there: XCTAssertEqual(body, ["n": 3, "m": 1])
      case .document: XCTAssertEqual(body, ["n": 5])
      }
      let lost: [DocumentValue] =
        switch resolution {
        case .here: [["n": 3, "m": 1]]
        case .there: [["n": 2, "m": 1]]
        case .document: [["n": 2, "m": 1], ["n": 3, "m": 1]]
        }
      try await assertEqual(store.lost().map(\.loss.value), lost)
      try await assertEqual(store.life()?.moments.last?.lost, lost.count)
      await assertFails(.notInConflict(milk)) {
        try await store.edit { try $0.resolve(milk, .there) }
      }
      await store.close()
      try FileManager.default.removeItem(at: folder.appending(path: "store.sqlite"))
    }
  }

  func testAConflictIsOverWhenTheServerHasWhatItHadBefore() async throws {
    let base = DocumentState.present(ServerCopy(value: ["n": 1, "m": 1], version: .init("1")))
    let store = try await contest(theirs, .ask)
    try await store.pull(milk, base, notes, .ask)
    try await assertNil(store.conflict(milk))
    let sent = try await store.begin(milk)
    XCTAssertEqual(sent?.order.kind, .update(DocumentVersion("1")))
    XCTAssertEqual(sent?.content, ["n": 2, "m": 1])
  }

  func testAnEditSettlesNoConflict() async throws {
    let store = try await contest(theirs, .ask)
    try await store.save(edit(milk, ["n": 4]))
    try await assertEqual(store.conflict(milk)?.here, ["n": 4])
    try await assertEqual(store.conflict(milk)?.there?.version, DocumentVersion("2"))
  }

  func testWhatTheServerDeletedIsGoneOrMadeAgainOrAskedAbout() async throws {
    for policy: ConflictPolicy in [.serverWins, .localWins(atMost: 3), .ask] {
      let store = try await contest(.deleted(DocumentVersion("2")), policy)
      let (body, sent) = (try await store.get(milk), try await store.begin(milk))
      let counts = try await store.counts()
      switch policy {
      case .serverWins: XCTAssertEqual([body, sent?.content], [nil, nil])
      case .localWins: XCTAssertEqual(sent?.order.kind, .create)
      default: XCTAssertNil(sent)
      }
      XCTAssertEqual(counts.lost, policy == .serverWins ? 1 : 0)
      XCTAssertEqual(counts.conflicts, policy == .ask ? 1 : 0)
      await store.close()
      try FileManager.default.removeItem(at: folder.appending(path: "store.sqlite"))
    }
  }

  func testAStashedChangeMeetsTheServersAsAnyOtherAndStaysStashed() async throws {
    let store = try await openStore()
    for (id, policy) in [(milk, ConflictPolicy.merge), (bread, .serverWins), (eggs, .ask)] {
      try await store.makeSynced(id, ["a": 1, "b": 1])
      try await store.stash(edit(id, ["a": 2, "b": 1]))
      try await store.pull(id, .present(copy(["a": 1, "b": 2], "2")), notes, policy)
    }
    let bodies = [try await store.get(milk), try await store.get(bread), try await store.get(eggs)]
    XCTAssertEqual(bodies, [["a": 2, "b": 2], ["a": 1, "b": 2], ["a": 2, "b": 1]])
    let counts = try await store.counts()
    XCTAssertEqual([counts.outbox, counts.lost, counts.conflicts], [0, 1, 1])
    // Saved, it's in conflict all the same.
    try await store.save(edit(eggs, ["a": 2, "b": 1]))
    try await assertEqual(store.ready(notes), [])
    try await store.resolve(eggs, .here)
    try await assertEqual(store.begin(eggs)?.order.kind, .update(DocumentVersion("2")))
  }

  func testADocumentThatAServerForgotIsKeptIfItWasEdited() async throws {
    let store = try await contest(.forgotten, .merge)
    let sent = try await store.begin(milk)
    XCTAssertEqual(sent?.order.kind, .create)
    XCTAssertEqual(sent?.content, ["n": 2, "m": 1])
  }

  /// A server was flushed while a document that was made here was in conflict with its copy. The
  /// list of everything that was then compared didn't name that copy, nobody noticed, and who
  /// deleted their own document was left with one that no server had.
  func testAConflictEndsWhereAListOfEverythingNamesTheOtherCopyNoMore() async throws {
    let store = try await openStore()
    let asking = MeetingRules(policies: [.ask])
    let other = DocumentChange(id: milk, state: .present(copy(["n": 2], "1")))
    try await store.save(edit(milk, ["n": 1]))
    _ = try await store.sync { try $0.pulled(PulledPage([other]), of: notes, asking) }
    try await assertEqual(store.status(milk)?.problem, .conflict)
    _ = try await store.sync { door in
      try door.serverForgot(notes)
      let comparison = try door.comparison(of: notes, isOfEverything: true)
      return try door.listEnded(comparison, of: notes, checkpoint: "9", asking)
    }
    try await assertNil(store.status(milk)?.problem)
    try await store.delete(milk)
    try await assertNil(store.get(milk))
  }
}
