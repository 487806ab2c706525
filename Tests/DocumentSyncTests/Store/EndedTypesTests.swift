import SyncDatabase
import TestSupport
import XCTest

@testable import DocumentSync

/// Types that a store is to hold no more.
///
/// Whether something of one was there was asked of one account, and before the transaction that
/// took the type away.
final class EndedTypesTests: StoreTestCase {
  private func setup(_ kinds: DocumentTypes.Kind...) -> StoreSetup {
    var setup = StoreSetup(service: "rest", server: notes.server, bucket: "", account: "ann")
    setup.kinds = kinds
    return setup
  }

  private let note = DocumentTypes.Kind("note", in: "notes")
  private let tag = DocumentTypes.Kind("tag", in: "tags")
  private let other = DocumentTypes.Kind("other", in: "notes")

  private func tell(_ setup: StoreSetup) async throws {
    try await DocumentReplica.setUp(storeAt: path) { _ in (setup, notes.server) }
  }

  func testOneOfWhichAnotherAccountHasDocumentsStays() async throws {
    try await tell(setup(note, tag))
    let store = try await syncedStore(in: bobs)
    await store.close()
    await assertFails(.typeInUse("note", documents: 1)) { try await tell(setup(tag)) }
    try await tell(setup(note))
  }

  func testOneOfWhichADeletionIsToBeSentStays() async throws {
    try await tell(setup(note, tag))
    let store = try await syncedStore()
    try await store.edit { _ = try $0.delete(milk) }
    await store.close()
    await assertFails(.typeInUse("note", documents: 0)) { try await tell(setup(tag)) }
  }

  /// Of a type that has its collection with others, less was looked for.
  func testOneOfSeveralStaysAsLongAsAnythingOfItDoes() async throws {
    try await tell(setup(note, other))
    let store = try await syncedStore(milk, ["docType": "other", "n": 1])
    try await store.save(edit(milk, ["docType": "other", "n": 2]))
    try await store.pull(
      milk, .present(copy(["docType": "other", "n": 3], "2")), notes, .serverWins)
    // The store is opened by another clock, by which it would have been kept for long enough.
    try await store.run("UPDATE lost SET at = 9000000000000")
    await assertFails(.typeInUse("other", documents: 1)) { try await tell(setup(note)) }
    try await store.delete(milk)
    await assertFails(.typeInUse("other", documents: 0)) { try await tell(setup(note)) }
    try await store.send(milk, as: "3")
    await assertFails(.typeInUse("other", documents: 0)) {
      try await tell(setup(note))
    }
    try await store.run("DELETE FROM lost")
    try await store.run(
      """
      INSERT INTO files (id, owner, scope, digest, size, name, type, is_preview, state, tried)
      SELECT 'gone', owner, number, 'd', 1, 'a.txt', 'text/plain', 0, 'removing', 0 FROM scopes
      """)
    await assertFails(.typeInUse("note", documents: 0)) { try await tell(setup(other)) }
    try await tell(setup(note))
    await store.close()
  }

  /// Somebody stores a document between the look at what was told and the transaction.
  func testTheLookIsMadeInTheTransactionThatTakesTheTypeAway() async throws {
    try await tell(setup(note, other))
    let store = try await syncedStore()
    await store.close()
    await assertFails(.typeInUse("other", documents: 1)) {
      try await DocumentReplica.setUp(storeAt: path) { [path, ended = setup(note)] _ in
        let connection = try Connection(path: path, options: ConnectionOptions())
        try connection.run("UPDATE documents SET body = ?1", #"{"docType":"other"}"#)
        return (ended, notes.server)
      }
    }
  }

  func testWhatSaysNoTypeIsOfItsCollectionsFirst() async throws {
    try await tell(setup(note, other))
    let store = try await syncedStore()
    await store.close()
    await assertFails(.typeInUse("note", documents: 1)) { try await tell(setup(other)) }
    try await tell(setup(note))
  }

  /// A type that comes back is fetched in full.
  func testWhatIsKnownOfItsCollectionGoesWithTheLastTypeOfIt() async throws {
    try await tell(setup(note, tag))
    let store = try await openStore()
    try await store.edit { editor in
      let number = try editor.session.makeNumber(of: tags)
      try editor.session.connection.run(
        "UPDATE scopes SET checkpoint = '7' WHERE number = ?1", number)
    }
    await store.close()
    try await tell(setup(note))
    let again = try await openStore()
    let known = try await again.read { reader in
      try reader.session.connection.rows("SELECT collection FROM scopes WHERE checkpoint IS NULL") {
        try $0.text("collection")
      }
    }
    XCTAssertEqual(known, ["tags"])
    await again.close()
  }
}
