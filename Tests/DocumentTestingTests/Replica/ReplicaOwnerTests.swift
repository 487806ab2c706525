import SyncLock
import DocumentTesting
import TestSupport
import XCTest

@testable import DocumentSync

/// What one account left is neither seen nor edited by the next one, and there when it's back.
///
/// Every call by id, and all counts, lists and statements, spoke of everybody's documents: the next
/// account read them, and what it deleted was deleted at the server in the first one's name.
final class ReplicaOwnerTests: XCTestCase {
  private let rig = ReplicaRig(FileRig.manners)
  private let account = Account()

  /// Ann has a document at the server, a stashed one, and something that gave way; then she leaves.
  private func left() async throws -> DocumentReplica {
    let (notes, _) = try await rig.signedIn(account)
    try await notes.save(milk, ["secret": "of ann"], in: "notes")
    try await notes.sync()
    try await notes.save(milk, ["secret": "given up"], in: "notes")
    try await notes.resign(milk)
    try await notes.stash(bread, ["secret": "of ann"], in: "notes")
    try await account.signOut()
    return notes
  }

  private func exported(_ notes: DocumentReplica) async throws -> String {
    let lines = Locked<[UInt8]>([])
    try await notes.export(try DocumentTypes()) { line in lines.withLock { $0 += line } }
    return String(decoding: lines.withLock { $0 }, as: UTF8.self)
  }

  private func assertNothingIsSeen(_ notes: DocumentReplica, _ who: String) async throws {
    for id in [milk, bread] {
      try await assertNil(notes.document(id), who)
      try await assertNil(notes.status(of: id), who)
      try await assertNil(notes.life(of: id), who)
      try await assertNil(notes.shown(id, DocumentTypes(), .server), who)
      try await assertEqual(notes.lost(of: id), [], who)
      try await assertFalse(notes.isPending(id), who)
    }
    try await assertEqual(notes.documents().map(\.id), [], who)
    try await assertEqual(notes.count(), 0, who)
    try await assertEqual(notes.lost(), [], who)
    try await assertEqual(notes.summary().counts, StoreCounts(), who)
    try await assertEqual(notes.runs(), [], who)
    try await assertEqual(exported(notes), "", who)
    try await assertEqual(notes.digest(), rig.replica(of: Account()).digest(), who)
  }

  func testWhatOneAccountLeftIsSeenByNobodyAndByNoOtherAndThereWhenItIsBack() async throws {
    let notes = try await left()
    try await assertNothingIsSeen(notes, "nobody")
    try await account.signIn(name: "bob", password: "secret")
    try await assertNothingIsSeen(notes, "bob")
    try await account.signOut()
    try await account.signIn(name: "ann", password: "secret")
    let (milk, bread) = (try await notes.document(milk), try await notes.document(bread))
    XCTAssertEqual([milk, bread], [["secret": "of ann"], ["secret": "of ann"]])
    try await assertEqual(notes.lost().map(\.loss.value), [["secret": "given up"]])
    let events = try await notes.store.read { try $0.life(of: .milk)?.moments.map(\.event) }
    XCTAssertEqual(events?.contains(.resigned), true)
    let counts = try await notes.summary().counts
    XCTAssertEqual([counts.documents, counts.outbox, counts.lost], [2, 0, 1])
    try await assertEqual(notes.runs().map(\.counts["sent"]), [1])
  }

  func testNoOtherAccountEditsWhatOneLeft() async throws {
    let notes = try await left()
    let number = try await notes.store.ofAllAccounts.read { try $0.lost().first?.number }
    try await account.signIn(name: "bob", password: "secret")
    for id in [milk, bread] {
      try await assertFalse(notes.delete(id))
      try await assertFalse(notes.drop(id))
      try await assertFalse(notes.resign(id))
      try await assertFalse(notes.retry(id))
      await assertThrows(DocumentError.notInConflict(id), try await notes.resolve(id, .here))
      await assertThrows(
        DocumentError.noDocument(id),
        try await notes.attach([1], named: "a.png", to: "picture", of: id))
    }
    let loss = try XCTUnwrap(number)
    await assertThrows(DocumentError.notLost(loss), try await notes.restore(loss))
    try await assertEqual(notes.dropAll(discardingChanges: true), 0)
    try await assertTrue(notes.sync(SyncWishes(ways: .push)).isQuiet)
    XCTAssertEqual(rig.documents[milk], ["secret": "of ann"])
    try await account.signIn(name: "ann", password: "secret")
    let counts = try await notes.summary().counts
    XCTAssertEqual([counts.documents, counts.outbox, counts.lost], [2, 0, 1])
  }

  func testStatementsSeeTheViewsOfWhoIsSignedInAndNoTable() async throws {
    let notes = try await left()
    for name in ["bob", "ann"] {
      try await account.signIn(name: name, password: "secret")
      let rows = try await notes.rows("SELECT id, body FROM Documents_View ORDER BY id")
      XCTAssertEqual(rows.compactMap { $0["id"]?.string }, name == "ann" ? ["bread", "milk"] : [])
      let lost = try await notes.rows("SELECT count(*) AS n FROM lost_view")
      XCTAssertEqual(lost.first?["n"]?.integer, name == "ann" ? 1 : 0)
      let values = try await notes.rows("SELECT value FROM documents_view, json_each('[1]')")
      XCTAssertEqual(values.count, rows.count)
      let named = try await notes.rows(
        "WITH x AS (SELECT id FROM documents_view) SELECT count(*) AS n FROM x")
      XCTAssertEqual(named.first?["n"]?.integer, Int64(rows.count))
      for place in ["documents", "main.documents", "main.documents_view", "lost", "scopes"] {
        for columns in ["*", "count(*)", "1"] {
          await assertRefused("SELECT \(columns) FROM \(place)", notes)
        }
      }
      await assertRefused(
        "WITH own_DOCUMENTS AS (SELECT * FROM documents) SELECT * FROM own_documents", notes)
    }
  }

  private func assertRefused(_ sql: String, _ notes: DocumentReplica) async {
    await assertThrows(DocumentProblem.self, try await notes.rows(sql))
  }

  func testWhoListensIsToldThatDocumentsAreGoneAndBackAndOfNoOtherAccounts() async throws {
    let (notes, _) = try await rig.signedIn(account)
    try await notes.save(milk, ["n": 1], in: "notes")
    try await notes.sync()
    var values = notes.values(of: milk).makeAsyncIterator()
    try await assertEqual(values.next(), .some(["n": 1]))
    var changes = notes.changes.makeAsyncIterator()
    try await account.signIn(name: "bob", password: "secret")
    try await notes.save(DocumentID("eggs"), ["n": 1], in: "notes")
    let told = await changes.next()
    let read = try await notes.document(milk)
    // Else there is no next value to wait for.
    guard told?.isComplete == false, read == nil else {
      return XCTFail("told: \(String(describing: told)), there: \(String(describing: read))")
    }
    try await assertEqual(values.next(), .some(nil))
    let ann = DocumentOwner(server: "https://reference.example", account: "ann")
    _ = try await notes.store.seen { ann }.edit { try $0.delete(milk) }
    try await notes.save(DocumentID("tea"), ["n": 1], in: "notes")
    let own = [await changes.next(), await changes.next()].flatMap { $0?.documents ?? [] }
    XCTAssertEqual(own.map(\.id.text), ["eggs", "tea"])
  }

  func testWhatTheServerShowsTheNextAccountIsItsOwnWithALifeOfItsOwn() async throws {
    let notes = try await left()
    try await account.signIn(name: "bob", password: "secret")
    try await assertEqual(notes.sync().received.map(\.id), [milk])
    try await assertEqual(notes.document(milk), ["secret": "of ann"], "the server gives it to both")
    try await assertEqual(
      notes.store.read { try $0.life(of: .milk)?.moments.map(\.event) }, [])
    try await notes.stash(milk, ["secret": "of bob"], in: "notes")
    try await notes.stash(bread, ["secret": "of bob"], in: "notes")
    try await account.signOut()
    try await account.signIn(name: "ann", password: "secret")
    let values = [try await notes.document(milk), try await notes.document(bread)]
    XCTAssertEqual(values, [["secret": "of ann"], ["secret": "of ann"]], "and ann has hers")
    try await assertEqual(notes.summary().counts.outbox, 0)
  }

  func testWhatWasMadeWhileNobodyWasSignedInIsOfWhoSignsInNextWithItsLife() async throws {
    let notes = try await left()
    let eggs = DocumentID("eggs")
    try await notes.save(eggs, ["n": 1], in: "notes")
    try await account.signIn(name: "bob", password: "secret")
    try await assertEqual(notes.document(eggs), ["n": 1])
    try await assertEqual(notes.sync(SyncWishes(ways: .push)).sent.map(\.id), [eggs])
    try await account.signIn(name: "ann", password: "secret")
    try await assertNil(notes.document(eggs))
  }

}
