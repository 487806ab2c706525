import SyncText
import XCTest

@testable import RecordSync

/// Which type a column gets for the values that it is to hold.
final class MadeTypeTests: XCTestCase {
  func testTypesAreTheNarrowestThatFitAllValues() throws {
    let vectors: [(values: String, type: MadeType?)] = [
      ("null", nil), ("null,null", nil), ("true,null,false", .boolean), ("1,2", .integer),
      ("9007199254740993", .integer), ("1,2.5", .real), ("1.0", .real), ("5e3,1", .real),
      ("9007199254740993,2.5", .real), ("9007199254740992,2.5", .real),
      ("12345678901234567890", .real), ("0.10000000000000001", .real), ("1e400", .real),
      ("0.10000000000000001,\"a\"", .text), ("0.10000000000000001,[1]", .json),
      ("1.10", .real), ("\"a\",\"\"", .text), ("1,\"a\"", .text), ("2.5,\"a\"", .text),
      ("true,1", .text), ("true,\"a\"", .text), ("[1]", .json), ("{}", .json), ("1,[1]", .json),
      ("\"a\",{}", .json), ("\"\\ud800\"", .json), ("1e400,[1]", .exactJSON),
      ("1,\"\",null", .text), ("1,\"12345\"", .integer), ("1,\"012\"", .text),
      ("1,\"123456789012345\"", .integer), ("1,\"9007199254740993\"", .text), ("12.25", .real),
      ("123456789012.25", .real), ("1,\"1.5\"", .real), ("1,\"1.50\"", .text), ("1,\"1-2\"", .text),
    ]
    for (values, type) in vectors {
      XCTAssertEqual(MadeType(try facts("[\(values)]").kinds), type, values)
    }
  }

  func testWhereDigitsAreKeptNumbersOfManyAreText() throws {
    let vectors: [(values: String, type: MadeType)] = [
      ("9007199254740993,2.5", .decimal), ("9007199254740992,2.5", .real), ("0.1", .real),
      ("12345678901234567890", .decimal), ("0.10000000000000001", .decimal), ("1e400", .decimal),
      ("9007199254740993", .integer), ("0.10000000000000001,[1]", .exactJSON),
    ]
    for (values, type) in vectors {
      XCTAssertEqual(MadeType(try facts("[\(values)]").kinds, isExact: true), type, values)
    }
  }

  func testAColumnOfWhichAKindOfDateIsSaidHoldsIt() async throws {
    let vectors: [(storage: ColumnType.DateStorage, type: String, value: String)] = [
      (.milliseconds, "INTEGER", "1767225600000"), (.seconds, "INTEGER", "1767225600"),
      (.text, "TEXT", "2026-01-01T00:00:00.000Z"),
    ]
    for (storage, type, value) in vectors {
      for isKind in [true, false] {
        let database = try TestDatabase()
        var overrides = SchemaOverrides()
        overrides.table("tops") { tops in
          tops.column("since") {
            if isKind { $0.kind = .date(storage) } else { $0.date = storage }
          }
        }
        let payload = #"[{"id":1,"since":"2026-01-01T00:00:00Z"}]"#
        try await database.create(payload, "tops", overrides: overrides)
        XCTAssertEqual(try database.columns("tops"), ["id INTEGER", "since \(type)"])
        XCTAssertEqual(
          try database.rows("SELECT since, typeof(since) FROM tops"),
          ["\(value)|\(type.lowercased())"])
        let again = try await database.create(payload, "tops", overrides: overrides)
        XCTAssertEqual(again.status, .unchanged)
      }
    }
  }

  func testWhatIsSeenInPartsIsWhatIsSeenAtOnce() throws {
    var first = try facts("[1,null]")
    first.add(try facts("[2.5,[],{}]"))
    XCTAssertEqual(first, try facts("[1,null,2.5,[],{}]"))
  }

  func testStrictTablesGetTypesThatTheyTake() {
    for type in [MadeType.boolean, .integer, .real, .decimal, .text, .json, .exactJSON] {
      let strict = type.strict?.rawValue
      XCTAssertTrue([nil, "INTEGER", "INT", "REAL", "TEXT"].contains(strict), "\(type)")
    }
  }

  private func facts(_ array: String) throws -> ValueFacts {
    var tape = JSONTape(nesting: 8)
    tape.begin(Array(array.utf8))
    let root = try tape.append(at: 0).root
    var facts = ValueFacts()
    var element = tape.inside(root)
    while element != tape.end(of: root) {
      facts.add(element, in: tape)
      element = tape.after(element)
    }
    return facts
  }
}
