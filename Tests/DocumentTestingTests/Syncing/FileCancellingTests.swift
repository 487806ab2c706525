import DocumentTesting
import XCTest

@testable import DocumentSync

/// Nobody has to wait for the end of a file that takes long.
final class FileCancellingTests: XCTestCase {
  private let rig = FileRig()

  func testASyncIsCancelledWhileAFileTravels() async throws {
    let (begun, begins) = AsyncStream.makeStream(of: Void.self)
    let endpoint = HangingFiles(inner: rig.server.endpoint(named: "here"), begins: begins)
    let here = try await SyncedReplica(endpoint, rig.time)
    try await rig.attach(here)
    let sync = Task { try await here.sync() }
    for await _ in begun { break }
    sync.cancel()
    do {
      _ = try await sync.value
      XCTFail("the file has travelled")
    } catch {
      XCTAssertTrue(error is CancellationError, "\(error)")
    }
    let counts = try await rig.counts(here)
    XCTAssertEqual(counts.up, 1)
  }
}

/// An endpoint whose files never arrive.
private struct HangingFiles: DocumentEndpoint {
  let inner: ReferenceEndpoint
  let begins: AsyncStream<Void>.Continuation

  @concurrent func capabilities() async throws -> EndpointCapabilities {
    try await inner.capabilities()
  }

  @concurrent func changes(
    in collection: String, from place: ChangesPlace
  ) async throws -> EndpointReply<ChangesAnswer> {
    try await inner.changes(in: collection, from: place)
  }

  @concurrent func push(_ request: PushRequest) async -> EndpointReply<PushEnd> {
    await inner.push(request)
  }

  @concurrent func file(_ request: FileRequest) async throws -> EndpointReply<FileEnd> {
    begins.yield()
    // Until it's cancelled.
    try await Task.sleep(for: .seconds(3_600))
    return try await inner.file(request)
  }
}
