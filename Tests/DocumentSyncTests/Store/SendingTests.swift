import SyncDatabase
import XCTest

@testable import DocumentSync

/// What becomes of requests is noted with what they were for.
final class SendingTests: StoreTestCase {
  func testAnEntryLeavesOnlyWhenThatVeryRevisionWasAccepted() async throws {
    let store = try await openStore()
    try await store.save(edit(milk, ["n": 1]))
    _ = try await store.begin(milk)
    try await store.save(edit(milk, ["n": 2]))
    try await store.end(milk, .accepted(DocumentVersion("1")))
    let (read, base) = (
      try await store.get(milk), try await store.read { [milk] in try $0.baseCopy(milk) }
    )
    XCTAssertEqual(read, ["n": 2], "the answer doesn't overwrite it")
    XCTAssertEqual(base?.value, ["n": 1])
    let sent = try await store.begin(milk)
    XCTAssertEqual(sent?.order.kind, .update(DocumentVersion("1")))
    XCTAssertEqual(sent?.content, ["n": 2])
    try await store.end(milk, .accepted(DocumentVersion("2")))
    let status = try await store.status(milk)
    XCTAssertEqual(status?.state, .synced)
    XCTAssertEqual(status?.version, DocumentVersion("2"))
  }

  func testTheKeyIsTheSameForEachTryOfARevisionAndOfNoOther() async throws {
    let store = try await openStore()
    try await store.save(edit(milk, ["n": 1]))
    let first = try await store.begin(milk)
    try await store.end(milk, .untaken(.unreachable))
    let again = try await openStore().begin(milk)
    XCTAssertEqual(again, first)
    XCTAssertNotNil(first?.idempotencyKey)
    try await store.end(milk, .untaken(.unreachable))
    try await store.save(edit(milk, ["n": 2]))
    let other = try await store.begin(milk)
    XCTAssertNotEqual(other?.idempotencyKey, first?.idempotencyKey)
  }

  func testTwoStoresNeverHaveTheSameKey() async throws {
    let names = [
      try await openStore(.memory).read { try $0.storeName() },
      try await openStore(.memory).read { try $0.storeName() },
    ]
    XCTAssertNotEqual(names[0], names[1])
    XCTAssertEqual(names[0].utf8.count, 32)
  }

  func testWhatWasSentWithoutAnAnswerIsKnownAgainWhateverWasEditedSince() async throws {
    let store = try await openStore()
    try await store.makeSynced(milk, ["n": 1], "1", in: notes)
    try await store.save(edit(milk, ["n": 2]))
    _ = try await store.begin(milk)
    try await store.save(edit(milk, ["n": 3]))
    // The program ends with the request under way.
    let again = try await openStore()
    try await again.sync { try $0.abandonSends() }
    try await again.save(edit(milk, ["n": 4]))
    try await again.pull(milk, .present(copy(["n": 2], "2")), notes)
    let (stored, lost) = (try await again.stored(milk), try await again.read { try $0.lost() })
    XCTAssertEqual(stored?.body, ["n": 4])
    XCTAssertEqual(stored?.base?.version, DocumentVersion("2"))
    XCTAssertEqual(lost, [])
    let kept = try await again.withConnection { connection in
      try connection.row("SELECT count(*) FROM contents") { try $0.integer(0) }
    }
    XCTAssertEqual(kept, 0, "what is known needn't be remembered")
  }

  func testAnEchoOfWhatWasSentChangesNothing() async throws {
    let store = try await openStore()
    try await store.save(edit(milk, ["n": 1]))
    try await store.send(milk, as: "1")
    let before = try await store.stored(milk)
    let outcome = try await store.pull(milk, .present(copy(["n": 1], "1")), notes)
    XCTAssertEqual(outcome?.isChanged, false)
    let (after, ready) = (try await store.stored(milk), try await store.ready(notes))
    XCTAssertEqual(after?.body, before?.body)
    XCTAssertEqual(ready, [])
  }

  func testWhatIsRefusedIsSetAsideWithTheServersWordsUntilItIsEditedOrWanted() async throws {
    let store = try await openStore()
    for id in [milk, bread, eggs] { try await store.save(edit(id, ["n": 1])) }
    for id in [milk, bread] {
      _ = try await store.begin(id)
      try await store.end(id, .refused(Refusal(status: 400, words: "n is too small")))
    }
    let again = try await openStore()
    let (status, counts) = (
      try await again.status(milk), try await again.read { try $0.counts() }
    )
    XCTAssertEqual(status?.problem, .rejected)
    XCTAssertEqual(status?.words, "n is too small")
    XCTAssertEqual(counts.setAside, 2)
    var ready = try await again.ready(notes)
    XCTAssertEqual(ready, [eggs])
    try await again.save(edit(milk, ["n": 2]))
    ready = try await again.ready(notes)
    XCTAssertEqual(ready, [milk, eggs], "in its old place")
    let retried = try await again.edit { try $0.retryAll() }
    XCTAssertEqual(retried, 1)
    ready = try await again.ready(notes)
    XCTAssertEqual(ready, [milk, bread, eggs])
  }

  func testTroubleDropsNothing() async throws {
    let store = try await openStore()
    try await store.save(edit(milk, ["n": 1]))
    for verdict: SendVerdict in [
      .unknown(.status(500)), .untaken(.status(429)), .stopped(.unauthorized), .unknown(.lost),
    ] {
      let sent = try await store.begin(milk)
      XCTAssertEqual(sent?.content, ["n": 1])
      try await store.end(milk, verdict)
    }
    let tries = try await store.stored(milk)?.entry?.tries
    XCTAssertEqual(tries, 3)
  }

  func testWhatBrokeTheServerAloneIsOfferedAfterAllOthers() async throws {
    let store = try await openStore()
    try await store.save(edit(milk, ["n": 1]))
    try await store.save(edit(bread, ["n": 1]))
    _ = try await store.begin(milk)
    try await store.end(milk, .unknown(.status(500)))
    let ready = try await store.ready(notes)
    XCTAssertEqual(ready, [bread])
    let last = try await store.sync { [notes] in
      try $0.ready(in: notes, isLast: true, limit: 9)
    }
    XCTAssertEqual(last.map(\.candidate.id), [milk])
    XCTAssertEqual(last.map(\.candidate.batchShare), [.last])
  }

  func testTheOutboxIsReadAPieceAtATime() async throws {
    let store = try await openStore()
    let edits = (0..<10).map { edit(DocumentID("\($0)"), ["n": DocumentValue($0)]) }
    _ = try await store.edit { try $0.save(edits) }
    let read = try await store.sync { [notes] door in
      var (read, last): ([ReadyEntry], Int64) = ([], 0)
      while case let piece = try door.ready(in: notes, after: last, limit: 3), !piece.isEmpty {
        XCTAssertLessThanOrEqual(piece.count, 3)
        read += piece
        last = piece.last?.number ?? 0
      }
      return read
    }
    XCTAssertEqual(read.map(\.candidate.id), edits.map(\.id))
    XCTAssertEqual(read.map(\.candidate.bytes), edits.map(\.content.text.utf8.count))
  }

  func testAServerIsLeftAloneOverRestarts() async throws {
    let store = try await openStore()
    var pause = ServerPause()
    _ = pause.troubled(
      at: 1_000, sentAt: 900, wishes: .init(retryAfter: .seconds(60), backoff: .seconds(5)),
      random: 0)
    try await store.sync { [pause] in try $0.setPause(pause, of: "https://example.org") }
    let again = try await openStore()
    let (kept, other) = try await again.read {
      (try $0.pause(of: "https://example.org"), try $0.pause(of: "https://example.com"))
    }
    XCTAssertEqual(kept, pause)
    XCTAssertEqual(other, ServerPause())
  }
}
