import SyncLock
import DocumentTesting
import Dispatch
import Foundation
import SynchronizerTesting
import TestSupport
import XCTest

@testable import DocumentSync

/// A store is handed over while somebody wants to sync it, here or in another process.
final class ReplicaHandoverTests: XCTestCase {
  private let rig = ReplicaRig()
  private var path = ""

  override func setUpWithError() throws { path = try temporaryStorePath() }

  /// Who has the document.
  private func owner(_ notes: DocumentReplica) async throws -> String? {
    try await notes.store.ofAllAccounts.read { try $0.scope(of: milk)?.account }
  }

  /// A replica of ann's with an edit, whose store nobody else can write to until the test says so.
  private func held() async throws -> (notes: DocumentReplica, free: DispatchSemaphore) {
    let (notes, _) = try await rig.signedIn(Account(), .file(path))
    try await notes.save(milk, ["n": 1], in: "notes")
    let (begun, free) = (Gate(), DispatchSemaphore(value: 0))
    Task {
      try await notes.store.edit { _ in
        begun.open()
        free.wait()
      }
    }
    try await begun.wait()
    return (notes, free)
  }

  /// Begins a sync during a hand-over that waits for the store, and lets both go on.
  private func sync(
    _ notes: DocumentReplica, _ free: DispatchSemaphore
  ) async throws -> DocumentReport {
    while !notes.scheduler.state.state.isHeld { await Task.yield() }
    let hasEnded = Locked(false)
    let synced = Task {
      defer { hasEnded.withLock { $0 = true } }
      return try await notes.sync()
    }
    // One that doesn't wait for the hand-over fails.
    while notes.scheduler.state.waiterCount == 0, !hasEnded.withLock({ $0 }) { await Task.yield() }
    free.signal()
    return try await synced.value
  }

  /// It failed, since "another sync" was under way: the hand-over itself.
  func testASyncThatIsWantedWhileSomebodyTakesOverWaitsForThemAndIsTheirs() async throws {
    let (notes, free) = try await held()
    let account = try XCTUnwrap(notes.account)
    async let bob: Void = account.signIn(name: "bob", password: "secret", unsent: .keep)
    let report = try await sync(notes, free)
    try await bob
    XCTAssertEqual(report.sent.map(\.id), [milk])
    try await assertEqual(owner(notes), "bob")
    await notes.close()
  }

  func testASyncThatIsWantedWhileSomebodyIsOvertakenIsOfWhoeverIsSignedInStill() async throws {
    let (notes, free) = try await held()
    let failed = Task {
      try await notes.becomes("bob", .keep) { throw DocumentError.overtaken }
    }
    let report = try await sync(notes, free)
    let result = await failed.result
    XCTAssertThrowsError(try result.get())
    XCTAssertEqual(report.sent.map(\.id), [milk])
    try await assertEqual(owner(notes), "ann")
    await notes.close()
  }

  /// What another process was just sending was taken from under it.
  func testWhatWasNobodysStaysSoWhileAnotherProcessSyncsAndGoesWithTheNextSync() async throws {
    let slow = try await SlowCredentials.locked()
    let account = Account(credentials: slow)
    let notes = try await rig.replica(of: account, .file(path))
    try await notes.save(milk, ["n": 1], in: "notes")
    let turn = try StoreLock(storeAt: path)
    slow.isLocked.withLock { $0 = false }
    try await account.load()
    XCTAssertEqual(account.status, .ready(name: "ann"))
    try await assertEqual(owner(notes), "")
    turn.end()
    try await assertEqual(notes.sync().sent.map(\.id), [milk])
    try await assertEqual(owner(notes), "ann")
    await notes.close()
  }

  /// A replica that syncs without knowing who is signed in, which can be read by now.
  private func unknowing() async throws -> (DocumentReplica, Task<Void, any Error>) {
    let slow = try await SlowCredentials.locked()
    let notes = try await rig.replica(of: Account(credentials: slow), .file(path))
    try await notes.save(milk, ["n": 1], in: "notes")
    let gate = Gate()
    let begun = Locked(false)
    notes.scheduler.beforeSync { _ in
      let isFirst = begun.withLock { begun in
        defer { begun = true }
        return !begun
      }
      if isFirst { try await gate.wait() }
    }
    let synced = Task { _ = try await notes.sync() }
    try await gate.waiters(atLeast: 1)
    slow.isLocked.withLock { $0 = false }
    return (notes, synced)
  }

  /// The sync that was to be ended for it kept them from signing in.
  func testWhoSignsInEndsASyncThatDoesNotKnowWhoIsSignedIn() async throws {
    let (notes, synced) = try await unknowing()
    let account = try XCTUnwrap(notes.account)
    try await account.signIn(name: "bob", password: "secret", unsent: .keep)
    XCTAssertEqual(account.status, .ready(name: "bob"))
    _ = await synced.result
    try await assertEqual(notes.sync().sent.map(\.id), [milk])
    try await assertEqual(owner(notes), "bob")
    await notes.close()
  }

  func testWhoSignsOutEndsASyncThatDoesNotKnowWhoIsSignedIn() async throws {
    let (notes, synced) = try await unknowing()
    let account = try XCTUnwrap(notes.account)
    try await account.signOut()
    XCTAssertEqual(account.status, .signedOut)
    _ = await synced.result
    await notes.close()
  }
}
