import DocumentEndpoints
import DocumentSync
import DocumentTesting
import XCTest

/// Documents that are stashed, saved, sent and received.
final class WishedDocumentsTests: WishesTestCase {
  /// send JSON documents to an endpoint without types
  func testDocumentsGoToAServiceWithoutTypes() async throws {
    let service = try ServiceEndpoint.rest(
      server: try service("serve-documents.py") + "/api", dialect: RestDialect.documentService,
      authorization: { "Token token=secret" })
    let phone = try await device(at: service)
    try await phone.save(milk, ["docType": "note", "n": 1], in: "notes")
    let made = try await phone.sync()
    try await phone.save(milk, ["docType": "note", "n": 2], in: "notes")
    let changed = try await phone.sync()
    try await phone.delete(milk)
    let deleted = try await phone.sync()
    XCTAssertEqual([made, changed, deleted].map { $0.sent.map(\.id) }, [[milk], [milk], [milk]])
    XCTAssertEqual(deleted.sent.map(\.isRemoval), [true])
  }

  /// … and receive them
  func testDocumentsComeFromAServiceWithoutTypes() async throws {
    let service = try ServiceEndpoint.rest(
      server: try service("serve-documents.py") + "/api", dialect: .documentService,
      authorization: { "Token token=secret" })
    let (phone, desk) = (try await device(at: service), try await device(at: service))
    try await phone.save(milk, ["docType": "note", "n": 1], in: "notes")
    try await phone.sync()
    let fetched = try await desk.fetch(milk)
    XCTAssertEqual(fetched?["n"], 1)
    try await phone.save(milk, ["docType": "note", "n": 2], in: "notes")
    try await phone.sync()
    let report = try await desk.sync()
    XCTAssertEqual(report.received.map(\.id), [milk])
    let received = try await desk.document(milk)
    XCTAssertEqual(received?["n"], 2)
  }

  /// without a network
  func testWithoutANetworkNothingIsLost() async throws {
    server.setFaults(.always(.unreachable), of: "phone")
    let phone = try await device()
    try await phone.save(milk, ["n": 1], in: "notes")
    do {
      try await phone.sync()
      XCTFail("there is no network")
    } catch let failure as DocumentSyncFailure {
      XCTAssertEqual(failure.reason, .unreachable)
    }
    server.setFaults(.none, of: "phone")
    let report = try await phone.sync(SyncWishes(overridesWait: true))
    XCTAssertEqual(report.sent.map(\.id), [milk])
  }

  /// Swift types, written and read
  @MainActor
  func testSwiftTypesAreWrittenAndRead() async throws {
    struct Errand: SyncDocument, Equatable {
      static let documentType = "task"
      static let collection = "notes"
      let id: DocumentID
      var title: String
    }
    let phone = try await device()
    let errand = Errand(id: milk, title: "Milk")
    try await phone.save(errand)
    let read = try await phone.document(Errand.self, milk)
    XCTAssertEqual(read, errand)
    let live = LiveDocument(errand, in: phone)
    live.value.title = "Oat milk"
    try await live.save()
    let edited = try await phone.document(milk)
    XCTAssertEqual(edited?["title"], "Oat milk")
  }

  /// arrays, dictionaries, `Int?`
  func testAnyCodableMemberComesBackAndUnknownOnesStay() async throws {
    struct Errand: SyncDocument, Equatable {
      static let documentType = "task"
      static let collection = "notes"
      let id: DocumentID
      var numbers: [Int]
      var counts: [String: Int]
      var age: Int?
    }
    let phone = try await device()
    try await phone.save(milk, ["docType": "task", "color": "red"], in: "notes")
    try await phone.save(milk, ["numbers": [], "counts": [:], "color": "red"], in: "notes")
    let errand = Errand(id: milk, numbers: [1, 2], counts: ["a": 3], age: 4)
    try await phone.save(errand)
    try await phone.sync()
    let desk = try await device("desk")
    try await desk.sync()
    let read = try await desk.document(Errand.self, milk)
    XCTAssertEqual(read, errand)
    let document = try await desk.document(milk)
    XCTAssertEqual(document?["color"], "red")
  }

  /// store, change and read here only
  func testWhatIsStashedIsNotSent() async throws {
    let phone = try await device()
    for title in ["Milk", "Oat milk"] { try await phone.stash(Note(id: milk, title: title)) }
    let note = try await phone.document(Note.self, milk)
    let notes = try await phone.documents(Note.self, matching: DocumentQuery(in: "notes"))
    XCTAssertEqual([note?.title] + notes.map(\.title), ["Oat milk", "Oat milk"])
    let report = try await phone.sync()
    XCTAssertEqual(report.sent, [])
  }

  /// save now, send as soon as it can be
  func testWhatIsSavedWaitsToBeSent() async throws {
    let phone = try await device()
    try await phone.save(Note(id: milk, title: "Milk"))
    let (before, report) = (try await phone.status(of: milk), try await phone.sync())
    let after = try await phone.status(of: milk)
    XCTAssertEqual([before?.isPending, after?.isPending], [true, false])
    XCTAssertEqual(report.sent.map(\.id), [milk])
  }

  /// read again what is here
  func testWhatIsHereIsReadAgain() async throws {
    let phone = try await device()
    try await phone.save(Note(id: milk, title: "Milk"))
    try await phone.save(milk, ["docType": "note", "title": "Oat milk", "tags": []], in: "notes")
    let note = try await phone.document(Note.self, milk)
    XCTAssertEqual(note?.title, "Oat milk")
  }

  /// ask the server for this one now
  func testOneIsAskedForNow() async throws {
    let (phone, desk) = (try await device(), try await device("desk"))
    for id in [milk, bread] { try await phone.save(id, ["n": 1], in: "notes") }
    try await phone.sync()
    let fetched = try await desk.fetch(milk)
    XCTAssertEqual(fetched, ["n": 1])
    let others = try await desk.ids()
    XCTAssertEqual(others, [milk])
  }

  /// objects in memory that change with a sync
  func testValuesFollowASync() async throws {
    let (phone, desk) = (try await device(), try await device("desk"))
    try await phone.save(Note(id: milk, title: "Milk"))
    try await phone.sync()
    try await desk.sync()
    var one = phone.values(of: milk, as: Note.self).makeAsyncIterator()
    var all = phone.values(of: Note.self, matching: DocumentQuery()).makeAsyncIterator()
    let (first, list) = (try await one.next(), try await all.next())
    XCTAssertEqual([first??.title] + (list ?? []).map(\.title), ["Milk", "Milk"])
    try await desk.save(Note(id: milk, title: "Oat milk"))
    try await desk.sync()
    try await phone.sync()
    let (second, newest) = (try await one.next(), try await all.next())
    XCTAssertEqual([second??.title] + (newest ?? []).map(\.title), ["Oat milk", "Oat milk"])
  }

  /// objects in memory that change with a sync
  @MainActor
  func testAnObjectFollowsASync() async throws {
    let (phone, desk) = (try await device(), try await device("desk"))
    try await phone.save(Note(id: milk, title: "Milk"))
    try await phone.sync()
    try await desk.sync()
    let live = LiveDocument(Note(id: milk, title: "Milk"), in: phone)
    let view = Task { try await live.follow() }
    defer { view.cancel() }
    try await desk.save(Note(id: milk, title: "Oat milk"))
    try await desk.sync()
    try await phone.sync()
    await until { live.value.title == "Oat milk" }
  }

  /// find by fields
  func testDocumentsAreFoundByFieldsAndWords() async throws {
    let phone = try await DocumentReplica(
      .memory, endpoint: server.endpoint(named: "phone"),
      options: ReplicaOptions(
        server: "https://notes.example", collections: [SyncedCollection("notes")],
        syncsEdits: false, texts: [MemberText(of: "notes", on: ["title"])]))
    try await phone.save(milk, ["title": "Oat milk", "n": 2], in: "notes")
    try await phone.save(bread, ["title": "Rye bread", "n": 1], in: "notes")
    let byField = try await phone.ids(matching: DocumentQuery(where: .equal(["n"], 2)))
    let byWord = try await phone.ids(matching: DocumentQuery(where: .matches("bre*")))
    XCTAssertEqual([byField, byWord], [[milk], [bread]])
  }

  /// each document has an id and a type
  func testIDAndTypeHaveTheNamesThatATypeSays() async throws {
    struct Errand: SyncDocument {
      static let documentType = "task"
      static let collection = "notes"
      static let (typeMember, idMember) = ("kind", "key")
      let id: DocumentID
      enum CodingKeys: String, CodingKey { case id = "key" }
    }
    XCTAssertEqual((Errand.self as any SyncDocument.Type).idMember, "key")
    let phone = try await device()
    try await phone.save(Errand(id: milk))
    let stored = try await phone.document(milk)
    XCTAssertEqual(stored, ["kind": "task"])
    let read = try await phone.document(Errand.self, milk)
    XCTAssertEqual(read?.id, milk)
  }
}
