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
      try await store.sync { [notes] in
        _ = try $0.pulled(PulledPage([], checkpoint: "3"), of: notes)
      }
      try await enter(notes, store, way: way)
      let known = try await store.read { [notes, nobodys] in
        [try $0.checkpoint(of: notes), try $0.checkpoint(of: nobodys)]
      }
      XCTAssertEqual(known, [nil, nil])
      let reason = try await reason(store, notes)
      XCTAssertEqual(reason, .forgotten, "what isn't shown to them needn't have been deleted")
    }
  }

  func testTheListOfWhoTakesNothingOverGoesOn() async throws {
    for way in Self.ways.indices {
      let store = try await openStore(.memory)
      for (scope, checkpoint) in [(notes, "3"), (nobodys, "7")] {
        try await store.sync {
          _ = try $0.pulled(PulledPage([], checkpoint: checkpoint), of: scope)
        }
      }
      try await enter(notes, store, way: way)
      let known = try await store.read { [notes] in try $0.checkpoint(of: notes) }
      XCTAssertEqual(known, "3")
    }
  }

  func testEditsThatAreKeptForWhoKnowsAListHaveItToldFromItsBeginning() async throws {
    let store = try await openStore(.memory)
    try await store.makeSynced(milk, ["n": 1], "1", in: notes)
    try await store.save(edit(milk, ["n": 2]))
    try await store.sync { [bobs] in
      _ = try $0.pulled(PulledPage([], checkpoint: "3"), of: bobs)
    }
    _ = try await store.edit { [bobs] in
      try $0.becomes(account: "bob", of: bobs.server, unsent: .keep)
    }
    let known = try await store.read { [bobs] in try $0.checkpoint(of: bobs) }
    XCTAssertNil(known, "what the server has of it by now came before that")
    let reason = try await reason(store, bobs)
    XCTAssertEqual(reason, .forgotten)
  }
}
