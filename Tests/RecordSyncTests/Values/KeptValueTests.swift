import Foundation
import SyncDatabase
import TestSupport
import XCTest
@testable import RecordSync

/// What is compared with a table's values has to be what SQLite makes of it, or every sync would
/// write it anew.
final class KeptValueTests: XCTestCase {
  func testEveryConvertedValueIsReadBackAsItIs() throws {
    let connection = try openTable()
    for vectors in ConversionTests.vectors + DateVectors.columns {
      let type = ColumnType(vectors.declared)
      let values = try vectors.rows.map { try type.stored($0.json) }.compactMap(\.value)
      for (value, kept) in zip(values, try connection.kept(values, in: vectors.declared)) {
        XCTAssertEqual(kept, value, "\(value) in \(vectors.declared): \(kept)")
        XCTAssertTrue(type.isSame(kept, value), "\(value) in \(vectors.declared)")
      }
    }
  }

  func testAnyValueOfAnyKindIsReadBackFromAnyColumn() throws {
    let connection = try openTable()
    let jsons = Set((ConversionTests.vectors + DateVectors.columns).flatMap { $0.rows.map(\.json) })
    let kinds: [ColumnType.Kind] = [
      .text, .integer, .real, .decimal, .boolean, .date(.text), .date(.milliseconds),
      .date(.seconds), .uuid, .url, .json, .blob, .any,
    ]
    for declared in ["TEXT", "INTEGER", "REAL", "NUMERIC", "BLOB"] {
      for kind in kinds {
        let type = ColumnType(kind: kind, affinity: ColumnType(declared).affinity)
        let values = try jsons.map { try type.stored($0) }.compactMap(\.value)
        for (value, kept) in zip(values, try connection.kept(values, in: declared)) {
          XCTAssertEqual(kept, value, "\(value) as \(kind) in \(declared): \(kept)")
          try assertComesBack(kept, type)
        }
      }
    }
  }

  func testTheAffinityIsThatOfTheRealDatabaseForRandomValues() throws {
    let connection = try openTable()
    var generator = SeededGenerator(seed: 35)
    for declared in ["TEXT", "INTEGER", "REAL", "NUMERIC", "BLOB", "STRING", ""] {
      let affinity = ColumnType(declared).affinity
      var values = (0..<2_000).map { _ in StoredValue.random(&generator) }
      // A real in a column of texts is never handed over as such.
      if affinity == .text { values.removeAll(where: \.isReal) }
      for (value, kept) in zip(values, try connection.kept(values, in: declared)) {
        let expected = affinity.kept(value)
        XCTAssertEqual(kept, expected, "\(value) in \(declared): \(kept)")
        XCTAssertEqual(affinity.kept(kept), kept, "\(kept) in \(declared)")
      }
    }
  }

  private func openTable() throws -> Connection {
    let directory = try temporaryFolder()
    var options = ConnectionOptions()
    options.synchronous = .off
    return try Connection(path: directory.appending(path: "kept.sqlite").path, options: options)
  }

  /// Exported and read again, it is the same, or can't be read: nothing would be written.
  private func assertComesBack(_ kept: StoredValue, _ type: ColumnType) throws {
    let exported = type.exported(kept)
    guard case .stored(let again, _) = try type.stored(exported) else { return }
    XCTAssertTrue(type.isSame(kept, again), "\(kept) as \(type), exported as \(exported)")
  }
}

extension Conversion {
  fileprivate var value: StoredValue? {
    if case .stored(let value, _) = self { value } else { nil }
  }
}

extension StoredValue {
  fileprivate var isReal: Bool {
    if case .real = self { true } else { false }
  }

  fileprivate static func random(_ generator: inout SeededGenerator) -> StoredValue {
    let pieces = ["1", "0", "9", "-", "+", ".", "e", " ", "00", "123456789", "5e3", "x", "\n"]
    switch Int.random(in: 0..<6, using: &generator) {
    case 0:
      return .integer(
        Int64(bitPattern: generator.next()) >> Int.random(in: 0..<64, using: &generator))
    case 1:
      return .real(
        Double(Int64(bitPattern: generator.next()) >> Int.random(in: 0..<64, using: &generator)))
    case 2:
      let number = Double(bitPattern: generator.next())
      return .real(number.isNaN ? 0.5 : number)
    case 3: return .blob([0x31])
    default:
      let count = Int.random(in: 0...5, using: &generator)
      return .text((0..<count).compactMap { _ in pieces.randomElement(using: &generator) }.joined())
    }
  }
}

extension Connection {
  /// What a column of that declared type gives back of values.
  fileprivate func kept(_ values: [StoredValue], in declared: String) throws -> [StoredValue] {
    try execute("DROP TABLE IF EXISTS kept")
    // A quoted name is taken as a type, too; no type is no name at all.
    let type = Identifier(declared)
    try run(type.map { "CREATE TABLE kept (value \($0))" } ?? "CREATE TABLE kept (value)")
    try execute("BEGIN")
    for value in values { try run("INSERT INTO kept VALUES (?1)", values: [value]) }
    try execute("COMMIT")
    let kept = try rows("SELECT value FROM kept ORDER BY rowid") { try $0.value(0) }
    return try kept.map { try XCTUnwrap($0) }
  }
}
