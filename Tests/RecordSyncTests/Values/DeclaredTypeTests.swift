import XCTest
@testable import RecordSync

final class DeclaredTypeTests: XCTestCase {
  func testWordsOfTheDeclarationSayWhatValuesMean() {
    let types: [(String, ColumnType.Kind, ColumnType.Affinity)] = [
      ("DATE", .date(.text), .numeric), ("datetime", .date(.text), .numeric),
      ("TIMESTAMP WITH TIME ZONE", .date(.text), .numeric), ("TIME", .date(.text), .numeric),
      ("timestamptz", .date(.text), .numeric), ("DATETIME_TEXT", .date(.text), .text),
      ("DATE_INT", .date(.milliseconds), .integer), ("DATE REAL", .date(.seconds), .real),
      ("BOOL", .boolean, .numeric), ("Boolean", .boolean, .numeric),
      ("BOOLINT", .boolean, .integer),
      ("JSON", .json, .numeric), ("jsonb", .json, .numeric), ("JSON_TEXT", .json, .text),
      ("JSON BLOB", .json, .blob), ("UUID", .uuid, .numeric), ("GUID", .uuid, .numeric),
      ("UUID_TEXT", .uuid, .text), ("CHAR(36) UUID", .uuid, .text), ("URL", .url, .numeric),
      ("URI TEXT", .url, .text), ("DECIMAL(10,2)", .decimal, .numeric),
      ("decimal_text", .decimal, .text), ("NUMERIC", .decimal, .numeric),
      ("NUMBER(9)", .decimal, .numeric), ("TEXT", .text, .text), ("varchar(255)", .text, .text),
      ("CLOB", .text, .text), ("NATIVE CHARACTER(70)", .text, .text),
      ("INTEGER", .integer, .integer),
      ("bigint unsigned", .integer, .integer), ("INT2", .integer, .integer),
      ("CHARINT", .integer, .integer), ("REAL", .real, .real), ("DOUBLE PRECISION", .real, .real),
      ("float", .real, .real), ("BLOB", .blob, .blob), ("LONGBLOB", .blob, .blob),
      ("", .any, .blob),
      ("STRING", .any, .numeric), ("ANY", .any, .numeric), ("MONEY", .any, .numeric),
    ]
    for (declared, kind, affinity) in types {
      let type = ColumnType(declared: declared, isStrict: false)
      XCTAssertEqual(type, ColumnType(kind: kind, affinity: affinity), declared)
    }
  }

  func testAnyOfAStrictTableChangesNothing() {
    let any = ColumnType(declared: "ANY", isStrict: true)
    XCTAssertEqual(any.kind, .any)
    XCTAssertEqual(any.affinity, .blob)
    XCTAssertTrue(any.isStrict)
  }
}
