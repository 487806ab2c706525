import SyncDatabase
import XCTest
@testable import RecordSync

final class ExportedValueTests: XCTestCase {
  func testValuesAreExportedAsTheirTypeSays() {
    let rows: [(String, StoredValue?, String)] = [
      ("TEXT", nil, "null"), ("TEXT", .text("a\"b"), #""a\"b""#), ("TEXT", .text("12"), #""12""#),
      ("INTEGER", .integer(.min), "-9223372036854775808"), ("INTEGER", .real(1.5), "1.5"),
      ("INTEGER", .text("odd"), #""odd""#), ("REAL", .real(1), "1.0"),
      ("REAL", .real(1e300), "1e+300"),
      ("REAL", .real(.infinity), "9e999"), ("REAL", .real(-.infinity), "-9e999"),
      ("DECIMAL_TEXT", .text("12.50"), #""12.50""#), ("DECIMAL", .real(12.5), "12.5"),
      ("BOOLEAN", .integer(1), "true"), ("BOOLEAN", .integer(0), "false"),
      ("BOOLEAN", .integer(2), "2"),
      ("BOOLEAN", .text("yes"), "true"), ("BOOLEAN", .text("t"), #""t""#),
      ("DATETIME", .text("2014-01-02 10:30:00"), #""2014-01-02T10:30:00.000Z""#),
      ("DATETIME", .text("soon"), #""soon""#),
      ("DATETIME", .integer(0), #""1970-01-01T00:00:00.000Z""#),
      ("DATE_INT", .integer(-1), #""1969-12-31T23:59:59.999Z""#),
      ("DATE_INT", .integer(.max), "9223372036854775807"),
      ("DATE REAL", .real(-0.001), #""1969-12-31T23:59:59.999Z""#),
      ("DATE REAL", .real(1_388_658_600.123), #""2014-01-02T10:30:00.123Z""#),
      ("UUID", .text("550E8400"), #""550E8400""#), ("URL", .text("/a"), #""/a""#),
      ("JSON", .text(#"{ "a": [1, "b c"] }"#), #"{"a":[1,"b c"]}"#), ("JSON", .integer(5), "5"),
      ("JSON", .real(1.5), "1.5"), ("JSON", .text(#""a""#), #""a""#),
      ("JSON", .text("odd"), #""odd""#),
      ("JSON", .text(""), #""""#), ("JSON", .blob(Array("[1]".utf8)), "[1]"),
      ("JSON", .blob([0xFF]), #""/w==""#),
      ("JSON", .blob([0x22, 0xFF, 0x22]), #""Iv8i""#), ("JSON", .real(.infinity), "9e999"),
      ("BLOB", .blob([0xFF, 0]), #""/wA=""#), ("BLOB", .blob([]), #""""#),
      ("BLOB", .text("[1, 2]"), "[1,2]"),
      ("BLOB", .text("12"), #""MTI=""#), ("BLOB", .integer(1), "1"), ("", .blob([1]), #""AQ==""#),
      ("", .text("x"), #""x""#),
    ]
    for (declared, value, json) in rows {
      XCTAssertEqual(ColumnType(declared).exported(value), json, "\(declared) of \(json)")
    }
  }

  /// Whoever put a value there: its export, synced, writes nothing.
  func testWhatIsExportedIsTheSameWhenItComesBack() throws {
    let values: [StoredValue] = [
      .integer(0), .integer(1), .integer(2), .integer(-5), .integer(.max), .integer(.min), .real(0),
      .real(0.5), .real(1e300), .real(.infinity), .real(1_388_658_600.123), .text(""), .text("a"),
      .text("é"), .text("2014-01-02 10:30:00"), .text("2014-01-02"), .text("true"), .text("YES"),
      .text("{\"a\": 1}"), .text("[1,  2]"), .text("no json {"),
      .text("550E8400E29B41D4A716446655440000"),
      .text("http://example.org/ a"), .text("1.50"), .text(" 12"), .text("a\u{0}b"), .blob([]),
      .blob([0xFF]), .blob(Array("[1]".utf8)), .blob(Array("text".utf8)), .integer(1_388_658_600),
    ]
    let columns = [
      "TEXT", "INTEGER", "REAL", "DECIMAL_TEXT", "DECIMAL", "BOOLEAN", "BOOLEAN_TEXT", "DATETIME",
      "DATE_INT", "DATE REAL", "DATETIME_TEXT", "UUID", "UUID_TEXT", "URL", "JSON", "JSON_TEXT",
      "JSON BLOB", "BLOB", "", "STRING",
    ]
    for declared in columns {
      let type = ColumnType(declared)
      for value in values.map(type.affinity.kept) {
        let json = type.exported(value)
        guard case .stored(let again, _) = try type.stored(json) else { continue }
        XCTAssertTrue(type.isSame(value, again), "\(value) of \(declared) as \(json)")
      }
    }
  }
}
