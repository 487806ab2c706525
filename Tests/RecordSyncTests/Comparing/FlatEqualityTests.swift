import Foundation
@testable import RecordSync
import TestSupport
import XCTest

/// What is compared and inserted as it stands in the text comes to the same as the usual way: the same
/// rows, and the same report. A trigger that does nothing makes a table go the usual way.
final class FlatEqualityTests: XCTestCase {
  private static let columns = """
    name TEXT, age INTEGER, score REAL, is_open BOOLEAN, made_at DATETIME, data JSON, loose,
    place NUMERIC DEFAULT 7, needed TEXT NOT NULL DEFAULT 'x', code TEXT UNIQUE,
    twice INTEGER AS (age * 2)
    """
  private static let names = "name, age, score, is_open, made_at, data, loose, place, needed, code"

  func testRowsWithNumbersForKeys() async throws {
    for seed in seeds(usually: 11, atLeast: 2) {
      try await compare("id INTEGER PRIMARY KEY", seed: seed)
    }
  }

  func testRowsWithTextsForKeys() async throws {
    for seed in seeds(usually: 11, atLeast: 2) {
      try await compare("id TEXT PRIMARY KEY", seed: seed)
    }
  }

  func testRowsWithAKeyBesideTheRowNumber() async throws {
    for seed in seeds(usually: 11, atLeast: 2) {
      try await compare("pk INTEGER PRIMARY KEY, id INTEGER UNIQUE", seed: seed)
    }
  }

  func testManyRowsAndMostOfThemChanged() async throws {
    for seed in seeds(usually: 11, atLeast: 2, share: 10) {
      try await compare("id INTEGER PRIMARY KEY", seed: seed, rows: 400)
    }
  }

  private func compare(_ key: String, seed: UInt64, rows: Int = 14) async throws {
    var random = SeededGenerator(seed: seed)
    let objects = FlatObjects(keysAreTexts: key.contains("TEXT"), rows: rows, using: &random)
    // Where values may be there once only, rows keep their order, and no change goes the fast way.
    let columns =
      seed.isMultiple(of: 3)
      ? Self.columns : Self.columns.replacingOccurrences(of: "UNIQUE", with: "")
    let ways = try TwoWays("CREATE TABLE things (\(key), \(columns))", trigger: "things") {
      options in
      if seed.isMultiple(of: 7) { options.operations.remove(.update) }
      if seed.isMultiple(of: 11) { options.operations.remove(.insert) }
    } sort: { table in
      // They go in the order of their row numbers, which may be given out in another order.
      table.deleted.sort { $0.description < $1.description }
    }
    for step in 0..<4 {
      try ways.edit(objects.edit(using: &random))
      let json = objects.payload(using: &random)
      try await ways.sync(
        json, into: "things", reading: ["SELECT id, \(Self.names) FROM things ORDER BY id"],
        "\(key), seed \(seed), step \(step): \(json)")
    }
  }
}

/// Random objects of one flat table, from those that say just what is there to those with anything in
/// them.
private struct FlatObjects {
  let keysAreTexts: Bool
  /// How many rows there may be.
  let rows: Int
  /// How many of a hundred keys are told in another way than the usual.
  let oddKeys: Int
  /// How many of a hundred objects name a row that was named before.
  let repeated: Int
  /// How many of a hundred values are of another type than the column's.
  let oddValues: Int

  init(keysAreTexts: Bool, rows: Int, using random: inout SeededGenerator) {
    (self.keysAreTexts, self.rows) = (keysAreTexts, rows)
    oddKeys = random.oneIn(4) ? 10 : 0
    repeated = random.oneIn(3) ? 15 : 0
    oddValues = random.oneIn(2) ? 10 : 0
  }

  func payload(using random: inout SeededGenerator) -> String {
    var keys = Array(1...Int.random(in: 1...rows, using: &random))
    if random.oneIn(2) { keys.shuffle(using: &random) }
    var objects: [String] = []
    for key in keys where !random.oneIn(6) {
      objects.append(object(key, using: &random))
      if isLucky(repeated, &random) {
        objects.append(object(keys.randomElement(using: &random) ?? key, using: &random))
      }
    }
    return "[" + objects.joined(separator: ",") + "]"
  }

  /// What another program writes, in its own forms; nothing mostly.
  func edit(using random: inout SeededGenerator) -> String? {
    guard random.oneIn(3) else { return nil }
    let columns = [
      "is_open = 't'", "is_open = 'true'", "age = 'old'", "score = 'x'", "score = NULL",
      "made_at = 1767348000000", "made_at = '2026-01-02 10:00:00'", "data = '[ 1 ]'", "data = 'no'",
      "loose = 5", "loose = x'00'", "name = x'6e31'", "place = '3'",
    ]
    let column = columns.randomElement(using: &random) ?? ""
    return "UPDATE things SET \(column) WHERE id % 2 = 1 OR id LIKE '%2'"
  }

  private func object(_ number: Int, using random: inout SeededGenerator) -> String {
    var members = ["\"id\":\(key(number, using: &random))"]
    let usual = [
      "name": #""n\#(number % 3)""#, "age": "\(number % 4)", "score": "\(number).25",
      "is_open": number.isMultiple(of: 2) ? "true" : "false",
      "made_at": #""2026-01-0\#(1 + number % 5)T10:00:00Z""#, "data": #"{"a":[\#(number)]}"#,
      "loose": #""é\#(number)""#, "place": "\(number)", "code": #""c\#(number)""#,
    ]
    for (name, value) in usual.sorted(by: { $0.key < $1.key }) where !random.oneIn(5) {
      members.append("\"\(name)\":\(isLucky(oddValues, &random) ? Self.odd(&random) : value)")
    }
    if isLucky(oddValues, &random) { members.append("\"unknown\":\(Self.odd(&random))") }
    if isLucky(oddValues, &random) { members.append("\"Name\":\(Self.odd(&random))") }
    if isLucky(oddValues, &random) { members.append("\"needed\":\(Self.odd(&random))") }
    if isLucky(oddValues, &random) { members.append("\"twice\":4") }
    if isLucky(oddKeys, &random) { members.append("\"Id\":\(key(number + 1, using: &random))") }
    if random.oneIn(3) { members.shuffle(using: &random) }
    return "{" + members.joined(separator: ",") + "}"
  }

  private func key(_ number: Int, using random: inout SeededGenerator) -> String {
    guard isLucky(oddKeys, &random) else { return keysAreTexts ? "\"k\(number)\"" : "\(number)" }
    let odd =
      keysAreTexts
      ? [#""\u006b\#(number)""#, "\(number)", "null", #""é""#, #""e\u0301""#, #""""#]
      : ["\(number).0", "\"\(number)\"", "null", "-\(number)", "1e2", "9223372036854775807"]
    return odd.randomElement(using: &random) ?? "null"
  }

  private static func odd(_ random: inout SeededGenerator) -> String {
    let all = [
      "null", "true", "false", "0", "-0.0", "1", "2.5", "1e2", "3.0", "12345678901234567890",
      #""""#, #""1""#, #""a\nb""#, #""n1""#, #""é""#, #""e\u0301""#,
      #""2026-01-02T10:00:00+00:00""#,
      "[]", "[1]", "{}", #"{"a":[1]}"#, #"{"a": [ 2 ] }"#,
    ]
    return all.randomElement(using: &random) ?? "null"
  }
}
