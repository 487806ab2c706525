import DocumentTesting
import SyncDatabase
import TestSupport
import XCTest

@testable import DocumentSync

/// Documents travel from one replica to the other, by a rig.server.
final class TravelTests: XCTestCase {
  private let rig = ReplicaRig()

  func testWhatIsSavedHereIsThereAfterASyncOfEach() async throws {
    let mine = try await rig.synced("mine")
    let theirs = try await rig.synced("theirs")
    try await mine.save(milk, ["title": "Milk", "n": 1])
    let sent = try await mine.sync()
    XCTAssertEqual(sent.sent.map(\.id), [milk])
    XCTAssertEqual(sent.received, [])
    try await assertEqual(theirs.sync().received.map(\.id), [milk])
    try await assertEqual(theirs.get(milk), ["title": "Milk", "n": 1])
  }

  func testNothingNewIsOneRequestAndNoWrite() async throws {
    let mine = try await rig.synced("mine")
    try await mine.save(milk, ["n": 1])
    try await mine.sync()
    try await assertTrue(mine.sync().isQuiet)
    let before = rig.server.calls.count
    let changes = try await mine.store.withConnection { $0.totalChanges }
    try await assertTrue(mine.sync().isQuiet)
    XCTAssertEqual(rig.server.calls.count - before, 1)
    let after = try await mine.store.withConnection { $0.totalChanges }
    XCTAssertEqual(after, changes, "nothing is written")
  }

  func testWhatWasSentIsNoNewsAndWhatWasReceivedIsNotSent() async throws {
    let mine = try await rig.synced("mine")
    let theirs = try await rig.synced("theirs")
    try await mine.save(milk, ["n": 1])
    try await mine.sync()
    try await theirs.sync()
    try await assertEqual(theirs.sync().sent, [])
    try await assertEqual(mine.sync().received, [])
    let writers = rig.server.events.compactMap(\.writer)
    XCTAssertEqual(writers, ["mine"])
  }

  func testADeletionArrives() async throws {
    let mine = try await rig.synced("mine")
    let theirs = try await rig.synced("theirs")
    try await mine.save(milk, ["n": 1])
    try await mine.sync()
    try await theirs.sync()
    try await theirs.delete(milk)
    try await assertEqual(theirs.sync().sent.map(\.isRemoval), [true])
    try await assertEqual(
      mine.sync().received, [.init(id: milk, collection: "notes", isRemoval: true)])
    try await assertNil(mine.get(milk))
  }

  func testWhatGoesAfterAnotherDocumentIsSentInTheSameSync() async throws {
    var setting = SyncedReplica.Setting()
    setting.collections = [SyncedCollection("lists"), SyncedCollection("notes")]
    setting.concurrency = 2
    let mine = try await rig.synced("mine", .none, setting)
    try await mine.save(milk, ["list": "food"], after: [DocumentID("food")])
    try await mine.save(DocumentID("food"), ["title": "Food"], in: "lists")
    try await assertEqual(Set(mine.sync().sent.map(\.id)), [DocumentID("food"), milk])
    // The report names them as their requests ended, the server as they came.
    XCTAssertEqual(rig.server.events.map(\.collection), ["lists", "notes"])
  }

  func testAThousandDocumentsTravelInBatches() async throws {
    let mine = try await rig.synced("mine")
    try await mine.store.edit { [scope = mine.scope()] door in
      for n in 0..<1_000 {
        try door.save(DocumentEdit(DocumentID("\(n)"), in: scope, ["n": DocumentValue(n)]))
      }
    }
    try await assertEqual(mine.sync().sent.count, 1_000)
    let batches = rig.server.calls.filter { $0.kind == .batch(25) }
    XCTAssertEqual(batches.count, 40)
  }

  func testCallersDuringASyncAreServedByOneMore() async throws {
    let mine = try await rig.synced("mine")
    try await mine.save(milk, ["n": 1])
    async let first = mine.sync()
    async let second = mine.sync()
    async let third = mine.sync()
    try await assertEqual([first, second, third].count, 3)
    let stored = rig.server.events.filter { $0.writer == "mine" }
    XCTAssertEqual(stored.count, 1)
  }

  func testTheWaysCanBeChosen() async throws {
    let mine = try await rig.synced("mine")
    let theirs = try await rig.synced("theirs")
    try await theirs.save(DocumentID("bread"), ["n": 2])
    try await theirs.sync()
    try await mine.save(milk, ["n": 1])
    let pulled = try await mine.sync(SyncWishes(ways: .pull))
    XCTAssertEqual(pulled.sent, [])
    XCTAssertEqual(pulled.received.map(\.id), [DocumentID("bread")])
    try await assertEqual(mine.sync(SyncWishes(ways: .push)).sent.map(\.id), [milk])
  }
}
