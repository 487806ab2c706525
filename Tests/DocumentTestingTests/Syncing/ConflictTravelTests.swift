import DocumentTesting
import XCTest

@testable import DocumentSync

/// Both sides change a document, and the policies decide.
final class ConflictTravelTests: XCTestCase {
  private let server = ReferenceServer()
  private let time = SyncedReplica.Time()
  private let milk = DocumentID("milk")

  /// Two replicas of one document, both of which have changed it; theirs is at the server already.
  private func disputed(
    _ policies: [ConflictPolicy], mine: DocumentValue = ["a": 2, "b": 1],
    theirs: DocumentValue? = ["a": 1, "b": 3]
  ) async throws -> (SyncedReplica, SyncedReplica) {
    var setting = SyncedReplica.Setting()
    setting.collections = [SyncedCollection("notes", policies: policies)]
    let here = try await SyncedReplica(server.endpoint(named: "here"), time, setting)
    let there = try await SyncedReplica(server.endpoint(named: "there"), time)
    try await here.save(milk, ["a": 1, "b": 1])
    try await here.sync()
    try await there.sync()
    if let theirs { try await there.save(milk, theirs) } else { try await there.delete(milk) }
    try await there.sync()
    try await here.save(milk, mine)
    return (here, there)
  }

  private func document() -> DocumentValue? { server.documents(in: "notes")[milk]?.value }

  func testTheServerWinsAndWhatGaveWayIsTold() async throws {
    let (here, _) = try await disputed([.serverWins])
    let report = try await here.sync()
    let kept = try await here.get(milk)
    XCTAssertEqual(kept, ["a": 1, "b": 3])
    XCTAssertEqual(report.lost.map(\.id), [milk])
    XCTAssertEqual(report.conflicts.map(\.policies), [[.serverWins]])
    let lost = try await here.store.read { try $0.lost() }
    XCTAssertEqual(lost.count, 1)
  }

  func testTheLocalEditWinsInOneSync() async throws {
    let (here, _) = try await disputed([.localWins(atMost: 3)])
    let report = try await here.sync()
    XCTAssertEqual(document(), ["a": 2, "b": 1])
    XCTAssertEqual(report.sent.map(\.id), [milk])
    let counts = try await here.counts()
    XCTAssertEqual(counts.outbox, 0)
  }

  func testDifferentMembersAreUnitedInOneSync() async throws {
    let (here, there) = try await disputed([.merge])
    try await here.sync()
    XCTAssertEqual(document(), ["a": 2, "b": 3])
    try await there.sync()
    let both = try await [here.get(milk), there.get(milk)]
    XCTAssertEqual(both, [["a": 2, "b": 3], ["a": 2, "b": 3]])
  }

  func testWhoAsksFindsItParkedAndTheRestGoesOn() async throws {
    let (here, _) = try await disputed([.ask])
    try await here.save(DocumentID("bread"), ["n": 1])
    let report = try await here.sync()
    XCTAssertEqual(report.conflicts.map(\.isParked), [true])
    XCTAssertEqual(report.sent.map(\.id), [DocumentID("bread")])
    _ = try await here.store.edit { [milk] in try $0.resolve(milk, .here) }
    try await here.sync()
    XCTAssertEqual(document(), ["a": 2, "b": 1])
  }

  func testACallsPolicyComesBeforeTheCollections() async throws {
    let (here, _) = try await disputed([.serverWins])
    try await here.sync(SyncWishes(policies: [.localWins(atMost: 1)]))
    XCTAssertEqual(document(), ["a": 2, "b": 1])
  }

  func testADeletionThereWinsAndTheEditIsLostAndTold() async throws {
    let (here, _) = try await disputed([.merge], theirs: nil)
    let report = try await here.sync()
    let left = try await here.get(milk)
    XCTAssertNil(left)
    XCTAssertEqual(report.lost.map(\.loss.value), [["a": 2, "b": 1]])
    XCTAssertNil(document())
  }

  func testUnderLocalWinsADeletedDocumentIsMadeAgain() async throws {
    let (here, _) = try await disputed([.localWins(atMost: 3)], theirs: nil)
    try await here.sync()
    XCTAssertEqual(document(), ["a": 2, "b": 1])
  }

  func testADeletionHereWinsAndTheUnseenValueIsTold() async throws {
    let (here, there) = try await disputed([.serverWins])
    try await here.delete(milk)
    let report = try await here.sync()
    XCTAssertNil(document())
    XCTAssertEqual(report.lost.map(\.loss.value), [["a": 1, "b": 3]])
    try await there.sync()
    let left = try await there.get(milk)
    XCTAssertNil(left)
  }

  func testAServerThatShowsNoConflictIsAskedByThePull() async throws {
    server.manners.showsConflicts = false
    let (here, _) = try await disputed([.merge])
    try await here.sync()
    XCTAssertEqual(document(), ["a": 2, "b": 3])
  }
}
