import SyncDatabase
import TestSupport
import XCTest

@testable import DocumentSync

/// Statements that people write themselves.
final class RowsTests: QueryTestCase {
  private func texts(
    _ sql: String, _ values: [StoredValue?] = [], in store: DocumentStore
  ) async throws -> [String] {
    try await store.read { reader in
      var texts: [String] = []
      try reader.withRows(sql, values) { row in
        texts.append(
          try (0..<row.columnCount).map { place in
            switch try row.value(Column(at: place)) {
            case .text(let text): text
            case .integer(let number): "\(number)"
            default: "?"
            }
          }.joined(separator: "|"))
      }
      return texts
    }
  }

  func testTheViewHasARowForEachDocumentThatPeopleSee() async throws {
    let store = try await syncedStore(milk, ["docType": "note", "n": 1])
    try await store.makeSynced(bread, ["n": 2], "1", in: tags)
    try await store.save(edit(eggs, ["n": 3]))
    try await store.makeSynced(DocumentID("gone"), ["n": 2], "1", in: tags)
    try await store.delete(DocumentID("gone"))
    let rows = try await texts(
      "SELECT id, type, account, collection, state, pending, body FROM documents_view ORDER BY id",
      in: store)
    XCTAssertEqual(
      rows,
      [
        #"bread|tags|ann|tags|synced|0|{"n":2}"#, #"eggs|notes|ann|notes|created|1|{"n":3}"#,
        #"milk|note|ann|notes|synced|0|{"docType":"note","n":1}"#,
      ])
    try await store.hide(true, tags)
    try await assertEqual(texts("SELECT count(*) FROM documents_view", in: store), ["2"])
  }

  func testTheViewDoesNotShowTheTimesOfMembers() async throws {
    let store = try await openStore()
    var stamped = edit(milk, ["n": 1])
    stamped.stamps = true
    try await store.save(stamped)
    try await assertEqual(texts("SELECT body FROM documents_view", in: store), [#"{"n":1}"#])
  }

  func testValuesAreBoundAndNeverPartOfTheText() async throws {
    let store = try await openStore(saving: edit(milk, ["title": "'; DROP TABLE documents; --"]))
    let rows = try await texts(
      "SELECT id FROM documents_view WHERE body ->> 'title' = ? AND body ->> 'n' IS ?",
      [.text("'; DROP TABLE documents; --"), nil], in: store)
    XCTAssertEqual(rows, ["milk"])
  }

  func testAStatementThatWritesIsNotRun() async throws {
    for place in [ReplicaStorePlace.memory, .file(path)] {
      let store = try await openStore(place)
      try await store.save(edit(milk, ["n": 1]))
      for sql in [
        "DELETE FROM documents", "UPDATE documents SET hidden = 1", "DROP VIEW documents_view",
        "COMMIT", "PRAGMA user_version = 7", "ATTACH 'x' AS x", "CREATE TABLE x (x)",
        "SELECT 1; SELECT 2",
        "SELECT wings FROM documents_view", "SELECT ?", "", "nonsense",
      ] {
        do {
          try await store.edit { try $0.reader.withRows(sql) { _ in } }
          XCTFail("it's run: \(sql)")
        } catch DocumentProblem.statement(let words) {
          XCTAssertNotEqual(words, "", sql)
        }
      }
      try await assertEqual(store.get(milk), ["n": 1])
    }
  }
}
