import XCTest

@testable import DocumentSync

/// A test of what is found in a store.
class QueryTestCase: StoreTestCase {
  /// A store with documents of the collection of notes, by the text of each.
  func store(of documents: [String: String]) async throws -> DocumentStore {
    let store = try await openStore(.memory)
    let edits = try documents.map { id, text in
      DocumentEdit(DocumentID(id), in: notes, try DocumentValue(parsing: text))
    }
    try await store.save(edits)
    return store
  }

  /// Fails unless exactly these are found, in this order.
  func assertFinds(
    _ query: DocumentQuery, _ expected: [String], in store: DocumentStore,
    file: StaticString = #filePath, line: UInt = #line
  ) async throws {
    let (ids, documents, count) = try await store.read {
      (
        try $0.ids(matching: query), try $0.documents(matching: query),
        try $0.count(matching: query)
      )
    }
    XCTAssertEqual(ids.map(\.text), expected, file: file, line: line)
    XCTAssertEqual(documents.map(\.id), ids, file: file, line: line)
    if query.limit == nil, query.offset == 0 {
      XCTAssertEqual(count, expected.count, file: file, line: line)
    }
  }

  /// Fails unless exactly these are so, for a condition as people write it.
  func assertFinds(
    where text: String, _ expected: [String], in store: DocumentStore,
    file: StaticString = #filePath, line: UInt = #line
  ) async throws {
    let query = DocumentQuery(in: "notes", where: try DocumentCondition(parsing: text))
    try await assertFinds(query, expected, in: store, file: file, line: line)
  }
}
