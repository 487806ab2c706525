import DocumentSync
import TestSupport
import XCTest

@testable import DocumentEndpoints

/// Rows that travel both ways between replicas and a service.
final class RestTravelTests: RestTestCase {
  private let milk = DocumentID("milk")

  private func replica(_ dialect: String, _ policies: [ConflictPolicy] = [.merge]) async throws
    -> DocumentReplica
  {
    var options = ReplicaOptions(
      server: try XCTUnwrap(service).address + "/" + dialect,
      collections: [SyncedCollection("notes", policies: policies)])
    options.syncsEdits = false
    return try await DocumentReplica(.memory, endpoint: try endpoint(dialect), options: options)
  }

  func testEditsOfDifferentMembersAreUnitedByASyncedService() async throws {
    let (phone, desk) = (try await replica("sync"), try await replica("sync"))
    try await phone.save(milk, ["title": "Milk", "n": 1], in: "notes")
    try await phone.sync()
    try await desk.sync()
    try await phone.save(milk, ["title": "Milk", "n": 2], in: "notes")
    try await desk.save(milk, ["title": "Oat milk", "n": 1], in: "notes")
    try await phone.sync()
    try await assertEqual(desk.sync().conflicts.map(\.id), [milk])
    try await phone.sync()
    for replica in [phone, desk] {
      try await assertEqual(replica.document(milk), ["title": "Oat milk", "n": 2])
    }
    let digests = (try await phone.digest(), try await desk.digest())
    XCTAssertEqual(digests.0, digests.1)
    let quiet = try await phone.sync()
    XCTAssertTrue(quiet.isQuiet, "\(quiet)")
  }

  func testADeletionArrivesThroughEitherKindOfList() async throws {
    for dialect in ["plain", "sync"] {
      let (phone, desk) = (try await replica(dialect), try await replica(dialect))
      for n in 0..<6 {
        try await phone.save(DocumentID("\(n)"), ["n": DocumentValue(n)], in: "notes")
      }
      try await phone.sync()
      try await desk.sync()
      try await phone.delete(DocumentID("3"))
      try await phone.sync()
      try await assertEqual(desk.sync().received.map(\.id.text), ["3"], dialect)
      try await assertEqual(desk.count(), 5, dialect)
    }
  }

  func testARefusedRowIsSetAsideInTheServicesWords() async throws {
    for (dialect, id) in [("plain", "1"), ("old", "1")] {
      let replica = try await replica(dialect)
      try await replica.save(DocumentID(id), ["name": "unwanted"], in: "notes")
      try await replica.save(DocumentID("2"), ["name": "wanted"], in: "notes")
      let report = try await replica.sync()
      XCTAssertEqual(report.sent.map(\.id.text), ["2"], dialect)
      XCTAssertTrue(report.failures.first?.words.contains("nobody wants it") ?? false, dialect)
    }
  }

  func testAQueryIsRememberedWithItsOrderAndTakesNothingAway() async throws {
    let (phone, desk) = (try await replica("plain"), try await replica("plain"))
    for (id, name) in [("1", "milk"), ("2", "bread"), ("3", "oat milk")] {
      try await desk.save(DocumentID(id), ["name": DocumentValue(name)], in: "notes")
    }
    try await desk.sync()
    try await phone.save(DocumentID("9"), ["name": "only here"], in: "notes")
    let found = try await phone.remember(
      query: "milks", matching: [("name__icontains", "milk")], sortedBy: ["-name"],
      in: "notes")
    XCTAssertEqual(found.map(\.id.text), ["3", "1"])
    try await assertEqual(phone.count(), 3)

    try await desk.save(DocumentID("1"), ["name": "water"], in: "notes")
    try await desk.sync()
    try await phone.remember(
      query: "milks", matching: [("name__icontains", "milk")], in: "notes")
    try await assertEqual(phone.documents(ofQuery: "milks", in: "notes").map(\.id.text), ["3"])
    try await assertNotNil(phone.document(DocumentID("1")))
  }

  func testWhatTheServiceCannotHaveIsRefusedWhenItIsSaved() async throws {
    let replica = try await replica("old")
    for (id, content) in [("x", ["a": 1]), ("7", ["nr": 1])] as [(String, DocumentValue)] {
      await assertThrows(
        DocumentError.self, try await replica.save(DocumentID(id), content, in: "notes"))
    }
  }

  func testAServiceThatForgotIsComparedAndTheEditIsMadeAgain() async throws {
    let phone = try await replica("sync")
    for n in 0..<5 {
      try await phone.save(DocumentID("\(n)"), ["n": DocumentValue(n)], in: "notes")
    }
    try await phone.sync()
    try await phone.save(DocumentID("0"), ["n": 7], in: "notes")
    _ = try await endpoint("sync").callProcedure("forget", of: "notes")
    try await assertEqual(phone.sync().compared, ["notes"])
    try await assertEqual(phone.count(), 5, "what is missing there is more than a sync may remove")
    let desk = try await replica("sync")
    try await desk.sync()
    try await assertEqual(desk.document(DocumentID("0")), ["n": 7])
    try await assertEqual(desk.count(), 1)
  }

  func testAQueryIsAskedAgainUnderARenewedToken() async throws {
    let (address, token) = (try XCTUnwrap(service).address + "/plain", token)
    let account = Account(
      credentials: MemoryCredentials(.token(name: "ann", token: "old", refresh: "more")),
      service: Renewing(token: token), tokenPrefix: "Token ")
    let replica = try await DocumentReplica(
      .memory, account: account,
      options: ReplicaOptions(server: address, collections: [SyncedCollection("notes")])
    ) { try RestEndpoint(server: address, authorization: $0) }
    let row: DocumentValue = ["name": "Milk"]
    _ = await (try endpoint("plain")).push(.create(milk, row, in: "notes", key: nil))
    let found = try await replica.remember(query: "all", matching: [], in: "notes")
    XCTAssertEqual(found.map(\.id), [milk])
  }

  private struct Renewing: AccountService {
    let token: String

    @concurrent func credentials(
      for request: AccountRequest
    ) async throws -> AccountCredentials? {
      .token(name: "ann", token: token)
    }
  }
}
