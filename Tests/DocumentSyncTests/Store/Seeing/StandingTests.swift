import Foundation
import SyncDatabase
import SyncLock
import TestSupport
import XCTest

@testable import DocumentSync

/// How it stands with a store and with each document, in words.
final class StandingTests: StoreTestCase {
  private func reason(_ store: DocumentStore, _ id: DocumentID? = nil) async throws -> UnsentReason?
  {
    try await store.status(id ?? milk)?.reason
  }

  func testWhatIsAtTheServerHasNoReason() async throws {
    let store = try await syncedStore()
    try await assertNil(reason(store))
    try await assertEqual(store.status(milk)?.state, .synced)
  }

  func testWhatIsNotSentSaysWhy() async throws {
    let store = try await openStore()
    var reasons: [UnsentReason?] = []
    try await store.stash(edit(milk, ["n": 1]))
    reasons.append(try await reason(store))
    try await store.save(edit(milk, ["n": 1]))
    reasons.append(try await reason(store))
    try await store.begin(milk)
    reasons.append(try await reason(store))
    try await store.end(milk, .untaken(.status(429)))
    reasons.append(try await reason(store))
    try await store.send(milk, ending: .unmet(Refusal(status: 412, words: "")))
    reasons.append(try await reason(store))
    try await store.pull(milk, .present(copy(["n": 3], "1")), notes, .ask)
    reasons.append(try await reason(store))
    try await store.resolve(milk, .here)
    try await store.send(milk, ending: .refused(Refusal(status: 403, words: "no\nway")))
    reasons.append(try await reason(store))
    XCTAssertEqual(
      reasons,
      [
        .isStashed, .isToBeSent(tries: 0), .isUnderWay, .isToBeSent(tries: 1), .wasOvertaken,
        .isInConflict, .isRefused(status: 403, words: "no\nway"),
      ])
    XCTAssertEqual(reasons.last??.description, "the server refused it (403): no\\x0Away")
    try await store.run("UPDATE outbox SET form = 9")
    try await assertEqual(reason(store), .isUnknown)
  }

  func testWhatWaitsForOthersSaysForWhomAndWhatTheyWaitFor() async throws {
    let store = try await openStore()
    var after = edit(milk, ["n": 1])
    after.after = [bread, eggs]
    try await store.save(edit(bread, ["n": 1]))
    try await store.save(after)
    let waits = try await reason(store)
    XCTAssertEqual(waits, .waits(for: [bread: .unsent, eggs: .unknown]))
    XCTAssertEqual(waits?.description, "it waits for bread (not sent yet), eggs (not known here)")
  }

  func testAServerThatIsLeftAloneIsAReason() async throws {
    let store = try await openStore(saving: edit(milk, ["n": 1]))
    let now = time.withLock { $0 }
    var pause = ServerPause()
    _ = pause.troubled(at: now, sentAt: now, random: 1)
    try await store.sync { [pause] in try $0.setPause(pause, of: notes.server) }
    try await assertEqual(reason(store), .backsOff(until: now + 500))
    _ = pause.troubled(at: now, sentAt: now, wishes: .init(retryAfter: .seconds(60)), random: 1)
    try await store.sync { [pause] in try $0.setPause(pause, of: notes.server) }
    let asked = try await reason(store)
    XCTAssertEqual(asked, .serverAsked(until: now + 60_000))
    XCTAssertEqual(
      asked?.description, "the server asked to be left alone until 2023-11-14T22:14:20.000Z")
    time.withLock { $0 += 60_000 }
    try await assertEqual(reason(store), .isToBeSent(tries: 0))
  }

  func testEachReasonIsASentence() {
    let reasons: [UnsentReason] = [
      .isToBeSent(tries: 0), .isToBeSent(tries: 1), .isToBeSent(tries: 2), .isUnderWay, .isStashed,
      .isToBeSent(tries: 2, after: .status(501)), .isToBeSent(tries: 2, after: .unreadable),
      .waits(for: [milk: .setAside, eggs: .inConflict]), .wasOvertaken, .isInConflict,
      .wasOutrun(rounds: 3), .isRefused(status: 400, words: ""), .isUnknown,
      .backsOff(until: 0), .serverAsked(until: .max),
    ]
    XCTAssertEqual(Set(reasons.map(\.description)).count, reasons.count)
    XCTAssertEqual(reasons[7].description, "it waits for eggs (in conflict), milk (set aside)")
    XCTAssertEqual(reasons[1].description, "it's sent with the next sync; 1 try came to nothing")
  }

  // MARK: - The whole store

  func testTheAgeOfTheOldestChangeIsKnown() async throws {
    let store = try await openStore()
    var summary = try await store.read { try $0.summary() }
    XCTAssertEqual(summary, StoreSummary(counts: StoreCounts()))
    try await store.save(edit(milk, ["n": 1]))
    time.withLock { $0 += 5_000 }
    try await store.save(edit(bread, ["n": 1]))
    summary = try await store.read { try $0.summary() }
    XCTAssertEqual(summary.waiting, .seconds(5))
    XCTAssertEqual(summary.counts.outbox, 2)
    time.withLock { $0 -= 60_000 }
    summary = try await store.read { try $0.summary() }
    XCTAssertEqual(summary.waiting, .zero, "a clock that was put back makes nothing younger")
  }

  func testTheLastFiftySyncsAreRemembered() async throws {
    let store = try await openStore()
    var last: SyncRun?
    for n in 1...55 {
      let began = Date(milliseconds: Int64(n))
      var run = SyncRun(began: began, ended: began.addingTimeInterval(1), reason: "an edit")
      if n == 55 {
        run.counts = ["sent": 1, "received": 2, "conflicts": 3, "failures": 4, "lost": 5]
        run.problem = "the server can't be reached"
      }
      try await store.sync { [run] in try $0.note(run) }
      last = run
    }
    let again = try await openStore()
    let (runs, summary) = try await again.read { (try $0.runs(), try $0.summary()) }
    XCTAssertEqual(runs.map(\.began.milliseconds), (6...55).reversed())
    XCTAssertEqual(runs.first, last)
    XCTAssertEqual(summary.lastSync, last)
    XCTAssertEqual(runs.last?.counts, [:])
  }

  func testWhatCouldNotBeStoredIsListedWithItsCollection() async throws {
    let store = try await openStore()
    for (scope, name) in [(tags, "b"), (notes, "c"), (notes, "a")] {
      let page = PulledPage([], unreadable: [UnreadableDocument(name: name, words: "too large")])
      try await store.pull(page, of: scope)
    }
    let failures = try await store.read { try $0.failures() }
    XCTAssertEqual(failures.map(\.name), ["a", "c", "b"])
    XCTAssertEqual(failures.map(\.collection), [notes, notes, tags].map(\.collection))
    XCTAssertEqual(failures.first?.time, 1_700_000_000_000)
  }
}
