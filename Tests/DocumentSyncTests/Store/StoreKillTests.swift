import Foundation
import SyncDatabase
import TestSupport
import XCTest

@testable import DocumentSync

/// A program that is killed while it writes, at any moment.
///
/// It's this very program, started once more with only the test below, which writes until then.
final class StoreKillTests: StoreTestCase {
  private static let place = "DOCUMENT_STORE_TO_WRITE"
  private let ids = (0..<5).map { DocumentID("\($0)") }

  func testNothingThatWasSavedIsLostAndNothingIsHalfWritten() async throws {
    var random = SeededGenerator(seed: UInt64(Date().timeIntervalSince1970))
    var written: Int64 = 0
    await (try await openStore()).close()
    for round in 0..<8 {
      let child = try start()
      let limit = Patience.end
      // It has begun to write.
      while promised(by: child) == nil, child.isRunning, ContinuousClock.now < limit {
        usleep(2_000)
      }
      usleep(UInt32.random(in: 0..<60_000, using: &random))
      child.send(SIGKILL)
      XCTAssertEqual(try child.end(within: .seconds(10)), .killed(by: SIGKILL), child.said)
      let promised = try XCTUnwrap(promised(by: child), "round \(round)")
      let found = try await check("round \(round)")
      XCTAssertGreaterThanOrEqual(found, promised, "round \(round)")
      XCTAssertGreaterThan(found, written, "round \(round)")
      written = found
    }
  }

  /// Where nobody has started it for that, it writes one turn.
  func testAProgramWritesUntilItIsKilled() async throws {
    guard let path = ProcessInfo.processInfo.environment[Self.place] else {
      let store = try await openStore()
      try await write(1, store)
      await store.close()
      let turn = try await check("one turn")
      return XCTAssertEqual(turn, 1)
    }
    let store = try await DocumentStore(.file(path))
    try await store.sync { try $0.abandonSends() }
    var n = try await store.get(DocumentID("witness"))?["n"]?.integer ?? 0
    while true {
      n += 1
      try await write(n, store)
      FileHandle.standardOutput.write(Data("\(n)\n".utf8))
    }
  }

  /// The last turn that it knows to be written. A number that was printed wholly has its line feed.
  private func promised(by child: ChildProcess) -> Int64? {
    child.printed.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      .compactMap { Int64($0) }.max()
  }

  /// One turn: an edit that belongs together, and now and then what becomes of a request.
  private func write(_ n: Int64, _ store: DocumentStore) async throws {
    let (ids, scope, content) = (ids, notes, ["n": DocumentValue(n)] as DocumentValue)
    try await store.edit { door in
      try door.save(ids.map { DocumentEdit($0, in: scope, content) })
      try door.stash(DocumentEdit(DocumentID("witness"), in: scope, content))
    }
    let id = ids[Int(n % 5)]
    guard try await store.begin(id) != nil, !n.isMultiple(of: 3) else { return }
    try await store.end(id, n.isMultiple(of: 2) ? .accepted(.init("\(n)")) : .unknown(.lost))
  }

  /// Opens the store, and answers which turn was the last.
  private func check(_ claim: String) async throws -> Int64 {
    let store = try await openStore()
    try await store.withConnection { connection in
      try connection.checkIntegrity()
      // Each entry has its document, and each document that says so its entry.
      let strays = try connection.row(
        """
        SELECT (SELECT count(*) FROM outbox) - (SELECT count(*) FROM documents
          JOIN outbox ON outbox.number = documents.entry AND outbox.id = documents.id) AS entries,
          (SELECT count(*) FROM documents WHERE entry IS NOT NULL
            AND (since IS NULL) = (entry NOT IN (SELECT number FROM outbox))) AS documents
        """
      ) { [try $0.integer("entries"), try $0.integer("documents")] }
      XCTAssertEqual(strays, [0, 0], claim)
    }
    let witness = try await store.get(DocumentID("witness"))
    for id in ids {
      let stored = try await store.stored(id)
      XCTAssertEqual(stored?.body, witness, claim)
      // Synced it is only where the very last content was accepted.
      XCTAssertEqual(stored?.isSynced, stored?.entry == nil, claim)
      for order in stored?.entry?.unanswered ?? [] {
        XCTAssertNotNil(stored?.content(of: order.revision), "\(claim): what was sent is known")
      }
    }
    await store.close()
    return try XCTUnwrap(witness?["n"]?.integer, claim)
  }

  private func start() throws -> ChildProcess {
    var environment = ProcessInfo.processInfo.environment
    environment[Self.place] = path
    return try ChildProcess(
      try XCTUnwrap(Bundle.main.executablePath),
      ["DocumentSyncTests.StoreKillTests/testAProgramWritesUntilItIsKilled"],
      environment: environment, directory: folder, records: folder)
  }
}
