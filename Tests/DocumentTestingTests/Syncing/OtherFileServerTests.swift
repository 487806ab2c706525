import SyncLock
import DocumentTesting
import Foundation
import TestSupport
import XCTest

@testable import DocumentSync

/// Contents of files are at another server than the documents.
///
/// What that one asked for held up all documents, and where it wasn't reached the documents' own
/// server counted as offline.
final class OtherFileServerTests: XCTestCase {
  private let rig = FileRig()
  private let contents = "https://files.example"

  /// An endpoint that doesn't get contents as long as there is an error.
  private func endpoint(
    _ error: Locked<EndpointError?>, _ reads: Locked<Int> = Locked(0)
  ) -> ScriptedFiles {
    ScriptedFiles(
      inner: rig.server.endpoint(named: "there"),
      answer: { request in
        guard case .read = request else { return nil }
        reads.withLock { $0 += 1 }
        if let error = error.withLock({ $0 }) { throw error }
        return nil
      }, contents: contents)
  }

  func testAFileServerThatWantsToBeLeftAloneHoldsUpNoDocumentsAlsoOverARestart() async throws {
    let wishes = ServerWishes(retryAfter: .seconds(60))
    let busy = EndpointError(
      .refused(status: 503, words: "", subject: .collection), notes: CallNotes(wishes: wishes))
    let (error, reads) = (Locked<EndpointError?>(busy), Locked(0))
    var setting = SyncedReplica.Setting()
    setting.place = .file(try temporaryStorePath())
    let here = try await rig.sent()
    var there = try await SyncedReplica(endpoint(error, reads), rig.time, setting)
    let first = try await there.sync()
    XCTAssertEqual(first.received.map(\.id), [.milk])
    XCTAssertEqual(first.failures.count, 1)
    XCTAssertEqual(reads.withLock { $0 }, 1)
    await there.store.close()

    try await here.save(DocumentID("bread"), ["n": 1])
    try await here.sync()
    there = try await SyncedReplica(endpoint(error, reads), rig.time, setting)
    let second = try await there.sync()
    XCTAssertEqual(second.received.map(\.id), [DocumentID("bread")])
    XCTAssertEqual(reads.withLock { $0 }, 1, "nothing is asked meanwhile")
    let words = try XCTUnwrap(second.failures.first).words
    XCTAssertTrue(words.contains("\(contents): that is left alone until 2023"), words)

    error.withLock { $0 = nil }
    rig.time.advance(by: .seconds(61))
    try await assertEqual(there.sync().failures, [])
    try await assertEqual(rig.counts(there).down, 0)
    await there.store.close()
  }

  func testAFileServerThatIsNotReachedIsNoSignOfBeingOffline() async throws {
    try await rig.sent()
    let notes = try await DocumentReplica(
      .memory, endpoint: endpoint(Locked(EndpointError(.unreachable))),
      options: ReplicaRig.options())
    try await assertEqual(
      notes.sync().failures.map(\.words),
      ["the file a.png: its content is at \(contents): that can't be reached"])
    XCTAssertTrue(notes.scheduler.state.state.connectivity.isOnline)
    await notes.close()
  }
}
