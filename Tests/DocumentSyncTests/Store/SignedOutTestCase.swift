import Foundation
import XCTest

@testable import DocumentSync

/// A test of a store that was used before anybody signed in.
class SignedOutTestCase: StoreTestCase {
  /// The ways in which somebody comes to be known.
  static let ways: [@Sendable (StoreEditor, DocumentScope) throws -> Void] = [
    { _ = try $0.becomes(account: $1.account, of: $1.server, unsent: .refuse) },
    { try $0.adopts(account: $1.account, of: $1.server) },
  ]

  func enter(_ home: DocumentScope, _ store: DocumentStore, way: Int = 0) async throws {
    try await store.edit { try Self.ways[way]($0, home) }
  }

  /// A store as somebody sees it.
  func seen(_ store: DocumentStore, by home: DocumentScope) -> DocumentStore {
    store.seen { DocumentOwner(server: home.server, account: home.account) }
  }

  func ids(_ store: DocumentStore, by home: DocumentScope) async throws -> [String] {
    let all = [milk, bread, eggs, tea, gone, rye]
    return try await seen(store, by: home).read { reader in
      try all.filter { try reader.document($0) != nil }.map(\.text)
    }
  }

  func number(_ scope: DocumentScope, _ store: DocumentStore) async throws -> Int64? {
    try await store.withConnection {
      try $0.row("SELECT number FROM scopes WHERE account = ?1", scope.account) {
        try $0.integer(0)
      }
    }
  }

  func addFile(
    _ id: DocumentID, _ state: String, loose: Int64?, in scope: DocumentScope,
    _ store: DocumentStore
  ) async throws {
    let number = try await number(scope, store)
    _ = try await store.withConnection {
      try $0.run(
        """
        INSERT INTO files
          (id, owner, scope, digest, size, name, type, is_preview, state, tried, loose)
        VALUES (?1, (SELECT owner FROM scopes WHERE number = ?2), ?2, 'sha256:1', 1, 'a.png',
          'image/png', 0, ?3, 0, ?4)
        """, id.text, number, state, loose)
    }
  }

  /// Nobody has a document as the server has it, one changed, one new, one deleted, one stashed,
  /// and one of which something gave way and which has vanished; files, a query, and what can't be
  /// read.
  func makeStore() async throws -> DocumentStore {
    let store = try await openStore(.memory)
    for id in [milk, bread, gone, rye] {
      try await store.makeSynced(id, ["text": DocumentValue(id.text)], "1", in: nobodys)
    }
    try await store.save(DocumentEdit(rye, in: nobodys, ["text": "given up"]))
    try await store.resign(rye)
    try await store.save(DocumentEdit(bread, in: nobodys, ["text": "changed"]))
    try await store.save(DocumentEdit(eggs, in: nobodys, ["text": "eggs"]))
    try await store.delete(gone)
    try await store.sync { door in
      let bad = UnreadableDocument(name: "bad", words: "too large")
      _ = try door.pulled(PulledPage([], unreadable: [bad], checkpoint: "7"), of: nobodys)
      _ = try door.listed(
        PulledPage([DocumentChange(id: rye, state: .deleted(nil))]), of: nobodys, MeetingRules())
      try door.remember(query: "all", [milk, bread], of: nobodys)
      try door.note(
        SyncRun(began: Date(milliseconds: 1), ended: Date(milliseconds: 2), reason: "an edit"))
    }
    try await store.stash(DocumentEdit(tea, in: nobodys, ["text": "tea"]))
    try await addFile(milk, "down", loose: nil, in: nobodys, store)
    try await addFile(gone, "removing", loose: 1, in: nobodys, store)
    return store
  }
}
