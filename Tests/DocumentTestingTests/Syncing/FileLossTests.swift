import DocumentTesting
import SyncLock
import XCTest

@testable import DocumentSync

/// A server doesn't have a content where it said.
///
/// A program that was killed in the middle of an upload and sent the file again had two uploads
/// under way at the server, and the record ended with the location of the one whose content the
/// other had taken away. No download ever succeeded, and nobody sent the file again.
final class FileLossTests: XCTestCase {
  private let time = SyncedReplica.Time()
  private let milk = DocumentID("milk")
  private let picture = Array("a picture".utf8)
  private let server = FileLossTests.server()

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

  /// The server has the file no more.
  private func lose() async throws {
    for place in server.state.files.keys {
      _ = try await server.endpoint(named: "other").file(.remove(place))
    }
  }

  private func stored() -> Int {
    server.state.fileEvents.count { if case .stored = $0 { true } else { false } }
  }

  private func content(_ replica: SyncedReplica) async throws -> [UInt8]? {
    let value = try await replica.get(milk)?["picture"]
    let file = try XCTUnwrap(value.flatMap { FileReference($0) })
    return try await replica.store.files.bytes(of: file.content.digest)
  }

  func testAContentThatHasMovedIsFetchedFromItsPresentPlace() async throws {
    let here = try await replica()
    try await attach(here)
    try await here.sync()
    let finds = Locked(0)
    let there = try await replica("there") { request in
      switch request {
      case .find(let place):
        let count = finds.withLock { count in
          count += 1
          return count
        }
        let old = ServerFile(location: "old", digest: place.digest, size: 9)
        return count == 1 ? FileReply(.there(old)) : nil
      case .read(let file, _, _): return file.location == "old" ? FileReply(.missing) : nil
      case .store, .remove: return nil
      }
    }
    let report = try await there.sync()
    XCTAssertEqual(report.failures, [])
    let bytes = try await content(there)
    XCTAssertEqual(bytes, picture)
    XCTAssertEqual(finds.withLock { $0 }, 2)
  }

  func testAContentThatIsNowhereIsToldAndAskedForBySyncAfterSync() async throws {
    let here = try await replica()
    try await attach(here)
    try await here.sync()
    let there = try await replica("there") { request in
      if case .read = request { FileReply(.missing) } else { nil }
    }
    for _ in 0..<2 {
      let report = try await there.sync()
      XCTAssertEqual(
        report.failures.map(\.words),
        [
          "the file a.png: the server has lost its content; try the document again where it was"
            + " attached"
        ])
    }
  }

  /// Whoever attached once more what a server had lost was told that all is well, as the content was
  /// here: it wasn't sent.
  func testWhatTheServerHasLostIsSentByWhoeverAttachesItOnceMore() async throws {
    let here = try await replica()
    try await attach(here)
    try await here.sync()
    let isLost = Locked(true)
    let there = try await replica("there") { request in
      guard case .read = request, isLost.withLock({ $0 }) else { return nil }
      return FileReply(.missing)
    }
    try await there.sync()
    try await lose()
    isLost.withLock { $0 = false }
    let value = try await there.get(milk)?["picture"]
    let file = try XCTUnwrap(value.flatMap { FileReference($0) })
    _ = try await there.store.files.keep(picture)
    let isSent = try await there.store.edit { [milk] in
      try $0.attach(file, to: "picture", of: milk)
    }
    XCTAssertTrue(isSent)
    let troubles = try await there.store.read { try $0.fileTroubles() }
    XCTAssertEqual(troubles, [])
    try await there.sync()
    XCTAssertEqual(server.state.files.count, 1)
  }

  func testAnUploadAfterADeathIsSentAgainWhereItsContentIsGone() async throws {
    let stores = Locked(0)
    let here = try await replica { request in
      if case .store = request { stores.withLock { $0 += 1 } }
      guard case .read = request, stores.withLock({ $0 < 2 }) else { return nil }
      return FileReply(.missing)
    }
    try await attach(here)
    // What it can do, the document, and then the file: it arrives, and no answer does.
    server.setFaults(
      .script([nil, nil, nil, .answerLost] + Array(repeating: .unreachable, count: 9)), of: "here")
    try await here.trySync()
    XCTAssertEqual(stored(), 1)
    server.setFaults(.none, of: "here")
    try await here.sync(SyncWishes(overridesWait: true))
    XCTAssertEqual(stored(), 2)
  }

  func testAnUploadAfterADeathIsLookedAtOnceMoreByTheNextSyncAndNotEverAfter() async throws {
    let here = try await replica()
    try await attach(here)
    server.setFaults(
      .script([nil, nil, nil, .answerLost] + Array(repeating: .unreachable, count: 9)), of: "here")
    try await here.trySync()
    server.setFaults(.none, of: "here")
    try await here.sync(SyncWishes(overridesWait: true))
    XCTAssertEqual(stored(), 1)
    // An upload of before comes after all, and takes the content along.
    try await lose()
    try await here.sync()
    XCTAssertEqual(stored(), 2)
    try await here.sync()
    let before = server.calls.count
    try await here.sync()
    XCTAssertEqual(server.calls.count - before, 1)
  }

  func testFilesOfADocumentThatAServerForgotAreSentAgainWithIt() async throws {
    let here = try await replica()
    try await attach(here)
    try await here.sync()
    let value = try await here.get(milk)
    try await here.save(milk, try XCTUnwrap(value).setting("n", to: 2))
    server.suffer(.flush)
    try await here.sync(SyncWishes(policies: [.merge]))
    try await here.sync()
    let there = try await replica("there")
    try await there.sync()
    let bytes = try await content(there)
    XCTAssertEqual(bytes, picture)
  }

  func testFilesOfADocumentThatIsHeldBackAreNotSentToAServerWithoutTheDocument() async throws {
    let here = try await replica()
    try await attach(here)
    for n in 0..<5 { try await here.save(DocumentID("\(n)"), ["n": 1]) }
    try await here.sync()
    server.suffer(.flush)
    let report = try await here.sync()
    XCTAssertEqual(report.refusedRemovals.map(\.count), [6])
    XCTAssertEqual(server.state.files.count, 0)
  }

  func testTryingADocumentAgainSendsItsFiles() async throws {
    let here = try await replica()
    try await attach(here)
    server.manners.longestFile = 1
    try await here.sync()
    server.manners.longestFile = nil
    let hasOther = try await here.store.edit { try $0.retry(DocumentID("bread")) }
    XCTAssertFalse(hasOther)
    try await here.sync()
    XCTAssertEqual(stored(), 0)
    let hasAny = try await here.store.edit { [milk] in try $0.retry(milk) }
    XCTAssertTrue(hasAny)
    try await here.sync()
    XCTAssertEqual(stored(), 1)
  }

  func testTryingADocumentAgainSendsWhatTheServerHasLostOfItsFiles() async throws {
    let here = try await replica()
    try await attach(here)
    try await here.sync()
    try await lose()
    try await here.sync()
    XCTAssertEqual(stored(), 1, "nobody knows")
    _ = try await here.store.edit { [milk] in try $0.retry(milk) }
    try await here.sync()
    XCTAssertEqual(stored(), 2)
    XCTAssertEqual(server.state.files.count, 1)
  }
}
