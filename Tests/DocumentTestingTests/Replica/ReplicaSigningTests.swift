import DocumentTesting
import Foundation
import SyncLock
import SynchronizerTesting
import XCTest

@testable import DocumentSync

/// Who signs in or out at an awkward moment: during a sync, or while somebody else does.
final class ReplicaSigningTests: XCTestCase {
  private let server = ReferenceServer()
  private let milk = DocumentID("milk")
  private let kept = MemoryCredentials()

  private func replica(
    _ account: Account, _ place: ReplicaStorePlace = .memory
  ) async throws -> DocumentReplica {
    let endpoint = server.endpoint(named: "mine")
    return try await DocumentReplica(
      place, account: account,
      options: ReplicaOptions(
        server: "https://reference.example", collections: [SyncedCollection("notes")])
    ) { _ in endpoint }
  }

  private func makePath() -> String {
    let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).sqlite").path
    addTeardownBlock {
      for end in ["", "-wal", "-shm", "-sync"] {
        try? FileManager.default.removeItem(atPath: path + end)
      }
    }
    return path
  }

  /// A closure that signed out was a part of the sync that was cancelled for it: it was cancelled,
  /// too, and the credentials were kept.
  func testAClosureAfterASyncSignsOutForGood() async throws {
    let account = Account(credentials: kept)
    let notes = try await replica(account)
    try await account.signIn(name: "ann", password: "secret")
    let failure = Locked<(any Error)?>(nil)
    notes.scheduler.afterSync { _, _ in
      do { try await account.signOut() } catch { failure.withLock { $0 = error } }
    }
    try await notes.save(milk, ["n": 1], in: "notes")
    let report = try await notes.sync()
    XCTAssertEqual(report.sent.map(\.id), [milk])
    XCTAssertNil(failure.withLock { $0 }.map { "\($0)" })
    XCTAssertEqual(account.status, .signedOut)
    let credentials = await kept.load()
    XCTAssertNil(credentials)
  }

  func testAClosureAfterASyncSignsSomebodyElseIn() async throws {
    let account = Account(credentials: kept)
    let notes = try await replica(account)
    try await account.signIn(name: "ann", password: "secret")
    let failure = Locked<(any Error)?>(nil)
    notes.scheduler.afterSync { _, _ in
      do {
        try await account.signOut()
        try await account.signIn(name: "bob", password: "secret")
      } catch { failure.withLock { $0 = error } }
    }
    try await notes.sync()
    XCTAssertNil(failure.withLock { $0 }.map { "\($0)" })
    XCTAssertEqual(account.status, .ready(name: "bob"))
  }

  /// Who signed in waited for the end of a sync, in whose closure somebody signed in as well, and
  /// waited for their turn.
  func testAClosureThatSignsInWhileSomebodyElseDoesHoldsUpNeither() async throws {
    let account = Account(credentials: kept)
    let notes = try await replica(account)
    try await account.signIn(name: "ann", password: "secret")
    let (begun, gate) = (Gate(), Gate())
    let ended = Locked(0)
    notes.scheduler.afterSync { _, _ in
      let number = ended.withLock { ended in
        ended += 1
        return ended
      }
      guard number == 1 else { return }
      begun.open()
      try? await gate.wait()
      try? await account.signIn(name: "cid", password: "secret")
    }
    async let synced = notes.sync()
    try await begun.wait()
    async let bob: Void = account.signIn(name: "bob", password: "secret")
    while account.status != .signingIn { await Task.yield() }
    gate.open()
    _ = try? await synced
    _ = try? await bob
    let name = account.status.name
    XCTAssertEqual(notes.syncer.processor.place.account, name)
    let credentials = await kept.load()
    XCTAssertEqual(credentials?.name, name)
  }

  /// The first of two had moved the edits to itself when the second overtook it; that one was
  /// refused then, and whoever was signed in before saw the edits no more.
  func testOfTwoWhoSignInAtOnceTheOneWhoDoesNotCountMovesNoEdit() async throws {
    let (service, slow) = (SlowService(), SlowCredentials())
    let account = Account(credentials: slow, service: service)
    let notes = try await replica(account)
    try await account.signIn(name: "ann", password: "secret")
    slow.gate.close()
    async let bob: Void = account.signIn(name: "bob", password: "secret", unsent: .keep)
    try await slow.gate.waiters(atLeast: 1)
    service.gate.close()
    async let cid: Void = account.signIn(name: "cid", password: "secret")
    try await service.gate.waiters(atLeast: 1)
    try await notes.save(milk, ["n": 1], in: "notes")
    slow.gate.open()
    do {
      try await bob
      XCTFail("cid came later")
    } catch {
      XCTAssertEqual(error as? DocumentError, .overtaken)
    }
    service.gate.open()
    do {
      try await cid
      XCTFail("there is an edit")
    } catch {
      XCTAssertEqual(error as? DocumentError, .unsentEdits(1))
    }
    XCTAssertEqual(account.status, .ready(name: "ann"))
    let credentials = try await slow.load()
    XCTAssertEqual(credentials?.name, "ann")
    let report = try await notes.sync()
    XCTAssertEqual(report.sent.map(\.id), [milk])
  }

  /// What was edited while somebody took over waited for the end of that. When it came to nothing,
  /// the edit was kept for them all the same, and not sent.
  func testWhatIsEditedWhileSomebodyIsOvertakenIsOfWhoeverIsSignedInStill() async throws {
    let account = Account(credentials: kept)
    let notes = try await replica(account)
    try await account.signIn(name: "ann", password: "secret")
    let ids = (0..<50).map { DocumentID("\($0)") }
    for id in ids {
      let edit = Locked<Task<Bool, any Error>?>(nil)
      _ = try? await notes.becomes("bob", .keep) {
        edit.withLock { $0 = Task { try await notes.save(id, ["n": 1], in: "notes") } }
        throw DocumentError.overtaken
      }
      _ = try await edit.withLock { $0 }?.value
    }
    let accounts = try await notes.store.read { reader in
      Set(try ids.compactMap { try reader.scope(of: $0)?.account })
    }
    XCTAssertEqual(accounts, ["ann"])
  }

  /// Whoever was launched while the credentials couldn't be read was signed out from then on, and
  /// what was edited until then was nobody's.
  func testCredentialsThatCanBeReadOnlyLaterCountFromThenOn() async throws {
    let slow = SlowCredentials()
    try await slow.keep(.token(name: "ann", token: "t"))
    slow.isLocked.withLock { $0 = true }
    let account = Account(credentials: slow)
    let notes = try await replica(account)
    try await notes.save(milk, ["n": 1], in: "notes")
    let madeLocked = try await notes.scheduler.syncOnce()
    XCTAssertFalse(madeLocked)
    slow.isLocked.withLock { $0 = false }
    let made = try await notes.scheduler.syncOnce()
    XCTAssertTrue(made)
    XCTAssertEqual(notes.lastReport.sent.map(\.id), [milk])
    XCTAssertEqual(account.status, .ready(name: "ann"))
    XCTAssertEqual(notes.syncer.processor.place.account, "ann")
  }

  func testNobodyElseSignsInWhileAnotherProcessSyncsTheStore() async throws {
    let path = makePath()
    let account = Account(credentials: kept)
    let notes = try await replica(account, .file(path))
    try await account.signIn(name: "ann", password: "secret")
    let turn = try StoreLock(storeAt: path)
    try await account.signIn(name: "ann", password: "other")
    do {
      try await account.signIn(name: "bob", password: "secret")
      XCTFail("what is on its way is ann's")
    } catch {
      XCTAssertEqual(error as? DocumentError, .isSyncedElsewhere)
    }
    XCTAssertEqual(account.status, .ready(name: "ann"))
    let credentials = await kept.load()
    XCTAssertEqual(credentials, .password(name: "ann", password: "other"))
    turn.end()
    notes.scheduler.afterSync { _, _ in
      try? await account.signIn(name: "bob", password: "secret")
    }
    try await notes.sync()
    XCTAssertEqual(account.status, .ready(name: "bob"))
    await notes.close()
  }

  func testWhatWasEditedWhileNobodyKnewWhoIsSignedInIsTheirsAfterARestart() async throws {
    let path = makePath()
    let slow = SlowCredentials()
    try await slow.keep(.token(name: "ann", token: "t"))
    slow.isLocked.withLock { $0 = true }
    let before = try await replica(Account(credentials: slow), .file(path))
    try await before.save(milk, ["n": 1], in: "notes")
    await before.close()
    slow.isLocked.withLock { $0 = false }
    let account = Account(credentials: slow)
    try await account.load()
    let notes = try await replica(account, .file(path))
    let report = try await notes.sync()
    XCTAssertEqual(report.sent.map(\.id), [milk])
    await notes.close()
  }
}
