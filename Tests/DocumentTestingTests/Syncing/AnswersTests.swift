import DocumentTesting
import SyncDatabase
import TestSupport
import XCTest

@testable import DocumentSync

/// What a server answered is with every failure, whole and without secrets.
final class AnswersTests: XCTestCase {
  private let rig = ReplicaRig()

  private func refusing(_ ids: DocumentID...) {
    var manners = rig.server.manners
    manners.unwanted = Set(ids)
    rig.server.manners = manners
  }

  private func kept(_ id: DocumentID, _ here: SyncedReplica) async throws -> EndpointCall? {
    try await here.store.read { try $0.answer(to: id) }
  }

  private func count(_ here: SyncedReplica) async throws -> Int64? {
    try await here.store.withConnection {
      try $0.row("SELECT count(*) FROM answers") { try $0.integer(0) }
    }
  }

  func testARefusalIsWithItsFailureAndWithItsDocumentUntilThatIsTaken() async throws {
    refusing(milk)
    let here = try await rig.synced()
    try await here.save(milk, ["n": 1])
    let failure = try await here.sync().failures.first
    let answer = try XCTUnwrap(failure?.answer)
    XCTAssertEqual(answer.status, 400)
    XCTAssertEqual(answer.request, "PUT https://reference.example/notes/milk?access_token=…")
    XCTAssertEqual(answer.time?.milliseconds, here.time.now)
    try await assertEqual(kept(milk, here), answer)
    refusing()
    try await here.store.edit { _ = try $0.retry(milk) }
    try await here.sync()
    try await assertNil(kept(milk, here))
    try await assertEqual(count(here), 0)
    try await assertEqual(here.store.read { try AnswerTable(session: $0.session).size() }, 0)
  }

  func testEachPartOfABatchHasTheAnswerToIt() async throws {
    refusing(milk, eggs)
    let here = try await rig.synced()
    for id in [milk, bread, eggs] { try await here.save(id, ["n": 1]) }
    let report = try await here.sync()
    XCTAssertEqual(report.failures.map(\.answer?.request.isEmpty), [false, false])
    try await assertNotNil(kept(eggs, here))
    try await assertNil(kept(bread, here))
  }

  func testTheLastAnswerOfAnEntryIsKept() async throws {
    let here = try await rig.synced("mine", .script([nil, .breaks(status: 503, .before)]))
    try await here.save(milk, ["n": 1])
    refusing(milk)
    try await here.trySync()
    try await assertEqual(kept(milk, here)?.status, 400)
    try await assertEqual(count(here), 1)
  }

  func testWhatEndsASyncIsWithItsError() async throws {
    for (fault, status) in [(ServerFault.unauthorized, 401), (.forbidden, 403)] {
      let here = try await rig.synced("one \(status)", .always(fault))
      let failure = await thrown(DocumentSyncFailure.self, by: try await here.sync())
      let answer = try XCTUnwrap(failure?.answer, "\(status)")
      XCTAssertEqual(answer.status, status)
      XCTAssertNotNil(answer.time)
      XCTAssertFalse(answer.text.contains("token of"), answer.text)
    }
    let offline = try await rig.synced("offline", .always(.unreachable))
    let failure = await thrown(DocumentSyncFailure.self, by: try await offline.sync())
    XCTAssertEqual(failure?.answer?.text.hasSuffix("no answer"), true)
  }

  /// A portal answers with the token that it was sent.
  func testNoSecretIsInIt() async throws {
    let here = try await rig.synced("portal", .always(.garbled(.before)))
    try await here.save(milk, ["n": 1])
    let report = try await here.trySync()
    let answers = Array(report.answers.values) + report.failures.compactMap { $0.answer }
    XCTAssertFalse(answers.isEmpty)
    for answer in answers {
      XCTAssertTrue(answer.text.contains("welcome, …"), answer.text)
      XCTAssertFalse(answer.text.contains("token of portal"), answer.text)
    }
  }

  func testAFilesRefusalIsWithItsFailure() async throws {
    let rig = FileRig()
    let here = try await rig.withFile()
    rig.server.manners.longestFile = 1
    let failures = try await here.sync().failures
    XCTAssertEqual(failures.map(\.answer?.request.isEmpty), [false])
  }

  func testASenderOfTheProgramsOwnGivesItsAnswerToo() async throws {
    let call = EndpointCall("POST", "https://other.example/", status: 422)
    var setting = SyncedReplica.Setting()
    setting.collections = [
      SyncedCollection("notes") { _ in
        throw EndpointError(.refused(status: 422, words: "no"), notes: CallNotes(call: call))
      }
    ]
    let place = SyncPlace(server: "s", account: "", collections: setting.collections)
    let endpoint = RoutedEndpoint(
      rig.server.endpoint(named: "mine"), place.collections, clock: ContinuousClock())
    let here = try await SyncedReplica(endpoint, rig.time, setting)
    try await here.save(milk, ["n": 1])
    let failure = try await here.sync().failures.first
    XCTAssertEqual(failure?.answer?.request, "POST https://other.example/")
  }

  func testWhatWasSaidToOneAccountIsNotKeptForAnother() async throws {
    refusing(milk)
    let notes = try await rig.replica(.memory, account: "ann")
    try await notes.save(milk, ["n": 1], in: "notes")
    try await notes.sync()
    try await assertNotNil(notes.lastAnswer(to: milk))
    let server = "https://reference.example"
    let store = notes.store.ofAllAccounts
    _ = try await store.edit { try $0.becomes(account: "bob", of: server, unsent: .keep) }
    let bob = DocumentOwner(server: server, account: "bob")
    try await assertEqual(store.seen { bob }.read { try $0.isPending(milk) }, true)
    try await assertNil(store.seen { bob }.read { try $0.answer(to: milk) })
  }

  /// Each answer takes more than a third of the room.
  func testTheOldestGoForNewOnes() async throws {
    let here = try await rig.synced()
    let body = Array(repeating: UInt8(ascii: "x"), count: 40_000)
    for (number, id) in [milk, bread, eggs].enumerated() {
      try await here.save(id, ["n": 1])
      let call = EndpointCall("PUT", "https://a.example/", status: 400, body: body)
      try await here.store.sync { editor in
        let entry = try XCTUnwrap(editor.reader.stored(id)?.entry)
        var table = AnswerTable(session: editor.session)
        table.limit = 100_000
        try table.keep(call.noted(at: Int64(number)), to: entry.number)
      }
    }
    let kept = [
      try await kept(milk, here), try await kept(bread, here), try await kept(eggs, here),
    ]
    XCTAssertEqual(kept.map { $0 != nil }, [false, true, true])
    try await assertTrue(here.store.read { try AnswerTable(session: $0.session).size() < 100_000 })
  }

  func testAReportHasRoomForSoMuchOfThem() async throws {
    let tally = SyncTally()
    let body = Array(repeating: UInt8(ascii: "x"), count: 65_536)
    let call = EndpointCall("PUT", "https://a.example/", status: 400, body: body)
    for number in 0..<300 {
      tally.fail(
        .init(name: "\(number)", collection: "notes", words: "", isRefusal: true), by: call)
    }
    let sizes = tally.report.failures.compactMap { $0.answer?.size }
    XCTAssertLessThanOrEqual(sizes.reduce(0, +), 16 << 20)
    XCTAssertGreaterThan(sizes.count, 250)
  }
}
