import SyncDatabase
import SyncLock
import XCTest

@testable import DocumentSync

/// How much of a life is kept, and for how long.
final class LifeLimitsTests: StoreTestCase {
  private func life(_ store: DocumentStore, _ id: DocumentID? = nil) async throws -> DocumentLife? {
    try await store.read { [milk] in try $0.life(of: id ?? milk) }
  }

  private func events(_ store: DocumentStore) async throws -> [DocumentEvent?]? {
    try await life(store)?.moments.map(\.event)
  }

  private func rows(_ store: DocumentStore) async throws -> Int64? {
    try await store.withConnection { connection in
      try connection.row("SELECT count(*) AS n FROM traces") { try $0.integer("n") }
    }
  }

  func testOfALongSpeechOfAServerTheBeginningIsKept() async throws {
    let store = try await openStore()
    try await store.save(edit(milk, ["n": 1]))
    _ = try await store.begin(milk)
    let words = String(repeating: "no ", count: 1_000)
    try await store.end(milk, .refused(Refusal(status: 400, words: words)))
    let (events, status) = (try await events(store), try await store.status(milk))
    XCTAssertEqual(
      events, [.made, .sent(.create), .refused(status: 400, words: String(words.prefix(300)))])
    XCTAssertEqual(status?.words, words)
  }

  func testWhatIsDeletedAndSavedAgainBeforeItWasSentIsTold() async throws {
    let store = try await openStore()
    try await store.makeSynced(milk, ["n": 1], "1", in: notes)
    try await store.delete(milk)
    try await store.save(edit(milk, ["n": 2]))
    let events = try await events(store)
    XCTAssertEqual(events, [.deleted, .saved(times: 1)])
  }

  func testOfALongLifeOnlyTheLastFiftyAreKept() async throws {
    let store = try await openStore()
    for n in 1...60 {
      try await store.makeSynced(milk, ["n": DocumentValue(n)], "\(n)", in: notes)
    }
    let (life, rows) = (try await life(store), try await rows(store))
    XCTAssertEqual(rows, 50)
    XCTAssertEqual(
      life?.moments.last?.event,
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
    var known = [try await life(store) != nil, try await life(store, bread) != nil]
    XCTAssertEqual(known, [true, true])
    time.withLock { $0 += 86_400_001 }
    store = try await openStore()
    known = [try await life(store) != nil, try await life(store, bread) != nil]
    XCTAssertEqual(known, [false, true])
  }
}
