import SyncLock
import XCTest

@testable import DocumentSync

/// What people store comes back, and enters the outbox or doesn't.
final class SavingTests: StoreTestCase {
  func testWhatIsSavedComesBackAsItWasWrittenAndIsToBeSent() async throws {
    let store = try await openStore()
    let content = try DocumentValue(parsing: #"{ "n": 1.0, "big": 12345678901234567, "n2": null}"#)
    try await store.save(edit(milk, content))
    let again = try await openStore()
    let read = try await again.get(milk)
    XCTAssertEqual(read?.text, content.text)
    let status = try await again.status(milk)
    XCTAssertEqual(status?.state, .created)
    XCTAssertEqual(status?.isPending, true)
    let ready = try await again.ready(notes)
    XCTAssertEqual(ready, [milk])
  }

  func testWhatNobodyStoredIsNothing() async throws {
    let store = try await openStore()
    let (read, status) = (try await store.get(milk), try await store.status(milk))
    XCTAssertNil(read)
    XCTAssertNil(status)
    let deleted = try await store.delete(milk)
    XCTAssertFalse(deleted)
  }

  func testWhatIsStashedIsNotSentUntilItIsSaved() async throws {
    let store = try await openStore()
    try await store.edit { [edit = edit(milk, ["n": 1])] in
      XCTAssertTrue(try $0.stash(edit))
      XCTAssertFalse(try $0.stash(edit))
    }
    var ready = try await store.ready(notes)
    XCTAssertEqual(ready, [])
    var saved = try await store.save(edit(milk, ["n": 1]))
    XCTAssertTrue(saved, "a stashed one enters the outbox")
    ready = try await store.ready(notes)
    XCTAssertEqual(ready, [milk])
    saved = try await store.save(edit(milk, ["n": 1]))
    XCTAssertFalse(saved, "it's there already")
  }

  func testSavingWhatIsSyncedDoesNothingHoweverItIsWritten() async throws {
    let store = try await openStore()
    try await store.makeSynced(milk, ["a": 1, "b": 2], "1", in: notes)
    let saved = try await store.save(edit(milk, try .init(parsing: #"{"b":2.0, "a":1e0}"#)))
    XCTAssertFalse(saved)
    let (status, read) = (try await store.status(milk), try await store.get(milk))
    XCTAssertEqual(status?.state, .synced)
    XCTAssertEqual(read?.text, #"{"a":1,"b":2}"#)
  }

  func testSavingTheServersValueBackTakesTheChangeOutOfTheOutbox() async throws {
    let store = try await openStore()
    try await store.makeSynced(milk, ["n": 1], "1", in: notes)
    try await store.save(edit(milk, ["n": 2]))
    var status = try await store.status(milk)
    XCTAssertEqual(status?.state, .edited)
    try await store.save(edit(milk, ["n": 1]))
    status = try await store.status(milk)
    XCTAssertEqual(status?.state, .synced)
    let counts = try await store.read { try $0.counts() }
    XCTAssertEqual(counts.outbox, 0)
  }

  func testAStashedChangeIsOverWhenTheServersValueIsStashedOrSaved() async throws {
    let store = try await openStore()
    try await store.makeSynced(milk, ["n": 1], "1", in: notes)
    for isSaved in [false, true] {
      try await store.edit { [two = edit(milk, ["n": 2]), one = edit(milk, ["n": 1])] in
        try $0.stash(two)
        XCTAssertTrue(try isSaved ? $0.save(one) : $0.stash(one))
      }
      let stored = try await store.stored(milk)
      XCTAssertEqual(stored?.isSynced, true)
    }
  }

  func testSavingAgainKeepsThePlaceAndSendsTheLatestContentOnly() async throws {
    let store = try await openStore()
    try await store.save(edit(milk, ["n": 1]))
    try await store.save(edit(bread, ["n": 1]))
    time.withLock { $0 += 5_000 }
    try await store.save(edit(milk, ["n": 2]))
    let ready = try await store.ready(notes)
    XCTAssertEqual(ready, [milk, bread])
    let sent = try await store.begin(milk)
    XCTAssertEqual(sent?.content, ["n": 2])
    let counts = try await store.read { try $0.counts() }
    XCTAssertEqual(counts.oldest, 1_700_000_000_000)
  }

  func testOfManyAllAreSavedOrNone() async throws {
    let store = try await openStore()
    try await store.makeSynced(eggs, ["n": 1], "1", in: tags)
    let edits = [edit(milk, ["n": 1]), edit(bread, ["n": 1]), edit(eggs, ["n": 2])]
    await assertFails(.atHomeElsewhere(eggs, collection: tags.collection, server: tags.server)) {
      try await store.edit { try $0.save(edits) }
    }
    // Neither is a part left behind where somebody bears the error.
    try await store.edit { editor in
      XCTAssertThrowsError(try editor.save(edits))
      try editor.save(edits[1])
    }
    let (one, other) = (try await store.get(milk), try await store.get(bread))
    XCTAssertNil(one)
    XCTAssertNotNil(other)
  }

  func testTenThousandAreSavedInOneTransaction() async throws {
    let store = try await openStore()
    let edits = (0..<10_000).map { edit(DocumentID("\($0)"), ["n": DocumentValue($0)]) }
    let changed = try await store.edit { try $0.save(edits) }
    XCTAssertEqual(changed, 10_000)
    let counts = try await store.read { try $0.counts() }
    XCTAssertEqual(counts.documents, 10_000)
    XCTAssertEqual(counts.outbox, 10_000)
  }

  func testWhatIsNoDocumentIsRefused() async throws {
    let store = try await openStore()
    await assertFails(.notAnObject(milk)) { try await store.save(edit(milk, [1])) }
    await assertFails(.noID) { try await store.save(edit(DocumentID(""), [:])) }
    let counts = try await store.read { try $0.counts() }
    XCTAssertEqual(counts, StoreCounts())
  }

  func testOfTwoWhoStashWhatIsAbsentOneIsToldThatItDid() async throws {
    let store = try await openStore()
    let made = try await withThrowingTaskGroup(of: Bool.self) { group in
      for n in 0..<10 {
        group.addTask { [edit = edit(milk, ["n": DocumentValue(n)])] in
          try await store.edit { door in
            try door.reader.document(edit.id) == nil ? try door.stash(edit) : false
          }
        }
      }
      return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
    }
    XCTAssertEqual(made, 1)
  }

  func testOfTwoWhoWantTheSameDocumentOneMakesIt() async throws {
    // Two connections, as two processes have.
    let stores = [try await openStore(), try await openStore()]
    let made = try await withThrowingTaskGroup(of: Bool.self) { group in
      for n in 0..<20 {
        group.addTask { [edit = edit(DocumentID("\(n)"), ["name": "milk"])] in
          try await stores[n % 2].edit { door in
            let isThere = try (0..<20).contains {
              try door.reader.document(DocumentID("\($0)"))?["name"] == "milk"
            }
            return try isThere ? false : door.save(edit)
          }
        }
      }
      return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
    }
    XCTAssertEqual(made, 1)
  }

  func testMembersCarryTheTimesOfTheirChangesWhereThatIsWanted() async throws {
    let store = try await openStore()
    var stamped = edit(milk, ["a": 1, "b": 1])
    stamped.stamps = true
    try await store.save(stamped)
    time.withLock { $0 += 1 }
    stamped = edit(milk, ["a": 1, "b": 2])
    stamped.stamps = true
    try await store.save(stamped)
    let stored = try await store.stored(milk)
    XCTAssertEqual(
      stored?.body?["_times"], ["a": 1_700_000_000_000, "b": 1_700_000_000_001])
    let read = try await store.get(milk)
    XCTAssertEqual(read, ["a": 1, "b": 2])
    let saved = try await store.save(stamped)
    XCTAssertFalse(saved)
  }
}
