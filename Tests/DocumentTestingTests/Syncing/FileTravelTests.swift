import DocumentTesting
import SyncText
import XCTest

@testable import DocumentSync

/// Files of documents go to the server and to other replicas, whatever happens on the way.
final class FileTravelTests: XCTestCase {
  private let server = FileTravelTests.server()
  private let time = SyncedReplica.Time()
  private let milk = DocumentID("milk")
  private let picture = Array("a picture in full".utf8)
  private let small = Array("a picture".utf8)

  private static func server() -> ReferenceServer {
    var manners = ServerManners()
    manners.capabilities.features.insert(.files)
    return ReferenceServer(manners: manners)
  }

  private func replica(_ name: String) async throws -> SyncedReplica {
    try await SyncedReplica(server.endpoint(named: name), time)
  }

  private func facts(
    _ bytes: [UInt8], _ name: String, in replica: SyncedReplica
  ) async throws -> FileFacts {
    FileFacts(
      digest: try await replica.store.files.keep(bytes), size: Int64(bytes.count), name: name,
      type: "image/png")
  }

  /// A replica with a document that has a file with a preview.
  private func withPicture(_ name: String = "here") async throws -> SyncedReplica {
    let here = try await replica(name)
    try await here.save(milk, ["n": 1])
    let file = FileReference(
      try await facts(picture, "full.png", in: here),
      preview: try await facts(small, "small.png", in: here))
    _ = try await here.store.edit { [milk] in try $0.attach(file, to: "picture", of: milk) }
    return here
  }

  private func content(
    _ replica: SyncedReplica, preview: Bool = false
  ) async throws -> [UInt8]? {
    let value = try await replica.get(milk)?["picture"]
    let file = try XCTUnwrap(value.flatMap { FileReference($0) })
    let facts = preview ? try XCTUnwrap(file.preview) : file.content
    return try await replica.store.files.bytes(of: facts.digest)
  }

  private func waiting(_ replica: SyncedReplica) async throws -> FileCounts {
    try await replica.store.read { try $0.fileCounts() }
  }

  private func stored() -> [String] {
    server.state.fileEvents.compactMap { event in
      if case .stored(let name) = event { name } else { nil }
    }
  }

  func testAFileWithItsPreviewReachesAnotherReplicaThePreviewFirst() async throws {
    let (here, there) = (try await withPicture(), try await replica("there"))
    let report = try await here.sync()
    XCTAssertEqual(report.failures, [])
    XCTAssertEqual(stored(), ["small.png", "full.png"])
    try await there.sync()
    let both = try await [content(there), content(there, preview: true)]
    XCTAssertEqual(both, [picture, small])
    let counts = try await [waiting(here), waiting(there)]
    XCTAssertEqual(counts, [FileCounts(), FileCounts()])
  }

  func testNothingIsAskedAgainOnceAllIsInStep() async throws {
    let (here, there) = (try await withPicture(), try await replica("there"))
    for one in [here, there, here, there] { try await one.sync() }
    let before = server.calls.count
    try await here.sync()
    try await there.sync()
    XCTAssertEqual(server.calls.count - before, 2)
  }

  func testAFileGoesUpOnlyOnceItsDocumentHas() async throws {
    let here = try await withPicture()
    server.manners.unwanted = [milk]
    try await here.sync()
    XCTAssertEqual(stored(), [])
    let counts = try await waiting(here)
    XCTAssertEqual(counts.up, 2)
  }

  func testAFileDoesNotGoUpWhileAnEditOfItsDocumentIsRefused() async throws {
    let here = try await replica("here")
    try await here.save(milk, ["n": 1])
    try await here.sync()
    let file = FileReference(try await facts(picture, "full.png", in: here))
    _ = try await here.store.edit { [milk] in try $0.attach(file, to: "picture", of: milk) }
    server.manners.unwanted = [milk]
    try await here.sync()
    XCTAssertEqual(stored(), [])
  }

  func testAnUploadWhoseAnswerWasLostIsFoundAndNotSentTwice() async throws {
    let here = try await withPicture()
    // What it can do, the document, and then the preview.
    server.setFaults(.script([nil, nil, .answerLost]), of: "here")
    try await here.sync()
    XCTAssertEqual(stored(), ["small.png", "full.png"])
    let counts = try await waiting(here)
    XCTAssertEqual(counts, FileCounts())
  }

  func testAnUploadThatEndedInDeathIsFoundByTheNextSync() async throws {
    let here = try await withPicture()
    server.setFaults(.script([nil, nil] + Array(repeating: .answerLost, count: 9)), of: "here")
    try await here.trySync()
    server.setFaults(.none, of: "here")
    try await here.sync(SyncWishes(overridesWait: true))
    XCTAssertEqual(stored(), ["small.png", "full.png"])
  }

  func testWhatIsCutIsFetchedFromWhereItWasCut() async throws {
    let big = (0..<(FileRun.piece * 2 + 5)).map { UInt8(truncatingIfNeeded: $0 / 7) }
    let (here, there) = (try await replica("here"), try await replica("there"))
    try await here.save(milk, [:])
    let file = FileReference(try await facts(big, "big.png", in: here))
    _ = try await here.store.edit { [milk] in try $0.attach(file, to: "picture", of: milk) }
    try await here.sync()
    // What it can do, the list, where the file is, a piece, and then nothing any more.
    server.setFaults(
      .script([nil, nil, nil, nil] + Array(repeating: .unreachable, count: 9)), of: "there")
    try await there.trySync()
    let none = try await content(there)
    XCTAssertNil(none)
    server.setFaults(.none, of: "there")
    try await there.sync(SyncWishes(overridesWait: true))
    let whole = try await content(there)
    XCTAssertEqual(whole, big)
    let (first, second) = (Int64(FileRun.piece), Int64(FileRun.piece * 2))
    XCTAssertEqual(
      server.state.fileEvents.dropFirst(), [.read(0), .read(first), .read(second)])
  }

  func testAMissingLocalFileDropsItsUploadAndIsTold() async throws {
    let here = try await withPicture()
    try await here.store.files.remove("\(SHA256Digest(of: picture))")
    let report = try await here.sync()
    XCTAssertEqual(report.failures.map(\.name), ["milk"])
    XCTAssertEqual(stored(), ["small.png"])
    let counts = try await waiting(here)
    XCTAssertEqual(counts, FileCounts())
    let again = try await here.sync()
    XCTAssertEqual(again.failures, [])
  }

  func testARefusedFileIsToldOnceKeptAndTriedAgainOnDemand() async throws {
    let here = try await withPicture()
    server.manners.longestFile = small.count
    let report = try await here.sync()
    XCTAssertEqual(report.failures.map(\.name), ["milk"])
    let refused = try await waiting(here).refused
    XCTAssertEqual(refused, 1)
    let again = try await here.sync()
    XCTAssertEqual(again.failures, [])
    server.manners.longestFile = nil
    _ = try await here.store.edit { try $0.retryFiles() }
    try await here.sync()
    XCTAssertEqual(stored(), ["small.png", "full.png"])
  }

  func testADetachedFileIsRemovedAfterItsDocumentSaysSo() async throws {
    let (here, there) = (try await withPicture(), try await replica("there"))
    try await here.sync()
    try await there.sync()
    _ = try await there.store.edit { [milk] in try $0.detach("picture", of: milk) }
    server.manners.unwanted = [milk]
    try await there.sync()
    XCTAssertEqual(server.state.files.count, 2)
    server.manners.unwanted = []
    _ = try await there.store.edit { try $0.retryAll() }
    try await there.sync()
    XCTAssertEqual(server.state.files.count, 0)
    try await here.sync()
    let left = try await here.get(milk)
    XCTAssertEqual(left, ["n": 1])
  }

  func testFilesOfADeletedDocumentAreRemovedAtTheServer() async throws {
    let here = try await withPicture()
    try await here.sync()
    try await here.delete(milk)
    try await here.sync()
    XCTAssertEqual(server.state.files.count, 0)
  }

  func testWhatNoDocumentNamesIsCollectedAfterThirtyDays() async throws {
    let here = try await withPicture()
    try await here.sync()
    _ = try await here.store.edit { [milk] in try $0.detach("picture", of: milk) }
    try await here.sync()
    let digest = "\(SHA256Digest(of: picture))"
    let kept = try await here.store.files.bytes(of: digest)
    XCTAssertEqual(kept, picture)
    time.advance(by: .seconds(31 * 86_400))
    try await here.sync()
    let gone = try await here.store.files.bytes(of: digest)
    XCTAssertNil(gone)
  }

  func testUnsentFilesCountForAChangeOfAccount() async throws {
    let here = try await withPicture()
    server.manners.longestFile = nil
    server.setFaults(.script([nil, nil] + Array(repeating: .unreachable, count: 9)), of: "here")
    try await here.trySync()
    let outbox = try await here.counts().outbox
    XCTAssertEqual(outbox, 0)
    let scope = here.scope()
    let unsent = try await here.store.read { reader in
      try AccountTable(session: reader.session).unsent(
        in: XCTUnwrap(try reader.session.number(of: scope)))
    }
    XCTAssertEqual(unsent, 2)
  }
}
