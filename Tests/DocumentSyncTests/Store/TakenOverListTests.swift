import TestSupport
import XCTest

@testable import DocumentSync

/// Whoever takes documents over is told all that the server has of them.
final class TakenOverListTests: SignedOutTestCase {
  private func reason(
    _ store: DocumentStore, _ home: DocumentScope
  ) async throws -> ListComparison.Reason? {
    try await store.sync { try $0.comparison(of: home, isOfEverything: true)?.reason }
  }

  func testWhoTakesDocumentsOverIsToldTheirListFromItsBeginning() async throws {
    for way in Self.ways.indices {
      let store = try await makeStore()
      try await store.pull(PulledPage([], checkpoint: "3"), of: notes)
      try await enter(notes, store, way: way)
      try await assertEqual(
        store.read { [try $0.checkpoint(of: notes), try $0.checkpoint(of: nobodys)] }, [nil, nil])
      let reason = try await reason(store, notes)
      XCTAssertEqual(reason, .forgotten, "what isn't shown to them needn't have been deleted")
    }
  }

  func testTheListOfWhoTakesNothingOverGoesOn() async throws {
    for way in Self.ways.indices {
      let store = try await openStore(.memory)
      for (scope, checkpoint) in [(notes, "3"), (nobodys, "7")] {
        try await store.pull(PulledPage([], checkpoint: checkpoint), of: scope)
      }
      try await enter(notes, store, way: way)
      try await assertEqual(store.checkpoint(of: notes), "3")
    }
  }

  func testEditsThatAreKeptForWhoKnowsAListHaveItToldFromItsBeginning() async throws {
    let store = try await openStore(.memory)
    try await store.makeSynced(milk)
    try await store.save(edit(milk, ["n": 2]))
    try await store.pull(PulledPage([], checkpoint: "3"), of: bobs)
    try await store.becomes("bob", .keep)
    let known = try await store.checkpoint(of: bobs)
    XCTAssertNil(known, "what the server has of it by now came before that")
    try await assertEqual(reason(store, bobs), .forgotten)
  }
}
