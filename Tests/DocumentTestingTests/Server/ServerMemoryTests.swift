import DocumentSync
import DocumentTesting
import XCTest

final class ServerMemoryTests: XCTestCase {
  func testARequestThatComesAgainHasOneEffectAndTheSameAnswer() {
    var server = TableServer()
    let first = server.create("first", key: "a")
    XCTAssertEqual(server.create("first", key: "a"), first)
    let version = first.version ?? DocumentVersion("")
    let second = server.update("second", from: version, key: "b")
    XCTAssertEqual(server.create("first", key: "a"), first)
    XCTAssertEqual(server.update("second", from: version, key: "b"), second)
    XCTAssertEqual(server.documentText, "second")
    XCTAssertEqual(server.state.events.count, 2)
  }

  func testAKeyOfAnotherRequestIsRefused() {
    var server = TableServer()
    _ = server.create("first", key: "a")
    XCTAssertEqual(server.create("other", key: "a").status, 422)
    XCTAssertEqual(server.documentText, "first")
  }

  func testWhatWasRefusedMayComeAgainUnderItsKey() {
    var server = TableServer()
    server.put("old")
    XCTAssertEqual(server.create("first", key: "a").status, 412)
    server.remove()
    XCTAssertEqual(server.create("first", key: "a").status, 201)
  }

  func testWithoutKeysARepeatedCreationMeetsItself() {
    var server = TableServer()
    server.leave(.idempotencyKeys)
    let first = server.create("first", key: "a")
    let again = server.create("first", key: "a")
    XCTAssertEqual(again.status, 412)
    XCTAssertEqual(again.shown?.copy?.version, first.version)
  }

  func testAServerThatWasFlushedRemembersNothing() {
    var server = TableServer()
    _ = server.create("first", key: "a")
    server.state.flush()
    XCTAssertNil(server.held)
    XCTAssertEqual(server.create("first", key: "a").status, 201)
    XCTAssertEqual(server.state.events.map(\.deed.name), ["stored", "flushed", "stored"])
  }

  func testABackupBringsTheOldDocumentsBack() {
    var server = TableServer()
    server.put("old")
    let backup = server.state.backup
    let life = server.state.life
    server.put("new")
    server.state.restore(backup)
    XCTAssertEqual(server.documentText, "old")
    XCTAssertNotEqual(server.state.life, life)
  }

  func testAnotherServerHasDocumentsOfItsOwn() {
    var server = TableServer()
    server.put("old")
    server.state.replace(with: ["notes": [DocumentID("other"): ["text": "theirs"]]], at: server.now)
    XCTAssertNil(server.held)
    XCTAssertNotNil(server.state.document(DocumentID("other"), in: "notes"))
  }

  func testTheWitnessSaysWhoWroteOverWhat() {
    var server = TableServer()
    let body: DocumentValue = ["text": "theirs"]
    let first = server.create("mine").version ?? DocumentVersion("")
    let second = server.send(
      .update(TableServer.id, body, from: first, in: "notes", key: nil), from: "they"
    ).version
    XCTAssertEqual(
      server.state.events.last,
      ServerEvent(
        number: 2, writer: "they", collection: "notes",
        deed: .stored(TableServer.id, body, over: first, as: second ?? DocumentVersion(""))))
  }

  func testVersionsRiseWhateverTheClockSays() {
    var server = TableServer()
    var times: [Int64] = []
    for step in [0, 0, -1_000_000, 5_000_000, -9_000_000] as [Int64] {
      server.state.clock.step(by: step)
      server.put("again \(times.count)")
      times.append(server.held?.place.time ?? 0)
    }
    XCTAssertEqual(times, times.sorted())
    XCTAssertEqual(Set(times).count, times.count)
  }

  func testAServerMayNameMomentsAsItsClockSays() {
    var server = TableServer()
    server.state.manners.stamps = .asTheClockSays
    server.put("one")
    let first = server.held
    server.now -= 1
    server.put("two")
    XCTAssertEqual(server.held?.place.time, first?.place.time)
    XCTAssertNotEqual(server.held?.version, first?.version)
    server.state.clock.step(by: -500)
    server.put("three")
    XCTAssertEqual(server.held?.place.time, first.map { $0.place.time - 499 })
  }

  func testABatchIsJudgedPartByPart() {
    var server = TableServer()
    server.put("old")
    let parts = server.state.receive(
      batch: [
        .create(TableServer.id, ["text": "new"], in: "notes", key: nil),
        .create(DocumentID("two"), ["text": "new"], in: "notes", key: nil),
      ], from: "me", at: 2_000)
    XCTAssertEqual(parts?.map(\.status), [412, 201])
  }

  func testABatchThatIsTooLargeIsNotTaken() {
    var server = TableServer()
    server.state.manners.capabilities.batchEntries = 1
    let sends = ["a", "b"].map {
      PushRequest.create(DocumentID($0), ["text": "new"], in: "notes", key: nil)
    }
    XCTAssertNil(server.state.receive(batch: sends, from: "me", at: 2_000))
    XCTAssertEqual(server.state.collections, [:])
  }
}

extension ServerEvent.Deed {
  fileprivate var name: String {
    switch self {
    case .stored: "stored"
    case .removed: "removed"
    case .flushed: "flushed"
    case .restored: "restored"
    case .replaced: "replaced"
    }
  }
}
