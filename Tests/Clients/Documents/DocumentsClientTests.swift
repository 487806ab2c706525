import DocumentSync
import DocumentTesting
import XCTest

/// A program that imports the documents alone, as the guide shows it: edits offline, syncs,
/// decides.
final class DocumentsClientTests: XCTestCase {
  private let server = ReferenceServer()
  private let milk = DocumentID("milk")

  private func replica(_ name: String, _ policies: [ConflictPolicy]) async throws
    -> DocumentReplica
  {
    let options = ReplicaOptions(
      server: "https://notes.example/v1",
      collections: [SyncedCollection("notes", policies: policies)], syncsEdits: false)
    return try await DocumentReplica(
      .memory, endpoint: server.endpoint(named: name), options: options)
  }

  func testEditsTravelAndDifferentMembersAreUnited() async throws {
    let phone = try await replica("phone", [.merge])
    let desk = try await replica("desk", [.merge])
    try await phone.save(milk, ["title": "Milk", "count": 1], in: "notes")
    try await phone.sync()
    try await desk.sync()

    try await phone.save(milk, ["title": "Milk", "count": 2], in: "notes")
    try await desk.save(milk, ["title": "Oat milk", "count": 1], in: "notes")
    try await phone.sync()
    let report = try await desk.sync()

    XCTAssertEqual(report.conflicts.map(\.id), [milk])
    let united = try await desk.document(milk)
    XCTAssertEqual(united, ["title": "Oat milk", "count": 2])
  }

  func testSomebodyDecides() async throws {
    let phone = try await replica("phone", [.ask])
    let desk = try await replica("desk", [.merge])
    try await phone.save(milk, ["title": "Milk"], in: "notes")
    try await phone.sync()
    try await desk.sync()
    try await desk.save(milk, ["title": "Oat milk"], in: "notes")
    try await desk.sync()
    try await phone.save(milk, ["title": "Soy milk"], in: "notes")
    try await phone.sync()

    let conflict = try await phone.conflict(milk)
    XCTAssertEqual(conflict?.there?.value, ["title": "Oat milk"])
    try await phone.resolve(milk, .here)
    try await phone.sync()
    XCTAssertEqual(server.documents(in: "notes")[milk]?.value, ["title": "Soy milk"])
  }

  func testAServerThatCannotBeReachedLosesNothing() async throws {
    let phone = try await replica("phone", [])
    try await phone.save(milk, ["title": "Milk"], in: "notes")
    server.setFaults(.always(.unauthorized), of: "phone")
    do {
      try await phone.sync()
      XCTFail("nobody is signed in")
    } catch let failure as DocumentSyncFailure {
      XCTAssertEqual(failure.reason, .unauthorized)
    }
    let status = try await phone.status(of: milk)
    XCTAssertEqual(status?.isPending, true)
  }

  func testAViewShowsWhetherASyncIsUnderWay() async throws {
    let phone = try await replica("phone", [])
    try await phone.sync()
    var status = phone.status.makeAsyncIterator()
    var now: SyncStatus? = await status.next()
    // Whoever waits for a sync may go on before those who watch are told that it ended.
    while now?.isSyncing == true { now = await status.next() }
    XCTAssertEqual(now?.isSyncing, false)
    XCTAssertEqual(now?.run, 1)
  }

  func testACollectionThatIsNotKeptInStepIsAnError() async throws {
    let phone = try await replica("phone", [])
    do {
      try await phone.save(milk, ["title": "Milk"], in: "lists")
      XCTFail("it isn't kept in step")
    } catch {
      XCTAssertEqual(error as? DocumentError, .unknownCollection("lists"))
    }
  }
}
