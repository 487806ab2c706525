import Foundation
import SyncDatabase
import SyncLock
import TestSupport
import XCTest

@testable import DocumentSync

let notes = DocumentScope(server: "https://example.org", account: "ann", collection: "notes")
let tags = DocumentScope(server: "https://example.org", account: "ann", collection: "tags")
let nobodys = DocumentScope(server: "https://example.org", account: "", collection: "notes")
let bobs = DocumentScope(server: "https://example.org", account: "bob", collection: "notes")
let (milk, bread, eggs) = (DocumentID("milk"), DocumentID("bread"), DocumentID("eggs"))
let (tea, oil, gone, rye) = (
  DocumentID("tea"), DocumentID("oil"), DocumentID("gone"), DocumentID("rye")
)

/// A test of a store in a file of its own, by a clock that only the test moves.
class StoreTestCase: XCTestCase {
  /// What time it is, in milliseconds since 1970.
  let time = Locked<Int64>(1_700_000_000_000)

  private(set) lazy var folder: URL = {
    do { return try temporaryFolder() } catch { preconditionFailure("no folder: \(error)") }
  }()

  var path: String { folder.appending(path: "store.sqlite").path }

  /// The store of this test, opened, or opened again; with an edit that is saved.
  func openStore(
    _ place: ReplicaStorePlace? = nil, saving edit: DocumentEdit? = nil
  ) async throws -> DocumentStore {
    let store = try await DocumentStore(place ?? .file(path), options: options)
    if let edit { try await store.save(edit) }
    return store
  }

  /// A store with a document that the server has, too.
  func syncedStore(
    _ id: DocumentID = milk, _ content: DocumentValue = ["n": 1], _ version: String = "1",
    in scope: DocumentScope = notes, _ place: ReplicaStorePlace? = nil
  ) async throws -> DocumentStore {
    let store = try await openStore(place)
    try await store.makeSynced(id, content, version, in: scope)
    return store
  }

  var options: DocumentStoreOptions {
    var options = DocumentStoreOptions()
    options.synchronous = .off
    options.clock = { [time] in time.withLock { $0 } }
    return options
  }

  /// A copy that a server has.
  func copy(_ content: DocumentValue, _ version: String) -> ServerCopy {
    ServerCopy(value: content, version: DocumentVersion(version), time: 7)
  }

  func edit(_ id: DocumentID, _ content: DocumentValue) -> DocumentEdit {
    DocumentEdit(id, in: notes, content)
  }

  /// Fails unless a store doesn't do what it's asked for.
  func assertFails<Result>(
    _ expected: DocumentError, _ body: () async throws -> Result,
    file: StaticString = #filePath, line: UInt = #line
  ) async {
    await assertThrows(expected, try await body(), file: file, line: line)
  }
}

extension DocumentStore {
  func get(_ id: DocumentID) async throws -> DocumentValue? {
    try await read { try $0.document(id) }
  }

  func status(_ id: DocumentID) async throws -> DocumentStatus? {
    try await read { try $0.status(of: id) }
  }

  func stored(_ id: DocumentID) async throws -> StoredDocument? {
    try await read { try $0.stored(id) }
  }

  @discardableResult
  func save(_ edit: DocumentEdit) async throws -> Bool { try await self.edit { try $0.save(edit) } }

  @discardableResult
  func delete(_ id: DocumentID) async throws -> Bool { try await edit { try $0.delete(id) } }

  @discardableResult
  func save(_ edits: [DocumentEdit]) async throws -> Int { try await edit { try $0.save(edits) } }

  @discardableResult
  func stash(_ edit: DocumentEdit) async throws -> Bool {
    try await self.edit { try $0.stash(edit) }
  }

  @discardableResult
  func resign(_ id: DocumentID) async throws -> Bool { try await edit { try $0.resign(id) } }

  @discardableResult
  func drop(_ id: DocumentID) async throws -> Bool { try await edit { try $0.drop(id) } }

  func resolve(_ id: DocumentID, _ resolution: DocumentConflict.Resolution) async throws {
    _ = try await edit { try $0.resolve(id, resolution) }
  }

  @discardableResult
  func becomes(_ account: String, _ unsent: UnsentEdits) async throws -> AccountChange.Decision {
    try await edit { try $0.becomes(account: account, of: notes.server, unsent: unsent) }
  }

  func counts() async throws -> StoreCounts { try await read { try $0.counts() } }

  func lost() async throws -> [LostChange] { try await read { try $0.lost() } }

  func name() async throws -> String { try await read { try $0.storeName() } }

  func life(of id: DocumentID = milk) async throws -> DocumentLife? {
    try await read { try $0.life(of: id) }
  }

  func events() async throws -> [DocumentEvent?]? { try await life()?.moments.map(\.event) }

  /// How many rows tell what happened to documents.
  func traces() async throws -> Int64? { try await number("SELECT count(*) AS n FROM traces") }

  func checkpoint(of scope: DocumentScope) async throws -> String? {
    try await read { try $0.checkpoint(of: scope) }
  }

  func conflict(_ id: DocumentID) async throws -> DocumentConflict? {
    try await read { try $0.conflict(id) }
  }

  func baseCopy(_ id: DocumentID) async throws -> ServerCopy? {
    try await read { try $0.baseCopy(id) }
  }

  func failures(of scope: DocumentScope) async throws -> [UnreadableDocument] {
    try await read { try $0.failures(of: scope) }
  }

  func hide(_ isHidden: Bool, _ scope: DocumentScope) async throws {
    try await sync { try $0.hide(isHidden, scope) }
  }

  /// Documents that can be sent, in their order.
  func ready(_ scope: DocumentScope) async throws -> [DocumentID] {
    try await sync { try $0.ready(in: scope, limit: 1_000).map(\.candidate.id) }
  }

  @discardableResult
  func pull(
    _ id: DocumentID, _ news: DocumentState, _ scope: DocumentScope, _ policies: ConflictPolicy...
  ) async throws -> PulledOutcome? {
    try await sync {
      try $0.pulled(
        PulledPage([DocumentChange(id: id, state: news)]), of: scope,
        MeetingRules(policies: policies)
      ).first
    }
  }

  @discardableResult
  func pull(_ page: PulledPage, of scope: DocumentScope) async throws -> [PulledOutcome] {
    try await sync { try $0.pulled(page, of: scope) }
  }

  @discardableResult
  func begin(_ id: DocumentID) async throws -> DocumentSend? {
    try await sync { try $0.sendBegan(id) }
  }

  @discardableResult
  func end(
    _ id: DocumentID, _ verdict: SendVerdict, _ policies: ConflictPolicy...
  ) async throws -> [Decision] {
    try await sync { try $0.answered(id, verdict, MeetingRules(policies: policies)).decisions }
  }

  /// Sends a document, which ends so.
  @discardableResult
  func send(
    _ id: DocumentID, ending verdict: SendVerdict, _ policies: ConflictPolicy...
  ) async throws -> [Decision] {
    try await begin(id)
    return try await sync {
      try $0.answered(id, verdict, MeetingRules(policies: policies)).decisions
    }
  }

  /// Runs a statement.
  func run(_ sql: SQL) async throws { _ = try await withConnection { try $0.run(sql) } }

  /// The only number that a query gives.
  func number(_ sql: SQL) async throws -> Int64? {
    try await withConnection { try $0.row(sql) { try $0.integer(0) } }
  }

  /// Sends a document, and the server accepts it.
  func send(_ id: DocumentID, as version: String) async throws {
    let sent = try await begin(id)
    XCTAssertNotNil(sent)
    try await end(
      id,
      sent?.order.kind.isDeletion == true
        ? .deleted(DocumentVersion(version)) : .accepted(DocumentVersion(version)))
  }

  /// Makes a document that the server has, too.
  func makeSynced(
    _ id: DocumentID, _ content: DocumentValue = ["n": 1], _ version: String = "1",
    in scope: DocumentScope = notes
  ) async throws {
    try await pull(id, .present(ServerCopy(value: content, version: .init(version))), scope)
  }
}

extension StoreEditor {
  /// A pull has ended that began with this number, and told nothing of what met the server's
  /// before.
  func pullEnded(_ mark: Int64, of scope: DocumentScope) throws {
    try notShown(try contested(in: scope, before: mark, limit: .max), in: scope)
  }
}
