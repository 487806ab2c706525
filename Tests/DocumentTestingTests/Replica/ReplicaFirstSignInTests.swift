import Foundation
import TestSupport
import XCTest

@testable import DocumentSync

/// A replica that was used without an account, and in which somebody signs in then.
final class ReplicaFirstSignInTests: XCTestCase {
  private let rig = ReplicaRig()
  private var path = ""

  override func setUpWithError() throws { path = try temporaryStorePath() }

  /// Three documents are pulled without an account, and one of them is edited.
  private func used() async throws -> DocumentReplica {
    let other = try await rig.replica(named: "other")
    for id in [milk, bread, eggs] { try await other.save(id, ["n": 1], in: "notes") }
    try await other.sync()
    let notes = try await rig.replica(.file(path))
    try await notes.sync()
    try await notes.save(bread, ["n": 2], in: "notes")
    await notes.close()
    return other
  }

  private func ids(_ notes: DocumentReplica) async throws -> [String] {
    try await notes.documents().map(\.id.text).sorted()
  }

  func testWhatWasPulledBeforeIsThereAtOnceAndTheEditIsSent() async throws {
    _ = try await used()
    let (notes, _) = try await rig.signedIn(Account(), .file(path))
    try await assertEqual(ids(notes), ["bread", "eggs", "milk"])
    let report = try await notes.sync()
    XCTAssertEqual(report.sent.map(\.id), [bread])
    XCTAssertEqual(report.received, [])
    XCTAssertEqual(rig.documents[bread], ["n": 2])
    await notes.close()
  }

  func testWhatTheServerNoLongerHasGoesWithTheFirstSync() async throws {
    let other = try await used()
    let (notes, _) = try await rig.signedIn(Account(), .file(path))
    try await other.delete(eggs)
    try await other.sync()
    try await notes.sync()
    try await assertEqual(ids(notes), ["bread", "milk"])
    await notes.close()
  }

  /// Ann knows the list when a replica without an account has pulled from it, too.
  func testWhoWasHereBeforeHasAllOfItAndNothingIsLeftOut() async throws {
    let account = Account(credentials: MemoryCredentials())
    var (notes, _) = try await rig.signedIn(account, .file(path))
    try await notes.save(DocumentID("own"), ["n": 1], in: "notes")
    try await notes.sync()
    await notes.close()
    let other = try await used()
    try await other.save(eggs, ["n": 3], in: "notes")
    try await other.sync()
    notes = try await rig.replica(of: account, .file(path))
    try await assertEqual(ids(notes), ["bread", "eggs", "milk", "own"])
    try await notes.sync()
    try await assertEqual(notes.document(eggs), ["n": 3])
    await notes.close()
  }

  func testWhoSignsInAfterThemSeesNothingOfItUntilTheServerShowsIt() async throws {
    _ = try await used()
    let (notes, account) = try await rig.signedIn(Account(), .file(path))
    try await notes.sync()
    try await account.signOut()
    try await assertEqual(ids(notes), [])
    try await account.signIn(name: "bob", password: "secret")
    try await assertEqual(ids(notes), [])
    try await account.signIn(name: "ann", password: "secret")
    try await assertEqual(ids(notes), ["bread", "eggs", "milk"])
    await notes.close()
  }
}
