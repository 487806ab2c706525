import TestSupport
import XCTest

@testable import DocumentSync

/// What stands for all that a server is known to have.
final class DigestTests: StoreTestCase {
  private func digest(_ store: DocumentStore) async throws -> String {
    try await store.read { try $0.digest() }
  }

  private func isAtRest(_ store: DocumentStore) async throws -> Bool {
    try await store.read { try $0.isAtRest() }
  }

  func testItIsTheSameWhateverTheOrderAndTheWayOfWriting() async throws {
    let (one, other) = (try await openStore(.memory), try await openStore(.memory))
    try await one.makeSynced(milk, try .init(parsing: #"{"a":1,"b":1.0}"#))
    try await one.makeSynced(eggs, ["n": 1], "2", in: tags)
    try await other.makeSynced(eggs, try .init(parsing: #"{"n":10e-1,"_times":{}}"#), "2", in: tags)
    try await other.makeSynced(milk, try .init(parsing: #"{ "b":1, "a":1e0 }"#), "0")
    let unequal = (try await digest(one), try await digest(other))
    XCTAssertNotEqual(unequal.0, unequal.1)
    try await other.makeSynced(milk, try .init(parsing: #"{ "b":1, "a":1e0 }"#))
    let equal = (try await digest(one), try await digest(other))
    XCTAssertEqual(equal.0, equal.1)
    XCTAssertEqual(equal.0.utf8.count, 64)
  }

  func testEachPartOfWhatTheServerHasCounts() async throws {
    var digests: Set<String> = []
    let variants: [(DocumentID, DocumentScope, String, DocumentValue)] = [
      (milk, notes, "1", ["n": 1]), (bread, notes, "1", ["n": 1]), (milk, tags, "1", ["n": 1]),
      (milk, notes, "2", ["n": 1]), (milk, notes, "1", ["n": 2]), (milk, notes, "1", [:]),
    ]
    for (id, scope, version, content) in variants {
      let store = try await openStore(.memory)
      try await store.makeSynced(id, content, version, in: scope)
      digests.insert(try await digest(store))
    }
    digests.insert(try await digest(try await openStore(.memory)))
    XCTAssertEqual(digests.count, variants.count + 1)
  }

  func testWhatIsOnlyHereIsNoPartOfIt() async throws {
    let store = try await openStore()
    for id in [milk, bread, eggs] { try await store.makeSynced(id) }
    let before = try await digest(store)
    try await store.save(edit(milk, ["n": 2]))
    try await store.delete(bread)
    try await store.stash(edit(eggs, ["n": 3]))
    try await store.save(edit(DocumentID("new"), ["n": 1]))
    try await store.stash(edit(DocumentID("kept"), ["n": 1]))
    try await store.send(milk, ending: .refused(Refusal(status: 400, words: "no")))
    try await assertEqual(digest(store), before)
  }

  func testOfAConflictTheServersNewestCounts() async throws {
    let (store, other) = (try await openStore(), try await openStore(.memory))
    for store in [store, other] { try await store.makeSynced(milk) }
    try await store.save(edit(milk, ["n": 2]))
    for store in [store, other] {
      try await store.pull(milk, .present(copy(["n": 3], "2")), notes, .ask)
    }
    var both = (try await digest(store), try await digest(other))
    XCTAssertEqual(both.0, both.1)
    for store in [store, other] { try await store.pull(milk, .deleted(nil), notes, .ask) }
    both = (try await digest(store), try await digest(other))
    XCTAssertEqual(both.0, both.1)
  }

  func testAStoreIsAtRestWhenNothingWaits() async throws {
    let store = try await syncedStore()
    try await store.stash(edit(bread, ["n": 3]))
    var rests = [try await isAtRest(store)]
    try await store.save(edit(milk, ["n": 2]))
    rests.append(try await isAtRest(store))
    try await store.send(milk, as: "2")
    rests.append(try await isAtRest(store))
    try await store.pull(bread, .present(copy(["n": 4], "3")), notes, .ask)
    rests.append(try await isAtRest(store))
    try await store.resolve(bread, .there)
    rests.append(try await isAtRest(store))
    let page = PulledPage([], unreadable: [UnreadableDocument(name: "x", words: "no object")])
    try await store.pull(page, of: notes)
    rests.append(try await isAtRest(store))
    XCTAssertEqual(rests, [true, false, true, false, true, false])
  }
}
