import DocumentTesting
import SyncLock
import XCTest

@testable import DocumentSync

/// What keeps files from where they are to be is known until it's over.
final class FileTroubleTests: XCTestCase {
  private let time = SyncedReplica.Time()
  private let milk = DocumentID("milk")
  private let picture = Array("a picture".utf8)
  private let server = FileTroubleTests.server()

  private static func server() -> ReferenceServer {
    var manners = ServerManners()
    manners.capabilities.features.insert(.files)
    return ReferenceServer(manners: manners)
  }

  private func replica(
    _ name: String = "here",
    _ answer: @escaping @Sendable (FileRequest) throws -> FileReply? = { _ in nil }
  ) async throws -> SyncedReplica {
    let endpoint = ScriptedFiles(inner: server.endpoint(named: name), answer: answer)
    return try await SyncedReplica(endpoint, time)
  }

  private func attach(_ replica: SyncedReplica) async throws {
    try await replica.save(milk, ["n": 1])
    let facts = FileFacts(
      digest: try await replica.store.files.keep(picture), size: Int64(picture.count),
      name: "a.png", type: "image/png")
    _ = try await replica.store.edit { [milk] in
      try $0.attach(FileReference(facts), to: "picture", of: milk)
    }
  }

  private func troubles(_ replica: SyncedReplica) async throws -> [FileTrouble] {
    try await replica.store.read { try $0.fileTroubles() }
  }

  func testAFileThatTheServerRefusesIsToldInItsWords() async throws {
    let here = try await replica()
    try await attach(here)
    server.manners.longestFile = 1
    try await here.sync()
    let words = "the server refused it (413): too long"
    let told = try await troubles(here)
    XCTAssertEqual(
      told,
      [
        FileTrouble(
          document: milk, collection: "notes", name: "a.png", kind: .refused, words: words)
      ])
    let life = try await here.store.read { [milk] in try $0.life(of: milk) }
    XCTAssertEqual(life?.sentences.last, "the file a.png: \(words)")
    server.manners.longestFile = nil
    _ = try await here.store.edit { [milk] in try $0.retry(milk) }
    try await here.sync()
    let after = try await troubles(here)
    XCTAssertEqual(after, [])
  }

  func testARefusedFileIsTriedAgainWhenItIsAttachedOnceMore() async throws {
    let here = try await replica()
    try await attach(here)
    server.manners.longestFile = 1
    try await here.sync()
    server.manners.longestFile = nil
    try await here.sync()
    XCTAssertEqual(server.state.files.count, 0, "nobody said so")
    let value = try await here.get(milk)?["picture"]
    let file = try XCTUnwrap(value.flatMap { FileReference($0) })
    let isTried = try await here.store.edit { [milk] in
      try $0.attach(file, to: "picture", of: milk)
    }
    XCTAssertTrue(isTried)
    try await here.sync()
    XCTAssertEqual(server.state.files.count, 1)
  }

  /// Until it was sent, it was told why it once hadn't come.
  func testWhatIsAttachedAgainIsToldNoOldTrouble() async throws {
    let here = try await replica()
    try await attach(here)
    try await here.sync()
    let there = try await replica("there") { request in
      if case .read = request { FileReply(.refused(status: 403, words: "")) } else { nil }
    }
    try await there.sync()
    let value = try await there.get(milk)?["picture"]
    let file = try XCTUnwrap(value.flatMap { FileReference($0) })
    _ = try await there.store.edit { [milk] in
      _ = try $0.detach("picture", of: milk)
      return try $0.attach(file, to: "picture", of: milk)
    }
    let told = try await troubles(there)
    XCTAssertEqual(told, [])
  }

  /// It counted as removed.
  func testAFileThatTheServerDoesNotRemoveIsToldAndTriedAgainOnDemand() async throws {
    let isForbidden = Locked(true)
    let here = try await replica { request in
      guard case .remove = request, isForbidden.withLock({ $0 }) else { return nil }
      return FileReply(.refused(status: 403, words: "no"))
    }
    try await attach(here)
    try await here.sync()
    _ = try await here.store.edit { [milk] in try $0.detach("picture", of: milk) }
    let waiting = try await here.store.read { reader in
      try FileTable(session: reader.session).hasNews()
    }
    XCTAssertTrue(waiting)
    try await here.sync()
    let counts = try await here.store.read { try $0.fileCounts() }
    XCTAssertEqual(counts, FileCounts(unremoved: 1))
    let told = try await troubles(here).map(\.sentence)
    XCTAssertEqual(
      told, ["the file a.png: it stays at the server: the server refused it (403): no"])
    isForbidden.withLock { $0 = false }
    try await here.sync()
    XCTAssertEqual(server.state.files.count, 1, "nobody said so")
    _ = try await here.store.edit { [milk] in try $0.retry(milk) }
    try await here.sync()
    XCTAssertEqual(server.state.files.count, 0)
    let after = try await here.store.read { try $0.fileCounts() }
    XCTAssertEqual(after, FileCounts())
  }

  func testARemovalThatWaitsForItsDocumentIsCounted() async throws {
    let here = try await replica()
    try await attach(here)
    try await here.sync()
    _ = try await here.store.edit { [milk] in try $0.detach("picture", of: milk) }
    server.manners.unwanted = [milk]
    try await here.sync()
    let counts = try await here.store.read { try $0.fileCounts() }
    XCTAssertEqual(counts, FileCounts(removing: 1))
  }

  func testAFileThatDoesNotComeIsToldUntilItDoes() async throws {
    let here = try await replica()
    try await attach(here)
    try await here.sync()
    let isForbidden = Locked(true)
    let there = try await replica("there") { request in
      guard case .read = request, isForbidden.withLock({ $0 }) else { return nil }
      return FileReply(.refused(status: 403, words: ""))
    }
    try await there.sync()
    let told = try await troubles(there)
    XCTAssertEqual(told.map(\.kind), [.fetching])
    XCTAssertEqual(
      told.map(\.words), ["the server doesn't give its content: the server refused it (403)"])
    isForbidden.withLock { $0 = false }
    try await there.sync()
    let after = try await troubles(there)
    XCTAssertEqual(after, [])
  }
}
