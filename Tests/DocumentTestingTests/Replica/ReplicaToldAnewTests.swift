import DocumentTesting
import TestSupport
import XCTest

@testable import DocumentSync

/// Replicas of stores that are told something else while they're open.
final class ReplicaToldAnewTests: XCTestCase {
  private let rig = ReplicaRig()
  private let server = "https://reference.example"

  /// Tells a store which collections it has, and which form its rows have.
  private func tell(
    _ path: String, _ collections: String..., dialect: String? = nil
  ) async throws {
    try await DocumentReplica.setUp(storeAt: path) { [server] known in
      var setup = known ?? StoreSetup(service: "rest", server: server, bucket: "", account: "")
      setup.dialect = dialect
      setup.kinds = collections.enumerated().map { DocumentTypes.Kind("type \($0)", in: $1) }
      return (setup, server)
    }
  }

  private func open(_ path: String) async throws -> DocumentReplica {
    let replica = try await DocumentReplica.open(setUpAt: path) { [rig] _ in
      (rig.server.endpoint(named: "mine"), ReplicaRig.options())
    }
    return try XCTUnwrap(replica)
  }

  func testWhatWasOpenedBeforeWritesNothingByWhatTheStoreIsntToldAnyMore() async throws {
    let path = try temporaryStorePath()
    try await tell(path, "notes")
    let replica = try await open(path)
    try await tell(path, "notes", "more")
    try await replica.save(DocumentID("milk"), ["n": 1], in: "notes")
    try await replica.sync()
    try await tell(path, "notes", "more", dialect: #"{"key":"nr"}"#)
    await assertThrows(
      DocumentError.toldAnew, try await replica.save(DocumentID("tea"), ["n": 1], in: "notes"))
    await assertThrows(DocumentError.toldAnew, try await replica.sync())
    await replica.close()
    let again = try await open(path)
    try await again.save(DocumentID("bread"), ["n": 1], in: "notes")
    try await again.sync()
    XCTAssertEqual(Set(rig.documents.keys), [DocumentID("milk"), DocumentID("bread")])
    await again.close()
  }

  func testDuringASyncAStoreIsToldNoMoreThanFurtherTypes() async throws {
    let path = try temporaryStorePath()
    try await tell(path, "notes")
    let turn = try StoreLock(storeAt: path)
    try await tell(path, "notes", "more")
    await assertThrows(DocumentError.isSyncedElsewhere, try await tell(path, "todo", "more"))
    turn.end()
    try await tell(path, "todo", "more")
  }
}
