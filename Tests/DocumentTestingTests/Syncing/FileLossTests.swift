import SyncLock
import DocumentTesting
import TestSupport
import XCTest

@testable import DocumentSync

/// A server doesn't have a content where it said.
///
/// A program that was killed in the middle of an upload and sent the file again had two uploads
/// under way at the server, and the record ended with the location of the one whose content the
/// other had taken away. No download ever succeeded, and nobody sent the file again.
final class FileLossTests: XCTestCase {
  private let rig = FileRig()

  func testAContentThatHasMovedIsFetchedFromItsPresentPlace() async throws {
    try await rig.sent()
    let (finds, size) = (Locked(0), Int64(rig.picture.count))
    let there = try await rig.replica("there") { request in
      switch request {
      case .find(let place):
        let count = finds.withLock { count in
          count += 1
          return count
        }
        let old = ServerFile(location: "old", digest: place.digest, size: size)
        return count == 1 ? EndpointReply<FileEnd>(.there(old)) : nil
      case .read(let file, _, _):
        return file.location == "old" ? EndpointReply<FileEnd>(.missing) : nil
      case .store, .remove: return nil
      }
    }
    try await assertEqual(there.sync().failures, [])
    try await assertEqual(rig.content(there), rig.picture)
    XCTAssertEqual(finds.withLock { $0 }, 2)
  }

  func testAContentThatIsNowhereIsToldAndAskedForBySyncAfterSync() async throws {
    try await rig.sent()
    let there = try await rig.replica("there") { request in
      if case .read = request { EndpointReply<FileEnd>(.missing) } else { nil }
    }
    for _ in 0..<2 {
      try await assertEqual(
        there.sync().failures.map(\.words),
        [
          "the file a.png: the server has lost its content; try the document again where it was"
            + " attached"
        ])
    }
  }

  /// Whoever attached once more what a server had lost was told that all is well, as the content
  /// was here: it wasn't sent.
  func testWhatTheServerHasLostIsSentByWhoeverAttachesItOnceMore() async throws {
    try await rig.sent()
    let isLost = Locked(true)
    let there = try await rig.replica("there") { request in
      guard case .read = request, isLost.withLock({ $0 }) else { return nil }
      return EndpointReply<FileEnd>(.missing)
    }
    try await there.sync()
    try await rig.lose()
    isLost.withLock { $0 = false }
    let file = try await rig.file(there)
    _ = try await there.store.files.keep(rig.picture)
    try await assertTrue(there.store.edit { try $0.attach(file, to: "picture", of: .milk) })
    try await assertEqual(there.store.read { try $0.fileTroubles() }, [])
    try await there.sync()
    XCTAssertEqual(rig.server.state.files.count, 1)
  }

  func testAnUploadAfterADeathIsSentAgainWhereItsContentIsGone() async throws {
    let stores = Locked(0)
    let here = try await rig.replica { request in
      if case .store = request { stores.withLock { $0 += 1 } }
      guard case .read = request, stores.withLock({ $0 < 2 }) else { return nil }
      return EndpointReply<FileEnd>(.missing)
    }
    try await rig.attach(here)
    // What it can do, the document, and then the file: it arrives, and no answer does.
    rig.server.setFaults(
      .script([nil, nil, nil, .answerLost] + Array(repeating: .unreachable, count: 9)), of: "here")
    try await here.trySync()
    XCTAssertEqual(rig.stored.count, 1)
    rig.server.setFaults(.none, of: "here")
    try await here.sync(SyncWishes(overridesWait: true))
    XCTAssertEqual(rig.stored.count, 2)
  }

  func testAnUploadAfterADeathIsLookedAtOnceMoreByTheNextSyncAndNotEverAfter() async throws {
    let here = try await rig.withFile()
    rig.server.setFaults(
      .script([nil, nil, nil, .answerLost] + Array(repeating: .unreachable, count: 9)), of: "here")
    try await here.trySync()
    rig.server.setFaults(.none, of: "here")
    try await here.sync(SyncWishes(overridesWait: true))
    XCTAssertEqual(rig.stored.count, 1)
    // An upload of before comes after all, and takes the content along.
    try await rig.lose()
    try await here.sync()
    XCTAssertEqual(rig.stored.count, 2)
    try await here.sync()
    let before = rig.server.calls.count
    try await here.sync()
    XCTAssertEqual(rig.server.calls.count - before, 1)
  }

  func testFilesOfADocumentThatAServerForgotAreSentAgainWithIt() async throws {
    let here = try await rig.sent()
    let value = try await here.get(.milk)
    try await here.save(.milk, try XCTUnwrap(value).setting("n", to: 2))
    rig.server.suffer(.flush)
    try await here.sync(SyncWishes(policies: [.merge]))
    try await here.sync()
    let there = try await rig.replica("there")
    try await there.sync()
    try await assertEqual(rig.content(there), rig.picture)
  }

  func testFilesOfADocumentThatIsHeldBackAreNotSentToAServerWithoutTheDocument() async throws {
    let here = try await rig.withFile()
    for n in 0..<5 { try await here.save(DocumentID("\(n)"), ["n": 1]) }
    try await here.sync()
    rig.server.suffer(.flush)
    try await assertEqual(here.sync().refusedRemovals.map(\.count), [6])
    XCTAssertEqual(rig.server.state.files.count, 0)
  }

  func testTryingADocumentAgainSendsItsFiles() async throws {
    let here = try await rig.withFile()
    rig.server.manners.longestFile = 1
    try await here.sync()
    rig.server.manners.longestFile = nil
    try await assertFalse(here.store.edit { try $0.retry(DocumentID("bread")) })
    try await here.sync()
    XCTAssertEqual(rig.stored.count, 0)
    try await assertTrue(here.store.edit { try $0.retry(.milk) })
    try await here.sync()
    XCTAssertEqual(rig.stored.count, 1)
  }

  func testTryingADocumentAgainSendsWhatTheServerHasLostOfItsFiles() async throws {
    let here = try await rig.sent()
    try await rig.lose()
    try await here.sync()
    XCTAssertEqual(rig.stored.count, 1, "nobody knows")
    _ = try await here.store.edit { try $0.retry(.milk) }
    try await here.sync()
    XCTAssertEqual(rig.stored.count, 2)
    XCTAssertEqual(rig.server.state.files.count, 1)
  }
}
