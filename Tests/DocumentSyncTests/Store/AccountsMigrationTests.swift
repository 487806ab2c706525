import Foundation
import SyncDatabase
import SyncLock
import TestSupport
import XCTest

@testable import DocumentSync

/// Stores of the time when ids were unique in a store are opened with all that is in them.
final class AccountsMigrationTests: StoreTestCase {
  private let (anns, bobs) = (StoreOfOneAccountAnID.anns, StoreOfOneAccountAnID.bobs)

  override func setUp() async throws {
    time.withLock { $0 = 1_795_892_420_000 }
    try StoreOfOneAccountAnID.make(at: path)
  }

  private func seen(_ store: DocumentStore, by home: DocumentScope) -> DocumentStore {
    store.seen { home.owner }
  }

  func testNothingOfAnOldStoreIsLost() async throws {
    let ann = seen(try await openStore(), by: anns)
    let exported = Locked<[UInt8]>([])
    try await ann.read { reader in
      try reader.export(try DocumentTypes()) { line in exported.withLock { $0 += line } }
    }
    let lines = String(decoding: exported.withLock { $0 }, as: UTF8.self).split(separator: "\n")
    XCTAssertEqual(
      lines.map { $0.prefix(10) },
      [
        #"{"id":"mil"#, #"{"id":"bre"#, #"{"id":"lis"#, #"{"id":"nob"#, #"{"id":"egg"#,
        #"{"id":"chi"#,
      ])
    // What the program of then printed.
    let digest = "ba5cd7a4fbd031e8035f89074b108f58da2bd752421153e18b078afe222dd045"
    try await assertEqual(ann.read { try $0.digest() }, digest)
    let counts = try await ann.counts()
    XCTAssertEqual([counts.documents, counts.outbox, counts.lost], [6, 4, 1])
    try await assertEqual(ann.ready(anns).map(\.text), ["bread", "eggs", "oil"])
    try await assertEqual(ann.stored(DocumentID("child"))?.entry?.awaits, [eggs])
    try await assertEqual(ann.baseCopy(bread)?.value["text"]?.string, "bread")
    try await assertEqual(ann.read { try $0.predecessor(gone) }, .deleted)
    try await assertEqual(ann.life(of: oil)?.moments.count, 8)
    try await assertEqual(ann.lost().map(\.loss.value), [["text": "mine", "docType": "note"]])
    let files = try await ann.number("SELECT count(*) FROM files WHERE owner = 1")
    XCTAssertEqual(files, 1)
  }

  func testWhatEachAccountHadIsTheirs() async throws {
    let bob = seen(try await openStore(), by: bobs)
    try await assertEqual(bob.get(DocumentID("stashed"))?["n"]?.integer, 2)
    try await assertEqual(bob.life(of: DocumentID("stashed"))?.moments.count, 1)
    try await assertEqual(bob.counts().documents, 1)
    try await assertNil(bob.get(milk))
    try await assertEqual(bob.read { try $0.predecessor(gone) }, .unknown)
    try await bob.makeSynced(milk, ["of": "bob"], in: bobs)
    try await assertEqual(bob.get(milk), ["of": "bob"])
  }

  /// Whose deletion it was, is known no more.
  func testADeletionThatNothingElseIsKnownOfMayBeAnybodys() async throws {
    do {
      let old = try Connection(path: path)
      try old.execute("DELETE FROM traces WHERE id = 'gone'")
    }
    let store = try await openStore()
    for home in [anns, bobs] {
      try await assertEqual(
        seen(store, by: home).read { try $0.predecessor(gone) }, .deleted, home.account)
    }
  }

  func testIndexesThatWereDeclaredStayAndAreUsed() async throws {
    let index = MemberIndex(on: [.member("text")])
    do {
      let old = try Connection(path: path)
      try QueryFunctions.install(in: old)
      try DeclaredIndexes(indexes: [index]).make(in: old)
    }
    let store = try await openStore()
    let names = try await store.withConnection {
      try $0.rows(
        """
        SELECT name FROM sqlite_schema JOIN sqlite_stat1 ON idx = name
        WHERE type = 'index' AND name LIKE 'documents\\_by\\_%' ESCAPE '\\'
        """
      ) { try $0.text(0) }
    }
    XCTAssertEqual(names.count, 1)
    let query = DocumentQuery(where: .equal([.member("text")], "rye"))
    try await assertEqual(seen(store, by: anns).read { try $0.ids(matching: query) }, [bread])
    await store.close()
    try await assertEqual(seen(openStore(), by: anns).get(eggs)?["text"]?.string, "new")
  }

  func testAStoreThatMakesNoSenseIsLeftAsItIs() async throws {
    do {
      let old = try Connection(path: path)
      try old.execute("UPDATE documents SET scope = 77 WHERE id = 'milk'")
    }
    let before = try rows()
    let error = await thrown(DatabaseError.self, by: try await openStore())
    XCTAssertEqual(error?.code, .damaged)
    XCTAssertEqual(try rows(), before)
  }

  /// All that is known, as text.
  private func rows() throws -> [String] {
    let old = try Connection(path: path)
    return try old.rows("SELECT sql FROM sqlite_schema ORDER BY name") {
      try $0.optionalText("sql") ?? ""
    }
      + old.rows("SELECT id || scope || coalesce(body, '') AS line FROM documents") {
        try $0.text("line")
      }
  }

  func testAStoreThatMayOnlyBeReadIsBroughtUpToDateByWhoMayWrite() async throws {
    var options = options
    options.access = .readOnly
    let error = await thrown(
      DatabaseError.self, by: try await DocumentStore(.file(path), options: options))
    XCTAssertEqual(error?.code, .readOnly)
    await (try await openStore()).close()
    let store = seen(try await DocumentStore(.file(path), options: options), by: anns)
    try await assertEqual(store.get(eggs)?["text"]?.string, "new")
  }

  func testAStoreThatShipsInTheOldFormIsCopiedWhole() async throws {
    let copy = folder.appending(path: "copy.sqlite").path
    let store = try await DocumentStore(copy, copying: path, options: options)
    try await assertEqual(seen(store, by: anns).counts().documents, 6)
  }
}
