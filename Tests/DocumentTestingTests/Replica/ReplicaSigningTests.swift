import SyncLock
import DocumentTesting
import Foundation
import SynchronizerTesting
import TestSupport
import XCTest

@testable import DocumentSync

/// Who signs in or out at an awkward moment: during a sync, or while somebody else does.
final class ReplicaSigningTests: XCTestCase {
  private let rig = ReplicaRig()
  private let kept = MemoryCredentials()

  /// A closure that signed out was a part of the sync that was cancelled for it: it was cancelled,
  /// too, and the credentials were kept.
  func testAClosureAfterASyncSignsOutForGood() async throws {
    let (notes, account) = try await rig.signedIn(Account(credentials: kept))
    let failure = Locked<(any Error)?>(nil)
    notes.scheduler.afterSync { _, _ in
      do { try await account.signOut() } catch { failure.withLock { $0 = error } }
    }
    try await notes.save(milk, ["n": 1], in: "notes")
    try await assertEqual(notes.sync().sent.map(\.id), [milk])
    XCTAssertNil(failure.withLock { $0 }.map { "\($0)" })
    XCTAssertEqual(account.status, .signedOut)
    await assertNil(kept.load())
  }

  func testAClosureAfterASyncSignsSomebodyElseIn() async throws {
    let (notes, account) = try await rig.signedIn(Account(credentials: kept))
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
    let (notes, account) = try await rig.signedIn(Account(credentials: kept))
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
    await assertEqual(kept.load()?.name, name)
  }

  /// The first of two had moved the edits to itself when the second overtook it; that one was
  /// refused then, and whoever was signed in before saw the edits no more.
  func testOfTwoWhoSignInAtOnceTheOneWhoDoesNotCountMovesNoEdit() async throws {
    let (service, slow) = (SlowService(), SlowCredentials())
    let (notes, account) = try await rig.signedIn(Account(credentials: slow, service: service))
    slow.gate.close()
    let bob = Task { try await account.signIn(name: "bob", password: "secret", unsent: .keep) }
    try await slow.gate.waiters(atLeast: 1)
    service.gate.close()
    let cid = Task { try await account.signIn(name: "cid", password: "secret") }
    try await service.gate.waiters(atLeast: 1)
    try await notes.save(milk, ["n": 1], in: "notes")
    slow.gate.open()
    await assertThrows(DocumentError.overtaken, try await bob.value)
    service.gate.open()
    await assertThrows(DocumentError.unsentEdits(1), try await cid.value)
    XCTAssertEqual(account.status, .ready(name: "ann"))
    try await assertEqual(slow.load()?.name, "ann")
    try await assertEqual(notes.sync().sent.map(\.id), [milk])
  }

  /// What was edited while somebody took over waited for the end of that. When it came to nothing,
  /// the edit was kept for them all the same, and not sent.
  func testWhatIsEditedWhileSomebodyIsOvertakenIsOfWhoeverIsSignedInStill() async throws {
    let (notes, _) = try await rig.signedIn(Account(credentials: kept))
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
    let slow = try await SlowCredentials.locked()
    let account = Account(credentials: slow)
    let notes = try await rig.replica(of: account)
    try await notes.save(milk, ["n": 1], in: "notes")
    try await assertFalse(notes.scheduler.syncOnce())
    slow.isLocked.withLock { $0 = false }
    try await assertTrue(notes.scheduler.syncOnce())
    XCTAssertEqual(notes.lastReport.sent.map(\.id), [milk])
    XCTAssertEqual(account.status, .ready(name: "ann"))
    XCTAssertEqual(notes.syncer.processor.place.account, "ann")
  }

  func testNobodyElseSignsInWhileAnotherProcessSyncsTheStore() async throws {
    let path = try temporaryStorePath()
    let (notes, account) = try await rig.signedIn(Account(credentials: kept), .file(path))
    let turn = try StoreLock(storeAt: path)
    try await account.signIn(name: "ann", password: "other")
    if let error = await thrown(
      (any Error).self, by: try await account.signIn(name: "bob", password: "secret"))
    {
      XCTAssertEqual(error as? DocumentError, .isSyncedElsewhere)
    }
    XCTAssertEqual(account.status, .ready(name: "ann"))
    await assertEqual(kept.load(), .password(name: "ann", password: "other"))
    turn.end()
    notes.scheduler.afterSync { _, _ in
      try? await account.signIn(name: "bob", password: "secret")
    }
    try await notes.sync()
    XCTAssertEqual(account.status, .ready(name: "bob"))
    await notes.close()
  }

  func testWhatWasEditedWhileNobodyKnewWhoIsSignedInIsTheirsAfterARestart() async throws {
    let path = try temporaryStorePath()
    let slow = try await SlowCredentials.locked()
    let before = try await rig.replica(of: Account(credentials: slow), .file(path))
    try await before.save(milk, ["n": 1], in: "notes")
    await before.close()
    slow.isLocked.withLock { $0 = false }
    let account = Account(credentials: slow)
    try await account.load()
    let notes = try await rig.replica(of: account, .file(path))
    try await assertEqual(notes.sync().sent.map(\.id), [milk])
    await notes.close()
  }
}
