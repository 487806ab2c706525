import TestSupport
import XCTest

@testable import DocumentSync

/// Members that the server writes itself, where both sides meet: here `at`.
final class ServerOwnedTests: StoreTestCase {
  private func rules(_ policies: [ConflictPolicy]) -> MeetingRules {
    MeetingRules(policies: policies, serverOwned: ["at"])
  }

  /// A list shows this.
  private func meet(
    _ store: DocumentStore, _ content: DocumentValue, _ version: String,
    _ policies: ConflictPolicy...
  ) async throws {
    let page = PulledPage([DocumentChange(id: milk, state: .present(copy(content, version)))])
    _ = try await store.sync { [rules = rules(policies)] in
      try $0.pulled(page, of: notes, rules)
    }
  }

  /// A store with a change of a document that the server has, too.
  private func edited(
    _ base: DocumentValue, _ content: DocumentValue
  ) async throws -> DocumentStore {
    let store = try await openStore(.memory)
    try await store.makeSynced(milk, base)
    try await store.save(edit(milk, content))
    return store
  }

  /// It was told as lost, since the server had a date that it wasn't sent.
  func testAnEditWithoutAnAnswerIsKnownAgain() async throws {
    for isDeleted in [false, true] {
      let store = try await edited(["t": "a", "at": 5], ["t": "b"])
      try await store.send(milk, ending: .unknown(.lost))
      if isDeleted { try await store.delete(milk) }
      try await meet(store, ["t": "b", "at": 6], "2", .serverWins)
      try await assertEqual(store.lost(), [])
      let stored = try await store.stored(milk)
      XCTAssertEqual(stored?.base, copy(["t": "b", "at": 6], "2"))
      XCTAssertEqual(stored?.isSynced, !isDeleted)
      XCTAssertEqual(
        stored?.entry?.change, isDeleted ? .delete(base: DocumentVersion("2")) : nil)
    }
  }

  /// Each edit of an app that writes the date, too, clashed with each change of the server's.
  func testTheyDoNotClash() async throws {
    for second in [ConflictPolicy.serverWins, .ask, .latest] {
      let store = try await edited(["n": 1, "at": 5], ["n": 2, "at": 7])
      try await meet(store, ["n": 1, "m": 1, "at": 9], "2", .merge, second)
      try await assertEqual(store.get(milk), ["n": 2, "m": 1, "at": 9], "\(second)")
      try await assertEqual(store.lost(), [], "\(second)")
      try await assertEqual(store.ready(notes), [milk], "\(second)")
    }
  }

  func testWhatClashesBesideThemIsDecidedAndTold() async throws {
    let store = try await edited(["n": 1, "at": 5], ["n": 2, "m": 1, "at": 7])
    try await meet(store, ["n": 3, "at": 9], "2", .merge)
    try await assertEqual(store.get(milk), ["n": 3, "m": 1, "at": 9])
    let lost = try await store.lost().map(\.loss)
    XCTAssertEqual(
      lost,
      [
        DocumentLoss(
          path: DocumentPath(names: ["n"]), value: 2, side: .here, reason: .policy(.serverWins))
      ])
  }

  /// The whole edit gave way to a date, or was left to somebody.
  func testNoWholeDocumentGivesWayToThemAlone() async throws {
    for policy in [ConflictPolicy.serverWins, .localWins(atMost: 3), .ask] {
      let store = try await edited(["n": 1, "at": 5], ["n": 2, "at": 7])
      try await meet(store, ["n": 1, "at": 9], "2", policy)
      try await assertEqual(store.get(milk), ["n": 2, "at": 9], "\(policy)")
      try await assertEqual(store.lost(), [], "\(policy)")
      try await assertEqual(store.ready(notes), [milk], "\(policy)")
      try await assertEqual(store.baseCopy(milk), copy(["n": 1, "at": 9], "2"), "\(policy)")
    }
  }

  func testADeletionTakesNothingOfOthersAlongWithThem() async throws {
    let store = try await syncedStore(milk, ["n": 1, "at": 5])
    try await store.delete(milk)
    try await meet(store, ["n": 1, "at": 9], "2")
    try await assertEqual(store.lost(), [])
    try await assertEqual(store.stored(milk)?.entry?.change, .delete(base: DocumentVersion("2")))
  }

  func testOnlyWhatElseBothAddedToACreationWithoutAnAnswerIsDecided() async throws {
    let store = try await openStore(.memory, saving: edit(milk, ["t": "old", "at": 1]))
    try await store.send(milk, ending: .unknown(.lost))
    try await store.save(edit(milk, ["t": "new", "done": true, "at": 2]))
    try await meet(store, ["t": "old", "done": false, "size": 4, "at": 9], "1", .serverWins)
    try await assertEqual(store.get(milk), ["t": "new", "done": false, "size": 4, "at": 9])
    let lost = try await store.lost().map(\.loss)
    XCTAssertEqual(lost.map(\.path), [DocumentPath(names: ["done"])])
  }

  /// What the edit before it was answered clashed with the next change.
  func testAnEditWhileARequestIsUnderWayDoesNotClashWithTheNextChange() async throws {
    let store = try await edited(["n": 1], ["n": 2, "at": 1])
    try await store.begin(milk)
    try await store.save(edit(milk, ["n": 3, "at": 1]))
    let answer = copy(["n": 2, "at": 9], "2")
    _ = try await store.sync { [rules = rules([.merge, .ask])] in
      try $0.answered(milk, .accepted(answer.version, as: answer), rules)
    }
    try await meet(store, ["n": 2, "m": 1, "at": 10], "3", .merge, .ask)
    try await assertEqual(store.get(milk), ["n": 3, "m": 1, "at": 10])
    try await assertEqual(store.lost(), [])
    try await assertEqual(store.ready(notes), [milk])
  }

  /// The whole edit gave way where a look showed a date that both had added.
  func testWhatALookShowsBesideThemIsTakenIn() async throws {
    let store = try await edited(["n": 1], ["n": 2, "at": 7])
    let there = copy(["n": 1, "m": 1, "at": 9], "2")
    try await store.sync { [rules = rules([.serverWins])] in
      _ = try $0.sendBegan(milk, looksFirst: .changes)
      _ = try $0.answered(milk, .shown(.present(there), Refusal(status: 200, words: "")), rules)
    }
    try await assertEqual(store.get(milk), ["n": 2, "m": 1, "at": 9])
    try await assertEqual(store.lost(), [])
    try await assertEqual(store.ready(notes), [milk])
  }
}
