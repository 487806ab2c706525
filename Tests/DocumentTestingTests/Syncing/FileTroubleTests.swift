import SyncLock
import DocumentTesting
import TestSupport
import XCTest

@testable import DocumentSync

/// What keeps files from where they are to be is known until it's over.
final class FileTroubleTests: XCTestCase {
  private let rig = FileRig()

  private func troubles(_ replica: SyncedReplica) async throws -> [FileTrouble] {
    try await replica.store.read { try $0.fileTroubles() }
  }

  func testAFileThatTheServerRefusesIsToldInItsWords() async throws {
    let here = try await rig.withFile()
    rig.server.manners.longestFile = 1
    try await here.sync()
    let words = "the server refused it (413): too long"
    try await assertEqual(
      troubles(here),
      [
        FileTrouble(
          document: .milk, collection: "notes", name: "a.png", kind: .refused, words: words)
      ])
    let life = try await here.store.read { try $0.life(of: .milk) }
    XCTAssertEqual(life?.sentences.last, "the file a.png: \(words)")
    rig.server.manners.longestFile = nil
    _ = try await here.store.edit { try $0.retry(.milk) }
    try await here.sync()
    try await assertEqual(troubles(here), [])
  }

  func testARefusedFileIsTriedAgainWhenItIsAttachedOnceMore() async throws {
    let here = try await rig.withFile()
    rig.server.manners.longestFile = 1
    try await here.sync()
    rig.server.manners.longestFile = nil
    try await here.sync()
    XCTAssertEqual(rig.server.state.files.count, 0, "nobody said so")
    let file = try await rig.file(here)
    try await assertTrue(here.store.edit { try $0.attach(file, to: "picture", of: .milk) })
    try await here.sync()
    XCTAssertEqual(rig.server.state.files.count, 1)
  }

  /// Until it was sent, it was told why it once hadn't come.
  func testWhatIsAttachedAgainIsToldNoOldTrouble() async throws {
    try await rig.sent()
    let there = try await rig.replica("there") { request in
      if case .read = request {
        EndpointReply<FileEnd>(.refused(status: 403, words: ""))
      } else {
        nil
      }
    }
    try await there.sync()
    let file = try await rig.file(there)
    _ = try await there.store.edit {
      _ = try $0.detach("picture", of: .milk)
      return try $0.attach(file, to: "picture", of: .milk)
    }
    try await assertEqual(troubles(there), [])
  }

  /// It counted as removed.
  func testAFileThatTheServerDoesNotRemoveIsToldAndTriedAgainOnDemand() async throws {
    let isForbidden = Locked(true)
    let here = try await rig.replica { request in
      guard case .remove = request, isForbidden.withLock({ $0 }) else { return nil }
      return EndpointReply<FileEnd>(.refused(status: 403, words: "no"))
    }
    try await rig.attach(here)
    try await here.sync()
    _ = try await here.store.edit { try $0.detach("picture", of: .milk) }
    try await assertTrue(
      here.store.read { reader in try FileTable(session: reader.session).hasNews() })
    try await here.sync()
    try await assertEqual(rig.counts(here), FileCounts(unremoved: 1))
    let told = try await troubles(here).map(\.sentence)
    XCTAssertEqual(
      told, ["the file a.png: it stays at the server: the server refused it (403): no"])
    isForbidden.withLock { $0 = false }
    try await here.sync()
    XCTAssertEqual(rig.server.state.files.count, 1, "nobody said so")
    _ = try await here.store.edit { try $0.retry(.milk) }
    try await here.sync()
    XCTAssertEqual(rig.server.state.files.count, 0)
    try await assertEqual(rig.counts(here), FileCounts())
  }

  func testARemovalThatWaitsForItsDocumentIsCounted() async throws {
    let here = try await rig.sent()
    _ = try await here.store.edit { try $0.detach("picture", of: .milk) }
    rig.server.manners.unwanted = [.milk]
    try await here.sync()
    try await assertEqual(rig.counts(here), FileCounts(removing: 1))
  }

  func testAFileThatDoesNotComeIsToldUntilItDoes() async throws {
    try await rig.sent()
    let isForbidden = Locked(true)
    let there = try await rig.replica("there") { request in
      guard case .read = request, isForbidden.withLock({ $0 }) else { return nil }
      return EndpointReply<FileEnd>(.refused(status: 403, words: ""))
    }
    try await there.sync()
    let told = try await troubles(there)
    XCTAssertEqual(told.map(\.kind), [.fetching])
    XCTAssertEqual(
      told.map(\.words), ["the server doesn't give its content: the server refused it (403)"])
    isForbidden.withLock { $0 = false }
    try await there.sync()
    try await assertEqual(troubles(there), [])
  }
}
