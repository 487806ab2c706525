import DocumentEndpoints
import DocumentSync
import DocumentTesting
import XCTest

/// Rows of REST services: asked for, made, changed and deleted by calls of their own.
final class WishedRowsTests: WishesTestCase {
  /// A device with rows at a service of its own.
  private func deviceWithRows() async throws -> DocumentReplica {
    let phone = try await device(at: try plain(try service("serve-rows.py")))
    for (id, name) in [("1", "Te St"), ("2", "other"), ("3", "a te st")] {
      let row: DocumentValue = ["name": DocumentValue(name)]
      try await phone.createNow(row, as: DocumentID(id), in: "notes")
    }
    return phone
  }

  /// rows for which a query holds, with options for this call
  func testRowsAreAskedForByAQuery() async throws {
    let phone = try await deviceWithRows()
    let all = try await phone.filter(
      matching: [("name", "other")], sortedBy: ["-name"], in: "notes",
      SyncWishes(policies: [.serverWins]))
    XCTAssertEqual(all.map(\.id.text), ["2"])
    let named = try await phone.remember(
      query: "all", matching: [], sortedBy: ["-name"], in: "notes")
    let again = try await phone.documents(ofQuery: "all", in: "notes")
    XCTAssertEqual(named.map(\.id.text), ["2", "3", "1"])
    XCTAssertEqual(again.map(\.id.text), ["2", "3", "1"])
  }

  /// `name__icontains=te st` passed on as it is
  func testAQueryIsPassedOnAsItIs() async throws {
    let phone = try await deviceWithRows()
    let found = try await phone.filter(
      matching: [("name__icontains", "te st")], sortedBy: ["name"], in: "notes")
    XCTAssertEqual(found.map(\.id.text), ["1", "3"])
  }

  /// one row by its key
  func testOneRowIsAskedForByItsKey() async throws {
    let phone = try await deviceWithRows()
    let row = try await phone.fetch(DocumentID("2"))
    XCTAssertEqual(row?["name"], "other")
  }

  /// make one, whose key the server makes
  func testTheServerMakesTheKey() async throws {
    server.manners.serverKeys = ["notes"]
    let phone = try await device()
    let made = try await phone.createNow(["title": "Milk"], in: "notes")
    XCTAssertNotNil(Int(made.text), "\(made)")
    XCTAssertEqual(server.documents(in: "notes").map(\.key), [made])
  }

  /// change some members of one
  func testSomeMembersAreChanged() async throws {
    let phone = try await deviceWithRows()
    let id = DocumentID("2")
    let changed = try await phone.updateNow(id, setting: ["done": true, "name": nil])
    XCTAssertEqual(changed, ["done": true])
    try await phone.update(id, in: "notes") { try ($0 ?? [:]).setting("done", to: false) }
    let edited = try await phone.document(id)
    XCTAssertEqual(edited, ["done": false])
  }

  /// delete
  func testRowsAreDeleted() async throws {
    let phone = try await deviceWithRows()
    let isGone = try await phone.deleteNow(DocumentID("2"))
    let isDeleted = try await phone.delete(DocumentID("3"))
    XCTAssertEqual([isGone, isDeleted], [true, true])
    try await phone.sync()
    let left = try await phone.filter(matching: [], in: "notes")
    XCTAssertEqual(left.map(\.id.text), ["1"])
  }

  /// done on the main context once it's merged
  @MainActor
  func testACallReturnsOnItsCallersActorAfterItsTransaction() async throws {
    let (phone, desk) = (try await device(), try await device("desk"))
    try await desk.createNow(["title": "Milk"], as: milk, in: "notes")
    try await phone.sync()
    MainActor.assertIsolated()
    let count = try await phone.count()
    XCTAssertEqual(count, 1)
  }

  /// told of this call's own row
  func testACallTellsOfItsOwnRow() async throws {
    server.manners.unwanted = [bread]
    let phone = try await device()
    try await phone.save(bread, ["title": "Bread"], in: "notes")
    try await phone.createNow(["title": "Milk"], as: milk, in: "notes")
    try await phone.updateNow(milk, setting: ["title": "Oat milk"])
    XCTAssertEqual(server.documents(in: "notes")[milk]?.value, ["title": "Oat milk"])
    do {
      try await phone.updateNow(bread, setting: ["title": "Rye bread"])
      XCTFail("the server doesn't take it")
    } catch {
      guard case .notSent(bread, _) = error as? DocumentError else { return XCTFail("\(error)") }
    }
    try await phone.deleteNow(milk)
    XCTAssertEqual(server.documents(in: "notes"), [:])
  }

  /// services with dates and flags, and without, by the same calls
  func testServicesWithAndWithoutDatesAreUsedByTheSameCalls() async throws {
    let address = try service("serve-rows.py")
    let dialect = RestDialect(
      rows: "results", row: "result", modified: "modified_date", deleted: "is_deleted",
      conflict: "is_conflict")
    let dated = try ServiceEndpoint.rest(
      server: address + "/sync", dialect: dialect, authorization: { "Token secret" })
    for service in [dated, try plain(address)] {
      let (phone, desk) = (try await device(at: service), try await device(at: service))
      try await phone.createNow(["title": "Milk"], as: milk, in: "notes")
      try await desk.sync()
      try await phone.updateNow(milk, setting: ["title": "Oat milk"])
      try await desk.sync()
      let here = try await desk.document(milk)
      XCTAssertEqual(here?["title"], "Oat milk")
    }
  }

  /// a driver: the address and the method of each kind of call
  func testADriverMakesAddressesAndMethods() async throws {
    let dialect = RestDialect(
      line: { call in
        guard call.verb == .filter else { return nil }
        return RestLine("get", [call.model], query: call.query + [("kind", "note")])
      }, prepare: { $0.model = "v1-" + $0.model })
    let address = try service("serve-rows.py")
    let phone = try await device(at: try plain(address, dialect))
    for (id, kind) in [(milk, "note"), (bread, "list")] {
      try await phone.createNow(["kind": DocumentValue(kind)], as: id, in: "notes")
    }
    let rows = try await phone.filter(matching: [], in: "notes")
    XCTAssertEqual(rows.map(\.id), [milk])
    let desk = try await device(
      "desk", [SyncedCollection("v1-notes")], at: try plain(address))
    try await desk.sync()
    let all = try await desk.count()
    XCTAssertEqual(all, 2)
  }

  /// names of members and answers
  func testAnswersAndMembersHaveTheNamesThatTheServiceGivesThem() async throws {
    let dialect = RestDialect(
      rows: "items", row: "item", key: "nr", hasNumericKeys: true, endsInSlash: true)
    let service = try ServiceEndpoint.rest(
      server: try service("serve-rows.py") + "/old", dialect: dialect,
      authorization: { "Token secret" })
    let (phone, desk) = (try await device(at: service), try await device(at: service))
    try await phone.createNow(["title": "Milk"], as: DocumentID("7"), in: "notes")
    try await desk.sync()
    let row = try await desk.document(DocumentID("7"))
    XCTAssertEqual(row, ["title": "Milk"])
  }

  /// the key of a row
  func testAKeyIsReadOutOfARow() async throws {
    let dialect = RestDialect(
      rows: "items", row: "item", key: "key", hasNumericKeys: true, endsInSlash: true,
      reading: { try $0.setting("key", to: $0["nr"]).setting("nr", to: nil) },
      writing: { try $0.setting("nr", to: 7) })
    let service = try ServiceEndpoint.rest(
      server: try service("serve-rows.py") + "/old", dialect: dialect,
      authorization: { "Token secret" })
    let phone = try await device(at: service)
    try await phone.createNow(["title": "Milk"], as: DocumentID("7"), in: "notes")
    let row = try await phone.fetch(DocumentID("7"))
    XCTAssertEqual(row, ["title": "Milk"])
  }

  /// lists in pages
  func testListsComeInPages() async throws {
    let address = try service("serve-rows.py")
    let phone = try await device(at: try synced(address))
    for n in 1...12 { try await phone.save(DocumentID("\(n)"), ["n": 1], in: "notes") }
    try await phone.sync()
    for paging in [RestPaging.links, .next(["next"])] {
      let desk = try await device(at: try synced(address, paging))
      try await desk.sync()
      let count = try await desk.count()
      XCTAssertEqual(count, 12)
    }
  }
}
