import SyncLock
import TestSupport
import XCTest

@testable import DocumentSync

/// The times that changes carry.
final class StampTests: StoreTestCase {
  private var server: String { notes.server }

  private func save(_ value: Int, _ store: DocumentStore) async throws -> Int64? {
    var changed = edit(milk, ["a": DocumentValue(value)])
    changed.stamps = true
    try await store.save(changed)
    return try await store.stored(milk)?.body?["_times"]?["a"]?.integer
  }

  private func time(_ store: DocumentStore) async throws -> ServerTime {
    try await store.read { [server] in try $0.time(of: server) }
  }

  private func setAhead(_ ahead: Int64, _ store: DocumentStore) async throws {
    try await store.sync { [server] in
      try $0.setTime(ServerTime(ahead: ahead, doubted: nil), of: server)
    }
  }

  func testTheyAreOfTheServersClockWhereOursIsWrong() async throws {
    let store = try await openStore()
    try await setAhead(600_000, store)
    try await assertEqual(save(1, store), 1_700_000_600_000)
  }

  func testTheyNeverGoBackEvenOverARestart() async throws {
    var store = try await openStore()
    try await setAhead(600_000, store)
    let first = try await save(1, store)
    try await setAhead(0, store)
    let second = try await save(2, store)
    await store.close()
    time.withLock { $0 -= 86_400_000 }
    store = try await openStore()
    try await assertEqual(
      [first, second, save(3, store)], [1_700_000_600_000, 1_700_000_600_001, 1_700_000_600_002])
  }

  func testAfterAWrongClockWasBelievedTheyOnlyTickUntilTheRightOneHasCaughtUp() async throws {
    let store = try await openStore()
    let keeper = ServerTimeKeeper(store, server: server)
    let day: Int64 = 86_400_000
    func hear(ahead: Int64) async {
      let now = time.withLock { $0 }
      await keeper.heard(.init(date: now + ahead, sentAt: now, receivedAt: now))
    }
    for _ in 0..<2 { await hear(ahead: day) }
    var stamps = [try await save(1, store)]
    for _ in 0..<2 { await hear(ahead: 0) }
    try await assertEqual(self.time(store), ServerTime(), "later answers that agree put it right")
    for step in 2...4 {
      time.withLock { $0 += 3_600_000 }
      stamps.append(try await save(step, store))
    }
    time.withLock { $0 += day }
    stamps.append(try await save(5, store))
    let wrong = 1_700_000_000_000 + day
    XCTAssertEqual(stamps, [wrong, wrong + 1, wrong + 2, wrong + 3, wrong + 3 * 3_600_000])
  }

  func testTheServersClockIsKeptOverARestart() async throws {
    var store = try await openStore()
    try await assertEqual(time(store), ServerTime())
    let kept = ServerTime(ahead: -300_000, doubted: 9_000_000)
    try await store.sync { [server] in try $0.setTime(kept, of: server) }
    _ = try await save(1, store)
    await store.close()
    store = try await openStore()
    try await assertEqual(time(store), kept)
  }

  func testAllChangesOfOneTransactionHaveOneTime() async throws {
    let store = try await openStore()
    let edits = [milk, bread].map { id in
      var edit = edit(id, ["a": 1])
      edit.stamps = true
      return edit
    }
    try await store.save(edits)
    for id in [milk, bread] {
      try await assertEqual(store.stored(id)?.body?["_times"]?["a"], 1_700_000_000_000)
    }
  }
}
