import SyncText
import TestSupport
import XCTest

@testable import RecordSync

/// Nothing of a payload is lost in the tables that are made for it: what is exported has each of its
/// values under its name, the same payload changes nothing any more, and is equal.
final class EveryScalarTests: XCTestCase {
  func testEachFormOfARealAPIIsKeptWhole() async throws {
    for form in APIForm.all { try await assertKept(form.json, form.table, form.table) }
  }

  func testRandomPayloadsAreKeptWhole() async throws {
    for seed in seeds(usually: 60) {
      var random = SeededGenerator(seed: seed)
      let payload = RandomNesting().payload(using: &random).json
      try await assertKept(payload, "tops", "seed \(seed)")
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
    let missing = try NamedScalars(payload).texts.subtracting(NamedScalars(exported).texts)
    let links = report.made.compactMap(\.linkBack)
    let lost = missing.filter { text in !links.contains { text.hasPrefix("\($0): ") } }
    XCTAssertEqual(lost.sorted(), [], "\(story)\n\(exported)")
    let again = try await database.create(payload, table) { $0.keepsDigits = true }
    XCTAssertEqual(again.made, [], story)
    XCTAssertEqual(again.status, .unchanged, "\(again.tables), \(story)")
    let plain = try await database.sync(payload, table)
    XCTAssertEqual(plain.status, .unchanged, "\(plain.tables), \(story)")
    try await assertTrue(database.sync(payload, table) { $0.isPlan = true }.isEqual, story)
    XCTAssertEqual(try database.rows("PRAGMA foreign_key_check"), [], story)
  }
}

extension SchemaChange {
  /// The member that has the key of the row in whose array its own stands, or of the object beside
  /// it: an export leaves it out.
  fileprivate var linkBack: String? {
    guard case .relation(let relation) = self else { return nil }
    return switch relation.evidence {
    case .equalParents(_, let column, _): Spelling().snake(column)
    case .equalKeys: relation.path.last.map { Spelling().snake($0) + "_id" }
    case .agreeing, .several, .because: nil
    }
  }
}

/// All values that are neither null nor made of others, as texts behind the names under which they
/// stand.
private struct NamedScalars {
  private(set) var texts: Set<String> = []

  init(_ json: String) throws {
    var tape = JSONTape(nesting: 100)
    tape.begin(Array(json.utf8))
    let root = try tape.append(at: 0).root
    add(root, named: "", in: tape)
  }

  private mutating func add(_ node: JSONTape.Node, named name: String, in tape: borrowing JSONTape)
  {
    switch tape.kind(of: node) {
    case .null: break
    case .true: texts.insert("\(name): true")
    case .false: texts.insert("\(name): false")
    case .number: texts.insert("\(name): \(Self.text(ofNumber: node, in: tape))")
    case .string:
      texts.insert("\(name): \(String(decoding: tape.stringBytes(node) ?? [], as: UTF8.self))")
    case .array, .object:
      let end = tape.end(of: node)
      var next = tape.inside(node)
      while next != end {
        let isArray = tape.kind(of: node) == .array
        let value = isArray ? next : tape.after(next)
        let own = isArray ? name : Self.name(next, in: tape)
        add(value, named: own, in: tape)
        next = tape.after(value)
      }
    }
  }

  /// A name in one form for all spellings: exports have it in snake_case.
  private static func name(_ node: JSONTape.Node, in tape: borrowing JSONTape) -> String {
    String(decoding: Spelling().canonical(tape.stringBytes(node) ?? []), as: UTF8.self)
  }

  private static func text(ofNumber node: JSONTape.Node, in tape: borrowing JSONTape) -> String {
    if let integer = tape.integer(node) { return "\(integer)" }
    guard let real = tape.number(node)?.double else { return tape.excerpt(node) }
    return Int64(exactly: real).map { "\($0)" } ?? "\(real)"
  }
}
