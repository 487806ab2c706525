import TestSupport
import XCTest

@testable import DocumentSync

/// What a server says meets what is here, and is written with the checkpoint.
final class PullingTests: StoreTestCase {
  func testNothingThatCameFromTheServerIsSentBack() async throws {
    let store = try await openStore()
    for version in ["1", "2"] {
      try await store.pull(milk, .present(copy(["n": 1, "v": .init(version)], version)), notes)
    }
    try await store.pull(bread, .deleted(DocumentVersion("3")), notes)
    let (counts, read) = (try await store.counts(), try await store.get(milk))
    XCTAssertEqual(counts.outbox, 0)
    XCTAssertEqual(counts.documents, 1)
    XCTAssertEqual(read, ["n": 1, "v": "2"])
  }

  func testTheSameOnceMoreChangesNothing() async throws {
    let store = try await openStore()
    let page = PulledPage(
      [DocumentChange(id: milk, state: .present(copy(["n": 1], "1")))], checkpoint: "1")
    for isFirst in [true, false] {
      try await assertEqual(store.pull(page, of: notes).map(\.isChanged), [isFirst])
    }
    // Known under another name, it says the same.
    let outcome = try await store.pull(milk, .present(copy(["n": 1.0], "2")), notes)
    XCTAssertEqual(outcome?.isChanged, false)
    try await assertEqual(store.status(milk)?.version, DocumentVersion("2"))
  }

  func testAPageIsWrittenWithItsCheckpointOrNotAtAll() async throws {
    struct Cut: Error {}
    let store = try await openStore()
    let page = PulledPage(
      [DocumentChange(id: milk, state: .present(copy(["n": 1], "1")))], checkpoint: "1")
    do {
      try await store.sync { door in
        _ = try door.pulled(page, of: notes)
        throw Cut()
      }
    } catch is Cut {}
    var (checkpoint, read) = (try await store.checkpoint(of: notes), try await store.get(milk))
    XCTAssertNil(checkpoint)
    XCTAssertNil(read)
    try await store.pull(page, of: notes)
    let again = try await openStore()
    checkpoint = try await again.checkpoint(of: notes)
    read = try await again.get(milk)
    XCTAssertEqual(checkpoint, "1")
    XCTAssertNotNil(read)
  }

  func testACheckpointIsOfItsCollectionAndOnlyPullsMoveIt() async throws {
    let store = try await openStore()
    try await store.pull(PulledPage([], checkpoint: "5"), of: notes)
    try await store.save(edit(milk, ["n": 1]))
    try await store.send(milk, as: "6")
    // A page without one leaves it as it is.
    try await store.pull(milk, .present(copy(["n": 1], "6")), notes)
    let others = ["bob", "ann"].map {
      DocumentScope(server: notes.server, account: $0, collection: "tags")
    }
    let checkpoints = try await store.read { reader in
      try ([notes] + others).map { try reader.checkpoint(of: $0) }
    }
    XCTAssertEqual(checkpoints, ["5", nil, nil])
    try await store.sync { try $0.forgetCheckpoint(of: notes) }
    try await assertNil(store.checkpoint(of: notes))
  }

  func testWhatCannotBeStoredIsToldAndHoldsUpNothing() async throws {
    let store = try await syncedStore(eggs, in: tags)
    var page = PulledPage(
      [
        DocumentChange(id: eggs, state: .present(copy(["n": 2], "2"))),
        DocumentChange(id: milk, state: .present(copy(["n": 1], "3"))),
      ], checkpoint: "3")
    page.unreadable = [UnreadableDocument(name: "3rd of page 1", words: "it has no id")]
    let outcomes = try await store.sync { [page] in try $0.pulled(page, of: notes) }
    XCTAssertEqual(
      outcomes.map(\.failure),
      [.atHomeElsewhere(eggs, collection: tags.collection), nil])
    try await assertEqual(store.failures(of: notes).map(\.name), ["3rd of page 1", "eggs"])
    try await assertEqual(store.get(eggs), ["n": 1])
    try await assertEqual(store.get(milk), ["n": 1])
    // Once it's where it belongs, the failure is over.
    try await store.drop(eggs)
    try await store.makeSynced(eggs, ["n": 2], "2")
    try await assertEqual(store.failures(of: notes).map(\.name), ["3rd of page 1"])
  }

  func testWhatIsShownWhileARequestIsUnderWayIsMetWhenItHasEnded() async throws {
    let store = try await syncedStore()
    try await store.save(edit(milk, ["n": 2]))
    try await store.begin(milk)
    try await store.pull(milk, .present(copy(["n": 2, "by": "them"], "3")), notes)
    try await assertEqual(store.get(milk), ["n": 2])
    try await store.end(milk, .accepted(DocumentVersion("2")))
    try await assertEqual(store.get(milk), ["n": 2, "by": "them"])
    try await assertEqual(store.status(milk)?.state, .synced)
    try await assertEqual(store.status(milk)?.version, DocumentVersion("3"))
  }

  func testWhatTheServerRefusesWithoutSayingWhyIsSetAsideAfterAWholePullAndNotBefore()
    async throws
  {
    let store = try await syncedStore()
    try await store.save(edit(milk, ["n": 2]))
    let early = try await store.sync { $0.pullBegan() }
    try await store.send(milk, ending: .unmet(Refusal(status: 412, words: "no")))
    try await store.sync { try $0.pullEnded(early, of: notes) }
    var phase = try await store.stored(milk)?.entry?.phase
    XCTAssertEqual(phase, .contested(Refusal(status: 412, words: "no")))
    let late = try await store.sync { $0.pullBegan() }
    try await store.sync { try $0.pullEnded(late, of: notes) }
    phase = try await store.stored(milk)?.entry?.phase
    XCTAssertEqual(phase, .setAside(.refused(Refusal(status: 412, words: "no"))))
  }

  func testWhatMayNotBeReadIsKeptAndSeenAgainWithoutBeingSent() async throws {
    let store = try await syncedStore()
    try await store.makeSynced(bread)
    try await store.makeSynced(eggs, in: tags)
    try await store.sync {
      try $0.hide(true, notes)
      try $0.hide(eggs)
    }
    var counts = try await store.counts()
    XCTAssertEqual([counts.hidden, counts.documents], [3, 0])
    let read = [try await store.get(milk), try await store.get(eggs)]
    XCTAssertEqual(read, [nil, nil])
    try await assertEqual(store.pull(eggs, .present(copy(["n": 1], "1")), tags)?.isChanged, true)
    try await store.hide(false, notes)
    counts = try await store.counts()
    XCTAssertEqual([counts.hidden, counts.documents, counts.outbox], [0, 3, 0])
  }
}
