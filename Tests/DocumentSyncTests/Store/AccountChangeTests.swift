import XCTest

@testable import DocumentSync

/// What becomes of a store when its account does.
final class AccountChangeTests: StoreTestCase {
  private let theirs = DocumentScope(
    server: "https://example.org", account: "bob", collection: "notes")
  private let nobodys = DocumentScope(
    server: "https://example.org", account: "", collection: "notes")
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

  private func becomes(
    _ account: String, _ wish: UnsentEdits, _ store: DocumentStore
  ) async throws -> AccountChange.Decision {
    try await store.edit { [notes] in
      try $0.becomes(account: account, of: notes.server, unsent: wish)
    }
  }

  /// Ann has a document as the server has it, one that she changed, a new one, and one that she
  /// deleted; and knows the list up to a checkpoint.
  private func makeStore() async throws -> DocumentStore {
    let store = try await openStore()
    for (id, text) in [(milk, "milk"), (bread, "bread"), (DocumentID("gone"), "gone")] {
      try await store.makeSynced(id, ["text": DocumentValue(text)], "1", in: notes)
    }
    try await store.sync { [notes] in
      _ = try $0.pulled(PulledPage([], checkpoint: "7"), of: notes)
    }
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
    let before = try await store.read { try $0.counts() }
    let decision = try await becomes("bob", .refuse, store)
    XCTAssertEqual(decision, .refused(3))
    let after = try await store.read { try $0.counts() }
    XCTAssertEqual(after, before)
    let checkpoint = try await store.read { [notes] in try $0.checkpoint(of: notes) }
    XCTAssertEqual(checkpoint, "7")
    let same = try await becomes("ann", .refuse, store)
    XCTAssertEqual(same, .nothing, "nobody else signs in")
  }

  func testKeptEditsAreSentByTheNewAccount() async throws {
    let store = try await makeStore()
    let decision = try await becomes("bob", .keep, store)
    XCTAssertEqual(decision, .moves)
    let ready = try await store.ready(theirs)
    XCTAssertEqual(ready, [bread, eggs, DocumentID("gone")])
    let old = try await store.ready(notes)
    XCTAssertEqual(old, [])
    let (moved, stayed) = (try await home(bread, store), try await home(milk, store))
    XCTAssertEqual([moved, stayed], ["bob", "ann"])
    let text = try await store.get(bread)
    XCTAssertEqual(text, ["text": "rye"])
    let checkpoint = try await store.read { [notes] in try $0.checkpoint(of: notes) }
    XCTAssertNil(checkpoint)
  }

  /// A document that the next account has from the server is that account's; what happened to it
  /// before isn't, however often that one signs in.
  func testTheLifeOfWhatTheServerShowsToTheNextAccountStaysWithTheFirstOne() async throws {
    let store = try await openStore()
    try await store.makeSynced(milk, ["text": "milk"], "1", in: notes)
    try await store.save(edit(milk, ["text": "oat milk"]))
    try await store.edit { [milk] in _ = try $0.resign(milk) }
    _ = try await becomes("bob", .keep, store)
    try await store.pull(milk, .present(copy(["text": "milk"], "1")), theirs)
    let before = try await events("bob", store)
    for _ in 0..<2 {
      try await store.edit { [theirs] in
        try $0.leaves(account: "bob", of: theirs.server)
        _ = try $0.becomes(account: "bob", of: theirs.server, unsent: .keep)
      }
    }
    let after = try await events("bob", store)
    XCTAssertEqual(after, before)
    XCTAssertFalse(after.contains(.resigned))
    let first = try await events("ann", store)
    XCTAssertTrue(first.contains(.resigned))
  }

  private func events(_ account: String, _ store: DocumentStore) async throws -> [DocumentEvent?] {
    let owner = DocumentOwner(server: notes.server, account: account)
    return try await store.seen { owner }.read { [milk] reader in
      try reader.life(of: milk)?.moments.map(\.event) ?? []
    }
  }

  func testDroppedEditsLeaveWhatTheServerHadLast() async throws {
    let store = try await makeStore()
    let decision = try await becomes("bob", .drop, store)
    XCTAssertEqual(decision, .drops)
    let counts = try await store.read { try $0.counts() }
    XCTAssertEqual(counts.outbox, 0)
    let texts = [
      try await store.get(milk), try await store.get(bread), try await store.get(eggs),
      try await store.get(DocumentID("gone")),
    ]
    XCTAssertEqual(
      texts, [["text": "milk"], ["text": "bread"], nil, ["text": "gone"]])
  }

  func testASecondSignInOfTheSameOneAfterTheChangeHasNothingToDecide() async throws {
    let store = try await makeStore()
    _ = try await becomes("bob", .keep, store)
    let decision = try await becomes("bob", .refuse, store)
    XCTAssertEqual(decision, .nothing)
    let back = try await becomes("ann", .refuse, store)
    XCTAssertEqual(back, .refused(3))
  }

  func testWhatWasChangedBeforeAnybodySignedInBecomesTheirs() async throws {
    let store = try await openStore()
    try await store.save(DocumentEdit(milk, in: nobodys, ["text": "milk"]))
    _ = try await store.edit { [nobodys, bread] in
      try $0.stash(DocumentEdit(bread, in: nobodys, ["text": "bread"]))
    }
    let decision = try await becomes("ann", .refuse, store)
    XCTAssertEqual(decision, .nothing)
    let ready = try await store.ready(notes)
    XCTAssertEqual(ready, [milk])
    let stashed = try await home(bread, store)
    XCTAssertEqual(stashed, "ann")
  }

  func testAnotherServersEditsAreNoneOfIt() async throws {
    let store = try await openStore()
    try await store.save(DocumentEdit(milk, in: elsewhere, ["text": "milk"]))
    let decision = try await becomes("bob", .drop, store)
    XCTAssertEqual(decision, .nothing)
    let ready = try await store.ready(elsewhere)
    XCTAssertEqual(ready, [milk])
  }

  func testWhatWasUnderWayMovesAndMayHaveBeenTaken() async throws {
    let store = try await makeStore()
    _ = try await store.begin(bread)
    _ = try await becomes("bob", .keep, store)
    let stored = try await store.stored(bread)
    XCTAssertEqual(stored?.entry?.phase, .waiting)
    XCTAssertEqual(stored?.entry?.unanswered.count, 1)
    let ready = try await store.ready(theirs)
    XCTAssertTrue(ready.contains(bread))
  }

  /// It was sent again by whoever signed in, and a service with keys of its own made another one.
  func testWhatMayHaveBeenMadeIsLookedForBeforeItIsSentAgainWhoeverSignsIn() async throws {
    for features in [[], [.idempotencyKeys]] as [Set<EndpointCapabilities.Feature>] {
      let said = EndpointCapabilities(features: features)
      for home in [notes, nobodys] {
        let store = try await openStore(.memory)
        try await store.sync { [notes] in try $0.setCapabilities(said, of: notes.server) }
        try await store.save(DocumentEdit(milk, in: home, ["text": "milk"]))
        _ = try await store.begin(milk)
        _ = try await becomes("bob", .keep, store)
        let entry = try await store.stored(milk)?.entry
        XCTAssertEqual(entry?.isLostCreation, features.isEmpty, "\(home) \(features)")
        let ready = try await store.ready(theirs)
        XCTAssertEqual(ready, features.isEmpty ? [] : [milk], "\(home) \(features)")
      }
    }
  }

  /// The server, which is no part of that, shows nothing of it.
  func testWhatSomethingElseSendsIsNotLookedForAtTheServer() async throws {
    let store = try await openStore(.memory)
    try await store.sync { [notes] in
      try $0.setCapabilities(EndpointCapabilities(features: []), of: notes.server)
    }
    for (id, home) in [(milk, notes), (bread, nobodys)] {
      try await store.save(DocumentEdit(id, in: home, ["text": "new"]))
      _ = try await store.begin(id)
    }
    _ = try await store.edit { [notes] in
      try $0.becomes(account: "bob", of: notes.server, unsent: .keep, routed: ["notes"])
    }
    let ready = try await store.ready(theirs)
    XCTAssertEqual(ready, [milk, bread])
  }

  func testSigningOutKeepsDocumentsAndEdits() async throws {
    let store = try await makeStore()
    let before = try await store.read { try $0.counts() }
    try await store.edit { try $0.leaves(account: "ann", of: "https://example.org") }
    let after = try await store.read { try $0.counts() }
    XCTAssertEqual(after, before)
    let checkpoint = try await store.read { [notes] in try $0.checkpoint(of: notes) }
    XCTAssertNil(checkpoint)
  }

  func testTheCountIsKnownBeforehand() async throws {
    let store = try await makeStore()
    let counts = try await store.read { reader in
      try ["ann", "bob"].map { try reader.unsent(ofOthersThan: $0, at: "https://example.org") }
    }
    XCTAssertEqual(counts, [0, 3])
  }

  func testWhatTheServerShowsToTheNewAccountIsTakenOverUnlessItWasChangedHere() async throws {
    let store = try await makeStore()
    _ = try await store.edit { [notes, bread] in
      _ = try $0.becomes(account: "bob", of: notes.server, unsent: .drop)
      return try $0.stash(DocumentEdit(bread, in: notes, ["text": "rye"]))
    }
    let news = ServerCopy(value: ["text": "oat milk"], version: DocumentVersion("2"))
    let taken = try await store.pull(milk, .present(news), theirs)
    XCTAssertNil(taken?.failure)
    let (account, text) = (try await home(milk, store), try await store.get(milk))
    XCTAssertEqual(account, "bob")
    XCTAssertEqual(text, ["text": "oat milk"])
    let changed = try await store.pull(bread, .present(news), theirs)
    XCTAssertEqual(changed?.failure, .ofAnotherAccount(bread))
    let deleted = try await store.pull(bread, .deleted(nil), theirs)
    XCTAssertNil(deleted?.failure, "it isn't here for this account")
    let rye = try await store.get(bread)
    XCTAssertEqual(rye, ["text": "rye"])
  }
}
