import DocumentTesting
import SyncLock
import XCTest

@testable import DocumentSync

/// What one account left is neither seen nor edited by the next one, and there when it's back.
///
/// Every call by id, and all counts, lists and statements, spoke of everybody's documents: the next
/// account read them, and what it deleted was deleted at the server in the first one's name.
final class ReplicaOwnerTests: XCTestCase {
  private let server = FileRig.makeServer()
  private let account = Account()
  private let milk = DocumentID("milk")
  private let bread = DocumentID("bread")

  private func replica(_ account: Account) async throws -> DocumentReplica {
    let endpoint = server.endpoint(named: "mine")
    return try await DocumentReplica(
      .memory, account: account,
      options: ReplicaOptions(
        server: "https://reference.example", collections: [SyncedCollection("notes")])
    ) { _ in endpoint }
  }

  /// Ann has a document at the server, a stashed one, and something that gave way; then she leaves.
  private func left() async throws -> DocumentReplica {
    let notes = try await replica(account)
    try await account.signIn(name: "ann", password: "secret")
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
      let read = try await notes.document(id)
      XCTAssertNil(read, who)
      let status = try await notes.status(of: id)
      XCTAssertNil(status, who)
      let life = try await notes.life(of: id)
      XCTAssertNil(life, who)
      let copy = try await notes.serverCopy(id)
      XCTAssertNil(copy, who)
      let lost = try await notes.lost(of: id)
      XCTAssertEqual(lost, [], who)
      let (isChanged, isPending) = (try await notes.isChanged(id), try await notes.isPending(id))
      XCTAssertFalse(isChanged || isPending, who)
    }
    let found = try await notes.documents().map(\.id)
    XCTAssertEqual(found, [], who)
    let (count, lost) = (try await notes.count(), try await notes.lost())
    XCTAssertEqual(count, 0, who)
    XCTAssertEqual(lost, [], who)
    let counts = try await notes.summary().counts
    XCTAssertEqual(counts, StoreCounts(), who)
    let runs = try await notes.runs()
    XCTAssertEqual(runs, [], who)
    let lines = try await exported(notes)
    XCTAssertEqual(lines, "", who)
    let (digest, nothing) = (try await notes.digest(), try await replica(Account()).digest())
    XCTAssertEqual(digest, nothing, who)
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
    let lost = try await notes.lost()
    XCTAssertEqual(lost.map(\.loss.value), [["secret": "given up"]])
    let events = try await notes.store.read { [id = self.milk] in
      try $0.life(of: id)?.moments.map(\.event)
    }
    XCTAssertEqual(events?.contains(.resigned), true)
    let counts = try await notes.summary().counts
    XCTAssertEqual([counts.documents, counts.outbox, counts.lost], [2, 0, 1])
    let runs = try await notes.runs()
    XCTAssertEqual(runs.map(\.counts["sent"]), [1])
  }

  func testNoOtherAccountEditsWhatOneLeft() async throws {
    let notes = try await left()
    let number = try await notes.store.ofAllAccounts.read { try $0.lost().first?.number }
    try await account.signIn(name: "bob", password: "secret")
    for id in [milk, bread] {
      let (isDeleted, isDropped) = (try await notes.delete(id), try await notes.drop(id))
      let (isResigned, isTried) = (try await notes.resign(id), try await notes.retry(id))
      XCTAssertFalse(isDeleted || isDropped || isResigned || isTried)
      await assertFails(DocumentError.ofAnotherAccount(id)) {
        try await notes.save(id, ["n": 1], in: "notes")
      }
      await assertFails(DocumentError.ofAnotherAccount(id)) {
        try await notes.stash(id, ["n": 1], in: "notes")
      }
      await assertFails(DocumentError.notInConflict(id)) {
        try await notes.resolve(id, .here)
      }
      await assertFails(DocumentError.noDocument(id)) {
        try await notes.attach([1], named: "a.png", to: "picture", of: id)
      }
    }
    let loss = try XCTUnwrap(number)
    await assertFails(DocumentError.notLost(loss)) { try await notes.restore(loss) }
    let gone = try await notes.dropAll(discardingChanges: true)
    XCTAssertEqual(gone, 0)
    let report = try await notes.sync(SyncWishes(ways: .push))
    XCTAssertTrue(report.isQuiet)
    XCTAssertEqual(server.documents(in: "notes")[milk]?.value, ["secret": "of ann"])
    try await account.signIn(name: "ann", password: "secret")
    let counts = try await notes.summary().counts
    XCTAssertEqual([counts.documents, counts.outbox, counts.lost], [2, 0, 1])
  }

  func testTheSentenceOfATakenIDTellsNothingOfTheOtherDocument() {
    let home = DocumentScope(server: "https://a.example", account: "ann", collection: "diary")
    let here = DocumentScope(server: "https://a.example", account: "bob", collection: "notes")
    let words = DocumentError.taken(milk, by: home, for: here).description
    XCTAssertTrue(words.contains("another account"), words)
    for name in ["ann", "diary", "a.example"] { XCTAssertFalse(words.contains(name), words) }
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
    do {
      _ = try await notes.rows(sql)
      XCTFail("it's run: \(sql)")
    } catch {
      XCTAssertTrue(error is DocumentProblem, "\(error)")
    }
  }

  func testWhoListensIsToldThatDocumentsAreGoneAndBackAndOfNoOtherAccounts() async throws {
    let notes = try await replica(account)
    try await account.signIn(name: "ann", password: "secret")
    try await notes.save(milk, ["n": 1], in: "notes")
    try await notes.sync()
    var values = notes.values(of: milk).makeAsyncIterator()
    let first = try await values.next()
    XCTAssertEqual(first, .some(["n": 1]))
    var changes = notes.changes.makeAsyncIterator()
    try await account.signIn(name: "bob", password: "secret")
    try await notes.save(DocumentID("eggs"), ["n": 1], in: "notes")
    let told = await changes.next()
    let read = try await notes.document(milk)
    // Else there is no next value to wait for.
    guard told?.isComplete == false, read == nil else {
      return XCTFail("told: \(String(describing: told)), there: \(String(describing: read))")
    }
    let second = try await values.next()
    XCTAssertEqual(second, .some(nil))
    _ = try await notes.store.ofAllAccounts.edit { [milk] in try $0.delete(milk) }
    try await notes.save(DocumentID("tea"), ["n": 1], in: "notes")
    let own = [await changes.next(), await changes.next()].flatMap { $0?.documents ?? [] }
    XCTAssertEqual(own.map(\.id.text), ["eggs", "tea"])
  }

  func testWhatTheServerShowsTheNextAccountIsItsOwnWithALifeOfItsOwn() async throws {
    let notes = try await left()
    try await account.signIn(name: "bob", password: "secret")
    let report = try await notes.sync()
    XCTAssertEqual(report.received.map(\.id), [milk])
    let read = try await notes.document(milk)
    XCTAssertEqual(read, ["secret": "of ann"], "the server gives it to both")
    let life = try await notes.store.read { [milk] in try $0.life(of: milk) }
    XCTAssertEqual(life?.moments.map(\.event), [])
  }

  func testWhatWasMadeWhileNobodyWasSignedInIsOfWhoSignsInNextWithItsLife() async throws {
    let notes = try await left()
    let eggs = DocumentID("eggs")
    try await notes.save(eggs, ["n": 1], in: "notes")
    try await account.signIn(name: "bob", password: "secret")
    let read = try await notes.document(eggs)
    XCTAssertEqual(read, ["n": 1])
    let report = try await notes.sync(SyncWishes(ways: .push))
    XCTAssertEqual(report.sent.map(\.id), [eggs])
    try await account.signIn(name: "ann", password: "secret")
    let anns = try await notes.document(eggs)
    XCTAssertNil(anns)
  }

  private func assertFails<Problem: Error & Equatable>(
    _ expected: Problem, _ body: () async throws -> some Any,
    file: StaticString = #filePath, line: UInt = #line
  ) async {
    do {
      _ = try await body()
      XCTFail("it's done", file: file, line: line)
    } catch {
      XCTAssertEqual(error as? Problem, expected, "\(error)", file: file, line: line)
    }
  }
}
