import DocumentTesting
import Foundation
import TestSupport
import XCTest

@testable import DocumentSync

private struct Note: SyncDocument, Equatable {
  struct Place: Codable, Equatable {
    var city: String
  }

  static let documentType = "note"
  static let collection = "notes"
  static var members: [PartialKeyPath<Note>: String] {
    [\.title: "title", \.count: "n", \.place?.city: "place.city"]
  }

  var id: DocumentID
  var title: String
  var count = 0
  var place: Place?

  enum CodingKeys: String, CodingKey {
    case id, title, place
    case count = "n"
  }
}

/// Typed documents as streams, and by the collection and the members that their type declares.
final class LiveValuesTests: XCTestCase {
  private let rig = ReplicaRig()
  private let account = Account()

  private func note(_ id: DocumentID, _ title: String, _ count: Int = 0) -> Note {
    Note(id: id, title: title, count: count)
  }

  /// Lists of notes with a title that begins with M, by title.
  private var query: DocumentQuery {
    var query = DocumentQuery(where: .like(Note[\.title], "M%"))
    query.order = [DocumentOrder(Note[\.title])]
    return query
  }

  func testATypeSaysWhereItsDocumentsAre() async throws {
    var options = ReplicaRig.options()
    options.collections.append(SyncedCollection("others"))
    let replica = try await DocumentReplica(
      .memory, endpoint: rig.server.endpoint(named: "mine"), options: options)
    try await replica.save(note(milk, "Milk"))
    try await replica.stash(note(bread, "Bread"))
    try await replica.save(note(tea, "Milk tea"), in: "others")
    let found = try await replica.documents(matching: DocumentQuery(in: "notes")).map(\.id)
    XCTAssertEqual(Set(found), [milk, bread])
    try await assertEqual(replica.documents(Note.self).count, 2)
    try await assertEqual(
      replica.documents(Note.self, matching: DocumentQuery(in: "others")).map(\.title), ["Milk tea"]
    )
    // One of another collection is none of these.
    let query = DocumentQuery(where: .equal(Note[\.title], "Milk tea"))
    let made = try await replica.getOrCreate(note(eggs, "Milk tea"), where: query)
    XCTAssertTrue(made.isNew)
    XCTAssertEqual(made.document.id, eggs)
  }

  func testMembersAreFoundByTheirKeyPaths() async throws {
    let replica = try await rig.replica()
    for (n, id) in [milk, bread, tea].enumerated() {
      var note = note(id, id.text, n)
      note.place = Note.Place(city: n == 1 ? "Rome" : "Bern")
      try await replica.save(note)
    }
    XCTAssertEqual(Note[\.count], ["n"])
    var query = DocumentQuery(
      where: .and([.equal(Note[\.place?.city], "Bern"), .less(Note[\.count], 5)]))
    query.order = [DocumentOrder(Note[\.count], isDescending: true)]
    try await assertEqual(replica.documents(Note.self, matching: query).map(\.id), [tea, milk])
  }

  func testAListIsToldOnceACommitAndOnlyWhereItIsAnother() async throws {
    let replica = try await rig.replica()
    var lists = replica.values(of: Note.self, matching: query).makeAsyncIterator()
    try await assertEqual(lists.next(), [])
    // Of a commit that makes three of them, the list with all of them.
    try await replica.save(
      [(tea, "Mint"), (milk, "Milk"), (bread, "Bread")].map { id, title in
        (id: id, content: ["docType": "note", "title": DocumentValue(title), "n": 0])
      }, in: "notes")
    try await assertEqual(lists.next()?.map(\.title), ["Milk", "Mint"])
    // None of these is another list: one that isn't in it, the same content, what a sync sends.
    try await replica.save(note(eggs, "Eggs"))
    try await replica.save(note(milk, "Milk"))
    try await replica.sync()
    try await replica.save(note(milk, "Milk", 1))
    try await assertEqual(lists.next()?.map(\.count), [1, 0])
    try await replica.delete(tea)
    try await assertEqual(lists.next()?.map(\.id), [milk])
    await replica.close()
    try await assertNil(lists.next())
  }

  func testWhoIsSlowSeesTheNewestListAlone() async throws {
    let replica = try await rig.replica()
    var lists = replica.values(of: Note.self, matching: query).makeAsyncIterator()
    _ = try await lists.next()
    for n in 1...50 { try await replica.save(note(milk, "Milk", n)) }
    try await assertEqual(lists.next()?.map(\.count), [50])
    try await replica.save(note(milk, "Milk", 51))
    try await assertEqual(lists.next()?.map(\.count), [51], "no list of the fifty waits")
  }

  func testAListIsOfWhoIsSignedIn() async throws {
    let (replica, account) = try await rig.signedIn()
    var lists = replica.values(of: Note.self).makeAsyncIterator()
    try await assertEqual(lists.next(), [])
    try await replica.save(note(milk, "Milk"))
    try await assertEqual(lists.next()?.count, 1)
    try await replica.sync()
    try await account.signOut()
    try await assertEqual(lists.next(), [])
    try await account.signIn(name: "ann", password: "secret")
    try await assertEqual(lists.next()?.map(\.id), [milk])
  }

  func testADocumentIsAValueOfItsType() async throws {
    let replica = try await rig.replica()
    var values = replica.values(of: milk, as: Note.self).makeAsyncIterator()
    try await assertEqual(values.next(), .some(nil))
    try await replica.save(note(milk, "Milk"))
    try await assertEqual(values.next(), note(milk, "Milk"))
    try await replica.save(milk, ["docType": "tag", "name": "Milk"], in: "notes")
    try await assertEqual(values.next(), .some(nil), "it's of another type")
    try await replica.save(milk, ["docType": "note", "title": 1], in: "notes")
    do {
      _ = try await values.next()
      XCTFail("it can't be read")
    } catch {
      XCTAssertTrue(error is DecodingError, "\(error)")
    }
  }
}
