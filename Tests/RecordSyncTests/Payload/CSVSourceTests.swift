import Foundation
import TestSupport
import XCTest
@testable import RecordSync

/// Tables in text as payloads.
final class CSVSourceTests: XCTestCase {
  private func read(_ text: String, _ form: CSVForm = CSVForm()) -> PayloadReading {
    PayloadReading(PayloadReader(Array(text.utf8), form: .csv(form)))
  }

  func testRowsAreObjectsOfTheFirstLinesNames() {
    let cases: [(String, [String])] = [
      ("id,name\n1,Ann\n2,Ben\n", [#"{"id":1,"name":"Ann"}"#, #"{"id":2,"name":"Ben"}"#]),
      ("id,name\r\n1,Ann\r\n2,Ben", [#"{"id":1,"name":"Ann"}"#, #"{"id":2,"name":"Ben"}"#]),
      ("\u{FEFF}\"a,b\",id\r\n\"x\",1\r\n", [#"{"a,b":"x","id":1}"#]),
      ("id,name\r1,Ann\r", [#"{"id":1,"name":"Ann"}"#]),
      ("\u{FEFF}id,a b\n\n1,x\n\n\n2,\n", [#"{"id":1,"a b":"x"}"#, #"{"id":2}"#]),
      ("a,b\n\"x,\"\"y\"\"\n\r\nz\",\"\"\n", [#"{"a":"x,\"y\"\u000A\u000D\u000Az","b":""}"#]),
      ("a,b\n1,\u{1}ü\\\n", [#"{"a":1,"b":"\u0001ü\\"}"#]),
    ]
    for (text, elements) in cases {
      let found = read(text)
      XCTAssertNil(found.problem, "\(text): \(String(describing: found.problem))")
      XCTAssertEqual(found.elements, elements, text)
    }
  }

  /// A number is what as a text would be the same again.
  func testOnlyWhatJSONWouldWriteSoIsANumber() {
    let numbers = ["0", "7", "-12", "0.5", "-10.25", "123456789012345678", "12345678901234.5"]
    let texts = [
      "007", "+1", "-0", "1.", ".5", "1.50", "1e3", "1234567890123456789", "123456789012345.5",
      "1 ", "NaN", "1.2.3", "-", "0x1", "true", "null",
    ]
    for number in numbers { XCTAssertEqual(read("a\n\(number)\n").elements, ["{\"a\":\(number)}"]) }
    for text in texts { XCTAssertEqual(read("a\n\(text)\n").elements, ["{\"a\":\"\(text)\"}"]) }
    XCTAssertEqual(read("a\n\"7\"\n").elements, [#"{"a":"7"}"#])
  }

  func testAnEmptyFieldIsAbsentUnlessAWordStandsForNull() {
    let text = "a,b,c\n,\"\",NA\n"
    XCTAssertEqual(read(text).elements, [#"{"b":"","c":"NA"}"#])
    XCTAssertEqual(read(text, CSVForm(null: "NA")).elements, [#"{"a":"","b":"","c":null}"#])
    XCTAssertEqual(read(text, CSVForm(null: "")).elements, [#"{"a":null,"b":"","c":"NA"}"#])
    XCTAssertEqual(
      read("a\tb,c\n1\t2;3\n", CSVForm(separator: .tab)).elements, [#"{"a":1,"b,c":"2;3"}"#])
    XCTAssertEqual(
      read("a;b\n1,5;2\n", CSVForm(separator: .semicolon)).elements, [#"{"a":"1,5","b":2}"#])
  }

  func testWhatIsNoTableIsAnErrorWithItsLine() {
    let cases: [(String, PayloadProblem)] = [
      ("", .empty), ("id,name\n", .csv(.noRows, line: 1)), ("\n\n", .empty),
      ("a,b\n1,2\n3\n", .csv(.fields(1, named: 2), line: 3)),
      ("a,b\n1,2\n3", .csv(.fields(1, named: 2), line: 3)),
      ("a,b\n\"x\ny\",2\n1,2,3\n", .csv(.fields(3, named: 2), line: 4)),
      ("a\n1\n\"x\ny", .csv(.openQuote, line: 3)), ("a\n\"x\"y\n", .csv(.behindQuote, line: 2)),
      ("a,,b\n", .csv(.noName(2), line: 1)), ("a,b,a\n", .csv(.nameTwice("a"), line: 1)),
    ]
    for (text, problem) in cases { XCTAssertEqual(read(text).problem, problem, text) }
    let latin1 = PayloadReading(PayloadReader([0x61, 10, 0xFC, 10], form: .csv(CSVForm())))
    XCTAssertNotNil(latin1.problem)
  }

  func testHoweverItIsCutIntoPiecesItIsTheSame() {
    var generator = SeededGenerator(seed: 3)
    let text = "id,\"n\"\"ame\"\r\n1,\"a,\r\nb\"\r\n\r\n2,\"\"\"\"\r\n3,\r\n"
    let whole = read(text)
    XCTAssertEqual(whole.elements.count, 3)
    for _ in 0..<200 {
      let lengths = (0..<40).map { _ in Int.random(in: 1...9, using: &generator) }
      let next = Counter()
      let pieces = PayloadReading(pieces: Array(text.utf8), form: .csv(CSVForm())) {
        lengths[next.take() % lengths.count]
      }
      XCTAssertEqual(pieces, whole)
    }
  }

  func testATableIsSyncedAsAnyPayloadIs() async throws {
    let database = try TestDatabase(
      "users: name TEXT, zip TEXT, age INTEGER; users = (9, 'x', '1', 1)")
    let payload = RecordPayload.text("id,name,zip,age\n1,Ann,90210,30\n2,Ben,01234,\n")
    var table = payload
    table.form = .csv(CSVForm())
    _ = try await database.sync(table, "users")
    XCTAssertEqual(try database.table("users"), ["1|Ann|90210|30", "2|Ben|01234|NULL"])
    try await assertEqual(database.sync(table, "users").status, .unchanged)
  }

  func testTheNameTellsTheForm() {
    for (name, form) in [
      ("a.csv", PayloadForm.csv(CSVForm())), ("A.TSV.gz", .csv(CSVForm(separator: .tab))),
      ("csv", .automatic), ("a.csv.json", .automatic),
    ] {
      XCTAssertEqual(RecordPayload.file(name).payloadForm(of: name), form, name)
    }
  }
}

private final class Counter: @unchecked Sendable {  // one reader
  private var count = 0

  func take() -> Int {
    count += 1
    return count
  }
}
