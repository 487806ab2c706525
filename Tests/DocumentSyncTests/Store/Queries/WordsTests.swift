import SyncDatabase
import TestSupport
import XCTest

@testable import DocumentSync

/// Documents that are found by the words in them.
final class WordsTests: StoreTestCase {
  private let titles = MemberText(of: "notes", on: ["title"], ["text", "lines"])

  private func store(_ texts: [MemberText]?) async throws -> DocumentStore {
    var options = options
    options.texts = texts
    return try await DocumentStore(.file(path), options: options)
  }

  private func found(_ text: String, _ store: DocumentStore) async throws -> [DocumentID] {
    try await store.read {
      let query = DocumentQuery(where: .matches(text))
      let ids = try $0.ids(matching: query)
      XCTAssertEqual(try $0.count(matching: query), ids.count, text)
      return ids
    }
  }

  private func save(_ id: DocumentID, _ title: DocumentValue, _ store: DocumentStore) async throws {
    try await store.save(edit(id, ["title": title, "other": "hidden words"]))
  }

  func testAllWordsMustBeThereInAnyOrderWithoutCaseAndAccents() async throws {
    let store = try await store([titles])
    try await save(milk, "Frische Hafermilch, gekühlt", store)
    try await store.save(
      edit(bread, ["title": "Brot", "text": ["lines": ["zwei Laibe", ["deep": "Rye's best"]]]]))
    let rows: [(String, [DocumentID])] = [
      ("hafermilch", [milk]), ("GEKUHLT frische", [milk]), ("frische brot", []),
      ("hafer", []), ("hafer*", [milk]), ("* hafer*", [milk]), ("laibe zwei", [bread]),
      ("deep", []), ("rye's", [bread]), ("hidden", []), ("", []), ("  ", []), ("\" OR *", []),
      ("\"frische", [milk]), ("frische) OR (brot", []), ("title:frische", []), ("NEAR(", []),
    ]
    for (text, ids) in rows { try await assertEqual(found(text, store), ids, text) }
  }

  func testItIsOneConditionAmongOthers() async throws {
    let store = try await store([titles])
    for (n, id) in [milk, bread, tea].enumerated() {
      try await store.save(edit(id, ["title": "Milk and bread", "n": DocumentValue(n)]))
    }
    var query = DocumentQuery(
      in: "notes",
      where: .and([.or([.matches("milk"), .equal(["n"], 7)]), .greater(["n"], 0)]))
    query.order = [DocumentOrder(["n"], isDescending: true)]
    try await assertEqual(store.read { [query] in try $0.ids(matching: query) }, [tea, bread])
  }

  func testItKeepsStepWithEveryTransactionWhoeverMakesIt() async throws {
    let store = try await store([titles])
    try await save(milk, "Milk", store)
    try await save(milk, "Oat drink", store)
    try await assertEqual(found("milk", store), [])
    try await assertEqual(found("oat", store), [milk])
    // What a sync brings, and what somebody else writes to the file who declares nothing.
    try await store.pull(bread, .present(copy(["title": "Rye bread"], "1")), notes)
    try await assertEqual(found("rye", store), [bread])
    let other = try await self.store(nil)
    try await other.save(edit(tea, ["title": "Green tea"]))
    try await assertEqual(found("green", store), [tea])
    try await other.delete(tea)
    try await assertEqual(found("green", store), [])
    // What comes to nothing changes nothing.
    let coffee = edit(milk, ["title": "Coffee"])
    _ = try? await store.edit { door in
      try door.save(coffee)
      throw DocumentError.noID
    }
    try await assertEqual(found("coffee", store), [])
    try await assertEqual(found("oat", store), [milk])
    try await store.edit { _ = try $0.dropEverything(discardingChanges: true) }
    for word in ["oat", "rye"] { try await assertEqual(found(word, store), []) }
  }

  func testWhatWasThereBeforeIsTakenInWhenItIsDeclared() async throws {
    let plain = try await openStore()
    try await save(milk, "Milk", plain)
    await assertThrows(DocumentProblem.noWords, try await found("milk", plain))
    await plain.close()
    let store = try await store([titles])
    try await assertEqual(found("milk", store), [milk])
    await store.close()
    let again = try await self.store(nil)
    try await assertEqual(found("milk", again), [milk], "it stays")
    await again.close()
    let others = try await self.store([MemberText(of: "notes", on: ["other"])])
    try await assertEqual(found("milk", others), [])
    try await assertEqual(found("hidden", others), [milk])
    await others.close()
    let none = try await self.store([])
    await assertThrows(DocumentProblem.noWords, try await found("hidden", none))
  }

  func testAnIndexThatNoLongerHearsOfChangesIsMadeAnew() async throws {
    let store = try await store([titles])
    try await store.withConnection { try $0.execute("DROP TRIGGER documents_by_words_added") }
    try await save(milk, "Milk", store)
    try await assertEqual(found("milk", store), [])
    await store.close()
    let again = try await self.store([titles])
    try await assertEqual(found("milk", again), [milk])
  }

  func testOnlyTheCollectionsThatAreDeclaredHaveWords() async throws {
    let store = try await store([titles, MemberText(of: "tags", on: ["name"])])
    try await save(milk, "Milk", store)
    try await store.save(DocumentEdit(bread, in: tags, ["title": "Milk", "name": "Dairy"]))
    try await assertEqual(found("milk", store), [milk])
    try await assertEqual(found("dairy", store), [bread])
  }
}
