import DocumentTesting
import TestSupport
import XCTest

@testable import DocumentSync

/// A replica under an account: who is signed in decides what is sent, and whose edits they are.
final class ReplicaAccountTests: XCTestCase {
  private let rig = ReplicaRig()

  func testWhileNobodyIsSignedInEditsWaitAndNothingIsSent() async throws {
    let notes = try await rig.replica(of: Account())
    try await notes.save(milk, ["n": 1], in: "notes")
    do {
      try await notes.sync()
      XCTFail("nobody is signed in")
    } catch let failure as DocumentSyncFailure {
      guard case .impossible = failure.reason else { return XCTFail("\(failure)") }
    }
    XCTAssertEqual(rig.server.calls, [])
    try await assertTrue(notes.isPending(milk))
  }

  func testWhatWasEditedBeforeAnybodySignedInIsTheirs() async throws {
    let account = Account()
    let notes = try await rig.replica(of: account)
    try await notes.save(milk, ["n": 1], in: "notes")
    try await account.signIn(name: "ann", password: "secret")
    try await assertEqual(notes.sync().sent.map(\.id), [milk])
    XCTAssertEqual(rig.server.documents(in: "notes")[milk]?.value, ["n": 1])
  }

  func testNobodyElseSignsInOverUnsentEditsUnlessToldWhatBecomesOfThem() async throws {
    let (notes, account) = try await rig.signedIn()
    try await notes.save(milk, ["n": 1], in: "notes")
    await assertThrows(
      DocumentError.unsentEdits(1), try await account.signIn(name: "bob", password: "secret"))
    XCTAssertEqual(account.status, .ready(name: "ann"))
    try await account.signIn(name: "bob", password: "secret", unsent: .keep)
    try await assertEqual(notes.sync().sent.map(\.id), [milk])
  }

  func testOfTwoWhoSignInAtOnceNoEditGetsLost() async throws {
    let (notes, account) = try await rig.signedIn()
    try await notes.save(milk, ["n": 1], in: "notes")
    async let bob: Void = account.signIn(name: "bob", password: "secret", unsent: .keep)
    async let cid: Void = account.signIn(name: "cid", password: "secret", unsent: .keep)
    _ = try? await bob
    _ = try? await cid
    try await assertEqual(notes.sync().sent.map(\.id), [milk])
  }

  func testSigningOutKeepsTheDocumentsAndTheNextSyncComparesThem() async throws {
    let (notes, account) = try await rig.signedIn()
    try await notes.save(milk, ["n": 1], in: "notes")
    try await notes.sync()
    try await account.signOut()
    try await assertNil(notes.document(milk))
    try await account.signIn(name: "ann", password: "secret")
    try await assertEqual(notes.document(milk), ["n": 1])
    try await assertTrue(notes.sync().isQuiet)
  }

  func testACredentialThatIsRefusedTwiceStopsSyncsThatNobodyAskedFor() async throws {
    let account = Account()
    let notes = try await rig.replica(of: account)
    try await account.signIn(name: "ann", password: "wrong")
    rig.server.setFaults(.always(.unauthorized), of: "mine")
    try await notes.save(milk, ["n": 1], in: "notes")
    await assertEqual(
      thrown(DocumentSyncFailure.self, by: try await notes.sync())?.reason, .unauthorized)
    XCTAssertEqual(account.status, .refused(name: "ann"))
    try await assertFalse(notes.scheduler.syncOnce())
  }

  func testClosuresRunAroundEachSyncAndOneThatSignsOutDoesNotWaitForItself() async throws {
    let (notes, account) = try await rig.signedIn()
    notes.scheduler.afterSync { _, _ in try? await account.signOut() }
    try await notes.sync()
    XCTAssertEqual(account.status, .signedOut)
  }

  func testASyncIsRememberedUnlessItFoundNothingNew() async throws {
    let (notes, _) = try await rig.signedIn()
    try await notes.save(milk, ["n": 1], in: "notes")
    try await notes.sync()
    try await notes.sync()
    let runs = try await notes.store.read { try $0.runs() }
    XCTAssertEqual(runs.map(\.counts["sent"]), [1])
    XCTAssertEqual(runs.map(\.reason), ["sign-in, edit, manual"])
  }
}
