import DocumentTesting
import TestSupport
import XCTest

@testable import DocumentSync

/// Servers in trouble, that forget, refuse, or want to be left alone.
final class TroubleTests: XCTestCase {
  private let rig = ReplicaRig()

  private func fails(
    _ reason: DocumentSyncError, _ body: () async throws -> DocumentReport,
    file: StaticString = #filePath, line: UInt = #line
  ) async {
    await assertEqual(
      thrown(DocumentSyncFailure.self, by: try await body(), file: file, line: line)?.reason, reason
    )
  }

  /// A replica with so many documents that the server has, too.
  private func settled(_ count: Int) async throws -> SyncedReplica {
    let mine = try await rig.synced()
    for n in 0..<count { try await mine.save(DocumentID("\(n)"), ["n": DocumentValue(n)]) }
    try await mine.sync()
    return mine
  }

  func testALostAnswerIsNoConflictWithOneself() async throws {
    let mine = try await rig.synced()
    try await mine.sync()
    rig.server.setFaults(.script([.answerLost]), of: "mine")
    try await mine.save(milk, ["n": 1])
    let report = try await mine.sync()
    XCTAssertEqual(report.conflicts, [])
    XCTAssertEqual(report.lost, [])
    XCTAssertEqual(report.failures, [])
    XCTAssertEqual(report.sent.map(\.id), [milk])
    try await assertEqual(mine.counts().outbox, 0)
    XCTAssertEqual(rig.server.events.filter { $0.writer == "mine" }.count, 1)
  }

  /// It was in no report: neither in that of the sync in which it was sent, nor in the next one's.
  func testWhatAPullShowsToHaveBeenTakenIsSentInItsReport() async throws {
    let mine = try await rig.synced()
    try await mine.sync()
    try await mine.save(milk, ["n": 1])
    rig.server.setFaults(.script([.answerLost, .unreachable, .unreachable]), of: "mine")
    await fails(.unreachable) { try await mine.sync() }
    rig.server.setFaults(.none, of: "mine")
    let report = try await mine.sync(SyncWishes(ways: .pull))
    XCTAssertEqual(report.sent.map(\.id), [milk])
    XCTAssertEqual(report.sent.map(\.isRemoval), [false])
  }

  func testTroubleOfWhatIsSentHoldsUpNoListAndIsAFailureUntilItIsSent() async throws {
    let mine = try await settled(1)
    let theirs = try await rig.synced("theirs")
    try await theirs.save(DocumentID("bread"), ["n": 1])
    try await theirs.sync()
    for n in 0..<5 { try await mine.save(DocumentID("new \(n)"), ["n": DocumentValue(n)]) }
    rig.server.setFaults(
      .script([.breaks(status: 507, .before), .breaks(status: 500, .before)]), of: "mine")
    let pushed = try await mine.sync(SyncWishes(ways: .push))
    XCTAssertEqual(pushed.errors, [])
    XCTAssertFalse(pushed.failures.isEmpty)
    XCTAssertEqual(pushed.failures.filter { !$0.isWaiting }, [])
    rig.server.setFaults(
      .script([.breaks(status: 507, .before), .breaks(status: 500, .before)]), of: "mine")
    try await assertEqual(mine.sync().received.map(\.id), [DocumentID("bread")])
    try await assertEqual(mine.sync().failures, [])
    try await assertEqual(mine.counts().outbox, 0)
  }

  func testAServerThatTakesNothingForNowIsToldAndAskedAgain() async throws {
    let mine = try await settled(1)
    rig.server.manners.capabilities.isReadOnly = true
    rig.time.advance(by: .seconds(2 * 86_400))
    try await mine.save(milk, ["n": 1])
    await fails(.readOnly) { try await mine.sync() }
    try await assertEqual(mine.counts().outbox, 1)

    rig.server.manners.capabilities.isReadOnly = false
    try await assertEqual(mine.sync().sent.map(\.id), [milk])
  }

  func testAServerInTroubleIsTriedThreeTimesAndNothingIsDropped() async throws {
    let mine = try await rig.synced()
    try await mine.sync()
    try await mine.save(milk, ["n": 1])
    rig.server.setFaults(.always(.breaks(status: 502, .before)), of: "mine")
    let before = rig.server.calls.count
    await fails(.inTrouble(status: 502)) { try await mine.sync() }
    XCTAssertEqual(rig.server.calls.count - before, 3)
    try await assertEqual(mine.counts().outbox, 1)
    rig.server.setFaults(.none, of: "mine")
    try await assertEqual(mine.sync().sent.map(\.id), [milk])
  }

  func testCredentialsThatDoNotCountStopEverythingAndDropNothing() async throws {
    let mine = try await settled(1)
    try await mine.save(milk, ["n": 1])
    rig.server.setFaults(.always(.unauthorized), of: "mine")
    let before = rig.server.calls.count
    await fails(.unauthorized) { try await mine.sync() }
    XCTAssertEqual(rig.server.calls.count - before, 1)
    try await assertEqual(mine.counts().outbox, 1)
  }

  func testAWaitThatWasAskedForHoldsUntilItIsOverOrOverridden() async throws {
    let mine = try await settled(1)
    try await mine.save(milk, ["n": 1])
    rig.server.setFaults(.script([.busy(status: 503, retryAfter: .seconds(60))]), of: "mine")
    let until = rig.time.now + 60_000
    await fails(.mustWait(until: until)) { try await mine.sync() }
    let before = rig.server.calls.count
    await fails(.mustWait(until: until)) { try await mine.sync() }
    XCTAssertEqual(rig.server.calls.count, before, "nothing is asked meanwhile")
    try await assertEqual(mine.sync(SyncWishes(overridesWait: true)).sent.map(\.id), [milk])
  }

  func testABackoffLetsTheSyncUnderWayFinish() async throws {
    let mine = try await settled(1)
    try await mine.save(milk, ["n": 1])
    rig.server.setFaults(.script([.backoff(.seconds(60))]), of: "mine")
    try await assertEqual(mine.sync().sent.map(\.id), [milk])
    let until = rig.time.now + 60_000
    await fails(.mustWait(until: until)) { try await mine.sync() }
  }

  func testACollectionThatMayNotBeReadIsHiddenAndComesBackWithoutASecondTransfer() async throws {
    let mine = try await settled(2)
    rig.server.setFaults(.always(.forbidden), of: "mine")
    _ = try await mine.trySync()
    try await assertNil(mine.get(DocumentID("0")))
    try await assertEqual(mine.counts().hidden, 2)
    rig.server.setFaults(.none, of: "mine")
    try await assertTrue(mine.sync().isQuiet)
    try await assertEqual(mine.counts().documents, 2)
  }

  func testAServerThatForgotTakesNothingAwayWithoutLeave() async throws {
    let mine = try await settled(5)
    rig.server.suffer(.flush)
    let report = try await mine.sync()
    XCTAssertEqual(report.compared, ["notes"])
    XCTAssertEqual(report.refusedRemovals, [.init(collection: "notes", count: 5, held: 5)])
    try await assertEqual(mine.counts().documents, 5)
    try await assertEqual(mine.sync().refusedRemovals.count, 1, "it isn't forgotten")
    try await mine.sync(SyncWishes(removals: .within(.unlimited)))
    try await assertEqual(mine.counts().documents, 0)
  }

  func testAnEditOfWhatAServerForgotIsMadeAgainUnderMerge() async throws {
    let mine = try await settled(5)
    try await mine.save(DocumentID("0"), ["n": 7])
    rig.server.suffer(.flush)
    try await mine.sync(SyncWishes(policies: [.merge]))
    XCTAssertEqual(rig.documents, [DocumentID("0"): ["n": 7]])
  }

  func testDeletionsOverTheLimitAreHeldBackAndTheRestCounts() async throws {
    let mine = try await settled(6)
    let theirs = try await rig.synced("theirs")
    try await theirs.sync()
    for n in 0..<5 { try await theirs.delete(DocumentID("\(n)")) }
    try await theirs.save(milk, ["n": 1])
    try await theirs.sync()
    let report = try await mine.sync()
    XCTAssertEqual(report.refusedRemovals.map(\.count), [5])
    XCTAssertEqual(report.received.map(\.id), [milk])
    let allowed = try await mine.sync(SyncWishes(removals: .within(.count(5))))
    XCTAssertEqual(allowed.received.filter(\.isRemoval).count, 5)
    try await assertEqual(mine.counts().documents, 2)
  }

  func testWhatCannotBeReadIsListedAndAskedForAgain() async throws {
    let theirs = try await rig.synced("theirs")
    try await theirs.save(milk, ["n": 1])
    try await theirs.save(DocumentID("bread"), ["n": 2])
    try await theirs.sync()
    rig.server.setReadable(false, milk, in: "notes")
    let mine = try await rig.synced()
    let report = try await mine.sync()
    XCTAssertEqual(report.received.map(\.id), [DocumentID("bread")])
    XCTAssertEqual(report.failures.map(\.name), ["milk"])
    try await assertEqual(mine.sync().failures.map(\.name), ["milk"])
    rig.server.setReadable(true, milk, in: "notes")
    try await assertEqual(mine.sync().received.map(\.id), [milk])
  }

  func testAPullThatIsCutRepeatsNoPageThatWasWritten() async throws {
    rig.server.manners.pageSize = 10
    let theirs = try await rig.synced("theirs")
    for n in 0..<100 { try await theirs.save(DocumentID("\(n)"), ["n": DocumentValue(n)]) }
    try await theirs.sync()
    let faults: [ServerFault?] =
      [nil, nil, nil, nil, nil] + Array(repeating: .unreachable, count: 3)
    let mine = try await rig.synced("mine", .script(faults))
    await fails(.unreachable) { try await mine.sync() }
    try await assertEqual(mine.counts().documents, 40)
    let before = rig.server.calls.count
    try await mine.sync()
    try await assertEqual(mine.counts().documents, 100)
    XCTAssertLessThanOrEqual(rig.server.calls.count - before, 7)
  }

  func testAServerThatTellsNoDeletionsIsListedWhole() async throws {
    rig.server.manners.capabilities = EndpointCapabilities(features: [.preconditions, .changes])
    let mine = try await settled(5)
    let theirs = try await rig.synced("theirs")
    try await theirs.sync()
    try await theirs.delete(DocumentID("3"))
    try await theirs.sync()
    try await assertEqual(mine.sync().received.map(\.id), [DocumentID("3")])
  }
}
