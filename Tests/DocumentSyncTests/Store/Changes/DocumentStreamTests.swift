import XCTest

@testable import DocumentSync

/// One document as a stream of values.
final class DocumentStreamTests: StoreTestCase {
  func testAStreamBeginsWithWhatIsThereAndGoesOnWithEachOtherValue() async throws {
    let store = try await openStore()
    var values = store.document(milk).makeAsyncIterator()
    var value = try await values.next()
    XCTAssertEqual(value, .some(nil))
    try await store.save(edit(bread, ["n": 1]))
    try await store.save(edit(milk, ["n": 1]))
    value = try await values.next()
    XCTAssertEqual(value, ["n": 1])
    // Neither is something else to see.
    try await store.send(milk, as: "1")
    try await store.save(edit(milk, ["n": 1.0]))
    try await store.makeSynced(milk, ["n": 2], "2", in: notes)
    value = try await values.next()
    XCTAssertEqual(value, ["n": 2])
    try await store.sync { [notes] in try $0.hide(true, notes) }
    value = try await values.next()
    XCTAssertEqual(value, .some(nil))
    try await store.sync { [notes] in try $0.hide(false, notes) }
    value = try await values.next()
    XCTAssertEqual(value, ["n": 2])
    try await store.delete(milk)
    value = try await values.next()
    XCTAssertEqual(value, .some(nil))
    await store.close()
    value = try await values.next()
    XCTAssertTrue(value == nil, "the end")
  }

  func testWhoIsSlowSeesTheLastValue() async throws {
    let store = try await openStore()
    var values = store.document(milk).makeAsyncIterator()
    _ = try await values.next()
    for n in 1...20 { try await store.save(edit(milk, ["n": DocumentValue(n)])) }
    let value = try await values.next()
    XCTAssertEqual(value, ["n": 20])
  }

  func testWhatIsSavedBetweenListeningAndReadingIsNotMissed() async throws {
    let store = try await openStore()
    var values = store.document(milk).makeAsyncIterator()
    try await store.save(edit(milk, ["n": 1]))
    let value = try await values.next()
    XCTAssertEqual(value, ["n": 1])
  }

  func testAStreamEndsWithTheTaskThatReadsIt() async throws {
    let store = try await openStore()
    let (started, ready) = AsyncStream<Void>.makeStream()
    let reader = Task { [milk] in
      var count = 0
      for try await _ in store.document(milk) {
        count += 1
        ready.finish()
      }
      return count
    }
    for await _ in started {}
    reader.cancel()
    let count = try await reader.value
    XCTAssertEqual(count, 1)
    XCTAssertFalse(store.hub.hasListeners)
  }
}
