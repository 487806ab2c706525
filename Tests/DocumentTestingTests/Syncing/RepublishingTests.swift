import DocumentTesting
import TestSupport
import XCTest

@testable import DocumentSync

/// A server that lost its data is given again what it had, and nothing that it knows better.
final class RepublishingTests: XCTestCase {
  private let rig = ReplicaRig()

  /// A replica whose documents the server had.
  private func used(_ ids: DocumentID...) async throws -> SyncedReplica {
    let here = try await rig.synced()
    for id in ids { try await here.save(id, ["of": DocumentValue(id.text)]) }
    try await here.sync()
    return here
  }

  private func republish(
    _ here: SyncedReplica, _ wish: Republishing = .lacking
  ) async throws -> DocumentReport {
    var wishes = SyncWishes(ways: .push)
    wishes.republishing = wish
    return try await here.sync(wishes)
  }

  func testWhatAFlushedServerLacksIsThereAgain() async throws {
    let here = try await used(milk, bread, eggs)
    rig.server.suffer(.flush)
    let held = try await here.sync().refusedRemovals
    XCTAssertEqual(held.map(\.count), [3])
    let report = try await republish(here)
    XCTAssertEqual(Set(report.sent.map(\.id)), [milk, bread, eggs])
    XCTAssertEqual(rig.documents.count, 3)
    let after = try await here.sync()
    XCTAssertTrue(after.received.isEmpty && after.refusedRemovals.isEmpty, "\(after)")
    try await assertEqual(here.store.read { try $0.heldBack() }, [])
    try await assertEqual(here.counts().documents, 3)
  }

  /// Two who have the same send it one after the other.
  func testNothingIsSentOverWhatIsThereByThen() async throws {
    let here = try await used(milk, bread)
    let there = try await rig.synced("other")
    try await there.sync()
    rig.server.suffer(.flush)
    let other = try await rig.synced("third")
    try await other.save(bread, ["of": "somebody else"])
    try await other.sync()
    let first = try await republish(here)
    let second = try await republish(there)
    XCTAssertEqual([first.sent.map(\.id), second.sent.map(\.id)], [[milk], []])
    XCTAssertEqual(rig.documents[bread], ["of": "somebody else"])
    let kinds = rig.server.state.events.filter { event in
      if case .stored(_, _, over: _?, as: _) = event.deed { true } else { false }
    }
    XCTAssertEqual(kinds, [], "nothing was stored over anything")
  }

  func testWhatTheServerKnowsToBeDeletedIsNotMadeAgain() async throws {
    let here = try await used(milk, bread)
    let other = try await rig.synced("other")
    try await other.sync()
    try await other.delete(milk)
    try await other.sync()
    let report = try await republish(here)
    XCTAssertEqual(report.sent, [])
    XCTAssertNil(rig.documents[milk])
    try await assertEqual(here.sync().received.map(\.isRemoval), [true])
  }

  /// An emptied server gives the ids that it gave before to others: those were taken for the same.
  func testWhereTheServerMakesTheIDsNothingIsSentAgain() async throws {
    var manners = ServerManners()
    manners.serverKeys = ["notes"]
    let rig = ReplicaRig(manners)
    let here = try await rig.synced()
    for id in [milk, bread] { try await here.save(id, ["of": DocumentValue(id.text)]) }
    try await here.sync()
    rig.server.suffer(.flush)
    try await here.save(DocumentID("1"), ["of": "edited"])
    let before = (rig.server.calls.count, try await here.store.read { try $0.digest() })
    for wish in [Republishing.lacking, .newer] {
      do {
        _ = try await republish(here, wish)
        XCTFail("it was sent again")
      } catch let error as DocumentError {
        XCTAssertEqual(error, .makesKeys("notes"))
        XCTAssertTrue("\(error)".contains("import them into a new store"), "\(error)")
      }
    }
    XCTAssertEqual(rig.server.calls.count, before.0)
    XCTAssertEqual(rig.documents, [:])
    try await assertEqual(here.store.read { try $0.digest() }, before.1)
    try await assertEqual(here.get(DocumentID("2")), ["of": "bread"])
  }

  func testWhatAnEditStandsOnMayBeGone() async throws {
    let here = try await used(milk)
    try await here.save(milk, ["of": "here"])
    rig.server.suffer(.flush)
    try await assertEqual(republish(here).sent.map(\.id), [milk])
    XCTAssertEqual(rig.documents[milk], ["of": "here"])
  }

  func testWhatIsStashedOrSetAsideIsNotSent() async throws {
    let here = try await used(milk, bread)
    _ = try await here.store.edit { [scope = here.scope()] in
      try $0.stash(DocumentEdit(milk, in: scope, ["of": "stashed"]))
    }
    rig.server.suffer(.flush)
    try await assertEqual(republish(here).sent.map(\.id), [bread])
    try await assertEqual(here.get(milk), ["of": "stashed"])
  }

  // MARK: - What it has in an older version

  /// The server is put back to where it had older versions.
  private func restored() async throws -> SyncedReplica {
    let here = try await used(milk, bread)
    rig.server.suffer(.backUp)
    rig.server.advance(by: .seconds(10))
    try await here.save(milk, ["of": "newer"])
    try await here.save(eggs, ["of": "eggs"])
    try await here.sync()
    rig.server.suffer(.restore)
    return here
  }

  func testWhatIsOlderIsToldAndLeft() async throws {
    let here = try await restored()
    let report = try await republish(here)
    XCTAssertEqual(report.sent.map(\.id), [eggs])
    XCTAssertEqual(report.older.map(\.id), [milk])
    XCTAssertEqual(rig.documents[milk], ["of": "milk"])
    try await assertEqual(here.get(milk), ["of": "newer"])
  }

  func testWhatIsOlderIsReplacedOnDemandAndTheServersIsKept() async throws {
    let here = try await restored()
    let report = try await republish(here, .newer)
    XCTAssertEqual(Set(report.sent.map(\.id)), [milk, eggs])
    XCTAssertEqual(report.older, [])
    XCTAssertEqual(rig.documents[milk], ["of": "newer"])
    let lost = try await here.store.read { try $0.lost() }
    XCTAssertEqual(lost.map(\.loss.value), [["of": "milk"]])
    XCTAssertEqual(lost.map(\.loss.side), [.there])
    let after = try await here.sync()
    XCTAssertEqual([after.received.count, after.sent.count], [0, 0])
  }

  func testFilesOfWhatIsReplacedAreLookedForAndSentAgain() async throws {
    let rig = FileRig()
    let here = try await rig.replica()
    try await here.save(.milk, ["n": 1])
    try await here.sync()
    rig.server.suffer(.backUp)
    rig.server.advance(by: .seconds(10))
    try await rig.attach(here)
    try await here.sync()
    rig.server.suffer(.restore)
    try await rig.lose()
    _ = try await republish(here, .newer)
    XCTAssertEqual(rig.stored.count, 2)
    try await assertEqual(rig.counts(here), FileCounts())
  }

  func testWhatIsNewerAtTheServerIsLeftToASync() async throws {
    let here = try await used(milk)
    let other = try await rig.synced("other")
    try await other.sync()
    rig.server.advance(by: .seconds(10))
    try await other.save(milk, ["of": "other"])
    try await other.sync()
    for wish in [Republishing.lacking, .newer] {
      let report = try await republish(here, wish)
      XCTAssertTrue(report.isQuiet, "\(report)")
    }
    XCTAssertEqual(rig.documents[milk], ["of": "other"])
  }

  func testVersionsAreComparedByTimesOrNumbersAlone() {
    let rows: [(String, Int64?, String, Int64?, Bool)] = [
      ("1", nil, "2", nil, true), ("2", nil, "1", nil, false), ("9", nil, "10", nil, true),
      ("1.9", nil, "1.10", nil, true), ("a", nil, "b", nil, false), ("2", 1, "1", 2, true),
      ("1", 2, "2", 1, false), ("1", 1, "2", nil, true), ("1", nil, "b", nil, false),
    ]
    for (version, time, other, otherTime, isOlder) in rows {
      let one = ServerCopy(value: [:], version: DocumentVersion(version), time: time)
      let two = ServerCopy(value: [:], version: DocumentVersion(other), time: otherTime)
      XCTAssertEqual(one.isOlder(than: two), isOlder, "\(version) \(other)")
    }
  }

  func testTheReplicasCallSendsWhatIsLacking() async throws {
    let notes = try await rig.replica()
    try await notes.save(milk, ["n": 1], in: "notes")
    try await notes.sync()
    rig.server.suffer(.flush)
    try await assertEqual(notes.republish().sent.map(\.id), [milk])
    XCTAssertEqual(rig.documents[milk], ["n": 1])
  }
}
