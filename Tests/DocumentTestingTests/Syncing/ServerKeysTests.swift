import DocumentTesting
import TestSupport
import XCTest

@testable import DocumentSync

/// Documents whose ids the server makes.
///
/// Each had an id of its own for ever, which the server didn't know: it was set aside, and what
/// came with the list was another document.
final class ServerKeysTests: XCTestCase {
  private let (one, two) = (DocumentID.uuid7(), DocumentID.uuid7())
  private let list = DocumentID.uuid7()

  private static var setting: SyncedReplica.Setting {
    var setting = SyncedReplica.Setting()
    setting.collections = [
      SyncedCollection("notes", references: [["list"]: "lists", ["parent"]: "notes"]),
      SyncedCollection("lists"),
    ]
    return setting
  }

  private static func server(
    _ features: Set<EndpointCapabilities.Feature> = [.preconditions, .changes, .tombstones]
  ) -> ReferenceServer {
    var manners = ServerManners(
      capabilities: EndpointCapabilities(features: features, batchEntries: 1))
    manners.serverKeys = ["notes", "lists"]
    return ReferenceServer(manners: manners)
  }

  private func replica(
    _ server: ReferenceServer, _ faults: [ServerFault?] = []
  ) async throws -> SyncedReplica {
    try await SyncedReplica(
      server.endpoint(named: "mine", faults: .script(faults)), SyncedReplica.Time(), Self.setting)
  }

  private func rows(_ server: ReferenceServer) -> [String: DocumentValue] {
    let rows = server.documents(in: "notes").map { ($0.key.text, $0.value.value) }
    return Dictionary(uniqueKeysWithValues: rows)
  }

  private func ids(_ replica: SyncedReplica) async throws -> [String] {
    try await replica.store.read { try $0.ids(matching: DocumentQuery()).map(\.text) }
  }

  func testADocumentIsCalledAsTheServerCallsItOnceItWasMade() async throws {
    let server = Self.server()
    let mine = try await replica(server)
    try await mine.save(one, ["n": 1])
    try await assertEqual(ids(mine), [one.text])
    let report = try await mine.sync()
    XCTAssertEqual(report.sent.map(\.id.text), ["1"])
    XCTAssertEqual(report.received, [])
    XCTAssertEqual(report.failures, [])
    try await assertEqual(ids(mine), ["1"])
    let theirs = try await replica(server)
    try await theirs.sync()
    try await assertEqual(
      theirs.store.read { try $0.digest() }, mine.store.read { try $0.digest() })
    try await assertEqual(mine.sync().isQuiet, true)
  }

  func testItIsFoundAndChangedByItsFirstIDToo() async throws {
    let server = Self.server()
    let mine = try await replica(server)
    try await mine.save(one, ["n": 1])
    try await mine.sync()
    try await assertEqual(mine.get(one), ["n": 1])
    try await mine.save(two, ["n": 0])
    try await mine.save(one, ["n": 2])
    try await mine.save(list, ["l": 1], in: "lists", after: [one])
    try await assertEqual(mine.status(one)?.isPending, true)
    try await mine.sync()
    XCTAssertEqual(rows(server), ["1": ["n": 2], "2": ["n": 0]])
    let life = try await mine.store.read { [one] in try $0.life(of: one)?.sentences.joined() } ?? ""
    XCTAssertTrue(life.contains("the server made its key; until then it was '\(one)'"), life)
    try await mine.delete(one)
    try await mine.sync()
    try await assertEqual(ids(mine), ["2", "3"])
    try await assertEqual(mine.get(one), nil)
  }

  func testWhoListensByTheFirstIDGoesOn() async throws {
    let mine = try await replica(Self.server())
    try await mine.save(one, ["n": 1])
    var values = mine.store.document(one).makeAsyncIterator()
    _ = try await values.next()
    try await mine.sync()
    try await mine.save(DocumentID("1"), ["n": 2])
    try await assertEqual(values.next(), .some(["n": 2]))
  }

  func testWhatNamesItIsSentAfterItAndNamesItByItsKey() async throws {
    for childFirst in [true, false] {
      let server = Self.server()
      let mine = try await replica(server)
      let child: DocumentValue = ["list": DocumentValue(list.text), "tags": [1]]
      if childFirst { try await mine.save(one, child) }
      try await mine.save(list, ["l": 1], in: "lists")
      try await mine.save(two, child)
      if !childFirst { try await mine.save(one, child) }
      try await mine.sync()
      XCTAssertEqual(
        server.documents(in: "notes").values.map(\.value),
        Array(repeating: ["list": 1, "tags": [1]], count: 2))
      try await assertEqual(mine.get(one), ["list": 1, "tags": [1]])
      try await assertEqual(mine.counts().outbox, 0)
      try await assertEqual(mine.sync().isQuiet, true)
    }
  }

  func testWhatIsOnlyStoredNamesItByItsKeyInTheSameTransaction() async throws {
    let mine = try await replica(Self.server())
    try await mine.save(list, ["l": 1], in: "lists")
    let child: DocumentValue = ["list": [DocumentValue(list.text), "7"]]
    _ = try await mine.store.edit { [scope = mine.scope(), two] in
      try $0.stash(DocumentEdit(two, in: scope, child))
    }
    try await mine.sync()
    try await assertEqual(mine.get(two), ["list": [1, "7"]])
  }

  func testWhatNamesARowThatIsNotHereNamesNoOtherOfThatFirstID() async throws {
    let server = Self.server()
    let mine = try await replica(server)
    try await mine.save(DocumentID("5"), ["l": 1], in: "lists")
    try await mine.sync()
    try await mine.save(one, ["list": "5"])
    try await mine.sync()
    XCTAssertEqual(server.documents(in: "notes").values.map(\.value), [["list": "5"]])
  }

  func testThoseThatNameEachOtherAreSetAside() async throws {
    let server = Self.server()
    let mine = try await replica(server)
    try await mine.save(one, ["parent": DocumentValue(two.text)])
    try await mine.save(two, ["parent": DocumentValue(one.text)])
    try await mine.sync()
    XCTAssertEqual(server.documents(in: "notes").count, 0)
    try await assertEqual(mine.counts().setAside, 1)
    try await mine.save(one, ["n": 1])
    _ = try await mine.store.edit { [two] in try $0.retry(two) }
    try await mine.sync()
    XCTAssertEqual(
      rows(server), ["1": ["n": 1], "2": ["parent": 1]])
  }

  // MARK: - Without an answer

  func testACreationWithoutAnAnswerIsFoundByItsContent() async throws {
    let server = Self.server()
    let mine = try await replica(server, [nil, .answerLost])
    try await mine.save(one, ["n": 1])
    let report = try await mine.sync()
    XCTAssertEqual(report.sent.map(\.id.text), ["1"])
    XCTAssertEqual(server.documents(in: "notes").count, 1)
    try await assertEqual(ids(mine), ["1"])
    try await assertEqual(mine.get(one), ["n": 1])
  }

  func testAnEditSinceIsSentAsOneOfTheServersDocument() async throws {
    let server = Self.server()
    let mine = try await replica(server, [nil, .answerLost])
    try await mine.save(one, ["n": 1])
    try await mine.trySync(SyncWishes(ways: .push))
    try await mine.save(one, ["n": 2])
    try await mine.sync()
    XCTAssertEqual(rows(server), ["1": ["n": 2]])
    try await assertEqual(mine.counts().outbox, 0)
  }

  func testADeletionSinceDeletesWhatWasMade() async throws {
    for isMade in [true, false] {
      let server = Self.server()
      let mine = try await replica(server, [nil, isMade ? .answerLost : .requestLost])
      try await mine.save(one, ["n": 1])
      try await mine.trySync(SyncWishes(ways: .push))
      try await mine.delete(one)
      for _ in 0..<2 { try await mine.sync() }
      XCTAssertEqual(server.documents(in: "notes").count, 0)
      try await assertEqual(ids(mine), [])
      try await assertEqual(mine.counts().outbox, 0)
      XCTAssertFalse(
        server.calls.contains { "\($0)".contains(one.text) && "\($0)".contains("look") })
    }
  }

  func testWhatAListDoesNotShowIsMadeAgain() async throws {
    let server = Self.server()
    let mine = try await replica(server, [nil, .requestLost])
    try await mine.save(one, ["n": 1])
    try await mine.sync()
    XCTAssertEqual(rows(server), ["1": ["n": 1]])
    try await assertEqual(ids(mine), ["1"])
  }

  /// Somebody else changed it before it was found: its content tells nothing, its natural key does.
  func testACreationIsFoundByItsNaturalKey() async throws {
    let server = Self.server()
    var setting = Self.setting
    setting.collections[0].naturalKey = [["name"]]
    let faults = FaultPlan.script([nil, .answerLost])
    let mine = try await SyncedReplica(
      server.endpoint(named: "mine", faults: faults), SyncedReplica.Time(), setting)
    try await mine.save(one, ["name": "milk", "n": 1])
    try await mine.trySync(SyncWishes(ways: .push))
    let theirs = try await SyncedReplica(
      server.endpoint(named: "theirs"), SyncedReplica.Time(), setting)
    try await theirs.sync()
    try await theirs.save(DocumentID("1"), ["name": "milk", "n": 2])
    try await theirs.sync()
    try await mine.sync()
    XCTAssertEqual(
      rows(server), ["1": ["name": "milk", "n": 2]])
    try await assertEqual(ids(mine), ["1"])
  }

  func testAServerThatKnowsRequestsIsSentTheSameAgain() async throws {
    let server = Self.server([.preconditions, .changes, .tombstones, .idempotencyKeys])
    let mine = try await replica(server, [nil, .answerLost])
    try await mine.save(one, ["n": 1])
    try await mine.sync(SyncWishes(ways: .push))
    XCTAssertEqual(server.documents(in: "notes").count, 1)
    try await assertEqual(ids(mine), ["1"])
  }

  /// The edit was another request, under another key: it made another document.
  func testAServerThatKnowsRequestsIsSentWhatWasSentBeforeWhatWasEditedSince() async throws {
    for isDeleted in [false, true] {
      let server = Self.server([.preconditions, .changes, .tombstones, .idempotencyKeys])
      let mine = try await replica(server, [nil, .answerLost, .unreachable, .unreachable])
      try await mine.save(one, ["n": 1])
      try await mine.trySync(SyncWishes(ways: .push))
      if isDeleted { try await mine.delete(one) } else { try await mine.save(one, ["n": 2]) }
      try await mine.sync(SyncWishes(ways: .push))
      XCTAssertEqual(rows(server), isDeleted ? [:] : ["1": ["n": 2]])
      try await assertEqual(mine.counts().outbox, 0)
    }
  }

  func testWhatGoesAfterAnIDThatIsKnownLaterWaitsForThatDocument() async throws {
    let server = Self.server()
    let mine = try await replica(server)
    try await mine.save(two, ["n": 2], after: [DocumentID("wished")])
    try await mine.sync()
    XCTAssertEqual(rows(server), [:])
    try await mine.save(DocumentID("wished"), ["n": 1])
    try await mine.sync()
    XCTAssertEqual(rows(server), ["1": ["n": 1], "2": ["n": 2]])
  }

  func testWhatWasSetAsideBeforeAnybodySaidSoHasItsKeyThen() async throws {
    let server = Self.server()
    let mine = try await replica(server)
    try await mine.save(one, ["n": 1])
    _ = try await mine.store.sync { [one] editor in
      _ = try editor.sendBegan(one)
      try editor.answered(one, .madeAs(DocumentID("1")))
    }
    try await assertEqual(mine.counts().setAside, 1)
    let theirs = try await replica(server)
    try await theirs.save(two, ["n": 1])
    try await theirs.sync()
    try await mine.sync()
    XCTAssertEqual(rows(server), ["1": ["n": 1]])
    try await assertEqual(ids(mine), ["1"])
    try await assertEqual(mine.counts().outbox, 0)
  }

  // MARK: - Ids

  /// A person's own id may be that of another document of the server's.
  func testAnIDOfOnesOwnIsNeverTakenForTheServers() async throws {
    let server = Self.server()
    let theirs = try await replica(server)
    try await theirs.save(two, ["n": "theirs"])
    try await theirs.sync()
    let mine = try await replica(server)
    try await mine.save(DocumentID("1"), ["n": "mine"])
    try await assertEqual(mine.get(DocumentID("1")), ["n": "mine"])
    try await mine.sync()
    XCTAssertEqual(
      rows(server), ["1": ["n": "theirs"], "2": ["n": "mine"]])
    try await assertEqual(ids(mine), ["1", "2"])
    try await assertEqual(mine.get(DocumentID("1")), ["n": "theirs"])
  }
}
