import DocumentTesting
import XCTest

@testable import DocumentSync

/// A replica under an account: who is signed in decides what is sent, and whose edits they are.
final class ReplicaAccountTests: XCTestCase {
  private let server = ReferenceServer()
  private let milk = DocumentID("milk")

  private func replica(_ account: Account) async throws -> DocumentReplica {
    let endpoint = server.endpoint(named: "mine")
    return try await DocumentReplica(
      .memory, account: account,
      options: ReplicaOptions(
        server: "https://reference.example", collections: [SyncedCollection("notes")])
    ) { _ in endpoint }
  }

  func testWhileNobodyIsSignedInEditsWaitAndNothingIsSent() async throws {
    let notes = try await replica(Account())
    try await notes.save(milk, ["n": 1], in: "notes")
    do {
      try await notes.sync()
      XCTFail("nobody is signed in")
    } catch let failure as DocumentSyncFailure {
      guard case .impossible = failure.reason else { return XCTFail("\(failure)") }
    }
    XCTAssertEqual(server.calls, [])
    let isPending = try await notes.isPending(milk)
    XCTAssertTrue(isPending)
  }

  func testWhatWasEditedBeforeAnybodySignedInIsTheirs() async throws {
    let account = Account()
    let notes = try await replica(account)
    try await notes.save(milk, ["n": 1], in: "notes")
    try await account.signIn(name: "ann", password: "secret")
    let report = try await notes.sync()
    XCTAssertEqual(report.sent.map(\.id), [milk])
    XCTAssertEqual(server.documents(in: "notes")[milk]?.value, ["n": 1])
  }

  func testNobodyElseSignsInOverUnsentEditsUnlessToldWhatBecomesOfThem() async throws {
    let account = Account()
    let notes = try await replica(account)
    try await account.signIn(name: "ann", password: "secret")
    try await notes.save(milk, ["n": 1], in: "notes")
    do {
      try await account.signIn(name: "bob", password: "secret")
      XCTFail("ann's edit isn't sent")
    } catch {
      XCTAssertEqual(error as? DocumentError, .unsentEdits(1), "\(error)")
    }
    XCTAssertEqual(account.status, .ready(name: "ann"))
    try await account.signIn(name: "bob", password: "secret", unsent: .keep)
    let report = try await notes.sync()
    XCTAssertEqual(report.sent.map(\.id), [milk])
  }

  func testOfTwoWhoSignInAtOnceNoEditGetsLost() async throws {
    let account = Account()
    let notes = try await replica(account)
    try await account.signIn(name: "ann", password: "secret")
    try await notes.save(milk, ["n": 1], in: "notes")
    async let bob: Void = account.signIn(name: "bob", password: "secret", unsent: .keep)
    async let cid: Void = account.signIn(name: "cid", password: "secret", unsent: .keep)
    _ = try? await bob
    _ = try? await cid
    let report = try await notes.sync()
    XCTAssertEqual(report.sent.map(\.id), [milk])
  }

  func testSigningOutKeepsTheDocumentsAndTheNextSyncComparesThem() async throws {
    let account = Account()
    let notes = try await replica(account)
    try await account.signIn(name: "ann", password: "secret")
    try await notes.save(milk, ["n": 1], in: "notes")
    try await notes.sync()
    try await account.signOut()
    let unseen = try await notes.document(milk)
    XCTAssertNil(unseen)
    try await account.signIn(name: "ann", password: "secret")
    let kept = try await notes.document(milk)
    XCTAssertEqual(kept, ["n": 1])
    let report = try await notes.sync()
    XCTAssertTrue(report.isQuiet)
  }

  func testACredentialThatIsRefusedTwiceStopsSyncsThatNobodyAskedFor() async throws {
    let account = Account()
    let notes = try await replica(account)
    try await account.signIn(name: "ann", password: "wrong")
    server.setFaults(.always(.unauthorized), of: "mine")
    try await notes.save(milk, ["n": 1], in: "notes")
    do {
      try await notes.sync()
      XCTFail("the server refuses")
    } catch let failure as DocumentSyncFailure {
      XCTAssertEqual(failure.reason, .unauthorized)
    }
    XCTAssertEqual(account.status, .refused(name: "ann"))
    let made = try await notes.scheduler.syncOnce()
    XCTAssertFalse(made)
  }

  func testClosuresRunAroundEachSyncAndOneThatSignsOutDoesNotWaitForItself() async throws {
    let account = Account()
    let notes = try await replica(account)
    try await account.signIn(name: "ann", password: "secret")
    notes.scheduler.afterSync { _, _ in try? await account.signOut() }
    try await notes.sync()
    XCTAssertEqual(account.status, .signedOut)
  }

  func testASyncIsRememberedUnlessItFoundNothingNew() async throws {
    let account = Account()
    let notes = try await replica(account)
    try await account.signIn(name: "ann", password: "secret")
    try await notes.save(milk, ["n": 1], in: "notes")
    try await notes.sync()
    try await notes.sync()
    let runs = try await notes.store.read { try $0.runs() }
    XCTAssertEqual(runs.map(\.counts["sent"]), [1])
    XCTAssertEqual(runs.map(\.reason), ["sign-in, edit, manual"])
  }
}
