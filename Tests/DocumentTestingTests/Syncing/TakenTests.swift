import DocumentTesting
import XCTest

@testable import DocumentSync

/// What a report says of what the server has taken, and of a server that wasn't asked.
final class TakenTests: XCTestCase {
  private let server = ReferenceServer()
  private let time = SyncedReplica.Time()
  private let milk = DocumentID("milk")

  /// A replica with a document that the server has, and that was deleted here since.
  private func deleted() async throws -> SyncedReplica {
    let mine = try await SyncedReplica(server.endpoint(named: "mine"), time)
    try await mine.save(milk, ["n": 1])
    try await mine.sync()
    try await mine.delete(milk)
    return mine
  }

  private func pull(_ mine: SyncedReplica) async throws -> DocumentReport {
    var wishes = SyncWishes()
    wishes.ways = .pull
    return try await mine.sync(wishes)
  }

  func testWhatSomebodyElseDeletedFirstWasNotSent() async throws {
    let mine = try await deleted()
    let theirs = try await SyncedReplica(server.endpoint(named: "theirs"), time)
    try await theirs.sync()
    try await theirs.delete(milk)
    try await theirs.sync()
    let report = try await pull(mine)
    XCTAssertEqual(report.sent, [])
    let counts = try await mine.counts()
    XCTAssertEqual(counts.outbox, 0)
  }

  func testADeletionWhoseAnswerWasLostIsSentOnceAPullShowsIt() async throws {
    let mine = try await deleted()
    server.setFaults(.script([.answerLost, .unreachable, .unreachable]), of: "mine")
    try await mine.trySync()
    server.setFaults(.none, of: "mine")
    let report = try await pull(mine)
    XCTAssertEqual(report.sent.map(\.id), [milk])
    XCTAssertEqual(report.sent.map(\.isRemoval), [true])
    let counts = try await mine.counts()
    XCTAssertEqual(counts.outbox, 0)
  }

  func testADeletionThatWasTakenIsSentThoughTheDocumentIsMadeAnewMeanwhile() async throws {
    let mine = try await deleted()
    let sent = try await mine.store.sync { [milk] in try $0.sendBegan(milk) }
    XCTAssertEqual(sent?.order.kind.isDeletion, true)
    try await mine.save(milk, ["n": 2])
    let answered = try await mine.store.sync { [milk] in
      try $0.answered(milk, .deleted(DocumentVersion("9")))
    }
    XCTAssertEqual(answered.taken, TakenSend(isRemoval: true, version: nil))
  }

  func testOnlyAServerThatWasNotAskedHeldTheSyncUp() async throws {
    let mine = try await deleted()
    server.setFaults(.script([.busy(status: 503, retryAfter: .seconds(60))]), of: "mine")
    for isHeldUp in [false, true] {
      let report = try await mine.trySync()
      XCTAssertEqual(report.errors, [.mustWait(until: time.now + 60_000)])
      XCTAssertEqual(report.isHeldUp, isHeldUp)
    }
    time.advance(by: .seconds(60))
    let report = try await mine.sync()
    XCTAssertFalse(report.isHeldUp)
    XCTAssertEqual(report.sent.map(\.id), [milk])
  }
}
