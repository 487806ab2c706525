import SyncLock
import TestSupport
import XCTest

@testable import DocumentSync

/// How much of a life is kept, and for how long.
final class LifeLimitsTests: StoreTestCase {
  func testOfALongSpeechOfAServerTheBeginningIsKept() async throws {
    let store = try await openStore(saving: edit(milk, ["n": 1]))
    try await store.begin(milk)
    let words = String(repeating: "no ", count: 1_000)
    try await store.end(milk, .refused(Refusal(status: 400, words: words)))
    let (events, status) = (try await store.events(), try await store.status(milk))
    XCTAssertEqual(
      events, [.made, .sent(.create), .refused(status: 400, words: String(words.prefix(300)))])
    XCTAssertEqual(status?.words, words)
  }

  func testWhatIsDeletedAndSavedAgainBeforeItWasSentIsTold() async throws {
    let store = try await syncedStore()
    try await store.delete(milk)
    try await store.save(edit(milk, ["n": 2]))
    try await assertEqual(store.events(), [.deleted, .saved(times: 1)])
  }

  func testOfALongLifeOnlyTheLastFiftyAreKept() async throws {
    let store = try await openStore()
    for n in 1...60 { try await store.makeSynced(milk, ["n": DocumentValue(n)], "\(n)") }
    try await assertEqual(store.traces(), 50)
    try await assertEqual(
      store.life()?.moments.last?.event,
      .met(.init(step: .applied, basis: .onlyOneSide, version: .init("60"))))
  }

  func testTheLifeOfWhatIsGoneIsForgottenAfterAMonth() async throws {
    var store = try await openStore()
    for id in [milk, bread] {
      try await store.save(edit(id, ["n": 1]))
      try await store.send(id, as: "1")
    }
    try await store.delete(milk)
    try await store.send(milk, as: "2")
    time.withLock { $0 += 30 * 86_400_000 }
    store = try await openStore()
    var known = [try await store.life() != nil, try await store.life(of: bread) != nil]
    XCTAssertEqual(known, [true, true])
    time.withLock { $0 += 86_400_001 }
    store = try await openStore()
    known = [try await store.life() != nil, try await store.life(of: bread) != nil]
    XCTAssertEqual(known, [false, true])
  }
}
