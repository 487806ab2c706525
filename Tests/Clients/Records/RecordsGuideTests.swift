import Foundation
import OneWaySynchronizer
import RecordSync
import XCTest

// What the guide shows, as an app would write it; `RecordsGuideTests` runs it.

struct Author: Codable, Equatable {
  var id: Int
  var name: String
  var born: Int?
}

enum Guide {
  static func open(_ path: String) async throws -> RecordStore {
    let options = StoreOptions(migrations: [
      RecordMigration(
        "authors",
        """
        CREATE TABLE authors (
          id INTEGER PRIMARY KEY, name TEXT NOT NULL, born INTEGER, deleted_at TIMESTAMP)
        """),
      RecordMigration(
        "books",
        """
        CREATE TABLE books (
          id INTEGER PRIMARY KEY, title TEXT,
          author_id INTEGER REFERENCES authors ON DELETE CASCADE)
        """),
    ])
    return try await RecordStore(.file(path, ifMissing: .make), options: options)
  }

  static func sync(_ store: RecordStore, _ json: String) async throws -> String {
    let report = try await store.sync(.text(json), into: "authors")
    let authors = report.tables["authors"]
    return "\(authors?.inserted.count ?? 0) new, \(authors?.deleted.count ?? 0) gone"
  }

  static func careful(_ store: RecordStore, _ payload: RecordPayload) async throws -> Int {
    var options = RecordOptions()
    options.removalLimit = .share(0.2)
    options.isPlan = true
    let plan = try await store.sync(payload, into: "authors", options: options)
    return plan.tables["authors"]?.updated.count ?? 0
  }

  static func fetch(_ store: RecordStore) async throws {
    var address = RecordAddress("https://example.org/authors?limit=100")
    if let cursor = PayloadPath("meta.cursor") {
      address.paging = .cursor(cursor, parameter: "cursor")
    }
    var payload = RecordPayload.address(address)
    if let data = PayloadPath("data") { payload.form = .items(data) }
    let report = try await store.sync(payload, into: "authors")
    for remark in report.remarks { print(remark) }
  }

  static func read(_ store: RecordStore) async throws -> [Author] {
    let born = try await store.rows(
      of: "authors", .condition("born > ?", values: [1900]), order: [.descending("born")],
      limit: 10, as: Author.self)
    let count = try await store.count(of: "books", .condition("author_id = ?", values: [1]))
    let titles = try await store.query(
      "SELECT name, count(*) AS books FROM authors JOIN books ON author_id = authors.id GROUP BY 1")
    return count == titles.count ? born : []
  }

  static func edit(_ store: RecordStore) async throws {
    try await store.put(.encoding(Author(id: 9, name: "Ada", born: 1815)), into: "authors")
    try await store.update(9, of: "authors", with: .value(["name": "Ada Lovelace"]))
    try await store.delete(9, from: "authors")
  }

  static func follow(
    _ store: RecordStore, show: ([Author]) async throws -> Bool
  ) async throws {
    for try await authors in store.live("authors", order: [.ascending("name")], as: Author.self) {
      guard try await show(authors) else { break }
    }
  }

  static func takeBack(_ store: RecordStore, _ payload: RecordPayload) async throws {
    var options = RecordOptions()
    options.recordsUndo = true
    let report = try await store.sync(payload, into: "authors", options: options)
    if let undo = report.undo { try await store.undo(undo) }
  }

  static func keep(_ path: String, _ payload: RecordPayload) async throws -> Int {
    var options = StoreOptions()
    options.overrides.deletedAt = "deleted_at"
    options.overrides.keepsHistory = true
    let store = try await RecordStore(.file(path), options: options)
    let report = try await store.sync(payload, into: "authors")
    return report.tables["authors"]?.marked ?? 0
  }

  static func synchronizer(_ store: RecordStore) -> Synchronizer<RecordProcessor> {
    let processor = RecordProcessor(
      store, table: "authors", source: .url("https://example.org/authors"))
    return Synchronizer(processor: processor, options: processor.syncOptions)
  }
}

final class RecordsGuideTests: XCTestCase {
  func testRowsAreSyncedReadChangedFollowedAndTakenBack() async throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).sqlite").path
    addTeardownBlock { try? FileManager.default.removeItem(atPath: path) }
    let store = try await Guide.open(path)
    let json = """
      [{"id": 1, "name": "Astrid", "born": 1907, "books": [{"id": 10, "title": "Pippi"}]},
       {"id": 2, "name": "Selma", "born": 1858}]
      """
    let first = try await Guide.sync(store, json)
    XCTAssertEqual(first, "2 new, 0 gone")
    let again = try await Guide.sync(store, json)
    XCTAssertEqual(again, "0 new, 0 gone")
    let changed = RecordPayload.text(#"[{"id": 1, "name": "Astrid L."}, {"id": 2}]"#)
    let planned = try await Guide.careful(store, changed)
    XCTAssertEqual(planned, 1)
    let read = try await Guide.read(store)
    XCTAssertEqual(read, [Author(id: 1, name: "Astrid", born: 1907)])

    try await Guide.takeBack(store, changed)
    let same = try await store.count(of: "authors", .condition("name = 'Astrid'", values: []))
    XCTAssertEqual(same, 1)
    try await Guide.edit(store)
    var shown: [[String]] = []
    try await Guide.follow(store) { authors in
      shown.append(authors.map(\.name))
      guard shown.count == 1 else { return false }
      try await store.put(.text(#"{"id": 3, "name": "Zadie"}"#), into: "authors")
      return true
    }
    XCTAssertEqual(shown, [["Astrid", "Selma"], ["Astrid", "Selma", "Zadie"]])
    _ = Guide.synchronizer(store)
    let marked = try await Guide.keep(path, .text(#"[{"id": 1}]"#))
    XCTAssertEqual(marked, 2)
  }
}
