import SyncLock
import TestSupport
import XCTest

@testable import DocumentSync

/// Two accounts that each have a document of one id: each sees, edits, sends and loses its own.
///
/// An id was unique in a store: the second account couldn't have what the first one had, though
/// their server gave it to both.
final class SameIDTests: StoreTestCase {
  private let (anns, theirs) = (
    DocumentOwner(server: notes.server, account: "ann"),
    DocumentOwner(server: notes.server, account: "bob")
  )

  private func both() async throws -> (ann: DocumentStore, bob: DocumentStore) {
    let store = try await openStore()
    return (store.seen { [anns] in anns }, store.seen { [theirs] in theirs })
  }

  /// Each has it as the server has it.
  private func synced() async throws -> (ann: DocumentStore, bob: DocumentStore) {
    let (ann, bob) = try await both()
    try await ann.makeSynced(milk, ["of": "ann"], "1", in: notes)
    try await bob.makeSynced(milk, ["of": "bob"], "2", in: bobs)
    return (ann, bob)
  }

  func testEachSeesTheirOwn() async throws {
    let (ann, bob) = try await synced()
    try await assertEqual([ann.get(milk), bob.get(milk)], [["of": "ann"], ["of": "bob"]])
    try await assertEqual([ann.counts().documents, bob.counts().documents], [1, 1])
    for (store, name) in [(ann, "ann"), (bob, "bob")] {
      let found = try await store.read { reader in
        try reader.documents(matching: DocumentQuery()).map(\.content)
      }
      XCTAssertEqual(found, [["of": DocumentValue(name)]])
      let rows = try await store.read { try $0.values(ofRows: "SELECT * FROM documents_view", []) }
      XCTAssertEqual(rows.map { $0["account"]?.string }, [name])
      let version = try await store.baseCopy(milk)?.version.text
      XCTAssertEqual(version, name == "ann" ? "1" : "2")
    }
    let digests = [try await ann.read { try $0.digest() }, try await bob.read { try $0.digest() }]
    XCTAssertNotEqual(digests[0], digests[1])
  }

  func testEachEditsSendsAndDeletesTheirOwn() async throws {
    let (ann, bob) = try await synced()
    try await ann.save(edit(milk, ["of": "ann", "n": 2]))
    try await assertEqual([ann.ready(notes), bob.ready(bobs)], [[milk], []])
    try await assertEqual(bob.get(milk), ["of": "bob"])
    try await assertNil(bob.begin(milk))
    try await ann.send(milk, as: "3")
    try await assertEqual(ann.status(milk)?.version?.text, "3")
    try await assertEqual(bob.status(milk)?.version?.text, "2")
    try await bob.delete(milk)
    try await assertEqual(ann.get(milk), ["of": "ann", "n": 2])
    try await bob.send(milk, as: "4")
    try await assertNil(bob.stored(milk))
    try await assertEqual(ann.status(milk)?.state, .synced)
  }

  /// Many new ones are written without a look at what is there.
  func testManyThatAreNewAreNewForOneOfThem() async throws {
    let (ann, bob) = try await both()
    let ids = (1...3).map { DocumentID("n\($0)") }
    try await ann.save(ids.map { DocumentEdit($0, in: notes, ["of": "ann"]) })
    try await bob.save(ids.map { DocumentEdit($0, in: bobs, ["of": "bob"]) })
    for id in ids {
      try await assertEqual([ann.get(id), bob.get(id)], [["of": "ann"], ["of": "bob"]])
    }
    try await assertEqual([ann.ready(notes), bob.ready(bobs)], [ids, ids])
    await assertFails(.atHomeElsewhere(ids[2], collection: "notes")) {
      try await ann.save(ids.map { DocumentEdit($0, in: tags, [:]) }.reversed())
    }
  }

  /// A deletion that one of them saw was taken for one of the other's new document.
  func testADeletionIsOfOneOfThem() async throws {
    let (ann, bob) = try await synced()
    try await ann.delete(milk)
    try await ann.send(milk, as: "3")
    try await bob.pull(milk, .deleted(nil), bobs)
    try await bob.save(DocumentEdit(milk, in: bobs, ["of": "bob"]))
    try await ann.save(edit(milk, ["of": "ann"]))
    let tombstones = [
      try await ann.stored(milk)?.tombstoneOfEntry, try await bob.stored(milk)?.tombstoneOfEntry,
    ]
    XCTAssertEqual(tombstones, [.at(DocumentVersion("3")), .at(nil)])
  }

  func testATombstoneOfOneSaysNothingToTheOther() async throws {
    let (ann, bob) = try await synced()
    try await ann.delete(milk)
    try await ann.send(milk, as: "3")
    try await bob.pull(milk, .deleted(DocumentVersion("9")), bobs)
    try await assertEqual(ann.read { try $0.predecessor(milk) }, .deleted)
    let versions = try await ann.withConnection {
      try $0.rows("SELECT version FROM burials ORDER BY owner") { try $0.text("version") }
    }
    XCTAssertEqual(versions, ["3", "9"])
  }

  func testEachHasALifeAndLossesOfTheirOwn() async throws {
    let (ann, bob) = try await synced()
    try await ann.save(edit(milk, ["of": "ann", "n": 2]))
    try await ann.resign(milk)
    try await assertEqual([ann.lost().count, bob.lost().count], [1, 0])
    try await assertTrue(ann.events()?.contains(.resigned) ?? false)
    try await assertFalse(bob.events()?.contains(.resigned) ?? false)
    try await bob.save(DocumentEdit(milk, in: bobs, ["of": "bob", "n": 2]))
    try await bob.resign(milk)
    try await assertEqual(bob.events()?.last, .resigned)
    try await assertEqual(
      [ann.lost().map(\.loss.value), bob.lost().map(\.loss.value)],
      [
        [["of": "ann", "n": 2]], [["of": "bob", "n": 2]],
      ])
  }

  /// A document waited for another account's, and was sent when that one had been.
  func testWhatWaitsForOneIsNotReleasedByTheOther() async throws {
    let (ann, bob) = try await both()
    try await ann.save(edit(milk, ["n": 1]))
    for (store, scope) in [(ann, notes), (bob, bobs)] {
      var child = DocumentEdit(eggs, in: scope, ["n": 1])
      child.after = [milk]
      try await store.save(child)
    }
    try await ann.send(milk, as: "1")
    try await assertEqual([ann.ready(notes), bob.ready(bobs)], [[eggs], []])
    try await bob.save(DocumentEdit(milk, in: bobs, ["n": 1]))
    _ = try await ann.edit { try $0.dropCollection(notes, discardingChanges: true) }
    try await assertEqual(bob.ready(bobs), [milk], "whose parent was dropped is another's child")
  }

  func testAPullBringsEachTheirOwnAndIsNoFailure() async throws {
    let (ann, bob) = try await synced()
    try await assertNil(bob.pull(milk, .present(copy(["of": "bob", "n": 2], "5")), bobs)?.failure)
    try await assertEqual(ann.get(milk), ["of": "ann"])
    try await bob.pull(milk, .deleted(nil), bobs)
    try await assertEqual(ann.get(milk), ["of": "ann"])
    try await assertNil(bob.get(milk))
    try await assertEqual([ann.failures(of: notes), bob.failures(of: bobs)], [[], []])
  }

  func testDroppingAllOfOneLeavesTheOthers() async throws {
    let (ann, bob) = try await synced()
    try await ann.delete(milk)
    try await ann.send(milk, as: "3")
    try await ann.makeSynced(bread, in: notes)
    try await assertEqual(bob.edit { try $0.dropEverything(discardingChanges: true) }, 1)
    try await assertEqual(ann.get(bread), ["n": 1])
    try await assertEqual(ann.read { try $0.predecessor(milk) }, .deleted)
    try await assertNotNil(ann.life())
    try await assertNil(bob.life())
  }

  func testASyncOfOneTakesAwayWhatIsTooOldWhoseverItIs() async throws {
    let (ann, bob) = try await synced()
    for (store, scope) in [(ann, notes), (bob, bobs)] {
      try await store.save(DocumentEdit(milk, in: scope, ["n": 2]))
      try await store.resign(milk)
    }
    time.withLock { $0 += 31 * 86_400_000 }
    try await ann.sync {
      try $0.note(
        SyncRun(began: Date(milliseconds: 1), ended: Date(milliseconds: 2), reason: ""), of: "ann")
    }
    let left = try await ann.number("SELECT count(*) FROM lost")
    XCTAssertEqual(left, 0)
    try await assertEqual([ann.get(milk), bob.get(milk)], [["of": "ann"], ["of": "bob"]])
  }

  func testWhoListensIsToldOfTheirOwn() async throws {
    let (ann, bob) = try await both()
    var (told, others) = (ann.changes.makeAsyncIterator(), bob.changes.makeAsyncIterator())
    _ = try await ann.ofAllAccounts.edit { editor in
      try editor.save(DocumentEdit(milk, in: notes, ["n": 1]))
      return try editor.save(DocumentEdit(milk, in: bobs, ["n": 2]))
    }
    let (own, other) = (await told.next(), await others.next())
    XCTAssertEqual(own?.documents.map(\.scope), [notes])
    XCTAssertEqual(other?.documents.map(\.scope), [bobs])
  }

  func testWhoSaysNothingOfAnAccountIsNotGivenAnybodys() async throws {
    let (ann, _) = try await synced()
    for read in [
      { try $0.document(milk) as Any? }, { try $0.status(of: milk) as Any? },
    ] as [@Sendable (StoreReader) throws -> Any?] {
      let error = await thrown(
        DatabaseError.self, by: try await ann.ofAllAccounts.read { _ = try read($0) })
      XCTAssertEqual(error?.code, .misuse)
    }
  }
}
