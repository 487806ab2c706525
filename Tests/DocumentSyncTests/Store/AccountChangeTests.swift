import TestSupport
import XCTest

@testable import DocumentSync

/// What becomes of a store when its account does.
final class AccountChangeTests: StoreTestCase {
  private let elsewhere = DocumentScope(
    server: "https://example.net", account: "ann", collection: "notes")

  func testWhatIsDecided() {
    let rows: [(UnsentEdits, Int, AccountChange.Decision)] = [
      (.refuse, 0, .nothing), (.refuse, 1, .refused(1)), (.refuse, 9, .refused(9)),
      (.keep, 0, .moves), (.keep, 3, .moves), (.drop, 0, .nothing), (.drop, 3, .drops),
    ]
    for (wish, unsent, decision) in rows {
      XCTAssertEqual(AccountChange(unsent: unsent, wish: wish).decision, decision)
    }
  }

  /// Ann has a document as the server has it, one that she changed, a new one, and one that she
  /// deleted; and knows the list up to a checkpoint.
  private func makeStore() async throws -> DocumentStore {
    let store = try await openStore()
    for (id, text) in [(milk, "milk"), (bread, "bread"), (DocumentID("gone"), "gone")] {
      try await store.makeSynced(id, ["text": DocumentValue(text)])
    }
    try await store.pull(PulledPage([], checkpoint: "7"), of: notes)
    try await store.save(edit(bread, ["text": "rye"]))
    try await store.save(edit(eggs, ["text": "eggs"]))
    try await store.delete(DocumentID("gone"))
    return store
  }

  private func home(_ id: DocumentID, _ store: DocumentStore) async throws -> String? {
    try await store.stored(id)?.scope.account
  }

  func testSomebodyElseIsRefusedUntilItIsSaidWhatBecomesOfUnsentEdits() async throws {
    let store = try await makeStore()
    let before = try await store.counts()
    try await assertEqual(store.becomes("bob", .refuse), .refused(3))
    try await assertEqual(store.counts(), before)
    try await assertEqual(store.checkpoint(of: notes), "7")
    try await assertEqual(store.becomes("ann", .refuse), .nothing, "nobody else signs in")
  }

  func testKeptEditsAreSentByTheNewAccount() async throws {
    let store = try await makeStore()
    try await assertEqual(store.becomes("bob", .keep), .moves)
    try await assertEqual(store.ready(bobs), [bread, eggs, DocumentID("gone")])
    try await assertEqual(store.ready(notes), [])
    try await assertEqual([home(bread, store), home(milk, store)], ["bob", "ann"])
    try await assertEqual(store.get(bread), ["text": "rye"])
    try await assertNil(store.checkpoint(of: notes))
  }

  /// A document that the next account has from the server is that account's; what happened to it
  /// before isn't, however often that one signs in.
  func testTheLifeOfWhatTheServerShowsToTheNextAccountStaysWithTheFirstOne() async throws {
    let store = try await syncedStore(milk, ["text": "milk"])
    try await store.save(edit(milk, ["text": "oat milk"]))
    try await store.resign(milk)
    try await store.becomes("bob", .keep)
    try await store.pull(milk, .present(copy(["text": "milk"], "1")), bobs)
    try await assertEqual(home(milk, store.seen { notes.owner }), "ann", "it stays ann's, too")
    let before = try await events("bob", store)
    for _ in 0..<2 {
      try await store.edit {
        try $0.leaves(account: "bob", of: bobs.server)
        _ = try $0.becomes(account: "bob", of: bobs.server, unsent: .keep)
      }
    }
    let after = try await events("bob", store)
    XCTAssertEqual(after, before)
    XCTAssertFalse(after.contains(.resigned))
    try await assertTrue(events("ann", store).contains(.resigned))
  }

  private func events(_ account: String, _ store: DocumentStore) async throws -> [DocumentEvent?] {
    let owner = DocumentOwner(server: notes.server, account: account)
    return try await store.seen { owner }.read { reader in
      try reader.life(of: milk)?.moments.map(\.event) ?? []
    }
  }

  func testDroppedEditsLeaveWhatTheServerHadLast() async throws {
    let store = try await makeStore()
    try await assertEqual(store.becomes("bob", .drop), .drops)
    try await assertEqual(store.counts().outbox, 0)
    let texts = [
      try await store.get(milk), try await store.get(bread), try await store.get(eggs),
      try await store.get(DocumentID("gone")),
    ]
    XCTAssertEqual(texts, [["text": "milk"], ["text": "bread"], nil, ["text": "gone"]])
  }

  func testASecondSignInOfTheSameOneAfterTheChangeHasNothingToDecide() async throws {
    let store = try await makeStore()
    try await store.becomes("bob", .keep)
    try await assertEqual(store.becomes("bob", .refuse), .nothing)
    try await assertEqual(store.becomes("ann", .refuse), .refused(3))
  }

  func testWhatWasChangedBeforeAnybodySignedInBecomesTheirs() async throws {
    let store = try await openStore()
    try await store.save(DocumentEdit(milk, in: nobodys, ["text": "milk"]))
    try await store.stash(DocumentEdit(bread, in: nobodys, ["text": "bread"]))
    try await assertEqual(store.becomes("ann", .refuse), .nothing)
    try await assertEqual(store.ready(notes), [milk])
    try await assertEqual(home(bread, store), "ann")
  }

  func testAnotherServersEditsAreNoneOfIt() async throws {
    let store = try await openStore()
    try await store.save(DocumentEdit(milk, in: elsewhere, ["text": "milk"]))
    try await assertEqual(store.becomes("bob", .drop), .nothing)
    try await assertEqual(store.ready(elsewhere), [milk])
  }

  func testWhatWasUnderWayMovesAndMayHaveBeenTaken() async throws {
    let store = try await makeStore()
    try await store.begin(bread)
    try await store.becomes("bob", .keep)
    try await assertEqual(store.stored(bread)?.entry?.phase, .waiting)
    try await assertEqual(store.stored(bread)?.entry?.unanswered.count, 1)
    try await assertTrue(store.ready(bobs).contains(bread))
  }

  /// It was sent again by whoever signed in, and a service with keys of its own made another one.
  func testWhatMayHaveBeenMadeIsLookedForBeforeItIsSentAgainWhoeverSignsIn() async throws {
    for features in [[], [.idempotencyKeys]] as [Set<EndpointCapabilities.Feature>] {
      let said = EndpointCapabilities(features: features)
      for home in [notes, nobodys] {
        let store = try await openStore(.memory)
        try await store.sync { try $0.setCapabilities(said, of: notes.server) }
        try await store.save(DocumentEdit(milk, in: home, ["text": "milk"]))
        try await store.begin(milk)
        try await store.becomes("bob", .keep)
        let entry = try await store.stored(milk)?.entry
        XCTAssertEqual(entry?.isLostCreation, features.isEmpty, "\(home) \(features)")
        let ready = try await store.ready(bobs)
        XCTAssertEqual(ready, features.isEmpty ? [] : [milk], "\(home) \(features)")
      }
    }
  }

  /// The server, which is no part of that, shows nothing of it.
  func testWhatSomethingElseSendsIsNotLookedForAtTheServer() async throws {
    let store = try await openStore(.memory)
    try await store.sync {
      try $0.setCapabilities(EndpointCapabilities(features: []), of: notes.server)
    }
    for (id, home) in [(milk, notes), (bread, nobodys)] {
      try await store.save(DocumentEdit(id, in: home, ["text": "new"]))
      try await store.begin(id)
    }
    _ = try await store.edit {
      try $0.becomes(account: "bob", of: notes.server, unsent: .keep, routed: ["notes"])
    }
    try await assertEqual(store.ready(bobs), [milk, bread])
  }

  func testSigningOutKeepsDocumentsAndEdits() async throws {
    let store = try await makeStore()
    let before = try await store.counts()
    try await store.edit { try $0.leaves(account: "ann", of: "https://example.org") }
    try await assertEqual(store.counts(), before)
    try await assertNil(store.checkpoint(of: notes))
  }

  func testTheCountIsKnownBeforehand() async throws {
    let store = try await makeStore()
    let counts = try await store.read { reader in
      try ["ann", "bob"].map { try reader.unsent(ofOthersThan: $0, at: "https://example.org") }
    }
    XCTAssertEqual(counts, [0, 3])
  }
}
