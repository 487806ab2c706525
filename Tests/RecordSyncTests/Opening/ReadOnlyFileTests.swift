import Foundation
import OneWaySynchronizer
@testable import RecordSync
import SyncDatabase
import TestSupport
import XCTest

/// A database on a disk that can't be written is read, verified against a payload and planned for.
final class ReadOnlyFileTests: XCTestCase {
  private let payload = RecordPayload.text(
    #"[{"id": 1, "name": "Anna", "notes": [{"id": 7}]}, {"id": 3}]"#)

  /// Databases on a disk of their own: with a journal, with a log that was moved into the file, with
  /// one that wasn't, and with a journal that is left of a program that was killed.
  private func withDatabases(_ body: ([String]) async throws -> Void) async throws {
    let folder = try TestFolder()
    let database = try TestDatabase("users: name TEXT; notes: user_id -> users; users = (1, 'Ann')")
    try await withMount(at: folder.path, options: "size=4m") {
      let paths = ["journal", "closed", "open", "killed"].map { "\(folder.path)/\($0).sqlite" }
      for path in paths { try FileManager.default.copyItem(atPath: database.path, toPath: path) }
      var options = StoreOptions()
      options.journal = .writeAheadLog
      try await put(RecordStore(.file(paths[1]), options: options))
      let live = try await RecordStore(.file(database.path), options: options)
      try await put(live)
      try FileManager.default.removeItem(atPath: paths[2])
      for suffix in ["", "-wal"] {
        try FileManager.default.copyItem(atPath: database.path + suffix, toPath: paths[2] + suffix)
      }
      for path in [paths[0], paths[3]] { try await put(RecordStore(path: path)) }
      try leaveJournal(beside: paths[3])
      try remount(folder.path, options: "ro")
      let names = try folder.names()
      XCTAssertEqual(
        names,
        [
          "closed.sqlite", "journal.sqlite", "killed.sqlite", "killed.sqlite-journal",
          "open.sqlite", "open.sqlite-wal",
        ])
      try await body(paths)
      XCTAssertEqual(try folder.names(), names)
      _ = live
    }
  }

  /// Makes the file and its journal what they are in the midst of a transaction that is written.
  private func leaveJournal(beside path: String) throws {
    var options = ConnectionOptions()
    options.journal = .rollback
    let writer = try Connection(path: path, options: options)
    try writer.execute("PRAGMA cache_size = 1")
    try writer.transaction {
      try writer.run("UPDATE users SET name = 'half'")
      try writer.run(
        """
        WITH RECURSIVE n(i) AS (SELECT 9 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
        INSERT INTO notes SELECT i, NULL FROM n
        """)
      for suffix in ["", "-journal"] {
        try FileManager.default.copyItem(atPath: path + suffix, toPath: path + ".half" + suffix)
      }
    }
    _ = consume writer
    for suffix in ["", "-journal"] {
      try? FileManager.default.removeItem(atPath: path + suffix)
      try FileManager.default.moveItem(atPath: path + ".half" + suffix, toPath: path + suffix)
    }
    let bytes = try Data(contentsOf: URL(filePath: path))
    XCTAssertNotNil(bytes.range(of: Data("half".utf8)), "nothing was written yet")
  }

  private func put(_ store: RecordStore) async throws {
    try await store.put(.text(#"{"id": 2, "name": "Ben"}"#), into: "users")
  }

  func testItIsReadAndPlannedForAndNotWritten() async throws {
    try await withDatabases { paths in
      for path in paths {
        let store = try await RecordStore(path: path)
        try await assertEqual(store.schema().tables.map(\.name), ["notes", "users"])
        try await assertEqual(store.row(2, of: "users")?["name"], "Ben", path)
        try await assertEqual(store.snapshot().exported("notes"), Array("[]\n".utf8))
        let equal = try await store.verify(
          .text(#"[{"id": 1, "name": "Ann"}, {"id": 2, "name": "Ben"}]"#), against: "users")
        XCTAssertTrue(equal.isEqual, path)
        var options = RecordOptions()
        options.isPlan = true
        let plan = try await store.sync(payload, into: "users", options: options)
        XCTAssertEqual(plan.status, .planned)
        XCTAssertEqual(plan.tables["users"]?.deleted.map(\.integer), [2])
        XCTAssertEqual(plan.tables["notes"]?.inserted.map(\.integer), [7])
        await assertThrows(
          saying: "\(path) can't be written", try await store.sync(payload, into: "users"))
        await assertThrows(saying: "can't be written", try await store.drop())
      }
    }
  }

  func testAProcessorPlansForIt() async throws {
    try await withDatabases { paths in
      for path in paths {
        let processor = RecordProcessor(
          try await RecordStore(path: path), table: "users", source: payload)
        let synchronizer = Synchronizer(processor: processor, options: processor.syncOptions)
        try await assertEqual(synchronizer.plan().removals.map(\.integer), [2])
      }
    }
  }

  func testAPlanBeyondTheLimitSaysSo() async throws {
    try await withDatabases { paths in
      var options = StoreOptions()
      options.copyLimit = 5_000
      let store = try await RecordStore(.file(paths[0]), options: options)
      await assertThrows(RecordError.self, try await store.verify(payload, against: "users")) {
        if case .opening(.tooLargeToCopy(_, 5_000)) = $0 { true } else { false }
      }
      await assertThrows(RecordError.self, try await RecordStore(.file(paths[1]), options: options))
      {
        if case .opening(.tooLargeToCopy(_, 5_000)) = $0 { true } else { false }
      }
    }
  }
}
