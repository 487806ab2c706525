import DocumentTesting
import XCTest

@testable import DocumentSync

/// Nobody has to wait for the end of a file that takes long.
final class FileCancellingTests: XCTestCase {
  private let time = SyncedReplica.Time()
  private let milk = DocumentID("milk")
  private let picture = Array("a picture in full".utf8)

  func testASyncIsCancelledWhileAFileTravels() async throws {
    let (begun, begins) = AsyncStream.makeStream(of: Void.self)
    var manners = ServerManners()
    manners.capabilities.features.insert(.files)
    let server = ReferenceServer(manners: manners)
    let endpoint = HangingFiles(inner: server.endpoint(named: "here"), begins: begins)
    let here = try await SyncedReplica(endpoint, time)
    try await here.save(milk, ["n": 1])
    let file = FileReference(
      FileFacts(
        digest: try await here.store.files.keep(picture), size: Int64(picture.count),
        name: "full.png", type: "image/png"))
    _ = try await here.store.edit { [milk] in try $0.attach(file, to: "picture", of: milk) }
    let sync = Task { try await here.sync() }
    for await _ in begun { break }
    sync.cancel()
    do {
      _ = try await sync.value
      XCTFail("the file has travelled")
    } catch {
      XCTAssertTrue(error is CancellationError, "\(error)")
    }
    let counts = try await here.store.read { try $0.fileCounts() }
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
  ) async throws -> ChangesReply {
    try await inner.changes(in: collection, from: place)
  }

  @concurrent func push(_ request: PushRequest) async -> PushReply { await inner.push(request) }

  @concurrent func file(_ request: FileRequest) async throws -> FileReply {
    begins.yield()
    // Until it's cancelled.
    try await Task.sleep(for: .seconds(3_600))
    return try await inner.file(request)
  }
}
