import DocumentTesting
import TestSupport
import XCTest

@testable import DocumentSync

/// What a report says of what the server has taken, and of a server that wasn't asked.
final class TakenTests: XCTestCase {
  private let rig = ReplicaRig()

  /// A replica with a document that the server has, and that was deleted here since.
  private func deleted() async throws -> SyncedReplica {
    let mine = try await rig.synced("mine")
    try await mine.save(milk, ["n": 1])
    try await mine.sync()
    try await mine.delete(milk)
    return mine
  }

  func testWhatSomebodyElseDeletedFirstWasNotSent() async throws {
    let mine = try await deleted()
    let theirs = try await rig.synced("theirs")
    try await theirs.sync()
    try await theirs.delete(milk)
    try await theirs.sync()
    try await assertEqual(mine.sync(SyncWishes(ways: .pull)).sent, [])
    try await assertEqual(mine.counts().outbox, 0)
  }

  func testADeletionWhoseAnswerWasLostIsSentOnceAPullShowsIt() async throws {
    let mine = try await deleted()
    rig.server.setFaults(.script([.answerLost, .unreachable, .unreachable]), of: "mine")
    try await mine.trySync()
    rig.server.setFaults(.none, of: "mine")
    let report = try await mine.sync(SyncWishes(ways: .pull))
    XCTAssertEqual(report.sent.map(\.id), [milk])
    XCTAssertEqual(report.sent.map(\.isRemoval), [true])
    try await assertEqual(mine.counts().outbox, 0)
  }

  func testADeletionThatWasTakenIsSentThoughTheDocumentIsMadeAnewMeanwhile() async throws {
    let mine = try await deleted()
    try await assertEqual(mine.store.sync { try $0.sendBegan(milk) }?.order.kind.isDeletion, true)
    try await mine.save(milk, ["n": 2])
    let answered = try await mine.store.sync {
      try $0.answered(milk, .deleted(DocumentVersion("9")))
    }
    XCTAssertEqual(answered.taken, TakenSend(isRemoval: true, version: nil))
  }

  func testOnlyAServerThatWasNotAskedHeldTheSyncUp() async throws {
    let mine = try await deleted()
    rig.server.setFaults(.script([.busy(status: 503, retryAfter: .seconds(60))]), of: "mine")
    for isHeldUp in [false, true] {
      let report = try await mine.trySync()
      XCTAssertEqual(report.errors, [.mustWait(until: rig.time.now + 60_000)])
      XCTAssertEqual(report.isHeldUp, isHeldUp)
    }
    rig.time.advance(by: .seconds(60))
    let report = try await mine.sync()
    XCTAssertFalse(report.isHeldUp)
    XCTAssertEqual(report.sent.map(\.id), [milk])
  }
}
