import TestSupport
import XCTest

@testable import DocumentSync

/// What the server has beside a change that it took without an answer: it may be its own, or
/// somebody else's.
final class UnansweredSendTests: StoreTestCase {
  /// A store that sent this without an answer.
  private func store(
    sending sent: DocumentValue, of base: DocumentValue? = nil
  ) async throws -> DocumentStore {
    let store = try await openStore()
    if let base { try await store.makeSynced(milk, base) }
    try await store.save(edit(milk, sent))
    try await store.send(milk, ending: .unknown(.lost))
    return store
  }

  /// A deletion took along what somebody else had added, and nobody was told.
  func testADeletionTellsWhatItTakesAlong() async throws {
    let theirs: DocumentValue = ["t": "one", "detail": "long"]
    for base: DocumentValue? in [nil, ["t": "none"]] {
      let store = try await store(sending: ["t": "one"], of: base)
      let before = try await store.lost().count
      try await store.delete(milk)
      try await store.pull(milk, .present(copy(theirs, "2")), notes)
      let lost = try await store.lost().dropFirst(before).map(\.loss)
      XCTAssertEqual(lost, [.whole(theirs, .there, .deletion)])
      try await assertEqual(store.stored(milk)?.entry?.change, .delete(base: DocumentVersion("2")))
      try await store.send(milk, as: "3")
    }
  }

  /// What was sent and nothing else is known again.
  func testADeletionOfWhatWasSentTellsNothing() async throws {
    let store = try await store(sending: ["t": "one"])
    try await store.delete(milk)
    try await store.pull(milk, .present(copy(["t": "one"], "1")), notes)
    try await assertEqual(store.lost(), [])
    try await assertEqual(store.stored(milk)?.entry?.change, .delete(base: DocumentVersion("1")))
  }

  /// The whole edit gave way where the server gave a member that it had, too.
  func testOnlyWhatBothAddedIsDecided() async throws {
    let since: DocumentValue = ["t": "new", "done": true]
    for (policy, done, side) in [
      (ConflictPolicy.serverWins, false, MergeSide.here), (.localWins(atMost: 3), true, .there),
    ] {
      let store = try await openStore(.memory, saving: edit(milk, ["t": "old"]))
      try await store.send(milk, ending: .unknown(.lost))
      try await store.save(edit(milk, since))
      let there = copy(["t": "old", "done": false, "size": 4], "1")
      try await store.pull(milk, .present(there), notes, policy)
      try await assertEqual(
        store.get(milk), ["t": "new", "done": DocumentValue(done), "size": 4], "\(policy)")
      let lost = try await store.lost().map(\.loss)
      XCTAssertEqual(lost.map(\.path), [DocumentPath(names: ["done"])], "\(policy)")
      XCTAssertEqual(lost.map(\.value), [DocumentValue(!done)], "\(policy)")
      XCTAssertEqual(lost.map(\.side), [side], "\(policy)")
      try await assertEqual(store.ready(notes), [milk])
    }
  }

  /// What was sent counted as what the server had had, once somebody was to decide.
  func testWhatWasSentIsKeptAsNoCopyOfTheServers() async throws {
    let (old, there) = (["n": 1] as DocumentValue, copy(["n": 2, "d": "long"], "2"))
    let since: DocumentValue = ["n": 2, "d": "short"]
    for resolution in [DocumentConflict.Resolution.here, .there] {
      let store = try await openStore(.memory)
      try await store.makeSynced(milk, old)
      try await store.save(edit(milk, ["n": 2]))
      try await store.send(milk, ending: .unknown(.lost))
      try await store.save(edit(milk, since))
      for _ in 0..<2 {
        try await store.pull(milk, .present(there), notes, .ask)
        let conflict = try await store.conflict(milk)
        XCTAssertEqual(conflict?.base?.value, old)
        XCTAssertEqual(conflict?.here, since)
        XCTAssertEqual(conflict?.there, there)
        try await assertEqual(store.baseCopy(milk)?.value, old)
      }
      let parked = try await store.events()?.filter {
        if case .met(let end) = $0 { end.step == .parked } else { false }
      }
      XCTAssertEqual(parked?.count, 1)
      try await store.resolve(milk, resolution)
      let isHere = resolution == .here
      try await assertEqual(store.get(milk), isHere ? since : there.value)
      try await assertEqual(store.lost().count, 1)
      try await assertEqual(store.ready(notes), isHere ? [milk] : [])
    }
  }

  /// A service that leaves out nothing of what it has brought back what was taken out.
  func testWhatTheSentChangeTookOutDoesNotComeBackIntoTheEditSince() async throws {
    let store = try await syncedStore(milk, ["a": 1, "x": 1])
    try await store.save(edit(milk, ["a": 1]))
    try await store.begin(milk)
    try await store.save(edit(milk, ["a": 2]))
    let answer = copy(["a": 1, "x": 1, "size": 4], "2")
    try await store.end(milk, .accepted(answer.version, as: answer))
    try await assertEqual(store.get(milk), ["a": 2, "size": 4])
    try await assertEqual(store.baseCopy(milk), answer)
  }

  /// The edit had been sent as it was before, and was known by what it became.
  func testWhatIsTakenInIsNotTakenForWhatWasSent() async throws {
    let store = try await store(sending: ["n": 2], of: ["n": 1])
    try await store.save(edit(milk, ["n": 3]))
    try await store.send(milk, ending: .unknown(.lost))
    try await store.pull(milk, .present(copy(["n": 2, "size": 4], "2")), notes, .serverWins)
    try await assertEqual(store.get(milk), ["n": 3, "size": 4])
    // What was sent second arrives late.
    try await store.pull(milk, .present(copy(["n": 3], "3")), notes, .serverWins)
    try await assertEqual(store.lost(), [])
    try await assertEqual(store.get(milk), ["n": 3, "size": 4])
    try await assertEqual(store.baseCopy(milk)?.version, DocumentVersion("3"))
  }
}
