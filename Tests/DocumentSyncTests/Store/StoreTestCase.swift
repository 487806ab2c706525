import Foundation
import SyncDatabase
import SyncLock
import XCTest

@testable import DocumentSync

/// A test of a store in a file of its own, by a clock that only the test moves.
class StoreTestCase: XCTestCase {
  let notes = DocumentScope(server: "https://example.org", account: "ann", collection: "notes")
  let tags = DocumentScope(server: "https://example.org", account: "ann", collection: "tags")
  let milk = DocumentID("milk")
  let bread = DocumentID("bread")
  let eggs = DocumentID("eggs")

  /// What time it is, in milliseconds since 1970.
  let time = Locked<Int64>(1_700_000_000_000)

  private(set) lazy var folder: URL = {
    let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString)")
    try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    addTeardownBlock { try? FileManager.default.removeItem(at: folder) }
    return folder
  }()

  var path: String { folder.appending(path: "store.sqlite").path }

  /// The store of this test, opened, or opened again.
  func openStore(_ place: ReplicaStorePlace? = nil) async throws -> DocumentStore {
    var options = DocumentStoreOptions()
    options.synchronous = .off
    options.clock = { [time] in time.withLock { $0 } }
    return try await DocumentStore(place ?? .file(path), options: options)
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
    do {
      _ = try await body()
      XCTFail("it's done", file: file, line: line)
    } catch {
      XCTAssertEqual(error as? DocumentError, expected, file: file, line: line)
    }
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

  func begin(_ id: DocumentID) async throws -> DocumentSend? {
    try await sync { try $0.sendBegan(id) }
  }

  @discardableResult
  func end(
    _ id: DocumentID, _ verdict: SendVerdict, _ policies: ConflictPolicy...
  ) async throws -> [Decision] {
    try await sync {
      try $0.answered(id, verdict, MeetingRules(policies: policies)).decisions
    }
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
    _ id: DocumentID, _ content: DocumentValue, _ version: String, in scope: DocumentScope
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
