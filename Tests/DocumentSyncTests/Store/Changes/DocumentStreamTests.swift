import TestSupport
import XCTest

@testable import DocumentSync

/// One document as a stream of values.
final class DocumentStreamTests: StoreTestCase {
  func testAStreamBeginsWithWhatIsThereAndGoesOnWithEachOtherValue() async throws {
    let store = try await openStore()
    var values = store.document(milk).makeAsyncIterator()
    try await assertEqual(values.next(), .some(nil))
    try await store.save(edit(bread, ["n": 1]))
    try await store.save(edit(milk, ["n": 1]))
    try await assertEqual(values.next(), ["n": 1])
    // Neither is something else to see.
    try await store.send(milk, as: "1")
    try await store.save(edit(milk, ["n": 1.0]))
    try await store.makeSynced(milk, ["n": 2], "2")
    try await assertEqual(values.next(), ["n": 2])
    try await store.hide(true, notes)
    try await assertEqual(values.next(), .some(nil))
    try await store.hide(false, notes)
    try await assertEqual(values.next(), ["n": 2])
    try await store.delete(milk)
    try await assertEqual(values.next(), .some(nil))
    await store.close()
    try await assertTrue(values.next() == nil, "the end")
  }

  func testWhoIsSlowSeesTheLastValue() async throws {
    let store = try await openStore()
    var values = store.document(milk).makeAsyncIterator()
    _ = try await values.next()
    for n in 1...20 { try await store.save(edit(milk, ["n": DocumentValue(n)])) }
    try await assertEqual(values.next(), ["n": 20])
  }

  func testWhatIsSavedBetweenListeningAndReadingIsNotMissed() async throws {
    let store = try await openStore()
    var values = store.document(milk).makeAsyncIterator()
    try await store.save(edit(milk, ["n": 1]))
    try await assertEqual(values.next(), ["n": 1])
  }

  func testAStreamEndsWithTheTaskThatReadsIt() async throws {
    let store = try await openStore()
    let (started, ready) = AsyncStream<Void>.makeStream()
    let reader = Task {
      var count = 0
      for try await _ in store.document(milk) {
        count += 1
        ready.finish()
      }
      return count
    }
    for await _ in started {}
    reader.cancel()
    try await assertEqual(reader.value, 1)
    XCTAssertFalse(store.hub.hasListeners)
  }
}
