import TestSupport
import XCTest

@testable import DocumentSync

/// Everything goes out as lines of JSON, and comes back.
final class ExportTests: StoreTestCase {
  private func types() throws -> DocumentTypes {
    var types = try DocumentTypes()
    try types.declare("note", in: "notes")
    try types.declare("tag", in: "tags")
    return types
  }

  private func export(_ store: DocumentStore) async throws -> String {
    let types = try types()
    return try await store.read { reader in
      var bytes: [UInt8] = []
      try reader.export(types) { bytes += $0 }
      return String(decoding: bytes, as: UTF8.self)
    }
  }

  @discardableResult
  private func take(_ text: String, _ store: DocumentStore) async throws -> ImportSummary {
    let (types, server, account) = (try types(), notes.server, notes.account)
    return try await store.edit {
      try $0.importDocuments(text.utf8, types, of: server, account: account)
    }
  }

  /// A store with a document in each state.
  private func filled() async throws -> DocumentStore {
    let store = try await openStore()
    let written = try DocumentValue(parsing: "{\"n\": 1.0,\n  \"s\": \"a\\nb\",\r\n\"_times\": {}}")
    try await store.makeSynced(milk, written)
    try await store.save(edit(bread, ["docType": "note", "n": 2]))
    try await store.makeSynced(eggs, in: tags)
    _ = try await store.edit { try $0.save(DocumentEdit(eggs, in: tags, ["n": 3])) }
    try await store.pull(eggs, .present(copy(["n": 4], "2")), tags, .ask)
    for id in ["gone", "hidden"] { try await store.makeSynced(DocumentID(id), ["n": 5]) }
    try await store.delete(DocumentID("gone"))
    try await store.sync { try $0.hide(DocumentID("hidden")) }
    return store
  }

  func testEachDocumentIsOneLineWithIdAndType() async throws {
    let text = try await export(try await filled())
    XCTAssertEqual(
      text,
      #"""
      {"id":"milk","docType":"note","n":1.0,"s":"a\nb"}
      {"id":"bread","docType":"note","n":2}
      {"id":"eggs","docType":"tag","n":3}

      """#)
  }

  func testWhatPeopleGetIsWhatTheyExport() async throws {
    let store = try await filled()
    let (text, types) = (try await export(store), try types())
    let shown = try await store.read { reader in
      try [milk, bread, eggs, DocumentID("gone"), DocumentID("hidden")].map {
        try reader.shown($0, types)?.text
      }
    }
    XCTAssertEqual(shown.map { $0.map { $0 + "\n" } ?? "" }.joined(), text)
  }

  func testWhatIsBroughtBackIntoItsOwnStoreChangesNothing() async throws {
    let store = try await filled()
    let text = try await export(store)
    let before = try await store.counts()
    try await assertEqual(take(text, store), ImportSummary(documents: 3, changed: 0))
    try await assertEqual(store.counts(), before)
  }

  func testAnotherStoreHasTheSameDocumentsAfterwardsAndSendsThem() async throws {
    let text = try await export(try await filled())
    let other = try await openStore(.memory)
    try await assertEqual(take(text, other), ImportSummary(documents: 3, changed: 3))
    try await assertEqual(export(other), text)
    let ready = [try await other.ready(notes), try await other.ready(tags)]
    XCTAssertEqual(ready, [[milk, bread], [eggs]])
  }

  func testOneBadLineStoresNothingAndIsNamed() async throws {
    let good = #"{"id":"a","docType":"note"}"#
    let bad = [
      ("{", "at byte 1 stands "), ("[]", "a document is an object"),
      (#"{"id":"b"}"#, "a document needs a type"),
      (#"{"docType":"note"}"#, "a document needs an id"),
      (#"{"id":"b","docType":"birds"}"#, "there is no type birds"),
      (#"{"id":"eggs","docType":"note"}"#, "eggs is a document of the collection tags"),
    ]
    let store = try await filled()
    let before = try await export(store)
    for (line, words) in bad {
      if let problem = await thrown(
        DocumentError.self, by: try await take("\(good)\n\n  \n\(line)\n\(good)\n", store))
      {
        XCTAssert("\(problem)".hasPrefix("line 4: \(words)"), "\(problem)")
      }
      try await assertEqual(export(store), before)
    }
  }

  func testTheLastLineNeedsNoEndAndOfOneDocumentTheLastLineCounts() async throws {
    let store = try await openStore()
    let summary = try await take(
      #"{"id":"a","docType":"note","n":1}"# + "\r\n" + #"{"id":"a","docType":"note","n":2}"#, store)
    XCTAssertEqual(summary, ImportSummary(documents: 2, changed: 2))
    try await assertEqual(store.get(DocumentID("a")), ["docType": "note", "n": 2])
  }

  func testWhoImportsMayRefuseALineOrCompleteIt() async throws {
    struct TooLong: Error {}
    let (store, types) = (try await openStore(), try types())
    let text = #"{"id":"a","docType":"note"}"# + "\n" + #"{"id":"long","docType":"note"}"#
    do {
      _ = try await store.edit { door in
        try door.importDocuments(text.utf8, types, of: notes.server, account: notes.account) {
          if $0.id.text.utf8.count > 2 { throw TooLong() }
        }
      }
      XCTFail("it's refused")
    } catch let problem as DocumentError {
      XCTAssertEqual(problem, .badLine(2, "\(TooLong())"))
    }
    _ = try await store.edit { door in
      try door.importDocuments(text.utf8, types, of: notes.server, account: notes.account) {
        $0.stamps = true
      }
    }
    let stored = try await store.stored(DocumentID("a"))
    XCTAssertEqual(stored?.body?["_times"]?["docType"], 1_700_000_000_000)
  }
}
