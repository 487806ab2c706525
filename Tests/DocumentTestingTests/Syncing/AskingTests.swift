import DocumentTesting
import SyncLock
import XCTest

@testable import DocumentSync

/// What becomes of what a server refuses, and of conflicts about which somebody is asked.
final class AskingTests: XCTestCase {
  private let server = ReferenceServer()
  private let time = SyncedReplica.Time()
  private let (milk, bread) = (DocumentID("milk"), DocumentID("bread"))

  private func replica(
    _ name: String = "mine", _ policies: [ConflictPolicy] = [],
    _ refusals: RefusalPolicy = .leave, deciding decider: ConflictDecider? = nil
  ) async throws -> SyncedReplica {
    var notes = SyncedCollection("notes", policies: policies)
    (notes.refusals, notes.decider) = (refusals, decider)
    return try await SyncedReplica(
      server.endpoint(named: name), time, SyncedReplica.Setting(collections: [notes]))
  }

  /// A document that both have, and which the server takes no more changes of.
  private func refused(_ refusals: RefusalPolicy) async throws -> SyncedReplica {
    let mine = try await replica("mine", [], refusals)
    try await mine.save(milk, ["n": 1])
    try await mine.sync()
    server.manners.unwanted = [milk]
    try await mine.save(milk, ["n": 2])
    return mine
  }

  private func text(_ id: DocumentID, _ replica: SyncedReplica) async throws -> String? {
    try await replica.get(id)?.text
  }

  // MARK: - Refusals

  func testWhatIsRefusedIsLeftAsideUnlessSomethingElseIsSaid() async throws {
    let mine = try await refused(.leave)
    let report = try await mine.sync()
    XCTAssertEqual(report.failures.map(\.words), ["the server refused it (400): it isn't wanted"])
    let status = try await mine.status(milk)
    XCTAssertEqual(status?.problem, .rejected)
    let calls = server.calls.count
    try await mine.sync()
    XCTAssertEqual(server.calls.count - calls, 1, "it was sent again")
  }

  func testWhatIsGivenUpIsTheServersAgainAndIsToldAsLost() async throws {
    let mine = try await refused(.resign)
    let report = try await mine.sync()
    XCTAssertEqual(report.failures, [])
    XCTAssertEqual(report.lost.map(\.id), [milk])
    let (here, counts) = (try await text(milk, mine), try await mine.counts())
    XCTAssertEqual(here, #"{"n":1}"#)
    XCTAssertEqual([counts.outbox, counts.lost], [0, 1])
  }

  func testWhatIsTriedAgainHasPausesThatDoubleAndAnEnd() async throws {
    let mine = try await refused(.retry(atMost: 3))
    let (began, before) = (time.now, server.calls.count)
    let report = try await mine.sync()
    XCTAssertEqual(report.failures.count, 1)
    XCTAssertEqual(time.now - began, 7_000)
    // Four sends and one list.
    XCTAssertEqual(server.calls.count - before, 5)
    let status = try await mine.status(milk)
    XCTAssertEqual(status?.problem, .rejected)
  }

  func testWhatIsTakenAtASecondTryIsNoFailure() async throws {
    let asked = Locked(0)
    let mine = try await refused(
      .ask { [server] change in
        XCTAssertEqual(change.content?.text, #"{"n":2}"#)
        XCTAssertEqual([change.status], [400])
        server.manners.unwanted = []
        asked.withLock { $0 += 1 }
        return .retry
      })
    let report = try await mine.sync()
    XCTAssertEqual(report.failures, [])
    XCTAssertEqual(report.sent.map(\.id), [milk])
    XCTAssertEqual(asked.withLock { $0 }, 1)
  }

  func testWhoLeavesItIsAskedAgainByTheNextSync() async throws {
    let asked = Locked(0)
    let mine = try await refused(
      .ask { _ in
        asked.withLock { $0 += 1 }
        return .leave
      })
    try await mine.sync()
    try await mine.sync()
    XCTAssertEqual(asked.withLock { $0 }, 2)
    let counts = try await mine.counts()
    XCTAssertEqual(counts.setAside, 1)
  }

  func testACallsPolicyComesBeforeTheCollections() async throws {
    let mine = try await refused(.leave)
    try await mine.sync(SyncWishes(refusals: .resign))
    let here = try await text(milk, mine)
    XCTAssertEqual(here, #"{"n":1}"#)
  }

  func testADeletionThatIsRefusedByNobodyIsNotAsked() async throws {
    let mine = try await replica("mine", [], .ask { _ in .resign })
    try await mine.save(milk, ["n": 1])
    try await mine.save(bread, ["n": 1])
    let report = try await mine.sync()
    XCTAssertEqual(report.sent.count, 2)
    XCTAssertEqual(report.lost, [])
  }

  // MARK: - Conflicts

  func testWhoIsAskedDecidesWithinTheSync() async throws {
    let mine = try await replica(
      "mine", [.ask],
      deciding: { id, conflict in
        XCTAssertEqual(conflict.there?.value.text, #"{"n":2}"#)
        return id == DocumentID("milk") ? .here : nil
      })
    let theirs = try await replica("theirs")
    for id in [milk, bread] { try await mine.save(id, ["n": 1]) }
    try await mine.sync()
    try await theirs.sync()
    for id in [milk, bread] {
      try await theirs.save(id, ["n": 2])
      try await mine.save(id, ["n": 3])
    }
    try await theirs.sync()

    let report = try await mine.sync()
    XCTAssertEqual(
      Set(report.conflicts.filter { !$0.isParked }.map(\.id)), [milk], "\(report.conflicts)")
    XCTAssertEqual(server.documents(in: "notes")[milk]?.value.text, #"{"n":3}"#)
    XCTAssertEqual(report.lost.map(\.id), [milk])
    let counts = try await mine.counts()
    XCTAssertEqual([counts.conflicts, counts.outbox], [1, 1])
  }

  func testWhatWasEditedWhileSomebodyThoughtIsNotDecided() async throws {
    let holder = Locked<SyncedReplica?>(nil)
    let mine = try await replica(
      "mine", [.ask],
      deciding: { id, _ in
        _ = try? await holder.withLock { $0 }?.save(id, ["n": 4])
        return .there
      })
    holder.withLock { $0 = mine }
    defer { holder.withLock { $0 = nil } }
    let theirs = try await replica("theirs")
    try await mine.save(milk, ["n": 1])
    try await mine.sync()
    try await theirs.sync()
    try await theirs.save(milk, ["n": 2])
    try await theirs.sync()
    try await mine.save(milk, ["n": 3])
    try await mine.sync()
    let (here, counts) = (try await text(milk, mine), try await mine.counts())
    XCTAssertEqual(here, #"{"n":4}"#)
    XCTAssertEqual(counts.conflicts, 1)
  }
}
