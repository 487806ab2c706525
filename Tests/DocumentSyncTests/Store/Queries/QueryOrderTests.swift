import SyncDatabase
import XCTest

@testable import DocumentSync

/// In which order documents are found, and which part of them.
final class QueryOrderTests: QueryTestCase {
  func testWithoutAnOrderDocumentsAreSortedByTheBytesOfTheirIds() async throws {
    let store = try await store(of: [
      "b": "{}", "a": "{}", "é": "{}", "B": "{}", "10": "{}", "9": "{}",
    ])
    try await assertFinds(DocumentQuery(), ["10", "9", "B", "a", "b", "é"], in: store)
  }

  func testTypesHaveAnOrderAndWhatIsMissingComesFirst() async throws {
    let values = [
      "{}", #"{"a":null}"#, #"{"a":false}"#, #"{"a":true}"#, #"{"a":-1e300}"#, #"{"a":-10}"#,
      #"{"a":-9.5}"#, #"{"a":-1e-300}"#, #"{"a":0}"#, #"{"a":1e-20000}"#, #"{"a":1e-300}"#,
      #"{"a":0.09}"#, #"{"a":9}"#, #"{"a":10}"#, #"{"a":11.5}"#, #"{"a":1e300}"#, #"{"a":""}"#,
      #"{"a":"A"}"#, #"{"a":"a"}"#, #"{"a":"aa"}"#, #"{"a":"é"}"#, #"{"a":[]}"#, #"{"a":{}}"#,
    ]
    // Ids in another order.
    let ids = values.indices.map { "\(values.count - $0 + 10)" }
    let store = try await store(of: Dictionary(uniqueKeysWithValues: zip(ids, values)))
    var query = DocumentQuery(in: "notes")
    query.order = [DocumentOrder(["a"])]
    try await assertFinds(query, ids, in: store)
    query.order = [DocumentOrder(["a"], isDescending: true)]
    try await assertFinds(query, ids.reversed(), in: store)
  }

  func testTiesAreSortedByTheNextPathAndAtLastById() async throws {
    let store = try await store(of: [
      "a": #"{"x":1,"y":2}"#, "b": #"{"x":1,"y":1}"#, "c": #"{"x":0,"y":1}"#,
      "d": #"{"x":1.0,"y":1}"#,
    ])
    var query = DocumentQuery(in: "notes")
    query.order = [try DocumentOrder(parsing: "-x"), try DocumentOrder(parsing: "y")]
    try await assertFinds(query, ["b", "d", "a", "c"], in: store)
    query.order = [try DocumentOrder(parsing: "-x"), try DocumentOrder(parsing: "-y")]
    try await assertFinds(query, ["a", "b", "d", "c"], in: store)
  }

  func testAPartOfThemIsFound() async throws {
    let store = try await store(of: ["a": "{}", "b": "{}", "c": "{}", "d": "{}"])
    var query = DocumentQuery(in: "notes")
    query.limit = 2
    try await assertFinds(query, ["a", "b"], in: store)
    query.offset = 3
    try await assertFinds(query, ["d"], in: store)
    query.limit = nil
    try await assertFinds(query, ["d"], in: store)
    query.offset = 9
    try await assertFinds(query, [], in: store)
    query.limit = 0
    try await assertFinds(query, [], in: store)
    let count = try await store.read { [query] in try $0.count(matching: query) }
    XCTAssertEqual(count, 4, "however many are wanted")
  }

  func testOnlyDocumentsOfTheCollectionThatPeopleSeeAreFound() async throws {
    let store = try await openStore(.memory)
    let other = DocumentScope(server: "https://example.net", account: "ann", collection: "notes")
    for (id, scope) in [(milk, notes), (bread, tags), (eggs, other)] {
      try await store.makeSynced(id, in: scope)
    }
    try await assertFinds(DocumentQuery(), ["bread", "eggs", "milk"], in: store)
    try await assertFinds(DocumentQuery(in: "notes"), ["eggs", "milk"], in: store)
    try await assertFinds(DocumentQuery(in: notes), ["milk"], in: store)
    try await assertFinds(DocumentQuery(in: "birds"), [], in: store)
    try await store.delete(milk)
    try await assertFinds(DocumentQuery(in: notes), [], in: store)
    try await store.sync {
      try $0.hide(true, tags)
      try $0.hide(eggs)
    }
    try await assertFinds(DocumentQuery(), [], in: store)
    try await store.hide(false, tags)
    try await assertFinds(DocumentQuery(where: .equal(["n"], 1)), ["bread"], in: store)
  }

  func testADocumentThatMakesNoSenseIsDamage() async throws {
    let store = try await store(of: ["a": #"{"x":[1]}"#])
    for body in ["{", #"{"x":[1"#, #"{"x"1}"#, #"{"x":"#, #"{"x":?}"#, #"{x:1}"#, ""] {
      try await store.withConnection { connection in
        _ = try connection.run("UPDATE documents SET body = ?1", body)
      }
      do {
        let found = try await store.read {
          try $0.ids(matching: DocumentQuery(where: .equal(["x"], [1])))
        }
        XCTFail("\(body) has \(found)")
      } catch {
        XCTAssertEqual((error as? DatabaseError)?.code, .damaged, body)
      }
    }
  }
}
