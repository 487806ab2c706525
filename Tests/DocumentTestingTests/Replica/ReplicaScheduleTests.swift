import DocumentTesting
import SynchronizerTesting
import XCTest

@testable import DocumentSync

/// A replica's schedule without an interval, at a server in trouble.
///
/// The first 500 or 429 was its end: what was to be sent waited until somebody edited again.
final class ReplicaScheduleTests: XCTestCase {
  private let server = ReferenceServer()
  private let time = SyncedReplica.Time()
  private let clock = ManualClock()

  private func replica() async throws -> DocumentReplica {
    var options = ReplicaOptions(
      server: "https://reference.example", collections: [SyncedCollection("notes")])
    options.syncsEdits = false
    let seams = TalkSeams(
      now: { [time] in time.now }, sleep: { [time] in time.advance(by: $0) }, random: { 1 })
    var opening = DocumentStoreOptions()
    opening.clock = { [time] in time.now }
    return DocumentReplica(
      try await DocumentStore(.memory, options: opening), path: nil, account: nil,
      endpoint: server.endpoint(named: "mine"), options: options, clock: clock, seams: seams)
  }

  /// Moves both clocks, and waits for the end of a sync of which the report says that.
  private func pass(
    of replica: DocumentReplica, after length: Duration, _ isIt: (DocumentReport) -> Bool
  ) async throws {
    try await clock.sleepers(atLeast: 1)
    time.advance(by: length)
    clock.advance(by: length)
    for await isActive in replica.scheduler.activity.states
    where !isActive && isIt(replica.lastReport) { return }
  }

  func testWhatMetTroubleIsSentOnceThatIsOver() async throws {
    let replica = try await replica()
    try await replica.sync()
    try await replica.save(DocumentID("milk"), ["n": 1], in: "notes")
    server.setFaults(
      .script([.breaks(status: 500, .before), .breaks(status: 500, .before)]), of: "mine")
    try await withThrowingTaskGroup { group in
      group.addTask { await replica.scheduler.run() }
      try await pass(of: replica, after: .seconds(1)) { !$0.failures.isEmpty }
      server.setFaults(.script([.busy(status: 429, retryAfter: .seconds(60))]), of: "mine")
      try await pass(of: replica, after: .seconds(5)) { !$0.errors.isEmpty }
      try await pass(of: replica, after: .seconds(60)) { !$0.sent.isEmpty }
      await replica.scheduler.stop()
      try await group.waitForAll()
    }
    let counts = try await replica.store.read { try $0.counts() }
    XCTAssertEqual(counts.outbox, 0)
    await replica.close()
  }

  func testLatestIsRefusedWhereEditsCarryNoTimes() async throws {
    let replica = try await replica()
    do {
      try await replica.sync(SyncWishes(policies: [.latest]))
      XCTFail("it's synced")
    } catch let problem as ReplicaProblem {
      XCTAssertEqual(problem, .unstamped("notes"))
    }
    XCTAssertEqual(server.calls.count, 0)
    await replica.close()
  }
}
