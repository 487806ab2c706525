import SyncDatabase
import SyncLock
import XCTest

@testable import DocumentSync

/// A store's file: what is opened, what is refused, and what happens where it can't be written.
final class OpeningTests: StoreTestCase {
  private func assertFails<Result>(
    _ code: DatabaseError.Code, _ body: () async throws -> Result, file: StaticString = #filePath,
    line: UInt = #line
  ) async {
    do {
      _ = try await body()
      XCTFail("it's done", file: file, line: line)
    } catch {
      XCTAssertEqual((error as? DatabaseError)?.code, code, "\(error)", file: file, line: line)
    }
  }

  func testAStoreInMemoryDoesWhatOneInAFileDoes() async throws {
    let store = try await openStore(.memory)
    try await store.save(edit(milk, ["n": 1]))
    try await store.send(milk, as: "1")
    let status = try await store.status(milk)
    XCTAssertEqual(status?.state, .synced)
  }

  func testStoresInMemoryHaveNamesOfTheirOwn() async throws {
    var names: Set<String> = []
    for _ in 0..<3 {
      let store = try await openStore(.memory)
      let name = try await store.withConnection {
        try $0.row("SELECT name FROM store") { try $0.text("name") }
      }
      names.insert(try XCTUnwrap(name))
    }
    XCTAssertEqual(names.count, 3)
  }

  func testTheFileSaysWhatItIs() async throws {
    await (try await openStore()).close()
    let header = try Data(contentsOf: URL(filePath: path))
    XCTAssertEqual(Array(header[68..<72]), Array("OWSD".utf8))
  }

  func testAStoreOfANewerProgramIsRefusedAndLeftAsItIs() async throws {
    let store = try await openStore()
    try await store.save(edit(milk, ["n": 1]))
    try await store.withConnection { connection in
      _ = try connection.run("INSERT INTO migrations (name) VALUES ('wings')")
    }
    await store.close()
    let before = try Data(contentsOf: URL(filePath: path))
    await assertFails(.newerVersion(["wings"])) { try await openStore() }
    XCTAssertEqual(try Data(contentsOf: URL(filePath: path)), before)
  }

  func testADatabaseOfSomethingElseIsRefusedAndLeftAsItIs() async throws {
    do {
      var options = ConnectionOptions()
      options.journal = .rollback
      let other = try Connection(path: path, options: options)
      try other.execute("CREATE TABLE birds (name TEXT)")
    }
    let before = try Data(contentsOf: URL(filePath: path))
    await assertFails(.notAStore(path)) { try await openStore() }
    XCTAssertEqual(try Data(contentsOf: URL(filePath: path)), before)
    try Data("no database, and more than a hundred bytes. \(before.description)".utf8)
      .write(to: URL(filePath: path))
    await assertFails(.damaged) { try await openStore() }
  }

  func testAStoreFromBeforeTheFirstReleaseIsRefusedAndLeftAsItIs() async throws {
    do {
      var options = ConnectionOptions()
      options.journal = .rollback
      let old = try Connection(path: path, options: options)
      try old.execute("PRAGMA application_id = 0x4F575344; CREATE TABLE outbox (number INTEGER)")
    }
    let before = try Data(contentsOf: URL(filePath: path))
    await assertFails(.ofEarlierState(path)) { try await openStore() }
    XCTAssertEqual(try Data(contentsOf: URL(filePath: path)), before)
  }

  func testAStoreThatIsOnlyReadIsReadAndNotWritten() async throws {
    var options = DocumentStoreOptions()
    options.access = .readOnly
    await assertFails(.cannotOpen) { try await DocumentStore(.file(path), options: options) }
    let writer = try await openStore()
    try await writer.save(edit(milk, ["n": 1]))
    let reader = try await DocumentStore(.file(path), options: options)
    let read = try await reader.get(milk)
    XCTAssertEqual(read, ["n": 1])
    await assertFails(.readOnly) { try await reader.save(edit(milk, ["n": 2])) }
    try await writer.save(edit(milk, ["n": 2]))
    let again = try await reader.get(milk)
    XCTAssertEqual(again, ["n": 2])
  }

  func testWhereThereIsNoRoomNothingOfATransactionIsWritten() async throws {
    let store = try await openStore()
    try await store.save(edit(milk, ["n": 1]))
    try await store.withConnection { connection in
      try connection.query("PRAGMA max_page_count = 60", values: []) { _ in }
    }
    let long = DocumentValue(String(repeating: "x", count: 1_000_000))
    await assertFails(.full) {
      try await store.edit { [milk, bread, notes] door in
        try door.save(DocumentEdit(milk, in: notes, ["n": 2]))
        try door.save(DocumentEdit(bread, in: notes, ["n": long]))
      }
    }
    // Nor where somebody swallows the error.
    await assertFails(.misuse) {
      try await store.edit { [milk, bread, notes] door in
        XCTAssertThrowsError(try door.save(DocumentEdit(bread, in: notes, ["n": long])))
        _ = try? door.save(DocumentEdit(milk, in: notes, ["n": 2]))
      }
    }
    let read = [try await store.get(milk), try await store.get(bread)]
    XCTAssertEqual(read, [["n": 1], nil])
    try await store.save(edit(milk, ["n": 3]))
    try await store.withConnection { try $0.checkIntegrity() }
  }

  func testReadersDoNotWaitForWhoWritesAndSeeWhatWasRecorded() async throws {
    let store = try await openStore()
    try await store.save(edit(milk, ["n": 1]))
    let (began, ended) = (AsyncStream<Void>.makeStream(), DispatchSemaphore(value: 0))
    let change = edit(milk, ["n": 2])
    async let writing: Void = store.edit { door in
      try door.save(change)
      began.continuation.finish()
      ended.wait()
    }
    for await _ in began.stream {}
    let before = try await store.get(milk)
    XCTAssertEqual(before, ["n": 1])
    ended.signal()
    try await writing
    let after = try await store.get(milk)
    XCTAssertEqual(after, ["n": 2])
  }

  func testAnEntryInAFormThatIsNotKnownIsSetAsideAndNeverDropped() async throws {
    let store = try await openStore()
    for n in 0..<2 { try await store.save(edit(milk, ["n": DocumentValue(n)])) }
    for change in [
      "UPDATE outbox SET form = 9", "UPDATE outbox SET form = 1, details = '{\"last\":7}'",
    ] {
      try await store.withConnection { connection in
        try connection.transaction { try connection.execute(written: change) }
      }
      let status = try await store.status(milk)
      XCTAssertEqual(status?.problem, .other, change)
      XCTAssertEqual(status?.isPending, true)
    }
    try await store.save(edit(milk, ["n": 2]))
    let sent = try await store.begin(milk)
    XCTAssertEqual(sent?.content, ["n": 2])
    XCTAssertEqual(sent?.order.kind, .create)
  }

  func testAnEntryInAFormThatIsNotKnownHoldsUpNothingWhereverItIs() async throws {
    let store = try await openStore()
    for id in [milk, bread, eggs] { try await store.save(edit(id, ["n": 1])) }
    try await store.save(edit(eggs, ["n": 2]))
    _ = try await store.begin(milk)
    _ = try await store.begin(bread)
    try await store.end(bread, .unmet(Refusal(status: 412, words: "")))
    try await store.withConnection { connection in
      _ = try connection.run("UPDATE outbox SET form = 9")
    }
    try await store.sync { [notes] door in
      try door.abandonSends()
      try door.pullEnded(door.pullBegan(), of: notes)
    }
    let (ready, counts) = (
      try await store.ready(notes), try await store.read { try $0.counts() }
    )
    XCTAssertEqual(ready, [])
    XCTAssertEqual(counts.setAside, 3)
    let retried = try await store.edit { try $0.retryAll() }
    XCTAssertEqual(retried, 3)
    let again = try await store.ready(notes)
    XCTAssertEqual(again, [milk, bread, eggs])
  }

  func testContentThatMakesNoSenseIsDamage() async throws {
    let store = try await openStore()
    try await store.save(edit(milk, ["n": 1]))
    try await store.withConnection { connection in
      _ = try connection.run("UPDATE documents SET body = '{'")
    }
    await assertFails(.damaged) { try await store.get(self.milk) }
  }

  func testAStoreThatIsClosedSaysSo() async throws {
    let store = try await openStore()
    await store.close()
    await assertFails(.misuse) { try await store.get(self.milk) }
  }
}
