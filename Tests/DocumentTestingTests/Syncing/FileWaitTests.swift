import SyncLock
import DocumentTesting
import Foundation
import TestSupport
import XCTest

@testable import DocumentSync

/// A server that wants to be left alone says so while files travel, or isn't reached any more.
final class FileWaitTests: XCTestCase {
  private let rig = FileRig()

  /// A replica with a file to be sent, in a store on the disk.
  private func withPicture(_ path: String) async throws -> SyncedReplica {
    let here = try await rig.replica("here", at: path)
    try await rig.attach(here)
    return here
  }

  private func end(_ replica: SyncedReplica) async throws -> DocumentSyncError? {
    do {
      _ = try await replica.sync()
      return nil
    } catch let failure as DocumentSyncFailure {
      return failure.reason
    }
  }

  func testAWaitThatAnUploadWasAskedForHoldsOverARestart() async throws {
    let path = try temporaryStorePath()
    let here = try await withPicture(path)
    // What it can do, the document, and then the file.
    rig.server.setFaults(
      .script([nil, nil, nil, .busy(status: 503, retryAfter: .seconds(60))]), of: "here")
    let until = rig.time.now + 60_000
    try await assertEqual(end(here), .mustWait(until: until))
    await here.store.close()
    let heir = try await rig.replica("here", at: path)
    let before = rig.server.calls.count
    try await assertEqual(end(heir), .mustWait(until: until))
    XCTAssertEqual(rig.server.calls.count, before, "nothing is asked meanwhile")
    rig.time.advance(by: .seconds(61))
    try await assertNil(end(heir))
    XCTAssertEqual(rig.server.state.files.count, 1)
    await heir.store.close()
  }

  func testABackoffBesideAFileHoldsOverARestart() async throws {
    let path = try temporaryStorePath()
    let here = try await withPicture(path)
    rig.server.setFaults(.script([nil, nil, nil, .backoff(.seconds(60))]), of: "here")
    let until = rig.time.now + 60_000
    try await assertNil(end(here))
    XCTAssertEqual(rig.server.state.files.count, 1)
    await here.store.close()
    let heir = try await rig.replica("here", at: path)
    let before = rig.server.calls.count
    try await assertEqual(end(heir), .mustWait(until: until))
    XCTAssertEqual(rig.server.calls.count, before)
    await heir.store.close()
  }

  func testAServerThatIsNotReachedForAFileCountsAsOffline() async throws {
    let notes = try await DocumentReplica(
      .memory, endpoint: rig.server.endpoint(named: "here"), options: ReplicaRig.options())
    try await notes.save(.milk, ["n": 1], in: "notes")
    try await notes.attach(rig.picture, named: "a.png", to: "picture", of: .milk)
    let faults: [ServerFault?] = [nil, nil, nil] + Array(repeating: .unreachable, count: 9)
    rig.server.setFaults(.script(faults), of: "here")
    _ = try? await notes.sync()
    let isOnline = notes.scheduler.state.state.connectivity.isOnline
    XCTAssertFalse(isOnline)
    await notes.close()
  }
}
