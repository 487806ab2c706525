import DocumentTesting
import TestSupport
import XCTest

@testable import DocumentSync

/// Both sides change a document, and the policies decide.
final class ConflictTravelTests: XCTestCase {
  private let rig = ReplicaRig()

  /// Two replicas of one document, both of which have changed it; theirs is at the server already.
  private func disputed(
    _ policies: [ConflictPolicy], mine: DocumentValue = ["a": 2, "b": 1],
    theirs: DocumentValue? = ["a": 1, "b": 3]
  ) async throws -> (SyncedReplica, SyncedReplica) {
    var setting = SyncedReplica.Setting()
    setting.collections = [SyncedCollection("notes", policies: policies)]
    let here = try await rig.synced("here", .none, setting)
    let there = try await rig.synced("there")
    try await here.save(milk, ["a": 1, "b": 1])
    try await here.sync()
    try await there.sync()
    if let theirs { try await there.save(milk, theirs) } else { try await there.delete(milk) }
    try await there.sync()
    try await here.save(milk, mine)
    return (here, there)
  }

  func testTheServerWinsAndWhatGaveWayIsTold() async throws {
    let (here, _) = try await disputed([.serverWins])
    let report = try await here.sync()
    try await assertEqual(here.get(milk), ["a": 1, "b": 3])
    XCTAssertEqual(report.lost.map(\.id), [milk])
    XCTAssertEqual(report.conflicts.map(\.policies), [[.serverWins]])
    try await assertEqual(here.store.read { try $0.lost() }.count, 1)
  }

  func testTheLocalEditWinsInOneSync() async throws {
    let (here, _) = try await disputed([.localWins(atMost: 3)])
    try await assertEqual(here.sync().sent.map(\.id), [milk])
    XCTAssertEqual(rig.documents[milk], ["a": 2, "b": 1])
    try await assertEqual(here.counts().outbox, 0)
  }

  func testDifferentMembersAreUnitedInOneSync() async throws {
    let (here, there) = try await disputed([.merge])
    try await here.sync()
    XCTAssertEqual(rig.documents[milk], ["a": 2, "b": 3])
    try await there.sync()
    try await assertEqual(
      [here.get(milk), there.get(milk)], [["a": 2, "b": 3], ["a": 2, "b": 3]])
  }

  func testWhoAsksFindsItParkedAndTheRestGoesOn() async throws {
    let (here, _) = try await disputed([.ask])
    try await here.save(DocumentID("bread"), ["n": 1])
    let report = try await here.sync()
    XCTAssertEqual(report.conflicts.map(\.isParked), [true])
    XCTAssertEqual(report.sent.map(\.id), [DocumentID("bread")])
    _ = try await here.store.edit { try $0.resolve(milk, .here) }
    try await here.sync()
    XCTAssertEqual(rig.documents[milk], ["a": 2, "b": 1])
  }

  func testACallsPolicyComesBeforeTheCollections() async throws {
    let (here, _) = try await disputed([.serverWins])
    try await here.sync(SyncWishes(policies: [.localWins(atMost: 1)]))
    XCTAssertEqual(rig.documents[milk], ["a": 2, "b": 1])
  }

  func testADeletionThereWinsAndTheEditIsLostAndTold() async throws {
    let (here, _) = try await disputed([.merge], theirs: nil)
    let report = try await here.sync()
    try await assertNil(here.get(milk))
    XCTAssertEqual(report.lost.map(\.loss.value), [["a": 2, "b": 1]])
    XCTAssertNil(rig.documents[milk])
  }

  func testUnderLocalWinsADeletedDocumentIsMadeAgain() async throws {
    let (here, _) = try await disputed([.localWins(atMost: 3)], theirs: nil)
    try await here.sync()
    XCTAssertEqual(rig.documents[milk], ["a": 2, "b": 1])
  }

  func testADeletionHereWinsAndTheUnseenValueIsTold() async throws {
    let (here, there) = try await disputed([.serverWins])
    try await here.delete(milk)
    try await assertEqual(here.sync().lost.map(\.loss.value), [["a": 1, "b": 3]])
    XCTAssertNil(rig.documents[milk])
    try await there.sync()
    try await assertNil(there.get(milk))
  }

  func testAServerThatShowsNoConflictIsAskedByThePull() async throws {
    rig.server.manners.showsConflicts = false
    let (here, _) = try await disputed([.merge])
    try await here.sync()
    XCTAssertEqual(rig.documents[milk], ["a": 2, "b": 3])
  }
}
