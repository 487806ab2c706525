import SyncLock
import DocumentTesting
import SynchronizerTesting
import TestSupport
import XCTest

@testable import DocumentSync

/// A replica's schedule without an interval, at a server in trouble.
///
/// The first 500 or 429 was its end: what was to be sent waited until somebody edited again.
final class ReplicaScheduleTests: XCTestCase {
  private let rig = ReplicaRig()
  private let clock = ManualClock()

  private func replica() async throws -> DocumentReplica {
    var options = ReplicaRig.options()
    options.syncsEdits = false
    let seams = SessionSeams(
      now: { [time = rig.time] in time.now }, sleep: { [time = rig.time] in time.advance(by: $0) },
      random: { 1 })
    var opening = DocumentStoreOptions()
    opening.clock = { [time = rig.time] in time.now }
    return DocumentReplica(
      try await DocumentStore(.memory, options: opening), path: nil, account: nil,
      endpoint: rig.server.endpoint(named: "mine"), options: options, clock: clock, seams: seams)
  }

  private struct NoSync: Error, CustomStringConvertible {
    let description: String
  }

  /// Moves both clocks, and waits for the end of the sync that is due then; its report says that.
  private func pass(
    of replica: DocumentReplica, after length: Duration, _ claim: String,
    _ isIt: (DocumentReport) -> Bool
  ) async throws {
    let schedule = replica.scheduler.state
    try await schedule.wait { $0.schedule.phase == .running && $0.occasion == nil ? () : nil }
    let next = schedule.state.schedule.next
    guard let next, next <= replica.scheduler.timeline.now + length else {
      let due = next.map { "the next sync is due at \($0)" } ?? "no sync is due any more"
      throw NoSync(description: "\(claim): \(due), and one was to be made \(length) later")
    }
    let number = schedule.state.lastNumber
    try await clock.sleepers(atLeast: 1)
    rig.time.advance(by: length)
    clock.advance(by: length)
    try await schedule.wait { $0.lastNumber > number && $0.occasion == nil ? () : nil }
    guard isIt(replica.lastReport) else {
      throw NoSync(description: "\(claim): it isn't so: \(replica.lastReport)")
    }
  }

  func testWhatMetTroubleIsSentOnceThatIsOver() async throws {
    let replica = try await replica()
    try await replica.sync()
    try await replica.save(DocumentID("milk"), ["n": 1], in: "notes")
    rig.server.setFaults(
      .script([.breaks(status: 500, .before), .breaks(status: 500, .before)]), of: "mine")
    try await withThrowingTaskGroup { group in
      group.addTask { await replica.scheduler.run() }
      try await pass(of: replica, after: .seconds(1), "a 500 is told") { !$0.failures.isEmpty }
      rig.server.setFaults(.script([.busy(status: 429, retryAfter: .seconds(60))]), of: "mine")
      try await pass(of: replica, after: .seconds(5), "a wait is told") { !$0.errors.isEmpty }
      try await pass(of: replica, after: .seconds(60), "it's sent") { !$0.sent.isEmpty }
      await replica.scheduler.stop()
      try await group.waitForAll()
    }
    try await assertEqual(replica.store.read { try $0.counts() }.outbox, 0)
    await replica.close()
  }

  func testLatestIsRefusedWhereEditsCarryNoTimes() async throws {
    let replica = try await replica()
    await assertThrows(
      DocumentError.unstamped("notes"), try await replica.sync(SyncWishes(policies: [.latest])))
    XCTAssertEqual(rig.server.calls.count, 0)
    await replica.close()
  }
}
