import DocumentTesting
import TestSupport
import XCTest

@testable import DocumentSync

/// Single documents, now.
final class ReplicaCallsTests: XCTestCase {
  private let server = ReferenceServer(
    manners: ServerManners(
      capabilities: EndpointCapabilities(
        features: [.preconditions, .changes, .tombstones], batchEntries: 1)))

  /// A replica whose waits take no time.
  private func replica(
    _ name: String = "mine", faults: [ServerFault?] = []
  ) async throws -> DocumentReplica {
    let time = SyncedReplica.Time()
    let seams = SessionSeams(
      now: { time.now }, sleep: { time.advance(by: $0) }, random: { 0.5 })
    return DocumentReplica(
      try await DocumentStore(.memory), path: nil, account: nil,
      endpoint: server.endpoint(named: name, faults: .script(faults)),
      options: ReplicaOptions(
        server: "https://reference.example",
        collections: [SyncedCollection("lists"), SyncedCollection("notes", policies: [.merge])]),
      clock: ContinuousClock(), seams: seams)
  }

  private func theirs(_ id: DocumentID, _ content: DocumentValue) async throws {
    let other = try await replica("theirs")
    try await other.sync()
    try await other.save(id, content, in: "notes")
    try await other.sync()
  }

  private var rows: [DocumentID: DocumentValue] {
    server.documents(in: "notes").mapValues(\.value)
  }

  func testOneDocumentIsFetchedAndNothingElse() async throws {
    try await theirs(milk, ["n": 1])
    try await theirs(DocumentID("bread"), ["n": 1])
    let mine = try await replica()
    let before = server.calls.count
    try await assertEqual(mine.fetch(milk, in: "notes"), ["n": 1])
    XCTAssertEqual(server.calls.count - before, 1)
    try await assertEqual(mine.ids(), [milk])
    try await assertEqual(mine.sync().received.map(\.id), [DocumentID("bread")])
  }

  func testWithoutItsCollectionEachIsAsked() async throws {
    try await theirs(milk, ["n": 1])
    let mine = try await replica()
    try await assertEqual(mine.fetch(milk), ["n": 1])
    try await theirs(milk, ["n": 2])
    let before = server.calls.count
    try await assertEqual(mine.fetch(milk), ["n": 2])
    XCTAssertEqual(server.calls.count - before, 1, "where it's at home is known")
  }

  func testWhatIsFetchedMeetsAnEdit() async throws {
    try await theirs(milk, ["n": 1])
    let mine = try await replica()
    try await mine.sync()
    try await mine.save(milk, ["n": 1, "m": 2], in: "notes")
    try await theirs(milk, ["n": 3])
    try await assertEqual(mine.fetch(milk), ["n": 3])
    try await assertEqual(mine.document(milk), ["n": 3, "m": 2])
    try await assertEqual(mine.isPending(milk), true)
  }

  func testThatTheServerHasNoneRemovesNothing() async throws {
    try await theirs(milk, ["n": 1])
    let mine = try await replica()
    try await mine.sync()
    server.suffer(.flush)
    try await assertEqual(mine.fetch(milk), nil)
    try await assertEqual(mine.document(milk), ["n": 1])
    let other = try await replica("theirs")
    try await other.save(milk, ["n": 1], in: "notes")
    try await other.sync()
    try await other.delete(milk)
    try await other.sync()
    try await assertEqual(mine.fetch(milk), nil)
    try await assertEqual(mine.document(milk), ["n": 1])
  }

  func testWhereTheServerSaysNeitherItThrows() async throws {
    for fault in [ServerFault.forbidden, .unauthorized] {
      let mine = try await replica("mine", faults: [fault])
      do {
        _ = try await mine.fetch(milk, in: "notes")
        XCTFail("\(fault)")
      } catch let failure as DocumentSyncFailure {
        XCTAssertEqual(failure.report.errors, [failure.reason])
        XCTAssertNotNil(failure.answer, "\(fault)")
      }
    }
  }

  func testWhatIsFetchedAfterADeathMeetsWhatWasBeingSent() async throws {
    try await theirs(milk, ["n": 1])
    let mine = try await replica()
    try await mine.sync()
    try await mine.save(milk, ["n": 1, "m": 2], in: "notes")
    try await assertNotNil(mine.store.sync { try $0.sendBegan(milk) })
    try await theirs(milk, ["n": 3])
    try await assertEqual(mine.fetch(milk), ["n": 3])
    try await assertEqual(mine.document(milk), ["n": 3, "m": 2])
  }

  func testWhatWasNeverSentIsDeletedWithoutTheServer() async throws {
    let mine = try await replica("mine", faults: Array(repeating: .unreachable, count: 4))
    try await mine.save(milk, ["n": 1], in: "notes")
    try await assertEqual(mine.deleteNow(milk), true)
    try await assertEqual(mine.document(milk), nil)
    XCTAssertEqual(server.calls.count, 0)
  }

  /// The server doesn't know the first id: nothing was there, and the change waited for a sync.
  func testAConflictIsSettledUnderTheFirstIDToo() async throws {
    server.manners.serverKeys = ["notes"]
    server.manners.showsConflicts = false
    let first = DocumentID.uuid7()
    let mine = try await replica()
    let key = try await mine.createNow(["n": 1], as: first, in: "notes")
    XCTAssertNotEqual(key, first)
    try await theirs(key, ["n": 9])
    try await assertEqual(mine.updateNow(first, setting: ["m": 2]), ["n": 9, "m": 2])
    XCTAssertEqual(rows, [key: ["n": 9, "m": 2]])
  }

  func testADocumentIsMadeChangedAndDeletedAtOnce() async throws {
    let mine = try await replica()
    try await mine.save(DocumentID("bread"), ["n": 0], in: "notes")
    try await assertEqual(mine.createNow(["n": 1], as: milk, in: "notes"), milk)
    XCTAssertEqual(rows, [milk: ["n": 1]], "nothing else is sent")
    try await assertEqual(
      mine.updateNow(milk, setting: ["n": nil, "m": 2]), ["m": 2])
    XCTAssertEqual(rows, [milk: ["m": 2]])
    try await assertEqual(mine.deleteNow(milk), true)
    XCTAssertEqual(rows, [:])
    try await assertEqual(mine.deleteNow(milk), false)
    try await assertEqual(mine.isPending(DocumentID("bread")), true)
  }

  func testWhatItGoesAfterIsSentBefore() async throws {
    let mine = try await replica()
    try await mine.save(DocumentID("list"), ["l": 1], in: "lists")
    try await mine.createNow(["n": 1], as: milk, in: "notes", after: [DocumentID("list")])
    XCTAssertEqual(server.documents(in: "lists").count, 1)
    XCTAssertEqual(rows, [milk: ["n": 1]])
  }

  func testOfflineItThrowsAndTheEditWaits() async throws {
    let mine = try await replica("mine", faults: Array(repeating: .unreachable, count: 4))
    do {
      try await mine.createNow(["n": 1], as: milk, in: "notes")
      XCTFail("nobody answered")
    } catch let failure as DocumentSyncFailure {
      XCTAssertEqual(failure.reason, .unreachable)
      XCTAssertEqual(failure.report.errors, [.unreachable])
    }
    try await assertEqual(mine.document(milk), ["n": 1])
    try await mine.sync()
    XCTAssertEqual(rows, [milk: ["n": 1]])
  }

  func testWhatIsRefusedIsToldAndGivenUpWhereThatIsWanted() async throws {
    let mine = try await replica()
    try await mine.createNow(["n": 1], as: milk, in: "notes")
    server.manners.unwanted = [milk]
    for policy in [ErrorPolicy.leave, .resign] {
      do {
        try await mine.updateNow(milk, setting: ["n": 2], SyncWishes(onError: policy))
        XCTFail("it was refused")
      } catch DocumentError.notSent(let id, let words) {
        XCTAssertEqual(id, milk)
        XCTAssertTrue(words.contains("it isn't wanted"), words)
      }
      try await assertEqual(mine.document(milk), ["n": policy == .leave ? 2 : 1])
    }
  }

  func testTheCallSaysWhoDecides() async throws {
    let rows: [(ConflictPolicy, Int, showsConflicts: Bool)] = [
      (.localWins(atMost: 3), 2, true), (.serverWins, 9, true),
      (.localWins(atMost: 3), 2, false), (.serverWins, 9, false),
    ]
    for (policy, value, showsConflicts) in rows {
      server.manners.showsConflicts = showsConflicts
      let mine = try await replica()
      let id = DocumentID("\(value) \(showsConflicts)")
      try await mine.createNow(["n": 1], as: id, in: "notes")
      try await theirs(id, ["n": 9])
      do {
        try await mine.updateNow(id, setting: ["n": 2], SyncWishes(policies: [policy]))
        XCTAssertEqual(value, 2)
      } catch DocumentError.gaveWay(id) {
        XCTAssertEqual(value, 9)
      }
      try await assertEqual(mine.document(id), ["n": DocumentValue(Int64(value))])
      try await assertEqual(mine.lost().map(\.loss.side), [value == 2 ? .there : .here])
      XCTAssertEqual(self.rows[id], ["n": DocumentValue(Int64(value))])
    }
  }

  func testACallWaitsFiveSecondsForASyncAndNotLonger() async throws {
    let path = try temporaryFolder().appending(path: "store").path
    let (time, endpoint) = (SyncedReplica.Time(), server.endpoint(named: "mine"))
    var setting = SyncedReplica.Setting()
    setting.place = .file(path)
    let mine = try await SyncedReplica(endpoint, time, setting)
    mine.syncer.processor.place.storePath = path
    let lock = try StoreLock(storeAt: path)
    let start = time.now
    do {
      try await mine.syncer.processor.alone {}
      XCTFail("somebody else has it")
    } catch DocumentError.isSyncedElsewhere {}
    XCTAssertEqual(time.now - start, 5_000)
    lock.end()
    try await mine.syncer.processor.alone {}
    await mine.store.close()
  }

}
