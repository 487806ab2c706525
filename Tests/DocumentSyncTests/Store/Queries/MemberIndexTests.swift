import SyncDatabase
import SyncLock
import TestSupport
import XCTest

@testable import DocumentSync

/// Indexes that are declared.
final class MemberIndexTests: QueryTestCase {
  private func opened(_ indexes: MemberIndex...) async throws -> DocumentStore {
    try await opened(indexes)
  }

  private func opened(_ indexes: [MemberIndex]?) async throws -> DocumentStore {
    var options = DocumentStoreOptions()
    options.synchronous = .off
    options.indexes = indexes
    options.clock = { [time] in time.withLock { $0 } }
    return try await DocumentStore(.file(path), options: options)
  }

  private func names(_ store: DocumentStore) async throws -> Set<String> {
    try await store.withConnection { connection in
      Set(
        try connection.rows(
          """
          SELECT name FROM sqlite_schema WHERE type = 'index' AND name LIKE 'documents_by%'
          """
        ) { try $0.text("name") })
    }
  }

  /// How SQLite goes about it.
  private func plan(_ query: DocumentQuery, _ store: DocumentStore) async throws -> String {
    try await store.withConnection { connection in
      let statement = QueryStatement(query: query, scopes: [1]).rows(withBodies: true)
      return try connection.rows("EXPLAIN QUERY PLAN \(statement)") { try $0.text("detail") }
        .joined(separator: "; ")
    }
  }

  private func edits(_ count: Int) -> [DocumentEdit] {
    (0..<count).map {
      edit(DocumentID("\($0)"), ["n": DocumentValue($0 % 10), "s": DocumentValue("x\($0)")])
    }
  }

  func testIndexesAreMadeAndRemovedAsTheyAreDeclared() async throws {
    let first = try await opened(MemberIndex(on: ["n"]), MemberIndex(on: ["a.b"], ["c", 0]))
    let names = try await names(first)
    XCTAssertEqual(names.count, 2)
    await first.close()
    let asItIs = try await opened(nil)
    var now = try await self.names(asItIs)
    XCTAssertEqual(now, names)
    await asItIs.close()
    let second = try await opened(MemberIndex(on: ["n"]), MemberIndex(on: ["n"]))
    now = try await self.names(second)
    XCTAssertEqual(now.count, 1)
    XCTAssertTrue(now.isSubset(of: names))
    await second.close()
    let third = try await opened([])
    now = try await self.names(third)
    XCTAssertEqual(now, [])
  }

  func testAnOpeningWithTheSameIndexesWritesNothing() async throws {
    let (store, witness) = (try await opened(MemberIndex(on: ["n"])), try await openStore())
    let version: @Sendable (Connection) throws -> Int64? = { connection in
      try connection.row("PRAGMA data_version") { try $0.integer(0) }
    }
    let before = try await witness.withConnection(version)
    await (try await opened(MemberIndex(on: ["n"]))).close()
    try await assertEqual(before, witness.withConnection(version))
    await store.close()
  }

  func testAnIndexThatIsAnotherThanItsNameSaysIsMadeAnew() async throws {
    let store = try await opened(MemberIndex(on: ["n"]))
    let names = try await names(store)
    let name = try XCTUnwrap(names.first.flatMap { Identifier($0) })
    try await store.withConnection { connection in
      _ = try connection.run("DROP INDEX \(name)")
      _ = try connection.run("CREATE INDEX \(name) ON documents (hidden)")
    }
    await store.close()
    let again = try await opened(MemberIndex(on: ["n"]))
    let statement = try await again.withConnection { connection in
      try connection.row("SELECT sql FROM sqlite_schema WHERE name = ?1", name.name) {
        try $0.text("sql")
      }
    }
    XCTAssertEqual(statement?.contains("document_key"), true)
    try await again.withConnection { try $0.checkIntegrity() }
  }

  func testQueriesUseTheIndexesThatFit() async throws {
    let store = try await opened(
      MemberIndex(on: ["n"]), MemberIndex(on: ["s"], ["n"]), MemberIndex())
    let edits = edits(100)
    try await store.save(edits)
    for (condition, order, part) in [
      (.equal(["n"], 3), [], "scope=? AND <expr>=?"),
      (.less(["n"], 3), [], "<expr>>? AND <expr><?"),
      (.among(["n"], [1, 2]), [], "scope=? AND <expr>=?"),
      (.like(["s"], "x1%"), [], "<expr>>? AND <expr><?"),
      (.and([.equal(["s"], "x1"), .greater(["n"], 0)]), [], "<expr>=? AND <expr>>?"),
      (nil, [DocumentOrder(["n"])], "scope=?"), (nil, [], "scope=?"),
    ] as [(DocumentCondition?, [DocumentOrder], String)] {
      var query = DocumentQuery(in: notes, where: condition)
      query.order = order
      let plan = try await plan(query, store)
      XCTAssertTrue(
        plan.contains("SEARCH documents USING INDEX documents_by_"), "\(query): \(plan)")
      XCTAssertTrue(plan.contains(part), "\(query): \(plan)")
    }
    var query = DocumentQuery(in: notes, where: .equal(["n"], 3))
    var plan = try await plan(query, store)
    XCTAssertFalse(plan.contains("TEMP B-TREE"), plan)
    query.condition = nil
    plan = try await self.plan(query, store)
    XCTAssertFalse(plan.contains("TEMP B-TREE"), plan)
  }

  func testWhatIsWrittenLaterIsFoundByAnIndexAndByOthersWhoHaveNotDeclaredIt() async throws {
    let (store, other) = (try await opened(MemberIndex(on: ["n"])), try await openStore())
    let edits = edits(50)
    try await other.save(edits)
    try await store.save(edit(milk, ["n": 3]))
    try await other.delete(DocumentID("3"))
    for one in [store, other] {
      try await assertFinds(
        DocumentQuery(in: notes, where: .equal(["n"], 3)), ["13", "23", "33", "43", "milk"], in: one
      )
    }
    try await store.withConnection { try $0.checkIntegrity() }
  }

  func testAStoreWhoseOtherIndexesDifferIsDamaged() async throws {
    let store = try await opened(MemberIndex(on: ["n"]))
    try await store.run("CREATE INDEX ours ON documents (hidden)")
    await store.close()
    await assertEqual(thrown(DatabaseError.self, by: try await opened(nil))?.code, .damaged)
  }
}
