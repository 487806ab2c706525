import DocumentTesting
import Foundation
import XCTest

@testable import DocumentSync

/// A server that wants to be left alone says so while files travel, or isn't reached any more.
final class FileWaitTests: XCTestCase {
  private let server = FileWaitTests.server()
  private let time = SyncedReplica.Time()
  private let milk = DocumentID("milk")
  private let picture = Array("a picture".utf8)

  private static func server() -> ReferenceServer {
    var manners = ServerManners()
    manners.capabilities.features.insert(.files)
    return ReferenceServer(manners: manners)
  }

  /// A replica with a file to be sent, in a store on the disk.
  private func withPicture(_ path: String) async throws -> SyncedReplica {
    let here = try await replica(path)
    try await here.save(milk, ["n": 1])
    let facts = FileFacts(
      digest: try await here.store.files.keep(picture), size: Int64(picture.count),
      name: "a.png", type: "image/png")
    _ = try await here.store.edit { [milk] in
      try $0.attach(FileReference(facts), to: "picture", of: milk)
    }
    return here
  }

  private func replica(_ path: String) async throws -> SyncedReplica {
    var setting = SyncedReplica.Setting()
    setting.place = .file(path)
    return try await SyncedReplica(server.endpoint(named: "here"), time, setting)
  }

  private func place() throws -> String {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    addTeardownBlock { try FileManager.default.removeItem(at: folder) }
    return folder.appending(path: "a").path
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
    let path = try place()
    let here = try await withPicture(path)
    // What it can do, the document, and then the file.
    server.setFaults(
      .script([nil, nil, nil, .busy(status: 503, retryAfter: .seconds(60))]), of: "here")
    let until = time.now + 60_000
    let first = try await end(here)
    XCTAssertEqual(first, .mustWait(until: until))
    await here.store.close()
    let heir = try await replica(path)
    let before = server.calls.count
    let second = try await end(heir)
    XCTAssertEqual(second, .mustWait(until: until))
    XCTAssertEqual(server.calls.count, before, "nothing is asked meanwhile")
    time.advance(by: .seconds(61))
    let third = try await end(heir)
    XCTAssertNil(third)
    XCTAssertEqual(server.state.files.count, 1)
    await heir.store.close()
  }

  func testABackoffBesideAFileHoldsOverARestart() async throws {
    let path = try place()
    let here = try await withPicture(path)
    server.setFaults(.script([nil, nil, nil, .backoff(.seconds(60))]), of: "here")
    let until = time.now + 60_000
    let first = try await end(here)
    XCTAssertNil(first)
    XCTAssertEqual(server.state.files.count, 1)
    await here.store.close()
    let heir = try await replica(path)
    let before = server.calls.count
    let second = try await end(heir)
    XCTAssertEqual(second, .mustWait(until: until))
    XCTAssertEqual(server.calls.count, before)
    await heir.store.close()
  }

  func testAServerThatIsNotReachedForAFileCountsAsOffline() async throws {
    let notes = try await DocumentReplica(
      .memory, endpoint: server.endpoint(named: "here"),
      options: ReplicaOptions(
        server: "https://reference.example", collections: [SyncedCollection("notes")]))
    try await notes.save(milk, ["n": 1], in: "notes")
    try await notes.attach(picture, named: "a.png", to: "picture", of: milk)
    let faults: [ServerFault?] = [nil, nil, nil] + Array(repeating: .unreachable, count: 9)
    server.setFaults(.script(faults), of: "here")
    _ = try? await notes.sync()
    let isOnline = notes.scheduler.state.state.connectivity.isOnline
    XCTAssertFalse(isOnline)
    await notes.close()
  }
}
