import SyncDatabase
import SyncLock
import TestSupport
import XCTest

@testable import DocumentSync

/// What happened to a document is told, each thing once and in its order.
final class LifeTests: StoreTestCase {
  func testOfWhatIsNotKnownThereIsNothingToTell() async throws {
    try await assertNil(openStore().life())
  }

  func testAFirstSaveIsToldWithoutARowOfItsOwn() async throws {
    let store = try await openStore(saving: edit(milk, ["n": 1]))
    try await assertEqual(
      store.life()?.moments, [DocumentLife.Moment(time: 1_700_000_000_000, event: .made, lost: 0)])
    try await assertEqual(store.traces(), 0)
  }

  func testALifeIsToldFromItsBeginningToItsEnd() async throws {
    let store = try await openStore(saving: edit(milk, ["n": 1]))
    time.withLock { $0 += 1_000 }
    try await store.send(milk, as: "1")
    time.withLock { $0 += 1_000 }
    try await store.pull(milk, .present(copy(["n": 5], "2")), notes)
    try await store.save(edit(milk, ["n": 6]))
    try await store.send(milk, as: "3")
    try await store.delete(milk)
    time.withLock { $0 += 1_000 }
    try await store.send(milk, as: "4")
    let life = try await store.life()
    XCTAssertEqual(
      life?.moments.map(\.event),
      [
        .made, .sent(.create), .accepted(.init("1")),
        .met(.init(step: .applied, basis: .onlyOneSide, version: .init("2"))),
        .edited(.init("2")), .sent(.update(.init("2"))), .accepted(.init("3")),
        .deleted, .sent(.delete(.init("3"))), .removedThere,
      ])
    XCTAssertEqual(
      life?.moments.map { $0.time - 1_700_000_000_000 },
      [0, 1_000, 1_000, 2_000, 2_000, 2_000, 2_000, 2_000, 3_000, 3_000])
    XCTAssertNil(life?.status)
    XCTAssertEqual(life?.sentences.first, "2023-11-14T22:13:20.000Z: it was made here")
    XCTAssertEqual(life?.sentences.last, "it isn't here any more")
  }

  func testWhatCameForTheFirstTimeAndEchoesAreNotToldEach() async throws {
    let store = try await openStore()
    for version in ["1", "1", "2"] { try await store.makeSynced(milk, ["n": 1], version) }
    let life = try await store.life()
    XCTAssertEqual(life?.moments, [])
    XCTAssertEqual(life?.sentences, ["it's as the server has it, in version 2"])
  }

  func testSavesInARowAreOneAndSoAreTriesInVain() async throws {
    let store = try await openStore()
    for n in 1...3 { try await store.save(edit(milk, ["n": DocumentValue(n)])) }
    try await store.begin(milk)
    for n in 4...7 { try await store.save(edit(milk, ["n": DocumentValue(n)])) }
    try await store.end(milk, .unknown(.lost))
    for _ in 1...4 {
      try await store.begin(milk)
      time.withLock { $0 += 1_000 }
      try await store.end(milk, .untaken(.unreachable))
    }
    for _ in 1...2 { try await store.send(milk, ending: .unknown(.status(500))) }
    let life = try await store.life()
    XCTAssertEqual(
      life?.moments.map(\.event),
      [
        .made, .sent(.create), .saved(times: 4), .unanswered(times: 1), .sent(.create),
        .untaken(times: 4), .sent(.create), .unanswered(times: 2),
      ])
    XCTAssertEqual(life?.moments[5].time, 1_700_000_004_000, "the last time")
    XCTAssertEqual(life?.moments[5].sentence, "the server didn't take it just then, 4 times")
  }

  func testRefusalsDecisionsAndWhoMadeThemAreTold() async throws {
    let store = try await syncedStore()
    try await store.save(edit(milk, ["n": 2]))
    try await store.send(milk, ending: .refused(Refusal(status: 400, words: "n is \u{1B}[1mbad")))
    try await store.edit { _ = try $0.retry(milk) }
    try await store.pull(milk, .present(copy(["n": 3], "2")), notes, .ask)
    try await store.resolve(milk, .here)
    try await store.pull(milk, .present(copy(["n": 4], "3")), notes, .serverWins)
    let life = try await store.life()
    XCTAssertEqual(
      life?.moments.map(\.sentence),
      [
        "it was edited here, over the server's version 1",
        "the server was asked to store it in the place of version 1",
        "the server refused it (400): n is \\x1B[1mbad",
        "somebody wanted it to be tried again",
        "it was left in conflict with the server's version 2, "
          + "as the policy for conflicts says: ask",
        "the change was put on the server's version 2, to be sent again, as somebody decided; "
          + "a change gave way, and is kept for 30 days",
        "the server's version 3 was taken, as the policy for conflicts says: server wins; "
          + "a change gave way, and is kept for 30 days",
      ])
    XCTAssertEqual(life?.sentences.last, "it's as the server has it, in version 3")
  }

  /// What a push had shown came once more with the pull of the same sync, and was told twice.
  func testAConflictIsToldOnceUntilTheServersIsAnotherOne() async throws {
    let store = try await syncedStore()
    try await store.save(edit(milk, ["n": 2]))
    try await store.begin(milk)
    let there = DocumentState.present(copy(["n": 3], "2"))
    try await store.end(milk, .shown(there, Refusal(status: 412, words: "")), .ask)
    for _ in 1...2 { try await store.pull(milk, there, notes, .ask) }
    func parked(_ version: String) -> DocumentEvent {
      .met(.init(step: .parked, basis: .policies([.ask]), version: .init(version)))
    }
    try await assertEqual(store.events()?.suffix(2), [.foundOther, parked("2")])
    try await store.pull(milk, .present(copy(["n": 4], "3")), notes, .ask)
    try await assertEqual(store.events()?.suffix(2), [parked("2"), parked("3")])
  }

  func testWhatARequestFoundIsToldBeforeWhatWasDecided() async throws {
    let store = try await syncedStore()
    try await store.save(edit(milk, ["n": 2]))
    try await store.begin(milk)
    let there = copy(["n": 3], "2")
    try await store.end(
      milk, .shown(.present(there), Refusal(status: 412, words: "")), .localWins(atMost: 3))
    try await assertEqual(
      store.events()?.suffix(2),
      [
        .foundOther,
        .met(.init(step: .rebased, basis: .policies([.localWins]), version: .init("2"))),
      ])
  }

  func testHowARequestEndedIsToldAlsoWhereAListShowedSomethingElseMeanwhile() async throws {
    let store = try await syncedStore()
    try await store.save(edit(milk, ["n": 2]))
    try await store.begin(milk)
    try await store.pull(milk, .present(copy(["n": 3], "2")), notes)
    try await store.end(milk, .unknown(.lost), .localWins(atMost: 3))
    try await assertEqual(
      store.events()?.suffix(2),
      [
        .unanswered(times: 1),
        .met(.init(step: .rebased, basis: .policies([.localWins]), version: .init("2"))),
      ])
  }

  func testWhatWasSentWithoutAnAnswerAndIsFoundAgainIsTold() async throws {
    let store = try await openStore(saving: edit(milk, ["n": 1]))
    try await store.begin(milk)
    try await store.sync { try $0.abandonSends() }
    try await store.pull(milk, .present(copy(["n": 1], "1")), notes)
    try await assertEqual(
      store.events(), [.made, .sent(.create), .unanswered(times: 1), .recognised(.init("1"))])
  }

  func testStashesReturnsAndWhatIsGivenUpAreTold() async throws {
    let store = try await syncedStore()
    for n in [2, 3, 1] { try await store.stash(edit(milk, ["n": DocumentValue(n)])) }
    try await store.save(edit(milk, ["n": 2]))
    try await store.save(edit(milk, ["n": 1]))
    try await store.save(edit(milk, ["n": 2]))
    try await store.resign(milk)
    try await store.sync { try $0.hide(milk) }
    try await store.makeSynced(milk)
    try await store.drop(milk)
    let life = try await store.life()
    XCTAssertEqual(
      life?.moments.map(\.event),
      [
        .stashed(times: 2), .reverted, .edited(.init("1")), .reverted, .edited(.init("1")),
        .resigned, .hidden, .readable, .takenAway,
      ])
    XCTAssertEqual(life?.moments[5].lost, 1)
  }

  func testOfWhatNoServerEverHadNothingIsLeft() async throws {
    let store = try await openStore()
    for n in 1...3 { try await store.save(edit(milk, ["n": DocumentValue(n)])) }
    try await store.delete(milk)
    try await assertNil(store.life())
    try await assertEqual(store.traces(), 0)
  }

  func testWhatFailsLeavesNoTrace() async throws {
    struct Stop: Error {}
    let store = try await openStore(saving: edit(milk, ["n": 1]))
    let change = edit(milk, ["n": 2])
    do {
      try await store.edit { door in
        try door.save(change)
        throw Stop()
      }
      XCTFail("it's recorded")
    } catch is Stop {}
    try await assertEqual(store.events(), [.made])
  }

  func testWhatANewerProgramWroteIsToldWithoutWords() async throws {
    let store = try await openStore(saving: edit(milk, ["n": 1]))
    try await store.begin(milk)
    try await store.run("UPDATE traces SET what = 'beamed' WHERE what = 'sent'")
    let moments = try await store.life()?.moments
    XCTAssertEqual(moments?.map(\.event), [.made, nil])
    XCTAssertEqual(moments?.last?.sentence, "something that this program has no words for")
  }
}
