import DocumentTesting
import TestSupport
import XCTest

@testable import DocumentSync

/// What stays though a filter doesn't let it through any more: all of which something is only here.
final class FilterKeepsTests: XCTestCase {
  /// A replica that only pulls, on the next day.
  private func pull(_ here: SyncedReplica, _ rig: FilterRig) async throws -> DocumentReport {
    rig.rig.time.advance(by: .seconds(86_400))
    return try await here.sync(SyncWishes(ways: .pull))
  }

  func testWhatWaitsToBeSentStaysAndIsSent() async throws {
    let rig = try await FilterRig()
    let here = try await rig.synced()
    for id in [milk, bread, eggs] { try await rig.say(id, "closed") }
    try await here.save(milk, ["status": "open", "text": "two litres"])
    try await here.delete(bread)
    try await here.save(tea, ["status": "new"])
    let report = try await pull(here, rig)
    XCTAssertEqual(report.received.map(\.id), [eggs], "nothing is to be sent of it")
    XCTAssertEqual(report.lost, [])
    try await assertEqual(here.counts().outbox, 3)
    let sent = try await here.sync()
    XCTAssertEqual(Set(sent.sent.map(\.id)), [milk, bread, tea])
    XCTAssertEqual(rig.rig.documents[milk], ["status": "closed", "text": "two litres"])
    XCTAssertNil(rig.rig.documents[bread])
    XCTAssertEqual(rig.rig.documents[tea], ["status": "new"])
    _ = try await rig.nextDay(here)
    try await assertEqual(rig.ids(here), [])
  }

  func testAConflictStaysUntilSomebodyHasDecided() async throws {
    let rig = try await FilterRig()
    let here = try await rig.synced([milk], [.ask])
    try await here.save(milk, ["status": "open", "text": "mine"])
    try await rig.say(milk, "closed")
    try await here.sync()
    try await assertEqual(here.counts().conflicts, 1)
    _ = try await rig.nextDay(here)
    try await assertEqual(here.counts().conflicts, 1)
    _ = try await here.store.edit { try $0.resolve(milk, .here) }
    try await here.sync()
    XCTAssertEqual(rig.rig.documents[milk]?["text"], "mine")
  }

  func testWhatWasOnlyStashedStays() async throws {
    let rig = try await FilterRig()
    let here = try await rig.synced([milk, bread])
    for id in [milk, bread] { try await rig.say(id, "closed") }
    let edit = DocumentEdit(milk, in: here.scope(), ["status": "open", "text": "draft"])
    _ = try await here.store.edit { try $0.stash(edit) }
    _ = try await pull(here, rig)
    try await assertEqual(rig.ids(here), ["milk"])
    try await assertEqual(here.get(milk)?["text"], "draft")
  }

  /// The document was sent, and its file is only here.
  func testADocumentWhoseFileWaitsStaysWithIt() async throws {
    var manners = ServerManners()
    manners.capabilities.features.insert(.files)
    manners.longestFile = 1
    let rig = try await FilterRig(manners)
    let here = try await rig.synced([milk, bread])
    let file = FileReference(try await here.store.files.keep(Array("a picture".utf8), named: "a"))
    _ = try await here.store.edit { try $0.attach(file, to: "picture", of: milk) }
    try await here.sync()
    try await assertEqual(here.counts().outbox, 0)
    try await rig.there.sync()
    for id in [milk, bread] { try await rig.say(id, "closed") }
    _ = try await rig.nextDay(here)
    try await assertEqual(rig.ids(here), ["milk"])
    rig.rig.server.manners.longestFile = nil
    _ = try await here.store.edit { try $0.retry(milk) }
    try await here.sync()
    XCTAssertEqual(rig.rig.server.state.files.count, 1)
    _ = try await rig.nextDay(here)
    try await assertEqual(rig.ids(here), [])
    XCTAssertEqual(rig.rig.server.state.files.count, 1, "the server keeps it")
  }

  /// One or two of three ids came.
  func testAListThatIsCutRemovesNothing() async throws {
    let rig = try await FilterRig(ServerManners(pageSize: 1))
    let here = try await rig.synced([milk, bread, eggs, tea])
    try await rig.say(milk, "closed")
    rig.rig.time.advance(by: .seconds(86_400))
    // What is new, and pages of what there is.
    let good: [ServerFault?] = [nil, nil, nil]
    rig.rig.server.setFaults(
      .script(good + Array(repeating: .answerLost, count: 20)), of: "here")
    let report = try await here.trySync()
    XCTAssertFalse(report.errors.isEmpty)
    XCTAssertEqual(report.received, [])
    rig.rig.server.setFaults(.none, of: "here")
    let scope = here.scope()
    try await assertEqual(here.store.sync { try $0.vanishing(in: scope) }.count, 0)
    try await assertEqual(rig.ids(here), ["milk", "bread", "eggs", "tea"])
    let later = try await here.sync(SyncWishes(overridesWait: true))
    XCTAssertEqual(later.received.map(\.id), [milk], "it's asked for again")
  }

  func testTooManyStayUntilSomebodySaysThatTheyMayGo() async throws {
    let rig = try await FilterRig()
    let here = try await rig.synced([milk, bread, eggs, tea])
    for id in [milk, bread, eggs, tea] { try await rig.say(id, "closed") }
    rig.rig.time.advance(by: .seconds(86_400))
    let report = try await here.sync(SyncWishes(removals: .careful))
    XCTAssertEqual(report.received, [])
    let held = HeldBackRemovals(collection: "notes", count: 4, held: 4, outsideFilter: 4)
    XCTAssertEqual(report.refusedRemovals, [held])
    try await assertEqual(here.store.read { try $0.summary() }.heldBack, [held])
    try await assertEqual(here.status(milk)?.reason, .isOutsideFilter)
    // One of them has something meanwhile that is only here.
    try await here.save(milk, ["status": "open", "text": "mine"])
    let later = try await here.sync(SyncWishes(ways: .pull, removals: .within(.unlimited)))
    XCTAssertEqual(Set(later.received.map(\.id)), [bread, eggs, tea])
    try await assertEqual(here.get(milk)?["text"], "mine")
    XCTAssertEqual(rig.rig.documents.count, 4)
  }
}
