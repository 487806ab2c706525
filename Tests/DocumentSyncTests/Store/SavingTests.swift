import Foundation
import SyncLock
import TestSupport
import XCTest

@testable import DocumentSync

/// What people store comes back, and enters the outbox or doesn't.
final class SavingTests: StoreTestCase {
  func testWhatIsSavedComesBackAsItWasWrittenAndIsToBeSent() async throws {
    let store = try await openStore()
    let content = try DocumentValue(parsing: #"{ "n": 1.0, "big": 12345678901234567, "n2": null}"#)
    try await store.save(edit(milk, content))
    let again = try await openStore()
    try await assertEqual(again.get(milk)?.text, content.text)
    try await assertEqual(again.status(milk)?.state, .created)
    try await assertEqual(again.status(milk)?.isPending, true)
    try await assertEqual(again.ready(notes), [milk])
  }

  func testWhatNobodyStoredIsNothing() async throws {
    let store = try await openStore()
    try await assertNil(store.get(milk))
    try await assertNil(store.status(milk))
    try await assertFalse(store.delete(milk))
  }

  func testWhatIsStashedIsNotSentUntilItIsSaved() async throws {
    let store = try await openStore()
    try await store.edit { [edit = edit(milk, ["n": 1])] in
      XCTAssertTrue(try $0.stash(edit))
      XCTAssertFalse(try $0.stash(edit))
    }
    try await assertEqual(store.ready(notes), [])
    try await assertTrue(store.save(edit(milk, ["n": 1])), "a stashed one enters the outbox")
    try await assertEqual(store.ready(notes), [milk])
    try await assertFalse(store.save(edit(milk, ["n": 1])), "it's there already")
  }

  func testSavingWhatIsSyncedDoesNothingHoweverItIsWritten() async throws {
    let store = try await syncedStore(milk, ["a": 1, "b": 2])
    try await assertFalse(store.save(edit(milk, try .init(parsing: #"{"b":2.0, "a":1e0}"#))))
    try await assertEqual(store.status(milk)?.state, .synced)
    try await assertEqual(store.get(milk)?.text, #"{"a":1,"b":2}"#)
  }

  func testSavingTheServersValueBackTakesTheChangeOutOfTheOutbox() async throws {
    let store = try await syncedStore()
    try await store.save(edit(milk, ["n": 2]))
    try await assertEqual(store.status(milk)?.state, .edited)
    try await store.save(edit(milk, ["n": 1]))
    try await assertEqual(store.status(milk)?.state, .synced)
    try await assertEqual(store.counts().outbox, 0)
  }

  func testAStashedChangeIsOverWhenTheServersValueIsStashedOrSaved() async throws {
    let store = try await syncedStore()
    for isSaved in [false, true] {
      try await store.edit { [two = edit(milk, ["n": 2]), one = edit(milk, ["n": 1])] in
        try $0.stash(two)
        XCTAssertTrue(try isSaved ? $0.save(one) : $0.stash(one))
      }
      try await assertEqual(store.stored(milk)?.isSynced, true)
    }
  }

  func testSavingAgainKeepsThePlaceAndSendsTheLatestContentOnly() async throws {
    let store = try await openStore(saving: edit(milk, ["n": 1]))
    try await store.save(edit(bread, ["n": 1]))
    time.withLock { $0 += 5_000 }
    try await store.save(edit(milk, ["n": 2]))
    try await assertEqual(store.ready(notes), [milk, bread])
    try await assertEqual(store.begin(milk)?.content, ["n": 2])
    try await assertEqual(store.counts().oldest?.milliseconds, 1_700_000_000_000)
  }

  func testOfManyAllAreSavedOrNone() async throws {
    let store = try await syncedStore(eggs, in: tags)
    let edits = [edit(milk, ["n": 1]), edit(bread, ["n": 1]), edit(eggs, ["n": 2])]
    await assertFails(.atHomeElsewhere(eggs, collection: tags.collection)) {
      try await store.save(edits)
    }
    // Neither is a part left behind where somebody bears the error.
    try await store.edit { editor in
      XCTAssertThrowsError(try editor.save(edits))
      try editor.save(edits[1])
    }
    try await assertNil(store.get(milk))
    try await assertNotNil(store.get(bread))
  }

  func testTenThousandAreSavedInOneTransaction() async throws {
    let store = try await openStore()
    let edits = (0..<10_000).map { edit(DocumentID("\($0)"), ["n": DocumentValue($0)]) }
    try await assertEqual(store.save(edits), 10_000)
    try await assertEqual(store.counts().documents, 10_000)
    try await assertEqual(store.counts().outbox, 10_000)
  }

  func testWhatIsNoDocumentIsRefused() async throws {
    let store = try await openStore()
    await assertFails(.notAnObject(milk)) { try await store.save(edit(milk, [1])) }
    await assertFails(.noID) { try await store.save(edit(DocumentID(""), [:])) }
    try await assertEqual(store.counts(), StoreCounts())
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
    try await assertEqual(
      store.stored(milk)?.body?["_times"], ["a": 1_700_000_000_000, "b": 1_700_000_000_001])
    try await assertEqual(store.get(milk), ["a": 1, "b": 2])
    try await assertFalse(store.save(stamped))
  }
}
