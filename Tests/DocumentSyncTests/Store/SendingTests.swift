import TestSupport
import XCTest

@testable import DocumentSync

/// What becomes of requests is noted with what they were for.
final class SendingTests: StoreTestCase {
  func testAnEntryLeavesOnlyWhenThatVeryRevisionWasAccepted() async throws {
    let store = try await openStore(saving: edit(milk, ["n": 1]))
    try await store.begin(milk)
    try await store.save(edit(milk, ["n": 2]))
    try await store.end(milk, .accepted(DocumentVersion("1")))
    try await assertEqual(store.get(milk), ["n": 2], "the answer doesn't overwrite it")
    try await assertEqual(store.baseCopy(milk)?.value, ["n": 1])
    let sent = try await store.begin(milk)
    XCTAssertEqual(sent?.order.kind, .update(DocumentVersion("1")))
    XCTAssertEqual(sent?.content, ["n": 2])
    try await store.end(milk, .accepted(DocumentVersion("2")))
    try await assertEqual(store.status(milk)?.state, .synced)
    try await assertEqual(store.status(milk)?.version, DocumentVersion("2"))
  }

  func testTheKeyIsTheSameForEachTryOfARevisionAndOfNoOther() async throws {
    let store = try await openStore(saving: edit(milk, ["n": 1]))
    let first = try await store.begin(milk)
    try await store.end(milk, .untaken(.unreachable))
    try await assertEqual(openStore().begin(milk), first)
    XCTAssertNotNil(first?.idempotencyKey)
    try await store.end(milk, .untaken(.unreachable))
    try await store.save(edit(milk, ["n": 2]))
    let other = try await store.begin(milk)
    XCTAssertNotEqual(other?.idempotencyKey, first?.idempotencyKey)
  }

  func testTwoStoresNeverHaveTheSameKey() async throws {
    let names = [try await openStore(.memory).name(), try await openStore(.memory).name()]
    XCTAssertNotEqual(names[0], names[1])
    XCTAssertEqual(names[0].utf8.count, 32)
  }

  func testWhatWasSentWithoutAnAnswerIsKnownAgainWhateverWasEditedSince() async throws {
    let store = try await syncedStore()
    try await store.save(edit(milk, ["n": 2]))
    try await store.begin(milk)
    try await store.save(edit(milk, ["n": 3]))
    // The program ends with the request under way.
    let again = try await openStore()
    try await again.sync { try $0.abandonSends() }
    try await again.save(edit(milk, ["n": 4]))
    try await again.pull(milk, .present(copy(["n": 2], "2")), notes)
    let (stored, lost) = (try await again.stored(milk), try await again.lost())
    XCTAssertEqual(stored?.body, ["n": 4])
    XCTAssertEqual(stored?.base?.version, DocumentVersion("2"))
    XCTAssertEqual(lost, [])
    let kept = try await again.number("SELECT count(*) FROM contents")
    XCTAssertEqual(kept, 0, "what is known needn't be remembered")
  }

  func testAnEchoOfWhatWasSentChangesNothing() async throws {
    let store = try await openStore(saving: edit(milk, ["n": 1]))
    try await store.send(milk, as: "1")
    let before = try await store.stored(milk)
    try await assertEqual(store.pull(milk, .present(copy(["n": 1], "1")), notes)?.isChanged, false)
    try await assertEqual(store.stored(milk)?.body, before?.body)
    try await assertEqual(store.ready(notes), [])
  }

  func testWhatIsRefusedIsSetAsideWithTheServersWordsUntilItIsEditedOrWanted() async throws {
    let store = try await openStore()
    for id in [milk, bread, eggs] { try await store.save(edit(id, ["n": 1])) }
    for id in [milk, bread] {
      try await store.send(id, ending: .refused(Refusal(status: 400, words: "n is too small")))
    }
    let again = try await openStore()
    let (status, counts) = (try await again.status(milk), try await again.counts())
    XCTAssertEqual(status?.problem, .rejected)
    XCTAssertEqual(status?.words, "n is too small")
    XCTAssertEqual(counts.setAside, 2)
    try await assertEqual(again.ready(notes), [eggs])
    try await again.save(edit(milk, ["n": 2]))
    try await assertEqual(again.ready(notes), [milk, eggs], "in its old place")
    try await assertEqual(again.edit { try $0.retryAll() }, 1)
    try await assertEqual(again.ready(notes), [milk, bread, eggs])
  }

  func testTroubleDropsNothing() async throws {
    let store = try await openStore(saving: edit(milk, ["n": 1]))
    for verdict: SendVerdict in [
      .unknown(.status(500)), .untaken(.status(429)), .stopped(.unauthorized), .unknown(.lost),
    ] {
      try await assertEqual(store.begin(milk)?.content, ["n": 1])
      try await store.end(milk, verdict)
    }
    try await assertEqual(store.stored(milk)?.entry?.tries, 3)
  }

  func testWhatBrokeTheServerAloneIsOfferedAfterAllOthers() async throws {
    let store = try await openStore(saving: edit(milk, ["n": 1]))
    try await store.save(edit(bread, ["n": 1]))
    try await store.send(milk, ending: .unknown(.status(500)))
    try await assertEqual(store.ready(notes), [bread])
    let last = try await store.sync { try $0.ready(in: notes, isLast: true, limit: 9) }
    XCTAssertEqual(last.map(\.candidate.id), [milk])
    XCTAssertEqual(last.map(\.candidate.batchShare), [.last])
  }

  func testTheOutboxIsReadAPieceAtATime() async throws {
    let store = try await openStore()
    let edits = (0..<10).map { edit(DocumentID("\($0)"), ["n": DocumentValue($0)]) }
    _ = try await store.save(edits)
    let read = try await store.sync { door in
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
