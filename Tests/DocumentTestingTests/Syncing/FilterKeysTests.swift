import DocumentTesting
import TestSupport
import XCTest

@testable import DocumentSync

/// A filter over documents whose ids the server makes: what it hides may have been made all the
/// same.
final class FilterKeysTests: XCTestCase {
  private let id = DocumentID.uuid7()

  /// A server, and a replica whose creation had no answer.
  private func rig(
    _ content: DocumentValue
  ) async throws -> (server: ReferenceServer, mine: SyncedReplica) {
    var manners = ServerManners(
      capabilities: EndpointCapabilities(
        features: [.preconditions, .changes, .tombstones], batchEntries: 1))
    manners.serverKeys = ["notes"]
    let server = ReferenceServer(manners: manners)
    let mine = try await SyncedReplica(
      server.endpoint(named: "mine"), SyncedReplica.Time(), FilterRig.setting(FilterRig.open))
    try await mine.sync()
    try await mine.save(id, content)
    server.setFaults(.script([.answerLost]), of: "mine")
    try await mine.trySync(SyncWishes(ways: .push))
    XCTAssertEqual(server.documents(in: "notes").count, 1)
    server.setFaults(.none, of: "mine")
    return (server, mine)
  }

  func testWhatTheFilterHidesIsNotMadeTwice() async throws {
    let (server, mine) = try await rig(["status": "closed"])
    for _ in 0..<3 { try await mine.trySync(SyncWishes(overridesWait: true)) }
    XCTAssertEqual(server.documents(in: "notes").count, 1)
    try await assertEqual(mine.counts().setAside, 1)
  }

  func testWhatTheFilterLetsThroughIsFound() async throws {
    let (server, mine) = try await rig(["status": "open"])
    try await mine.trySync(SyncWishes(overridesWait: true))
    XCTAssertEqual(server.documents(in: "notes").count, 1)
    try await assertEqual(mine.counts().outbox, 0)
    try await assertEqual(mine.counts().documents, 1)
  }
}
