import SyncDatabase
import XCTest

/// Functions of a program's own in statements.
final class FunctionTests: XCTestCase {
  private struct Odd: Error, CustomStringConvertible {
    let description = "that is odd"
  }

  /// The bytes of a text backwards; an error for those of odd number.
  private let backwards = SQLFunction("backwards", arguments: 1) { arguments in
    guard let bytes = arguments.bytes(0) else { return nil }
    guard bytes.count.isMultiple(of: 2) else { throw Odd() }
    return .blob(bytes.reversed())
  }

  private func connection() throws -> Connection {
    let connection = try Connection(in: .memory, named: "memory")
    try connection.define(backwards)
    return connection
  }

  func testAFunctionIsGivenBytesAndAnswers() throws {
    let connection = try connection()
    for (value, expected) in [
      (.text("abcd"), .blob(Array("dcba".utf8))), (.blob([1, 2]), .blob([2, 1])),
      (.text(""), .blob([])), (.blob([]), .blob([])), (.integer(7), nil), (nil, nil),
      (.text("a\u{0}"), .blob([0, 97])),
    ] as [(StoredValue?, StoredValue?)] {
      let answers = try connection.rows("SELECT backwards(?1) AS answer", value) {
        try $0.value("answer")
      }
      XCTAssertEqual(answers, [expected])
    }
  }

  func testWhatAFunctionThrowsIsAnErrorOfTheStatement() throws {
    let connection = try connection()
    XCTAssertThrowsError(try connection.rows("SELECT backwards('abc')") { _ in }) { error in
      XCTAssertEqual((error as? DatabaseError)?.code, .statement)
      XCTAssertEqual((error as? DatabaseError)?.message, "backwards: that is odd")
    }
    XCTAssertEqual(try connection.rows("SELECT backwards('ab')") { _ in 1 }, [1])
  }

  func testAnIndexIsMadeOfAFunctionAndOfBytesInTheText() throws {
    let connection = try connection()
    try connection.execute("CREATE TABLE words (word TEXT NOT NULL)")
    let value: SQL = "backwards(word || \(literal: [0x27, 0x00, 0x3b, 0xff]))"
    XCTAssertEqual(value.description, "backwards(word || x'27003bff')")
    try connection.run("CREATE INDEX words_backwards ON words (\(value))")
    for word in ["ab", "cd"] { try connection.run("INSERT INTO words VALUES (?1)", word) }
    let plan = try connection.rows(
      "EXPLAIN QUERY PLAN SELECT word FROM words WHERE \(value) = \([0xff, 0x3b, 0, 0x27, 98, 97])"
    ) { try $0.text("detail") }
    XCTAssertEqual(plan, ["SEARCH words USING INDEX words_backwards (<expr>=?)"])
    XCTAssertThrowsError(try connection.run("INSERT INTO words VALUES ('odd')"))
    XCTAssertEqual(try connection.rows("SELECT word FROM words") { _ in 1 }.count, 2)
  }
}
