import SyncDatabase
import SyncLock
import XCTest

@testable import DocumentSync

/// A store that was made when each kind of exception in the outbox had an index of its own, and when
/// a trigger noted the files of documents that were added.
final class OlderStoreTests: StoreTestCase {
  private func makeOlder() throws {
    let older = try Connection(path: path, migrations: Array(StoreSchema.migrations.prefix(3)))
    try older.run(
      "INSERT INTO scopes (number, server, account, collection) VALUES (1, ?1, ?2, ?3)",
      notes.server, notes.account, notes.collection)
    let entries: [(id: DocumentID, change: String, phase: String, details: String?)] = [
      (milk, "create", "waiting", nil),
      (bread, "update", "setAside", #"{"refusal":{"status":422,"words":"no"}}"#),
      (eggs, "delete", "waiting", nil),
    ]
    for (offset, entry) in entries.enumerated() {
      let (number, base) = (Int64(offset + 1), entry.change == "create" ? nil : "1")
      try older.run(
        """
        INSERT INTO documents (id, scope, entry, hidden, base_version, body, base_body)
        VALUES (?1, 1, ?2, 0, ?3, ?4, ?5)
        """, entry.id.text, number, base, entry.change == "delete" ? nil : #"{"n":1}"#,
        base.map { _ in #"{"n":0}"# })
      try older.run(
        """
        INSERT INTO outbox
          (number, id, scope, revision, change, base, phase, is_last, since, form, details)
        VALUES (?1, ?2, 1, ?1, ?3, ?4, ?5, 0, 7, 1, ?6)
        """, number, entry.id.text, entry.change, base, entry.phase, entry.details)
    }
    try older.run("UPDATE store SET next = 4")
  }

  func testItKeepsWhatIsToBeSentAndFindsEachKindOfIt() async throws {
    try makeOlder()
    let store = try await openStore()
    let counts = try await store.read { try $0.counts() }
    XCTAssertEqual([counts.documents, counts.outbox, counts.setAside], [2, 3, 1])
    XCTAssertEqual(counts.oldest, 7)
    let aside = try await store.read { try $0.open(.setAside, limit: 9).map(\.id) }
    XCTAssertEqual(aside, [bread])
    let ready = try await store.ready(notes)
    XCTAssertEqual(ready, [milk, eggs])
    let retried = try await store.edit { try $0.retryAll() }
    XCTAssertEqual(retried, 1)
    let all = try await store.ready(notes)
    XCTAssertEqual(all, [milk, bread, eggs])
  }

  func testItHasNoMoreIndexesThanANewOne() async throws {
    try makeOlder()
    let indexes = """
      SELECT name FROM sqlite_schema WHERE type IN ('index', 'trigger') ORDER BY name
      """ as SQL
    let store = try await openStore()
    let (older, newer) = (
      try await store.withConnection { try $0.rows(indexes) { try $0.text("name") } },
      try await openStore(.memory).withConnection { try $0.rows(indexes) { try $0.text("name") } }
    )
    XCTAssertEqual(older, newer)
    XCTAssertFalse(older.contains("files_made"))
    XCTAssertFalse(older.contains("outbox_aside"))
  }

  func testAnOlderStoreKnowsWhoseLivesItHas() async throws {
    let older = try Connection(path: path, migrations: Array(StoreSchema.migrations.prefix(7)))
    try older.run(
      "INSERT INTO scopes (number, server, account, collection) VALUES (1, ?1, ?2, ?3)",
      notes.server, notes.account, notes.collection)
    try older.run(
      """
      INSERT INTO documents (id, scope, hidden, base_version, body)
      VALUES ('milk', 1, 0, '1', '{}')
      """)
    for id in [milk, bread] {
      try older.run(
        "INSERT INTO traces (id, place, at, what) VALUES (?1, 1, ?2, 'deleted')", id.text,
        time.withLock { $0 })
    }
    let store = try await openStore()
    for account in [notes.account, "bob"] {
      let owner = DocumentOwner(server: notes.server, account: account)
      for id in [milk, bread] {
        let life = try await store.seen { owner }.read { try $0.life(of: id) }
        XCTAssertEqual(life?.moments.count, account == "bob" ? nil : 1, "\(id), \(account)")
      }
    }
  }
}
