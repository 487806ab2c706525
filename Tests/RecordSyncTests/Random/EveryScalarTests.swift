import SyncText
import TestSupport
import XCTest

@testable import RecordSync

/// Nothing of a payload is lost in the tables that are made for it: what is exported has each of
/// its values where it stood, as often; the same payload changes nothing any more, and is equal.
final class EveryScalarTests: XCTestCase {
  func testEachFormOfARealAPIIsKeptWhole() async throws {
    for form in APIForm.all { try await assertKept(form.json, form.table, form.table) }
  }

  func testRandomPayloadsAreKeptWhole() async throws {
    for seed in seeds(usually: 30) {
      var random = SeededGenerator(seed: seed)
      let payload = RandomNesting().payload(using: &random).json
      try await assertKept(payload, "tops", "seed \(seed)")
      if testRun?.failureCount ?? 0 > 0 { return }
    }
  }

  /// Tables that were made for one payload have all of the next one, or what they can't have is told.
  func testALaterPayloadIsKeptWholeOrTold() async throws {
    for seed in seeds(usually: 30) {
      var random = SeededGenerator(seed: seed)
      let database = try TestDatabase()
      let first = RandomNesting().payload(using: &random).json
      try await database.create(first, "tops") { $0.keepsDigits = true }
      let payload = RandomNesting().payload(using: &random).json
      let report = try await database.create(payload, "tops") { $0.keepsDigits = true }
      let made = report.made.map(\.description).joined(separator: "\n")
      let story = "seed \(seed): \(first) then \(payload)\n\(made)\n\(report.tables)"
      let again = try await database.create(payload, "tops") { $0.keepsDigits = true }
      XCTAssertEqual(again.made, [], story)
      XCTAssertEqual(again.status, .unchanged, "\(again.tables), \(story)")
      let plain = try await database.sync(payload, "tops")
      XCTAssertEqual(plain.status, .unchanged, "\(plain.tables), \(story)")
      XCTAssertEqual(try database.rows("PRAGMA foreign_key_check"), [], story)
      if report.remarks.isEmpty, report.tables.values.allSatisfy(\.isFlawless) {
        let exported = try await database.export("tops")
        // One object twice in an array is one row, where the table was made for rows with keys.
        let missing = try PlacedScalars(payload).missing(in: PlacedScalars(exported), counts: false)
        XCTAssertEqual(missing.filter { !$0.contains("owner_id") }, [], "\(story)\n\(exported)")
      }
      if testRun?.failureCount ?? 0 > 0 { return }
    }
  }

  private func assertKept(_ payload: String, _ table: String, _ name: String) async throws {
    let database = try TestDatabase()
    let report = try await database.create(payload, table) { $0.keepsDigits = true }
    let story = "\(name): \(payload)\n\(report.made.map(\.description).joined(separator: "\n"))"
    for (name, table) in report.tables {
      XCTAssertEqual(table.mismatched, [], "\(name), \(story)")
      XCTAssertEqual(table.refused, [], "\(name), \(story)")
      XCTAssertEqual(table.unknown, [:], "\(name), \(story)")
      XCTAssertEqual(table.skipped, 0, "\(name), \(story)")
      XCTAssertEqual(table.unresolved, [], "\(name), \(story)")
    }
    XCTAssertEqual(report.remarks, [], story)
    let exported = try await database.export(table)
    let missing = try PlacedScalars(payload).missing(in: PlacedScalars(exported))
    let links = report.made.compactMap(\.linkBack)
    let lost = missing.filter { way in way.dropLast().last.map(links.contains) != true }
    XCTAssertEqual(lost, [], "\(story)\n\(exported)")
    let again = try await database.create(payload, table) { $0.keepsDigits = true }
    XCTAssertEqual(again.made, [], story)
    XCTAssertEqual(again.status, .unchanged, "\(again.tables), \(story)")
    let plain = try await database.sync(payload, table)
    XCTAssertEqual(plain.status, .unchanged, "\(plain.tables), \(story)")
    try await assertTrue(database.sync(payload, table) { $0.isPlan = true }.isEqual, story)
    XCTAssertEqual(try database.rows("PRAGMA foreign_key_check"), [], story)
  }
}

extension TableReport {
  fileprivate var isFlawless: Bool {
    mismatched.isEmpty && refused.isEmpty && unresolved.isEmpty && unknown.isEmpty && skipped == 0
  }
}

extension SchemaChange {
  /// The member that has the key of the row in whose array its own stands, or of the object beside
  /// it: an export leaves it out.
  fileprivate var linkBack: String? {
    guard case .relation(let relation) = self,
      case .equal(_, let column, _) = relation.evidence
    else { return nil }
    guard case .reference = relation.outcome else { return Spelling().snake(column) }
    return relation.path.last.map { Spelling().snake($0) + "_id" }
  }
}

/// All values that are neither null nor made of others, each with the way to it: the names of
/// members, the keys of objects, and the places of those in arrays that have none. How often one
/// stands there counts.
private struct PlacedScalars {
  private var counts: [[String]: Int] = [:]
  private static let keys = ["id", "_id", "uuid"]
  /// The ways on from each object with a key, which begin with that.
  private var below: Set<[String]> = []

  init(_ json: String) throws {
    var tape = JSONTape(nesting: 100)
    tape.begin(Array(json.utf8))
    let root = try tape.append(at: 0).root
    add(root, at: [], in: tape)
  }

  /// What others have less often, or not at all. Where they have nothing but an object's key, what
  /// they say of that object elsewhere counts; an object counts where there is nothing but its key.
  func missing(in others: PlacedScalars, counts isCounted: Bool = true) -> [[String]] {
    counts.compactMap { way, count in
      let least = isCounted ? count : 1
      let isThere =
        others.counts[way] ?? 0 >= least || others.hasObjects(of: way, least)
        || others.leads(way) { others.counts[$0] != nil }
      return isThere ? nil : way
    }
    .sorted { $0.lexicographicallyPrecedes($1) }
  }

  /// Whether the last step is the key of so many objects that stand there: an export has a row in
  /// full where it is first met, though the payload has it so somewhere else.
  private func hasObjects(of way: [String], _ least: Int) -> Bool {
    guard let key = way.last else { return false }
    return Self.keys.contains { name in
      counts[way.dropLast() + ["[=\(key)]", Spelling().snake(name), key]] ?? 0 >= least
    }
  }

  private func leads(_ way: [String], _ isThere: ([String]) -> Bool) -> Bool {
    way.indices.contains { place in
      guard place > 0, let key = Self.key(of: way[place]), isThere(way[..<place] + [key]) else {
        return false
      }
      let rest = Array(way[place...])
      return below.contains(rest) || leads(rest) { below.contains($0) }
    }
  }

  private static func key(of step: String) -> String? {
    step.hasPrefix("[=") ? String(step.dropFirst(2).dropLast()) : nil
  }

  private mutating func add(_ node: JSONTape.Node, at way: [String], in tape: borrowing JSONTape) {
    if let text = Self.text(of: node, in: tape) {
      let way = way + [text]
      counts[way, default: 0] += 1
      for place in way.indices.dropLast() where Self.key(of: way[place]) != nil {
        below.insert(Array(way[place...]))
      }
      return
    }
    let way = way + (Self.key(of: node, in: tape).map { ["[=\($0)]"] } ?? [])
    let end = tape.end(of: node)
    var (next, number) = (tape.inside(node), 0)
    while next != end {
      let isArray = tape.kind(of: node) == .array
      let value = isArray ? next : tape.after(next)
      var step: [String] = isArray ? [] : [Self.name(next, in: tape)]
      let hasPlace = Self.text(of: value, in: tape) == nil && Self.key(of: value, in: tape) == nil
      if isArray, hasPlace { step = ["[\(number)]"] }
      if tape.kind(of: value) != .null { add(value, at: way + step, in: tape) }
      next = tape.after(value)
      number += 1
    }
  }

  /// The key of an object.
  private static func key(of object: JSONTape.Node, in tape: borrowing JSONTape) -> String? {
    guard tape.kind(of: object) == .object else { return nil }
    let end = tape.end(of: object)
    for key in keys {
      var name = tape.inside(object)
      while name != end {
        let value = tape.after(name)
        let text = tape.isString(name, Array(key.utf8)) ? text(of: value, in: tape) : nil
        if let text { return text }
        name = tape.after(value)
      }
    }
    return nil
  }

  /// A name in one form for all spellings: exports have it in snake_case.
  private static func name(_ node: JSONTape.Node, in tape: borrowing JSONTape) -> String {
    String(decoding: Spelling().canonical(tape.stringBytes(node) ?? []), as: UTF8.self)
  }

  /// The text of a value that isn't made of others.
  private static func text(of node: JSONTape.Node, in tape: borrowing JSONTape) -> String? {
    switch tape.kind(of: node) {
    case .array, .object: nil
    case .null: "null"
    case .true: "true"
    case .false: "false"
    case .string: String(decoding: tape.stringBytes(node) ?? [], as: UTF8.self)
    case .number: text(ofNumber: node, in: tape)
    }
  }

  private static func text(ofNumber node: JSONTape.Node, in tape: borrowing JSONTape) -> String {
    if let integer = tape.integer(node) { return "\(integer)" }
    guard let real = tape.number(node)?.double else { return tape.excerpt(node) }
    return Int64(exactly: real).map { "\($0)" } ?? "\(real)"
  }
}
