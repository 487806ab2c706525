import Foundation
import TestSupport
import XCTest

@testable import DocumentSync

/// A replica that is told at its opening whose it is.
///
/// What had been pulled and edited under nobody stayed there: no call showed it, and no sync sent
/// it, until somebody signed in by an account's object.
final class ReplicaOfAnAccountTests: XCTestCase {
  private let rig = ReplicaRig()
  private var path = ""

  override func setUpWithError() throws { path = try temporaryStorePath() }

  private func replica(_ account: String) async throws -> DocumentReplica {
    try await rig.replica(.file(path), account: account)
  }

  /// Two replicas that are opened at once.
  private func replicas(_ accounts: (String, String)) async throws -> [DocumentReplica] {
    let (rig, place) = (rig, ReplicaStorePlace.file(path))
    async let one = rig.replica(place, account: accounts.0)
    async let other = rig.replica(place, account: accounts.1)
    return try await [one, other]
  }

  /// Does something with a replica that is open meanwhile.
  @discardableResult
  private func open<Result>(
    _ account: String, _ body: (DocumentReplica) async throws -> Result
  ) async throws -> Result {
    let notes = try await replica(account)
    let result = try await body(notes)
    await notes.close()
    return result
  }

  private func ids(_ notes: DocumentReplica) async throws -> [String] {
    try await notes.documents().map(\.id.text).sorted()
  }

  /// The server has three documents; nobody pulls them, edits one, and makes a new one.
  private func use() async throws {
    let other = try await rig.replica()
    for id in [milk, bread, eggs] { try await other.save(id, ["n": 1], in: "notes") }
    try await other.sync()
    await other.close()
    try await open("") { notes in
      try await notes.sync()
      try await notes.save(bread, ["n": 2], in: "notes")
      try await notes.save(tea, ["n": 1], in: "notes")
    }
  }

  func testWhatWasPulledAndEditedBeforeIsTheirsAndIsSent() async throws {
    try await use()
    try await open("ann") { notes in
      try await assertEqual(ids(notes), ["bread", "eggs", "milk", "tea"])
      let report = try await notes.sync()
      XCTAssertEqual(report.sent.map(\.id), [bread, tea])
      XCTAssertEqual(report.received, [])
      XCTAssertEqual(report.failures, [])
    }
    XCTAssertEqual(rig.documents[bread], ["n": 2])
    for account in ["", "bob"] {
      try await assertEqual(open(account) { try await ids($0) }, [], account)
    }
  }

  func testOfTwoAccountsThatAreOpenedAtOnceOneHasAllOfIt() async throws {
    try await use()
    let replicas = try await replicas(("ann", "bob"))
    var found: [[String]] = []
    for notes in replicas { found.append(try await ids(notes)) }
    XCTAssertEqual(found.sorted { $0.count < $1.count }, [[], ["bread", "eggs", "milk", "tea"]])
    for notes in replicas { await notes.close() }
  }

  func testTwoReplicasOfOneAccountThatAreOpenedAtOnceBothHaveIt() async throws {
    try await use()
    let replicas = try await replicas(("ann", "ann"))
    for notes in replicas { try await assertEqual(ids(notes), ["bread", "eggs", "milk", "tea"]) }
    try await assertEqual(replicas[0].sync().sent.map(\.id), [bread, tea])
    try await assertEqual(replicas[1].sync().sent, [])
    for notes in replicas { await notes.close() }
  }

  func testWhatAnotherProcessSendsMeanwhileIsTheirsWithTheNextSync() async throws {
    try await use()
    let turn = try StoreLock(storeAt: path)
    let notes = try await replica("ann")
    try await assertEqual(ids(notes), [])
    turn.end()
    try await assertEqual(notes.sync().sent.map(\.id), [bread, tea])
    try await assertEqual(ids(notes), ["bread", "eggs", "milk", "tea"])
    await notes.close()
  }

  func testWhoComesNextHasWhatTheServerShowsAndNobodysEditIsSentForAnother() async throws {
    try await use()
    try await open("ann") { notes in
      try await notes.sync()
      try await notes.save(milk, ["n": 3], in: "notes")
    }
    try await open("bob") { notes in
      let report = try await notes.sync()
      XCTAssertEqual(report.sent, [])
      XCTAssertEqual(report.failures, [], "each has a document of that id")
      try await assertEqual(ids(notes), ["bread", "eggs", "milk", "tea"])
    }
    XCTAssertEqual(rig.documents[milk], ["n": 1])
    try await open("") { notes in
      try await assertEqual(ids(notes), [])
      try await notes.save(DocumentID("rye"), ["n": 1], in: "notes")
    }
    try await open("ann") { notes in
      try await assertEqual(ids(notes), ["bread", "eggs", "milk", "rye", "tea"])
      let report = try await notes.sync()
      XCTAssertEqual(Set(report.sent.map(\.id)), [milk, DocumentID("rye")])
      XCTAssertEqual(report.failures, [])
      try await assertEqual(ids(notes), ["bread", "eggs", "milk", "rye", "tea"])
    }
  }

  /// Ann goes on syncing while bob's replica, which was opened later, takes her documents over.
  func testWhatAnotherTookOverIsToldAgainOnceItsAccountIsBack() async throws {
    try await use()
    let anns = try await replica("ann")
    let bobs = try await replica("bob")
    try await anns.sync()
    try await bobs.sync()
    for notes in [anns, bobs] { await notes.close() }
    try await open("ann") { notes in
      try await assertEqual(notes.sync().failures, [])
      try await assertEqual(ids(notes), ["bread", "eggs", "milk", "tea"])
    }
  }
}
