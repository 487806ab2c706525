import Foundation
import TestSupport
import XCTest

@testable import SyncDatabase

final class RowChecksumTests: XCTestCase {
  private var path = ""

  override func setUpWithError() throws { path = try temporaryFolder().path + "/checksum" }

  private static let table: StaticString = """
    CREATE TABLE notes (
      id INTEGER PRIMARY KEY, text TEXT, bytes BLOB, weight REAL,
      checksum INTEGER NOT NULL AS (row_checksum(id, text, bytes, weight)) STORED
    ) STRICT
    """

  func testRowsOfEveryTypeBearTheirChecksumAlsoAfterAChange() throws {
    let connection = try Connection(path: path)
    try connection.execute(Self.table)
    let text = "nineteen characters"
    let insert: SQL = "INSERT INTO notes (text, bytes, weight) VALUES (?1, ?2, ?3)"
    try connection.run(insert, text, [UInt8]("12345678".utf8), 1.5)
    try connection.run(insert, "", [UInt8](), 2)
    try connection.run(insert, nil as String?, nil as [UInt8]?, nil as Double?)
    try connection.run("UPDATE notes SET text = 'other', weight = 7 WHERE id = 2")
    var sums: Set<Int64> = []
    try connection.query("SELECT * FROM notes") { row in
      try row.requireChecksum(4)
      sums.insert(try row.integer(4))
    }
    XCTAssertEqual(sums.count, 3)
  }

  func testEveryFlippedBitOfARowIsNoticed() throws {
    var connection: Connection? = try Connection(path: path)
    try connection?.execute(Self.table)
    try connection?.run(
      "INSERT INTO notes (text, bytes) VALUES ('a text to look for', ?1)",
      [UInt8]("bytes to look for".utf8))
    connection = nil
    let sound = try Data(contentsOf: URL(filePath: path))
    let start = try XCTUnwrap(sound.range(of: Data("a text".utf8))?.lowerBound)
    let end = try XCTUnwrap(sound.range(of: Data("look for".utf8), options: .backwards)).upperBound
    for bit in start * 8..<end * 8 {
      var damaged = sound
      damaged[bit / 8] ^= 1 << (bit % 8)
      try damaged.write(to: URL(filePath: path))
      let connection = try Connection(path: path)
      XCTAssertThrowsError(
        try connection.query("SELECT * FROM notes") { try $0.requireChecksum(4) }, "bit \(bit)"
      ) { XCTAssertEqual(($0 as? DatabaseError)?.code, .damaged) }
    }
  }
}
