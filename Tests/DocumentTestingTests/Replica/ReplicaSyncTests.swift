import DocumentTesting
import XCTest

@testable import DocumentSync

/// Syncs that somebody waits for.
final class ReplicaSyncTests: XCTestCase {
  /// A watch waits for each of its syncs, and none is by hand: all of them had done nothing.
  func testASyncThatIsWaitedForIsMadeWhetherOrNotItIsByHand() async throws {
    let server = ReferenceServer()
    let notes = try await DocumentReplica(
      .memory, endpoint: server.endpoint(named: "mine"),
      options: ReplicaOptions(
        server: "https://reference.example", collections: [SyncedCollection("notes")]))
    for isByHand in [false, true] {
      let id = DocumentID("\(isByHand)")
      try await notes.save(id, ["n": 1], in: "notes")
      let report = try await notes.sync(SyncWishes(isByHand: isByHand))
      XCTAssertEqual(report.sent.map(\.id), [id])
    }
  }
}
