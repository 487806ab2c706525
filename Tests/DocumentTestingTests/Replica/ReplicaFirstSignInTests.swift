import DocumentTesting
import Foundation
import XCTest

@testable import DocumentSync

/// A replica that was used without an account, and in which somebody signs in then.
final class ReplicaFirstSignInTests: XCTestCase {
  private let server = ReferenceServer()
  private let milk = DocumentID("milk")
  private let bread = DocumentID("bread")
  private let eggs = DocumentID("eggs")
  private var path = ""

  override func setUpWithError() throws { path = try temporaryStorePath() }

  private let options = ReplicaOptions(
    server: "https://reference.example", collections: [SyncedCollection("notes")])

  private func replica(
    _ place: ReplicaStorePlace, _ name: String = "mine"
  ) async throws -> DocumentReplica {
    try await DocumentReplica(place, endpoint: server.endpoint(named: name), options: options)
  }

  private func replica(of account: Account) async throws -> DocumentReplica {
    let endpoint = server.endpoint(named: "mine")
    return try await DocumentReplica(.file(path), account: account, options: options) { _ in
      endpoint
    }
  }

  /// Three documents are pulled without an account, and one of them is edited.
  private func used() async throws -> DocumentReplica {
    let other = try await replica(.memory, "other")
    for id in [milk, bread, eggs] { try await other.save(id, ["n": 1], in: "notes") }
    try await other.sync()
    let notes = try await replica(.file(path))
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
    let account = Account()
    let notes = try await replica(of: account)
    try await account.signIn(name: "ann", password: "secret")
    let found = try await ids(notes)
    XCTAssertEqual(found, ["bread", "eggs", "milk"])
    let report = try await notes.sync()
    XCTAssertEqual(report.sent.map(\.id), [bread])
    XCTAssertEqual(report.received, [])
    XCTAssertEqual(server.documents(in: "notes")[bread]?.value, ["n": 2])
    await notes.close()
  }

  func testWhatTheServerNoLongerHasGoesWithTheFirstSync() async throws {
    let other = try await used()
    let account = Account()
    let notes = try await replica(of: account)
    try await account.signIn(name: "ann", password: "secret")
    try await other.delete(eggs)
    try await other.sync()
    try await notes.sync()
    let found = try await ids(notes)
    XCTAssertEqual(found, ["bread", "milk"])
    await notes.close()
  }

  /// Ann knows the list when a replica without an account has pulled from it, too.
  func testWhoWasHereBeforeHasAllOfItAndNothingIsLeftOut() async throws {
    let account = Account(credentials: MemoryCredentials())
    var notes = try await replica(of: account)
    try await account.signIn(name: "ann", password: "secret")
    try await notes.save(DocumentID("own"), ["n": 1], in: "notes")
    try await notes.sync()
    await notes.close()
    let other = try await used()
    try await other.save(eggs, ["n": 3], in: "notes")
    try await other.sync()
    notes = try await replica(of: account)
    let found = try await ids(notes)
    XCTAssertEqual(found, ["bread", "eggs", "milk", "own"])
    try await notes.sync()
    let value = try await notes.document(eggs)
    XCTAssertEqual(value, ["n": 3])
    await notes.close()
  }

  func testWhoSignsInAfterThemSeesNothingOfItUntilTheServerShowsIt() async throws {
    _ = try await used()
    let account = Account()
    let notes = try await replica(of: account)
    try await account.signIn(name: "ann", password: "secret")
    try await notes.sync()
    try await account.signOut()
    let nobodys = try await ids(notes)
    XCTAssertEqual(nobodys, [])
    try await account.signIn(name: "bob", password: "secret")
    let bobs = try await ids(notes)
    XCTAssertEqual(bobs, [])
    try await account.signIn(name: "ann", password: "secret")
    let anns = try await ids(notes)
    XCTAssertEqual(anns, ["bread", "eggs", "milk"])
    await notes.close()
  }
}
