import TestSupport
import XCTest

@testable import DocumentSync

/// What listeners are told of commits.
final class ChangesTests: StoreTestCase {
  private func change(
    _ origin: StoreChange.Origin, _ documents: (DocumentID, ChangedDocument.Kind)...
  ) -> StoreChange {
    StoreChange(
      origin: origin,
      documents: documents.map { ChangedDocument(id: $0.0, scope: notes, kind: $0.1) },
      isComplete: true)
  }

  /// All that was told until the store was closed.
  private func told(
    _ store: DocumentStore, _ body: () async throws -> Void
  ) async throws -> [StoreChange] {
    let changes = store.changes
    try await body()
    await store.close()
    return await changes.reduce(into: []) { $0.append($1) }
  }

  func testEachCommitIsToldOnceWithWhoseItIs() async throws {
    let store = try await openStore()
    let told = try await told(store) {
      try await store.edit { [one = edit(milk, ["n": 1]), two = edit(bread, ["n": 1])] in
        _ = try $0.save([one, two])
      }
      try await store.save(edit(milk, ["n": 2]))
      try await store.makeSynced(eggs)
      try await store.delete(bread)
    }
    XCTAssertEqual(
      told,
      [
        change(.user, (milk, .appeared), (bread, .appeared)), change(.user, (milk, .changed)),
        change(.sync, (eggs, .appeared)), change(.user, (bread, .disappeared)),
      ])
  }

  func testNothingIsToldWhereNothingChanged() async throws {
    let store = try await syncedStore(milk, ["a": 1, "b": 2])
    let told = try await told(store) {
      try await store.save(edit(milk, try DocumentValue(parsing: #"{"b":2.0,"a":1}"#)))
      try await store.makeSynced(milk, ["a": 1, "b": 2])
      try await store.makeSynced(milk, ["b": 2, "a": 1.0], "2")
      try await store.delete(bread)
      _ = try await store.sync { $0.pullBegan() }
      // There and back again.
      try await store.edit { [other = edit(milk, ["a": 2]), same = edit(milk, ["a": 1, "b": 2])] in
        _ = try $0.save(other)
        _ = try $0.save(same)
      }
      try await store.edit { [new = edit(eggs, [:]), eggs] in
        _ = try $0.save(new)
        _ = try $0.delete(eggs)
      }
    }
    XCTAssertEqual(told, [])
  }

  func testWhatWasTakenBackIsNotTold() async throws {
    let store = try await syncedStore(eggs, [:], "1", in: tags)
    let told = try await told(store) {
      await assertFails(.notAnObject(bread)) {
        try await store.edit {
          _ = try $0.save(DocumentEdit(milk, in: notes, [:]))
          _ = try $0.save(DocumentEdit(bread, in: notes, 1))
        }
      }
      let many = [edit(milk, [:]), edit(eggs, [:])]
      try await store.edit { [last = edit(bread, [:])] in
        XCTAssertThrowsError(try $0.save(many))
        _ = try $0.save(last)
      }
    }
    XCTAssertEqual(told, [change(.user, (bread, .appeared))])
  }

  func testHowADocumentStandsIsToldToo() async throws {
    let store = try await openStore(saving: edit(milk, ["n": 1]))
    let told = try await told(store) {
      try await store.send(milk, as: "1")
      try await store.save(edit(milk, ["n": 2]))
      try await store.pull(milk, .present(copy(["n": 3], "2")), notes, .ask)
    }
    XCTAssertEqual(
      told,
      [
        change(.sync, (milk, .status)), change(.user, (milk, .changed)),
        change(.sync, (milk, .status)),
      ])
  }

  func testEveryListenerIsToldAndOneThatEndedIsForgotten() async throws {
    let store = try await openStore()
    var first = store.changes.makeAsyncIterator()
    let second = Task { [changes = store.changes] () -> StoreChange? in
      for await change in changes { return change }
      return nil
    }
    try await store.save(edit(milk, ["n": 1]))
    let (one, two) = (await first.next(), await second.value)
    XCTAssertEqual(one, change(.user, (milk, .appeared)))
    XCTAssertEqual(two, one)
    try await store.save(edit(milk, ["n": 2]))
    await assertEqual(first.next(), change(.user, (milk, .changed)))
    await store.close()
    await assertNil(first.next())
    var late = store.changes.makeAsyncIterator()
    await assertNil(late.next())
  }

  func testWhoReadsWhenToldSeesWhatWasCommitted() async throws {
    let store = try await openStore()
    var changes = store.changes.makeAsyncIterator()
    for n in 1...50 {
      try await store.save(edit(milk, ["n": DocumentValue(n)]))
      await assertEqual(changes.next()?.concerns(milk), true)
      try await assertEqual(store.get(milk), ["n": DocumentValue(n)])
    }
  }

  func testWhatOthersWroteIsNoticed() async throws {
    let (store, other) = (try await openStore(), try await openStore())
    try await other.save(edit(milk, ["n": 1]))
    let told = try await told(store) {
      try await store.noticeOthers()
      try await store.noticeOthers()
      try await other.save(edit(milk, ["n": 2]))
      try await store.save(edit(bread, ["n": 1]))
      try await store.save(edit(bread, ["n": 2]))
    }
    let others = StoreChange(origin: .others, documents: [], isComplete: false)
    XCTAssertEqual(
      told,
      [others, others, change(.user, (bread, .appeared)), change(.user, (bread, .changed))])
  }

  func testACollectionThatIsHiddenOrDroppedIsToldAsAWhole() async throws {
    let store = try await syncedStore()
    let told = try await told(store) {
      try await store.hide(true, notes)
      try await store.hide(true, notes)
      try await store.edit { _ = try $0.dropCollection(notes) }
      try await store.edit { _ = try $0.dropCollection(notes) }
    }
    XCTAssertEqual(told.map(\.origin), [.sync, .user])
    XCTAssertEqual(told.map(\.isComplete), [false, false])
    XCTAssertEqual(told.map { $0.concerns(milk) }, [true, true])
  }

  func testVeryManyAtOnceAreToldAsAWhole() throws {
    var log = ChangeLog()
    let none = StoredDocument(id: milk, scope: notes)
    for n in 0..<ChangeLog.limit + 1 {
      let id = DocumentID("\(n)")
      var some = StoredDocument(id: id, scope: notes)
      some.body = [:]
      log.note(StoredDocument(id: id, scope: notes), some)
      log.note(none, none)
    }
    let change = log.change(by: .user)
    XCTAssertEqual(change?.documents.count, ChangeLog.limit)
    XCTAssertEqual(change?.isComplete, false)
  }
}
