import Foundation
import TestSupport
import XCTest

@testable import DocumentSync

private struct Note: SyncDocument, Equatable {
  struct Place: Codable, Equatable {
    var name: String
    var height: Double?
  }

  static let documentType = "note"
  var id: DocumentID
  var title: String
  var due: Date?
  var tags: [String]?
  var place: Place?
  var big: Int64 = 0
  var huge: UInt64 = 0
}

/// A type of a program's that knows less of the same documents.
private struct Title: SyncDocument {
  static let documentType = "note"
  var id: DocumentID
  var title: String
}

private struct Tag: SyncDocument, Equatable {
  static let documentType = "tag"
  var id = DocumentID.uuid7()
  var name: String

  static func documentID(for content: Tag) -> DocumentID? {
    .named(content.name, ofType: documentType, ignoringCase: true)
  }
}

/// A type whose members are called otherwise.
private struct Row: SyncDocument {
  static let documentType = "row"
  static let typeMember = "kind"
  static let idMember = "_id"
  var id: DocumentID
  var n: Int

  enum CodingKeys: String, CodingKey {
    case id = "_id"
    case n
  }
}

/// A type of whose documents some are written in earlier forms.
private struct Task: SyncDocument, Equatable {
  static let documentType = "task"
  static let steps = [
    DocumentStep("name is title") { old in
      guard let name = old["name"] else { return old }
      return try old.setting("name", to: nil).setting("title", to: name)
    },
    DocumentStep("minutes, not hours") { old in
      guard let hours = old["hours"] else { return old }
      guard let number = hours.integer else { throw DocumentProblem.notAValue(.notAnObject) }
      return try old.setting("hours", to: nil).setting("minutes", to: DocumentValue(number * 60))
    },
  ]
  var id: DocumentID
  var title: String
  var minutes: Int
}

/// Documents as a program's own types.
final class TypedDocumentTests: StoreTestCase {
  private func note(_ id: String) -> Note {
    Note(
      id: DocumentID(id), title: "Milk", due: Date(timeIntervalSince1970: 1_700_000_000.123),
      tags: ["a", "b"], place: Note.Place(name: "shop", height: 1.5), big: .min, huge: .max)
  }

  private func read<Document: SyncDocument>(
    _ id: DocumentID, _ store: DocumentStore, as type: Document.Type = Document.self
  ) async throws -> Document? {
    try await store.read { try $0.document(type, id) }
  }

  func testAValueComesBackAsItWent() async throws {
    let store = try await openStore()
    let full = note("a")
    let empty = Note(id: DocumentID("b"), title: "")
    for note in [full, empty] {
      let saved = try await store.edit { try $0.save(note, in: notes) }
      XCTAssertEqual(saved.id, note.id)
      XCTAssertTrue(saved.isChanged)
      try await assertFalse(store.edit { try $0.save(note, in: notes) }.isChanged)
      let read: Note? = try await read(note.id, store)
      XCTAssertEqual(read, note)
    }
    let content = try await store.get(DocumentID("b"))
    XCTAssertEqual(content, ["docType": "note", "title": "", "big": 0, "huge": 0])
    let nothing: Note? = try await read(milk, store)
    XCTAssertNil(nothing)
  }

  func testADocumentOfAnEarlierFormIsReadAndChangesOnlyWhereItIsEdited() async throws {
    let store = try await openStore()
    let first: DocumentValue = ["docType": "task", "name": "Bake", "hours": 2, "x": 1]
    try await store.makeSynced(milk, first)
    var task = try await XCTUnwrapped(read(milk, store, as: Task.self))
    XCTAssertEqual(task, Task(id: milk, title: "Bake", minutes: 120))
    // It's read, and saved as it was read: nobody is sent another form for that.
    try await assertFalse(store.edit { [task] in try $0.save(task, in: notes) }.isChanged)
    try await assertEqual(store.get(milk), first)
    try await assertEqual(store.status(milk)?.state, .synced)
    task.minutes = 90
    try await assertTrue(store.edit { [task] in try $0.save(task, in: notes) }.isChanged)
    let second: DocumentValue = ["docType": "task", "title": "Bake", "minutes": 90, "x": 1]
    try await assertEqual(store.get(milk), second)
    // Another device goes on writing the first form.
    try await store.makeSynced(bread, first)
    try await assertEqual(read(bread, store, as: Task.self)?.minutes, 120)
    try await store.makeSynced(tea, ["docType": "task", "name": "Tea", "hours": "two"])
    do {
      _ = try await read(tea, store, as: Task.self)
      XCTFail("it can't be read")
    } catch DocumentProblem.step(let name, _) {
      XCTAssertEqual(name, "minutes, not hours")
    }
  }

  private func XCTUnwrapped<Value>(_ value: Value?) throws -> Value { try XCTUnwrap(value) }

  func testWhatTheTypeDoesNotKnowSurvivesASave() async throws {
    let store = try await openStore()
    let body = #"{"title":"Milk","count":1.00,"place":{"name":"x","more":[1]},"later":{"a":null}}"#
    try await store.makeSynced(milk, try DocumentValue(parsing: body))
    try await store.edit { door in
      var title = try XCTUnwrap(door.reader.document(Title.self, milk))
      let unchanged = try door.save(title, in: notes)
      XCTAssertFalse(unchanged.isChanged)
      title.title = "Bread"
      try door.save(title, in: notes)
    }
    let content = try await store.get(milk)
    XCTAssertEqual(content?.text, body.replacingOccurrences(of: "Milk", with: "Bread"))
  }

  func testAMemberThatBecomesNilGoes() async throws {
    let store = try await openStore()
    var note = note("a")
    try await store.edit { [note] in _ = try $0.save(note, in: notes) }
    note.due = nil
    note.place?.height = nil
    try await store.edit { [note] in _ = try $0.save(note, in: notes) }
    let content = try await store.get(note.id)
    XCTAssertNil(content?["due"])
    XCTAssertEqual(content?["place"], ["name": "shop"])
  }

  func testTheIdStandsBesideTheContentUnlessTheServerPutsItThere() async throws {
    let store = try await openStore()
    let row = Row(id: DocumentID("7"), n: 1)
    try await store.edit { _ = try $0.save(row, in: notes) }
    try await assertEqual(store.get(row.id), ["kind": "row", "n": 1])
    let pulled = DocumentID("8")
    try await store.makeSynced(pulled, ["_id": 8, "n": 1])
    try await store.edit { door in
      var row = try XCTUnwrap(door.reader.document(Row.self, pulled))
      XCTAssertEqual(row.id, pulled)
      row.n = 2
      try door.save(row, in: notes)
    }
    try await assertEqual(store.get(pulled), ["_id": 8, "n": 2])
  }

  func testADocumentOfAnotherTypeIsNone() async throws {
    let store = try await openStore(saving: edit(milk, ["docType": "tag", "title": "x"]))
    let read: Title? = try await read(milk, store)
    XCTAssertNil(read)
  }

  func testDocumentsOfATypeAreFoundByWhatTheyAreLike() async throws {
    let store = try await openStore()
    for n in 0..<5 {
      var note = note("n\(n)")
      note.big = Int64(n)
      try await store.edit { [note] in _ = try $0.save(note, in: notes) }
    }
    try await store.save(edit(milk, ["docType": "tag", "big": 4]))
    try await store.makeSynced(bread, ["title": "x", "big": 9, "huge": 0])
    var query = DocumentQuery(in: notes, where: .greaterOrEqual(["big"], 3))
    query.order = [DocumentOrder(["big"], isDescending: true)]
    try await assertEqual(
      store.read { [query] in try $0.documents(Note.self, matching: query) }.map(\.big), [9, 4, 3])
  }

  func testTwoDevicesThatMakeTheSameMakeOneDocument() async throws {
    let devices = [try await openStore(.memory), try await openStore(.memory)]
    var ids: Set<DocumentID> = []
    for (device, name) in zip(devices, ["Milk ", "milk"]) {
      ids.insert(try await device.edit { [tags] in try $0.save(Tag(name: name), in: tags).id })
    }
    XCTAssertEqual(ids.count, 1)
    let id = try XCTUnwrap(ids.first)
    let again = try await devices[0].edit { [tags] in
      try $0.getOrCreate(Tag(name: "MILK"), in: tags)
    }
    XCTAssertFalse(again.isNew)
    XCTAssertEqual(again.document, Tag(id: id, name: "Milk "))
    // It keeps its id, whatever it's called from now on.
    try await assertEqual(
      devices[0].edit { [tags] in try $0.save(Tag(id: id, name: "oats"), in: tags) }.id, id)
    try await assertEqual(devices[0].read { try $0.count(matching: DocumentQuery()) }, 1)
  }

  func testADocumentThatCanNotBeReadAsItsTypeIsNotChanged() async throws {
    let store = try await openStore(saving: edit(milk, ["title": 7]))
    do {
      try await store.edit { _ = try $0.save(Title(id: milk, title: "x"), in: notes) }
      XCTFail("it's saved")
    } catch {
      XCTAssertTrue(error is DecodingError, "\(error)")
    }
    try await assertEqual(store.get(milk), ["title": 7])
  }

  func testWhatIsStashedIsNotSent() async throws {
    let store = try await openStore()
    try await store.edit { XCTAssertTrue(try $0.stash(Tag(name: "milk"), in: notes).isChanged) }
    try await assertEqual(store.counts().outbox, 0)
    try await assertEqual(store.counts().documents, 1)
  }
}
