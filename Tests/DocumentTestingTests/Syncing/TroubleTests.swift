import DocumentTesting
import OneWaySynchronizer
import XCTest

@testable import DocumentSync

/// Servers in trouble, that forget, refuse, or want to be left alone.
final class TroubleTests: XCTestCase {
  private let server = ReferenceServer()
  private let time = SyncedReplica.Time()
  private let milk = DocumentID("milk")

  private func replica(_ faults: FaultPlan = .none) async throws -> SyncedReplica {
    try await SyncedReplica(server.endpoint(named: "mine", faults: faults), time)
  }

  private func fails(
    _ reason: DocumentSyncError, _ body: () async throws -> DocumentReport,
    file: StaticString = #filePath, line: UInt = #line
  ) async {
    do {
      _ = try await body()
      XCTFail("it's done", file: file, line: line)
    } catch {
      XCTAssertEqual(
        (error as? DocumentSyncFailure)?.reason, reason, "\(error)", file: file, line: line)
    }
  }

  /// A replica with so many documents that the server has, too.
  private func settled(_ count: Int) async throws -> SyncedReplica {
    let mine = try await replica()
    for n in 0..<count { try await mine.save(DocumentID("\(n)"), ["n": DocumentValue(n)]) }
    try await mine.sync()
    return mine
  }

  func testALostAnswerIsNoConflictWithOneself() async throws {
    let mine = try await replica()
    try await mine.sync()
    server.setFaults(.script([.answerLost]), of: "mine")
    try await mine.save(milk, ["n": 1])
    let report = try await mine.sync()
    XCTAssertEqual(report.conflicts, [])
    XCTAssertEqual(report.lost, [])
    XCTAssertEqual(report.failures, [])
    XCTAssertEqual(report.sent.map(\.id), [milk])
    let counts = try await mine.counts()
    XCTAssertEqual(counts.outbox, 0)
    XCTAssertEqual(server.events.filter { $0.writer == "mine" }.count, 1)
  }

  /// It was in no report: neither in that of the sync in which it was sent, nor in the next one's.
  func testWhatAPullShowsToHaveBeenTakenIsSentInItsReport() async throws {
    let mine = try await replica()
    try await mine.sync()
    try await mine.save(milk, ["n": 1])
    server.setFaults(.script([.answerLost, .unreachable, .unreachable]), of: "mine")
    await fails(.unreachable) { try await mine.sync() }
    server.setFaults(.none, of: "mine")
    var wishes = SyncWishes()
    wishes.ways = .pull
    let report = try await mine.sync(wishes)
    XCTAssertEqual(report.sent.map(\.id), [milk])
    XCTAssertEqual(report.sent.map(\.isRemoval), [false])
  }

  func testTroubleOfWhatIsSentHoldsUpNoListAndIsAFailureUntilItIsSent() async throws {
    let mine = try await settled(1)
    let theirs = try await SyncedReplica(server.endpoint(named: "theirs"), time)
    try await theirs.save(DocumentID("bread"), ["n": 1])
    try await theirs.sync()
    for n in 0..<5 { try await mine.save(DocumentID("new \(n)"), ["n": DocumentValue(n)]) }
    server.setFaults(
      .script([.breaks(status: 507, .before), .breaks(status: 500, .before)]), of: "mine")
    var push = SyncWishes()
    push.ways = .push
    let pushed = try await mine.sync(push)
    XCTAssertEqual(pushed.errors, [])
    XCTAssertFalse(pushed.failures.isEmpty)
    XCTAssertEqual(pushed.failures.filter { !$0.isWaiting }, [])
    server.setFaults(
      .script([.breaks(status: 507, .before), .breaks(status: 500, .before)]), of: "mine")
    let report = try await mine.sync()
    XCTAssertEqual(report.received.map(\.id), [DocumentID("bread")])
    let last = try await mine.sync()
    XCTAssertEqual(last.failures, [])
    let counts = try await mine.counts()
    XCTAssertEqual(counts.outbox, 0)
  }

  func testAServerThatTakesNothingForNowIsToldAndAskedAgain() async throws {
    let mine = try await settled(1)
    server.manners.capabilities.isReadOnly = true
    time.advance(by: .seconds(2 * 86_400))
    try await mine.save(milk, ["n": 1])
    await fails(.readOnly) { try await mine.sync() }
    let counts = try await mine.counts()
    XCTAssertEqual(counts.outbox, 1)

    server.manners.capabilities.isReadOnly = false
    let report = try await mine.sync()
    XCTAssertEqual(report.sent.map(\.id), [milk])
  }

  func testAServerInTroubleIsTriedThreeTimesAndNothingIsDropped() async throws {
    let mine = try await replica()
    try await mine.sync()
    try await mine.save(milk, ["n": 1])
    server.setFaults(.always(.breaks(status: 502, .before)), of: "mine")
    let before = server.calls.count
    await fails(.inTrouble(status: 502)) { try await mine.sync() }
    XCTAssertEqual(server.calls.count - before, 3)
    let counts = try await mine.counts()
    XCTAssertEqual(counts.outbox, 1)
    server.setFaults(.none, of: "mine")
    let report = try await mine.sync()
    XCTAssertEqual(report.sent.map(\.id), [milk])
  }

  func testCredentialsThatDoNotCountStopEverythingAndDropNothing() async throws {
    let mine = try await settled(1)
    try await mine.save(milk, ["n": 1])
    server.setFaults(.always(.unauthorized), of: "mine")
    let before = server.calls.count
    await fails(.unauthorized) { try await mine.sync() }
    XCTAssertEqual(server.calls.count - before, 1)
    let counts = try await mine.counts()
    XCTAssertEqual(counts.outbox, 1)
  }

  func testAWaitThatWasAskedForHoldsUntilItIsOverOrOverridden() async throws {
    let mine = try await settled(1)
    try await mine.save(milk, ["n": 1])
    server.setFaults(.script([.busy(status: 503, retryAfter: .seconds(60))]), of: "mine")
    let until = time.now + 60_000
    await fails(.mustWait(until: until)) { try await mine.sync() }
    let before = server.calls.count
    await fails(.mustWait(until: until)) { try await mine.sync() }
    XCTAssertEqual(server.calls.count, before, "nothing is asked meanwhile")
    let report = try await mine.sync(SyncWishes(overridesWait: true))
    XCTAssertEqual(report.sent.map(\.id), [milk])
  }

  func testABackoffLetsTheSyncUnderWayFinish() async throws {
    let mine = try await settled(1)
    try await mine.save(milk, ["n": 1])
    server.setFaults(.script([.backoff(.seconds(60))]), of: "mine")
    let report = try await mine.sync()
    XCTAssertEqual(report.sent.map(\.id), [milk])
    let until = time.now + 60_000
    await fails(.mustWait(until: until)) { try await mine.sync() }
  }

  func testACollectionThatMayNotBeReadIsHiddenAndComesBackWithoutASecondTransfer() async throws {
    let mine = try await settled(2)
    server.setFaults(.always(.forbidden), of: "mine")
    _ = try await mine.trySync()
    let hidden = try await mine.get(DocumentID("0"))
    XCTAssertNil(hidden)
    var counts = try await mine.counts()
    XCTAssertEqual(counts.hidden, 2)
    server.setFaults(.none, of: "mine")
    let report = try await mine.sync()
    XCTAssertTrue(report.isQuiet)
    counts = try await mine.counts()
    XCTAssertEqual(counts.documents, 2)
  }

  func testAServerThatForgotTakesNothingAwayWithoutLeave() async throws {
    let mine = try await settled(5)
    server.suffer(.flush)
    let report = try await mine.sync()
    XCTAssertEqual(report.compared, ["notes"])
    XCTAssertEqual(
      report.refusedRemovals, [.init(collection: "notes", count: 5, held: 5)])
    var counts = try await mine.counts()
    XCTAssertEqual(counts.documents, 5)
    let again = try await mine.sync()
    XCTAssertEqual(again.refusedRemovals.count, 1, "it isn't forgotten")
    try await mine.sync(SyncWishes(removals: .within(.unlimited)))
    counts = try await mine.counts()
    XCTAssertEqual(counts.documents, 0)
  }

  func testAnEditOfWhatAServerForgotIsMadeAgainUnderMerge() async throws {
    let mine = try await settled(5)
    try await mine.save(DocumentID("0"), ["n": 7])
    server.suffer(.flush)
    try await mine.sync(SyncWishes(policies: [.merge]))
    XCTAssertEqual(server.documents(in: "notes").mapValues(\.value), [DocumentID("0"): ["n": 7]])
  }

  func testDeletionsOverTheLimitAreHeldBackAndTheRestCounts() async throws {
    let mine = try await settled(6)
    let theirs = try await SyncedReplica(server.endpoint(named: "theirs"), time)
    try await theirs.sync()
    for n in 0..<5 { try await theirs.delete(DocumentID("\(n)")) }
    try await theirs.save(milk, ["n": 1])
    try await theirs.sync()
    let report = try await mine.sync()
    XCTAssertEqual(report.refusedRemovals.map(\.count), [5])
    XCTAssertEqual(report.received.map(\.id), [milk])
    let allowed = try await mine.sync(SyncWishes(removals: .within(.count(5))))
    XCTAssertEqual(allowed.received.filter(\.isRemoval).count, 5)
    let counts = try await mine.counts()
    XCTAssertEqual(counts.documents, 2)
  }

  func testWhatCannotBeReadIsListedAndAskedForAgain() async throws {
    let theirs = try await SyncedReplica(server.endpoint(named: "theirs"), time)
    try await theirs.save(milk, ["n": 1])
    try await theirs.save(DocumentID("bread"), ["n": 2])
    try await theirs.sync()
    server.setReadable(false, milk, in: "notes")
    let mine = try await replica()
    let report = try await mine.sync()
    XCTAssertEqual(report.received.map(\.id), [DocumentID("bread")])
    XCTAssertEqual(report.failures.map(\.name), ["milk"])
    let again = try await mine.sync()
    XCTAssertEqual(again.failures.map(\.name), ["milk"])
    server.setReadable(true, milk, in: "notes")
    let mended = try await mine.sync()
    XCTAssertEqual(mended.received.map(\.id), [milk])
  }

  func testAPullThatIsCutRepeatsNoPageThatWasWritten() async throws {
    server.manners.pageSize = 10
    let theirs = try await SyncedReplica(server.endpoint(named: "theirs"), time)
    for n in 0..<100 { try await theirs.save(DocumentID("\(n)"), ["n": DocumentValue(n)]) }
    try await theirs.sync()
    let faults: [ServerFault?] =
      [nil, nil, nil, nil, nil] + Array(repeating: .unreachable, count: 3)
    let mine = try await replica(.script(faults))
    await fails(.unreachable) { try await mine.sync() }
    let first = try await mine.counts().documents
    XCTAssertEqual(first, 40)
    let before = server.calls.count
    try await mine.sync()
    let counts = try await mine.counts()
    XCTAssertEqual(counts.documents, 100)
    XCTAssertLessThanOrEqual(server.calls.count - before, 7)
  }

  func testAServerThatTellsNoDeletionsIsListedWhole() async throws {
    server.manners.capabilities = EndpointCapabilities(features: [.preconditions, .changes])
    let mine = try await settled(5)
    let theirs = try await SyncedReplica(server.endpoint(named: "theirs"), time)
    try await theirs.sync()
    try await theirs.delete(DocumentID("3"))
    try await theirs.sync()
    let report = try await mine.sync()
    XCTAssertEqual(report.received.map(\.id), [DocumentID("3")])
  }
}
