import SyncDatabase
import TestSupport
import XCTest

@testable import DocumentSync

/// A store's file: what is opened, what is refused, and what happens where it can't be written.
final class OpeningTests: StoreTestCase {
  private func assertFails<Result>(
    _ code: DatabaseError.Code, _ body: () async throws -> Result, file: StaticString = #filePath,
    line: UInt = #line
  ) async {
    await assertEqual(
      thrown(DatabaseError.self, by: try await body(), file: file, line: line)?.code, code)
  }

  func testAStoreInMemoryDoesWhatOneInAFileDoes() async throws {
    let store = try await openStore(.memory)
    try await store.save(edit(milk, ["n": 1]))
    try await store.send(milk, as: "1")
    try await assertEqual(store.status(milk)?.state, .synced)
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
    let store = try await openStore(saving: edit(milk, ["n": 1]))
    try await store.run("INSERT INTO migrations (name) VALUES ('wings')")
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
    try await assertEqual(reader.get(milk), ["n": 1])
    await assertFails(.readOnly) { try await reader.save(edit(milk, ["n": 2])) }
    try await writer.save(edit(milk, ["n": 2]))
    try await assertEqual(reader.get(milk), ["n": 2])
  }

  /// One that was opened as if it couldn't change would go on with what it read first.
  func testWhatIsWrittenAfterAStoreWasOpenedToBeReadIsSeen() async throws {
    let writer = try await openStore(saving: edit(milk, ["n": 1]))
    await writer.close()
    var options = DocumentStoreOptions()
    options.access = .readOnly
    let reader = try await DocumentStore(.file(path), options: options)
    try await assertEqual(reader.get(milk), ["n": 1])
    let again = try await openStore(saving: edit(milk, ["n": 2]))
    try await assertEqual(reader.get(milk), ["n": 2])
    await again.close()
  }

  func testWhereThereIsNoRoomNothingOfATransactionIsWritten() async throws {
    let store = try await openStore(saving: edit(milk, ["n": 1]))
    try await store.withConnection { connection in
      try connection.query("PRAGMA max_page_count = 60", values: []) { _ in }
    }
    let long = DocumentValue(String(repeating: "x", count: 1_000_000))
    await assertFails(.full) {
      try await store.edit { door in
        try door.save(DocumentEdit(milk, in: notes, ["n": 2]))
        try door.save(DocumentEdit(bread, in: notes, ["n": long]))
      }
    }
    // Nor where somebody swallows the error.
    await assertFails(.misuse) {
      try await store.edit { door in
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
    let store = try await openStore(saving: edit(milk, ["n": 1]))
    let (began, ended) = (AsyncStream<Void>.makeStream(), DispatchSemaphore(value: 0))
    let change = edit(milk, ["n": 2])
    async let writing: Void = store.edit { door in
      try door.save(change)
      began.continuation.finish()
      ended.wait()
    }
    for await _ in began.stream {}
    try await assertEqual(store.get(milk), ["n": 1])
    ended.signal()
    try await writing
    try await assertEqual(store.get(milk), ["n": 2])
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
      try await assertEqual(store.status(milk)?.problem, .other, change)
      try await assertEqual(store.status(milk)?.isPending, true)
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
    try await store.begin(milk)
    try await store.send(bread, ending: .unmet(Refusal(status: 412, words: "")))
    try await store.run("UPDATE outbox SET form = 9")
    try await store.sync { door in
      try door.abandonSends()
      try door.pullEnded(door.pullBegan(), of: notes)
    }
    try await assertEqual(store.ready(notes), [])
    try await assertEqual(store.counts().setAside, 3)
    try await assertEqual(store.edit { try $0.retryAll() }, 3)
    try await assertEqual(store.ready(notes), [milk, bread, eggs])
  }

  func testContentThatMakesNoSenseIsDamage() async throws {
    let store = try await openStore(saving: edit(milk, ["n": 1]))
    try await store.run("UPDATE documents SET body = '{'")
    await assertFails(.damaged) { try await store.get(milk) }
  }

  func testAStoreThatIsClosedSaysSo() async throws {
    let store = try await openStore()
    await store.close()
    await assertFails(.misuse) { try await store.get(milk) }
  }
}
