@testable import RecordSync
import TestSupport
import XCTest

/// Random payloads over a table, and one whose rows hang on its rows, in which rows are marked in
/// place of being deleted: after each sync, those that aren't marked are what a plain model holds,
/// and those that were stay as they were.
final class RandomMarkingTests: XCTestCase {
  /// What is there: the names of items, and of parts with what they hang on.
  private struct Model {
    var items: [Int: String] = [:]
    var parts: [Int: (item: Int, label: String)] = [:]

    mutating func sync(_ payload: [Int: (name: String, parts: [Int: String]?)], deletes: Bool) {
      if deletes {
        for item in items.keys where payload[item] == nil { items[item] = nil }
        parts = parts.filter { items[$0.value.item] != nil }
      }
      let named = Set(payload.values.flatMap { ($0.parts ?? [:]).keys })
      for (item, (name, list)) in payload {
        items[item] = name
        guard let list else { continue }
        if deletes { parts = parts.filter { $0.value.item != item || named.contains($0.key) } }
        for (part, label) in list { parts[part] = (item, label) }
      }
    }

    var rows: [String] {
      items.sorted { $0.key < $1.key }.map { "\($0)|\($1)" }
        + parts.sorted { $0.key < $1.key }.map { "\($0)|\($1.item)|\($1.label)" }
    }
  }

  func testRowsThatAreNotMarkedAreWhatTheModelSays() async throws {
    for seed in seeds(usually: 8) {
      try await walk(seed)
      if testRun?.failureCount ?? 0 > 0 { return }
    }
  }

  private func walk(_ seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let database = try TestDatabase(
      """
      items: name TEXT, gone TIMESTAMP;
      parts: item_id -> items ON DELETE CASCADE, label TEXT, gone TIMESTAMP;
      CREATE INDEX parts_item ON parts (item_id)
      """)
    var overrides = SchemaOverrides()
    overrides.deletedAt = "gone"
    let store = try await RecordStore(path: database.path, overrides: overrides)
    var model = Model()
    for step in 0..<12 {
      let payload = Self.payload(&random)
      var options = RecordOptions()
      if isLucky(30, &random) { options.operations = .keep }
      let (text, deletes) = (Self.text(payload), options.operations != .keep)
      let story = "seed \(seed), step \(step): \(text), deletes \(deletes)"
      let before = try marked(database)
      model.sync(payload, deletes: deletes)
      let report = try await store.sync(.text(text), into: "items", options: options)
      XCTAssertFalse(report.isPartial, "\(story): \(report)")
      XCTAssertEqual(try live(database), model.rows, story)
      let after = try marked(database)
      for (row, moment) in before where after[row] != nil {
        XCTAssertEqual(after[row], moment, "\(row) was marked again, \(story)")
      }
      let again = try await store.sync(.text(text), into: "items", options: options)
      XCTAssertEqual(again.status, .unchanged, "again, \(story): \(again)")
      let exported = try await store.exported("items")
      let same = try await store.sync(.bytes(exported), into: "items")
      XCTAssertEqual(same.status, .unchanged, "its own export, \(story): \(same)")
    }
  }

  private static func payload(
    _ random: inout SeededGenerator
  ) -> [Int: (name: String, parts: [Int: String]?)] {
    var payload: [Int: (name: String, parts: [Int: String]?)] = [:]
    var free = Array(1...9)
    for item in 1...6 where isLucky(60, &random) {
      var parts: [Int: String]? = [:]
      for _ in 0..<Int.random(in: 0...3, using: &random) where !free.isEmpty {
        let part = free.remove(at: Int.random(in: free.indices, using: &random))
        parts?[part] = "l\(Int.random(in: 0..<3, using: &random))"
      }
      if isLucky(20, &random) { parts = nil }
      payload[item] = ("n\(Int.random(in: 0..<3, using: &random))", parts)
    }
    return payload
  }

  private static func text(_ payload: [Int: (name: String, parts: [Int: String]?)]) -> String {
    let items = payload.sorted { $0.key < $1.key }.map { key, item in
      let list = item.parts.map { parts in
        let texts = parts.sorted { $0.key < $1.key }.map { #"{"id": \#($0), "label": "\#($1)"}"# }
        return #", "parts": [\#(texts.joined(separator: ", "))]"#
      }
      return #"{"id": \#(key), "name": "\#(item.name)"\#(list ?? "")}"#
    }
    return "[\(items.joined(separator: ", "))]"
  }

  private func live(_ database: TestDatabase) throws -> [String] {
    try database.rows("SELECT id, name FROM items WHERE gone IS NULL ORDER BY id")
      + database.rows("SELECT id, item_id, label FROM parts WHERE gone IS NULL ORDER BY id")
  }

  /// The marked rows and when they were marked.
  private func marked(_ database: TestDatabase) throws -> [String: String] {
    var marked: [String: String] = [:]
    for table in ["items", "parts"] {
      for row in try database.rows("SELECT id, gone FROM \(table) WHERE gone IS NOT NULL") {
        let parts = row.split(separator: "|")
        marked["\(table) \(parts[0])"] = String(parts[1])
      }
    }
    return marked
  }
}
