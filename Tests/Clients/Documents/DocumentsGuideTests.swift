import DocumentEndpoints
import DocumentSync
import DocumentTesting
import XCTest

/// What the guide shows works.
final class DocumentsGuideTests: XCTestCase {
  private let server = ReferenceServer()

  private func replica(_ name: String, _ policies: [ConflictPolicy]? = nil) async throws
    -> DocumentReplica
  {
    var options = Guide.options()
    options.syncsEdits = false
    if let policies { options.collections = [SyncedCollection("notes", policies: policies)] }
    return try await DocumentReplica(
      .memory, endpoint: server.endpoint(named: name), options: options)
  }

  func testDocumentsAreEditedFoundAndSent() async throws {
    let notes = try await replica("phone")
    try await Guide.edit(notes)
    let found = try await Guide.find(notes)
    XCTAssertEqual(found.map(\.title), ["Milk"])
    XCTAssertEqual(found.map(\.tags), [["shopping"]])
    let none = try await Guide.search(notes)
    XCTAssertEqual(none.map(\.title), [])
    let rows = try await Guide.titles(notes)
    XCTAssertEqual(
      Set(rows.compactMap { $0["title"]?.string }), ["Milk", "Bread"])
    let count = try await notes.count(matching: DocumentQuery(in: "notes"))
    XCTAssertEqual(count, 2)
    let said = try await Guide.sync(notes)
    XCTAssertEqual(said, "2 sent, 0 received")
    let isAtRest = try await notes.isAtRest()
    XCTAssertTrue(isAtRest)
  }

  func testADocumentIsMadeOfWhatIsThere() async throws {
    let notes = try await replica("phone")
    try await Guide.rename(notes)
    try await Guide.edit(notes)
    try await Guide.rename(notes)
    let bread = try await notes.document(DocumentID("bread"))
    XCTAssertEqual(bread?["title"], "Rye bread")
    XCTAssertEqual(bread?["tags"], [])
  }

  func testAStoreIsOpenedByItsPathAlone() async throws {
    let path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
    defer {
      for ending in ["", "-wal", "-shm", "-sync"] {
        try? FileManager.default.removeItem(atPath: path + ending)
      }
    }
    try await Guide.setUp(path, with: "https://notes.example.org")
    try await Guide.setUp(path, with: "https://notes.example.org")
    let opened = try await Guide.open(setUpAt: path)
    let notes = try XCTUnwrap(opened)
    try await Guide.rename(notes)
    let summary = try await notes.summary()
    XCTAssertEqual([summary.counts.outbox, summary.counts.parked], [1, 0])
    let found = try await notes.count()
    XCTAssertEqual(found, 1)
    await notes.close()
  }

  func testSomebodyDecidesAndTakesBack() async throws {
    let (phone, desk) = (try await replica("phone", [.ask]), try await replica("desk"))
    let id = DocumentID("milk")
    try await phone.save(Note(id: id, title: "Milk"), in: "notes")
    try await phone.sync()
    try await desk.sync()
    try await desk.save(Note(id: id, title: "Oat milk"), in: "notes")
    try await desk.sync()
    try await phone.save(Note(id: id, title: "Soy milk"), in: "notes")
    try await phone.sync()
    let status = try await phone.status(of: id)
    XCTAssertEqual(status?.problem, .conflict)

    try await Guide.decide(phone, id)
    try await phone.sync()
    XCTAssertEqual(server.documents(in: "notes")[id]?.value["title"], "Soy milk")

    try await Guide.takeBack(phone)
    let note = try await phone.document(Note.self, id)
    XCTAssertEqual(note?.title, "Oat milk")
    let life = try await phone.life(of: id)
    XCTAssertFalse(life?.moments.isEmpty ?? true)
  }

  func testAViewSeesEachValue() async throws {
    let notes = try await replica("phone")
    let id = DocumentID("milk")
    let changes = notes.changes
    try await notes.save(Note(id: id, title: "Milk"), in: "notes")
    var iterator = notes.values(of: id).makeAsyncIterator()
    let first = try await iterator.next()
    XCTAssertEqual(first??["title"], "Milk")
    try await notes.delete(id)
    let last = try await iterator.next()
    XCTAssertEqual(last, .some(nil))
    await notes.close()
    var kinds: [ChangedDocument.Kind] = []
    for await change in changes { kinds += change.documents.map(\.kind) }
    XCTAssertEqual(kinds, [.appeared, .disappeared])
  }

  func testViewsSeeListsAndFiles() async throws {
    let notes = try await replica("phone")
    for title in ["Milk", "Mint"] { try await notes.save(Note(id: .uuid7(), title: title)) }
    var query = DocumentQuery(where: .like(Note[\.title], "M%"))
    query.order = [DocumentOrder(Note[\.title])]
    let titles = try await Guide.list(notes, query)
    XCTAssertEqual(titles, ["Milk", "Mint"])

    let picture = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).png")
    try Data("a picture".utf8).write(to: picture)
    defer { try? FileManager.default.removeItem(at: picture) }
    let id = DocumentID("milk")
    try await notes.save(Note(id: id, title: "Milk"))
    let isHere = try await Guide.attach(notes, picture.path, id)
    XCTAssertEqual(isHere, true)
    let file = try await notes.file("picture", of: id)
    XCTAssertEqual(file?.content.size, 9)
    let endpoint = try ServiceEndpoint.rest(
      server: "https://example.org", dialect: Guide.rowsWithFiles())
    XCTAssertTrue(endpoint.keepsFilesAtAddresses)
  }

  func testDocumentsGoOutAndComeBack() async throws {
    let (notes, other) = (try await replica("phone"), try await replica("desk"))
    try await Guide.edit(notes)
    var types = try DocumentTypes()
    try types.declare("note", in: "notes")
    let lines = Lines()
    try await notes.export(types) { lines.add($0) }
    let summary = try await other.importDocuments(lines.bytes, types)
    XCTAssertEqual(summary.changed, 2)
    let (mine, theirs) = (try await notes.documents(), try await other.documents())
    XCTAssertEqual(Set(mine.map(\.content)), Set(theirs.map(\.content)))
    let dropped = try await other.dropAll(discardingChanges: true)
    XCTAssertEqual(dropped, 2)
  }

  func testWhatTheServerCannotTakeIsNotStored() async throws {
    let notes = try await replica("phone")
    do {
      _ = try await notes.getOrCreate(Note(id: DocumentID(""), title: "x"), in: "notes")
      XCTFail("it has no id")
    } catch {
      XCTAssertEqual(error as? DocumentError, .noID)
    }
    let (note, isNew) = try await notes.getOrCreate(
      Note(id: .uuid7(), title: "Milk"), in: "notes")
    XCTAssertTrue(isNew)
    let again = try await notes.getOrCreate(
      Note(id: .uuid7(), title: "Milk"), in: "notes",
      where: DocumentQuery(in: "notes", where: .equal(["title"], "Milk")))
    XCTAssertFalse(again.isNew)
    XCTAssertEqual(again.document.id, note.id)
  }
}

/// Gathers what an export hands over.
private final class Lines: @unchecked Sendable {  // Called by one thread at a time.
  private(set) var bytes: [UInt8] = []

  func add(_ line: [UInt8]) { bytes += line }
}
