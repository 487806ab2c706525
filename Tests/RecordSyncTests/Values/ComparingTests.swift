import SyncDatabase
import XCTest
@testable import RecordSync

final class ComparingTests: XCTestCase {
  func testValuesAreComparedToTheByte() {
    let text = ColumnType("TEXT")
    XCTAssertTrue(text.isSame(.text("a"), .text("a")))
    XCTAssertTrue(text.isSame(nil, nil))
    let different: [(StoredValue?, StoredValue?)] = [
      (.text("é"), .text("e\u{301}")), (.text("Paris"), .text("paris")), (.text("a"), .text("a ")),
      (nil, .text("")), (.text(""), nil), (.text("1"), .integer(1)), (.integer(1), .integer(2)),
      (.text("a"), .text("ab")), (.real(1), .integer(1)),
    ]
    for (one, other) in different {
      XCTAssertFalse(text.isSame(one, other), "\(String(describing: one))")
    }
    XCTAssertFalse(ColumnType("").isSame(.integer(1), .real(1)))
    XCTAssertFalse(
      ColumnType("INTEGER").isSame(.integer(9_007_199_254_740_993), .integer(9_007_199_254_740_992))
    )
    XCTAssertTrue(ColumnType("DECIMAL_TEXT").isSame(.text("1.50"), .text("1.50")))
    XCTAssertFalse(ColumnType("DECIMAL_TEXT").isSame(.text("1.5"), .text("1.50")))
  }

  func testJSONIsComparedByWhatItMeans() {
    let json = ColumnType("JSON")
    let same: [(StoredValue, StoredValue)] = [
      (.text(#"{ "a": 1, "b": [2.0, "é"] }"#), .text(#"{"b":[2,"\u00e9"],"a":1}"#)),
      (.blob(Array("[1, 2]".utf8)), .text("[1,2]")), (.integer(5), .integer(5)),
      (.text("[1e2]"), .text("[100]")), (.real(1.5), .real(1.5)), (.text(" true"), .text("true")),
    ]
    for (one, other) in same { XCTAssertTrue(json.isSame(one, other), "\(one)") }
    let different: [(StoredValue, StoredValue)] = [
      (.text("[1,2]"), .text("[2,1]")), (.text(#"{"a":1}"#), .text(#"{"a":1,"b":null}"#)),
      (.text("no JSON"), .text("[]")), (.text(#""1""#), .integer(1)), (.text(""), .text("[]")),
      (.text(#"["é"]"#), .text(#"["e\u0301"]"#)), (.blob([0xFF]), .text("[]")),
      (.real(0.1), .text("0.10000000000000001")),
    ]
    for (one, other) in different { XCTAssertFalse(json.isSame(one, other), "\(one)") }
    XCTAssertFalse(json.isSame(.text("null"), nil))
    XCTAssertTrue(ColumnType("JSON_TEXT").isSame(.text("1.0"), .text("1")))
  }

  func testAMomentATruthAndAUUIDAreComparedWhateverTheirForm() {
    let moment = StoredValue.text("2014-01-02T10:30:00.000Z")
    let date = ColumnType("DATETIME")
    for other: StoredValue in [
      .text("2014-01-02 10:30:00"), .text("2014-01-02T11:30:00+01:00"), .integer(1_388_658_600),
      .text("2014-01-02 10:30:00.000999"), .integer(1_388_658_600_000), .real(1_388_658_600.0),
    ] {
      XCTAssertTrue(date.isSame(other, moment), "\(other)")
    }
    XCTAssertFalse(date.isSame(.text("2014-01-02 10:30:01"), moment))
    XCTAssertFalse(date.isSame(.text("garbage"), moment))
    XCTAssertFalse(date.isSame(.blob([]), moment))
    let seconds = ColumnType(kind: .date(.seconds), affinity: .integer)
    XCTAssertTrue(seconds.isSame(.text("2014-01-02"), .integer(1_388_620_800)))
    XCTAssertTrue(seconds.isSame(.real(1_388_620_800.5), .integer(1_388_620_800)))
    XCTAssertFalse(seconds.isSame(.integer(.max), .integer(1_388_620_800)))
    let milliseconds = ColumnType(kind: .date(.milliseconds), affinity: .integer)
    XCTAssertTrue(milliseconds.isSame(.real(1.5), .integer(1)))
    XCTAssertFalse(milliseconds.isSame(.integer(2), .integer(1)))
    let truth = ColumnType("BOOLEAN")
    XCTAssertTrue(truth.isSame(.text("TRUE"), .integer(1)))
    XCTAssertTrue(truth.isSame(.text("no"), .integer(0)))
    XCTAssertFalse(truth.isSame(.integer(2), .integer(1)))
    XCTAssertFalse(truth.isSame(.text("t"), .integer(1)))
    let uuid = ColumnType("UUID")
    let canonical = StoredValue.text("550e8400-e29b-41d4-a716-446655440000")
    XCTAssertTrue(uuid.isSame(.text("550E8400E29B41D4A716446655440000"), canonical))
    XCTAssertFalse(uuid.isSame(.text("550e8400-e29b-41d4-a716-446655440001"), canonical))
    XCTAssertFalse(uuid.isSame(.text("x"), canonical))
  }

  func testBytesAreComparedWithWhatTheyAreExportedAs() {
    XCTAssertTrue(ColumnType("BLOB").isSame(.text("[1]"), .blob(Array("[1]".utf8))))
    XCTAssertFalse(ColumnType("BLOB").isSame(.integer(1), .blob([0x31])))
    XCTAssertTrue(ColumnType("").isSame(.blob([0xFF, 0]), .text("/wA=")))
    XCTAssertFalse(ColumnType("").isSame(.text("/wA="), .blob([0xFF, 0])))
  }

  func testKeysAreToldApartByTheirBytes() {
    XCTAssertNotEqual(RecordKey([.text("é")]), RecordKey([.text("e\u{301}")]))
    XCTAssertEqual(RecordKey([.text("é"), .integer(1)]), RecordKey([.text("é"), .integer(1)]))
    XCTAssertEqual(Set([RecordKey([.text("a")]), RecordKey([.text("a")])]).count, 1)
    XCTAssertNotEqual(RecordKey([.integer(1)]), RecordKey([.integer(1), .integer(1)]))
    XCTAssertNotEqual(RecordKey([.integer(1)]), RecordKey([.real(1)]))
    XCTAssertEqual(Set([RecordKey([.real(0)]), RecordKey([.real(-0.0)])]).count, 1)
  }
}
