import DocumentEndpoints
import DocumentSync
import DocumentTesting
import XCTest

/// Who decides where both sides changed a document, and where a server refuses one.
final class WishedDecisionsTests: WishesTestCase {
  /// A phone on which a note was edited that a desk has edited meanwhile.
  private func conflicting(
    _ policies: [ConflictPolicy], at endpoint: (any DocumentEndpoint)? = nil,
    deskAt time: Int? = nil, _ decides: ConflictDecider? = nil
  ) async throws -> DocumentReplica {
    let desk = try await device("desk", [SyncedCollection("notes")], at: endpoint)
    let phone = try await DocumentReplica(
      .memory, endpoint: endpoint ?? server.endpoint(named: "phone"),
      options: ReplicaOptions(
        server: "https://notes.example",
        collections: [SyncedCollection("notes", policies: policies)], syncsEdits: false,
        decidesConflict: decides))
    let base: DocumentValue = ["title": "Milk", "n": 1]
    _ = try? await desk.fetch(milk)
    try await desk.save(milk, base, in: "notes")
    try await desk.sync()
    try await phone.sync()
    var theirs = try base.setting("title", to: "Oat milk")
    if let time { theirs = try theirs.setting("_times", to: ["title": DocumentValue(time)]) }
    try await desk.save(milk, theirs, in: "notes")
    try await desk.sync()
    try await phone.save(milk, base.setting("title", to: "Soy milk"), in: "notes")
    return phone
  }

  private func title(_ replica: DocumentReplica) async throws -> String? {
    try await replica.document(milk)?["title"]?.string
  }

  /// conflicts: the server, the local, the user, merged
  func testWhoeverIsNamedDecidesAConflict() async throws {
    // The desk's edit is of 1970, or of the year 2255.
    let (old, late) = (1, 9_000_000_000_000)
    let cases: [(ConflictPolicy, deskAt: Int?, title: String, DocumentStatus.Problem?)] = [
      (.serverWins, nil, "Oat milk", nil), (.localWins(atMost: 3), nil, "Soy milk", nil),
      (.ask, nil, "Soy milk", .conflict), (.merge, nil, "Oat milk", nil),
      (.latest, old, "Soy milk", nil), (.latest, late, "Oat milk", nil),
    ]
    for (policy, time, title, problem) in cases {
      let phone = try await conflicting([policy], deskAt: time)
      try await phone.sync()
      let (here, status) = (try await self.title(phone), try await phone.status(of: milk))
      XCTAssertEqual(here, title, "\(policy)")
      XCTAssertEqual(status?.problem, problem, "\(policy)")
    }
  }

  /// errors: leave, resign, retry, the user
  func testWhatIsRefusedGoesAsItsPolicySays() async throws {
    server.manners.unwanted = [milk]
    let cases: [(policy: ErrorPolicy, isKept: Bool)] = [
      (.leave, true), (.resign, false), (.retry(atMost: 1), true), (.ask, false),
    ]
    for (policy, isKept) in cases {
      let phone = try await DocumentReplica(
        .memory, endpoint: server.endpoint(named: "phone"),
        options: ReplicaOptions(
          server: "https://notes.example",
          collections: [SyncedCollection("notes", onError: policy)], syncsEdits: false,
          decidesRefusal: { _ in .resign }))
      try await phone.save(milk, ["title": "Milk"], in: "notes")
      try await phone.sync()
      let count = try await phone.count()
      XCTAssertEqual(count, isKept ? 1 : 0, "\(policy)")
    }
  }

  /// for each class, and for one call
  func testPoliciesAreOfACollectionAndOfACall() async throws {
    let (usual, phone) = (try await conflicting([.serverWins]), try await conflicting([.merge]))
    try await usual.sync()
    try await phone.sync(SyncWishes(policies: [.localWins(atMost: 3)]))
    let titles = (try await title(usual), try await title(phone))
    XCTAssertEqual([titles.0, titles.1], ["Oat milk", "Soy milk"])
  }

  /// a flag that there was a conflict, and a date
  func testAFlagTellsAConflict() async throws {
    let dialect = RestDialect(
      rows: "results", row: "result", modified: "modified_date", deleted: "is_deleted",
      conflict: "is_conflict")
    let service = try ServiceEndpoint.rest(
      server: try service("serve-rows.py") + "/sync", dialect: dialect,
      authorization: { "Token secret" })
    let phone = try await conflicting([.serverWins], at: service)
    let report = try await phone.sync()
    XCTAssertEqual(report.conflicts.map(\.id), [milk])
    let here = try await title(phone)
    XCTAssertEqual(here, "Oat milk")
  }

  /// a question of one's own to the user
  func testSomebodyIsAskedInOnesOwnWay() async throws {
    let phone = try await conflicting([.ask]) { id, conflict in
      let theirs = conflict.there?.value["title"]?.string ?? "nothing"
      let ours = conflict.here["title"]?.string ?? "nothing"
      return .document(["title": DocumentValue("\(id): \(ours) or \(theirs)")])
    }
    try await phone.sync()
    XCTAssertEqual(
      server.documents(in: "notes")[milk]?.value, ["title": "milk: Soy milk or Oat milk"])
    server.manners.unwanted = [bread]
    let desk = try await DocumentReplica(
      .memory, endpoint: server.endpoint(named: "desk"),
      options: ReplicaOptions(
        server: "https://notes.example",
        collections: [SyncedCollection("notes", onError: .ask)], syncsEdits: false,
        decidesConflict: nil, decidesRefusal: { $0.status == 400 ? .resign : .leave }))
    try await desk.save(bread, ["title": "Bread"], in: "notes")
    let report = try await desk.sync()
    XCTAssertEqual(report.lost.map(\.id), [bread])
  }

  /// no value of the server's written over unseen
  func testWhatAServiceWithoutConditionsHasIsReadBefore() async throws {
    let service = try plain(try service("serve-rows.py"))
    let phone = try await conflicting([.localWins(atMost: 3)], at: service)
    let report = try await phone.sync(SyncWishes(ways: .push))
    XCTAssertTrue("\(report.lost)".contains("Oat milk"), "\(report)")
    let there = try await phone.fetch(milk)
    XCTAssertEqual(there?["title"], "Soy milk")
  }
}
