import DocumentTesting
import SyncLock
import TestSupport
import XCTest

@testable import DocumentSync

/// Files at addresses where something comes between.
final class AddressedFileTurnTests: AddressedFileTestCase {
  /// A picture that was replaced came back, and the new one was removed.
  func testAFileThatTheServerMayHaveLostDoesNotReplaceTheOneThatCameAfterIt() async throws {
    let shelf = AddressShelf()
    let here = try await replica(shelf)
    try await attach(here, other)
    try await here.sync()
    let facts = try await attach(here)
    try await here.store.edit { _ = try $0.retry(milk) }
    for _ in 0..<3 { try await here.sync() }
    let address = "https://files.example/milk/picture/\(facts.digest.prefix(8))"
    XCTAssertEqual(shelf.state.withLock { $0.contents }, [address: picture])
    XCTAssertEqual(shelf.member("picture"), DocumentValue(address))
    try await assertEqual(counts(here), FileCounts())
    assertInOrder(shelf)
  }

  /// A picture that had been sent stayed without a name for ever.
  func testWhereAnAddressGivesWayToAnotherEditTheNextSyncNamesTheFile() async throws {
    for theirs in [["n": 2, "picture": ""], ["n": 1, "picture": "mine"]] as [DocumentValue] {
      let shelf = AddressShelf()
      let here = try await replica(shelf)
      try await here.sync()
      let there = try await SyncedReplica(shelf.endpoint(named: "there"), time)
      try await there.sync()
      let facts = try await attach(here)
      shelf.state.withLock {
        $0.between = {
          try await there.save(milk, theirs)
          try await there.sync()
        }
      }
      try await here.sync()
      XCTAssertEqual(shelf.member("picture"), theirs["picture"], "the server's wins")
      for _ in 0..<2 { try await here.sync() }
      let address = "https://files.example/milk/picture/\(facts.digest.prefix(8))"
      XCTAssertEqual(
        shelf.member("picture"), theirs["picture"] == "" ? DocumentValue(address) : "mine")
      XCTAssertEqual(shelf.state.withLock { $0.contents }, [address: picture])
      try await assertEqual(counts(here), FileCounts())
      assertInOrder(shelf)
    }
  }

  /// Contents of documents that others had deleted stayed for ever.
  func testTheContentOfADocumentThatWentByItselfGoesAfterATime() async throws {
    let shelf = AddressShelf()
    let here = try await replica(shelf)
    let facts = try await attach(here)
    try await here.sync()
    let there = try await SyncedReplica(shelf.endpoint(named: "there"), time)
    try await there.sync()
    try await there.delete(milk)
    try await there.sync()
    try await here.sync()
    try await assertNil(here.get(milk))
    try await assertEqual(here.store.files.bytes(of: facts.digest), picture)
    // SQLite notes the time itself.
    let now = Int64(Date().timeIntervalSince1970 * 1_000)
    time.advance(by: .milliseconds(now - time.now) + .seconds(31 * 86_400))
    try await here.sync()
    try await assertNil(here.store.files.bytes(of: facts.digest))
  }

  func testADocumentThatTakesTheIdOfAnotherLeavesThatOnesFilesToGoAfterATime() async throws {
    let shelf = AddressShelf()
    let here = try await replica(shelf)
    let facts = try await attach(here)
    let bread = DocumentID("bread")
    try await here.save(bread, ["n": 2])
    try await here.store.edit { editor in
      try AliasTable(session: editor.session).leaveFiles(of: milk, to: bread, 1)
    }
    try await assertEqual(counts(here), FileCounts())
    time.advance(by: .seconds(31 * 86_400))
    try await here.sync()
    try await assertNil(here.store.files.bytes(of: facts.digest))
  }

  /// A service that remembers keys answered what was true of an earlier request.
  func testARequestThatIsMadeAgainIsKnownAndTheSameFileAttachedAgainIsAnother() async throws {
    let shelf = AddressShelf()
    let here = try await replica(shelf)
    try await attach(here)
    shelf.state.withLock { $0.lost = 1 }
    try await here.sync()
    var keys = shelf.state.withLock { $0.keys }
    XCTAssertEqual([keys.count, Set(keys).count], [2, 1])
    try await here.store.edit { _ = try $0.detach("picture", of: milk) }
    try await here.sync()
    try await attach(here)
    try await here.sync()
    keys = shelf.state.withLock { $0.keys }
    XCTAssertEqual([keys.count, Set(keys).count], [3, 2])
    XCTAssertFalse(keys.contains(nil))
  }
}
