import DocumentTesting
import SyncDatabase
import XCTest

@testable import DocumentSync

/// Documents travel from one replica to the other, by a server.
final class TravelTests: XCTestCase {
  private let server = ReferenceServer()
  private let time = SyncedReplica.Time()
  private let milk = DocumentID("milk")

  private func replica(
    _ name: String, _ faults: FaultPlan = .none,
    _ setting: SyncedReplica.Setting = SyncedReplica.Setting()
  ) async throws -> SyncedReplica {
    try await SyncedReplica(server.endpoint(named: name, faults: faults), time, setting)
  }

  func testWhatIsSavedHereIsThereAfterASyncOfEach() async throws {
    let mine = try await replica("mine")
    let theirs = try await replica("theirs")
    try await mine.save(milk, ["title": "Milk", "n": 1])
    let sent = try await mine.sync()
    XCTAssertEqual(sent.sent.map(\.id), [milk])
    XCTAssertEqual(sent.received, [])
    let received = try await theirs.sync()
    XCTAssertEqual(received.received.map(\.id), [milk])
    let copy = try await theirs.get(milk)
    XCTAssertEqual(copy, ["title": "Milk", "n": 1])
  }

  func testNothingNewIsOneRequestAndNoWrite() async throws {
    let mine = try await replica("mine")
    try await mine.save(milk, ["n": 1])
    try await mine.sync()
    let settled = try await mine.sync()
    XCTAssertTrue(settled.isQuiet)
    let before = server.calls.count
    let changes = try await mine.store.withConnection { $0.totalChanges }
    let quiet = try await mine.sync()
    XCTAssertTrue(quiet.isQuiet)
    XCTAssertEqual(server.calls.count - before, 1)
    let after = try await mine.store.withConnection { $0.totalChanges }
    XCTAssertEqual(after, changes, "nothing is written")
  }

  func testWhatWasSentIsNoNewsAndWhatWasReceivedIsNotSent() async throws {
    let mine = try await replica("mine")
    let theirs = try await replica("theirs")
    try await mine.save(milk, ["n": 1])
    try await mine.sync()
    try await theirs.sync()
    let mineAgain = try await mine.sync()
    let theirsAgain = try await theirs.sync()
    XCTAssertEqual(mineAgain.received, [])
    XCTAssertEqual(theirsAgain.sent, [])
    let writers = server.events.compactMap(\.writer)
    XCTAssertEqual(writers, ["mine"])
  }

  func testADeletionArrives() async throws {
    let mine = try await replica("mine")
    let theirs = try await replica("theirs")
    try await mine.save(milk, ["n": 1])
    try await mine.sync()
    try await theirs.sync()
    try await theirs.delete(milk)
    let report = try await theirs.sync()
    XCTAssertEqual(report.sent.map(\.isRemoval), [true])
    let arrived = try await mine.sync()
    XCTAssertEqual(
      arrived.received, [.init(id: milk, collection: "notes", isRemoval: true)])
    let left = try await mine.get(milk)
    XCTAssertNil(left)
  }

  func testWhatGoesAfterAnotherDocumentIsSentInTheSameSync() async throws {
    var setting = SyncedReplica.Setting()
    setting.collections = [SyncedCollection("lists"), SyncedCollection("notes")]
    setting.concurrency = 2
    let mine = try await replica("mine", .none, setting)
    try await mine.save(milk, ["list": "food"], after: [DocumentID("food")])
    try await mine.save(DocumentID("food"), ["title": "Food"], in: "lists")
    let report = try await mine.sync()
    XCTAssertEqual(Set(report.sent.map(\.id)), [DocumentID("food"), milk])
    // The report names them as their requests ended, the server as they came.
    XCTAssertEqual(server.events.map(\.collection), ["lists", "notes"])
  }

  func testAThousandDocumentsTravelInBatches() async throws {
    let mine = try await replica("mine")
    try await mine.store.edit { [scope = mine.scope()] door in
      for n in 0..<1_000 {
        try door.save(DocumentEdit(DocumentID("\(n)"), in: scope, ["n": DocumentValue(n)]))
      }
    }
    let report = try await mine.sync()
    XCTAssertEqual(report.sent.count, 1_000)
    let batches = server.calls.filter { $0.kind == .batch(25) }
    XCTAssertEqual(batches.count, 40)
  }

  func testCallersDuringASyncAreServedByOneMore() async throws {
    let mine = try await replica("mine")
    try await mine.save(milk, ["n": 1])
    async let first = mine.sync()
    async let second = mine.sync()
    async let third = mine.sync()
    let reports = try await [first, second, third]
    XCTAssertEqual(reports.count, 3)
    let stored = server.events.filter { $0.writer == "mine" }
    XCTAssertEqual(stored.count, 1)
  }

  func testTheWaysCanBeChosen() async throws {
    let mine = try await replica("mine")
    let theirs = try await replica("theirs")
    try await theirs.save(DocumentID("bread"), ["n": 2])
    try await theirs.sync()
    try await mine.save(milk, ["n": 1])
    let pulled = try await mine.sync(SyncWishes(ways: .pull))
    XCTAssertEqual(pulled.sent, [])
    XCTAssertEqual(pulled.received.map(\.id), [DocumentID("bread")])
    let pushed = try await mine.sync(SyncWishes(ways: .push))
    XCTAssertEqual(pushed.sent.map(\.id), [milk])
  }
}
