import XCTest
@testable import RecordSync

final class PayloadProblemTests: XCTestCase {
  private let noValue = "something that begins no value"

  func testWhatIsNoPayloadIsSaidToBeThat() {
    let wrong: [(String, PayloadProblem)] = [
      ("", .empty), (" \n\t", .blank), ("<!doctype html><html>", .markup), ("\n<a/>", .markup),
      ("null", .scalar(.null)), (" true ", .scalar(.boolean)), ("\"ok\"", .scalar(.string)),
      ("17", .scalar(.number)), ("-0.5e1", .scalar(.number)),
      ("Unauthorized", .notJSON(reason: noValue, .init(offset: 0))),
      ("[1] {}", .notJSON(reason: "more after its end", .init(offset: 4))),
      ("[1 2]", .notJSON(reason: "an array that isn't closed", .init(offset: 3))),
      ("[1,]", .notJSON(reason: noValue, .init(offset: 3, element: 2))),
      ("[,1]", .notJSON(reason: noValue, .init(offset: 1, element: 1))),
      ("{\"a\":1}]", .notJSON(reason: noValue, .init(offset: 7, element: 2))),
      (
        #"[{"a":1,"a":2}]"#,
        .notJSON(
          reason: "a member name that stands twice in one object", .init(offset: 11, element: 1))
      ),
      ("[", .cut(.init(offset: 1))), ("[1,", .cut(.init(offset: 3, element: 2))),
      ("[1, {\"a", .cut(.init(offset: 7, element: 2))),
      ("{\"a\":1}\n{\"a\":", .cut(.init(offset: 13, element: 2))),
    ]
    var bounds = PayloadBounds()
    bounds.window = 2
    for (text, problem) in wrong {
      XCTAssertEqual(PayloadReading(text).problem, problem, text)
      let pieces = PayloadReading(pieces: Array(text.utf8), bounds: bounds) { 1 }
      XCTAssertEqual(pieces.problem, problem, text)
    }
    XCTAssertEqual(PayloadReading("", form: .lines).problem, .empty)
    XCTAssertEqual(PayloadReading("\n", form: .lines).problem, .blank)
  }

  func testUTF16IsNamed() {
    for bytes: [UInt8] in [
      [0xFF, 0xFE, 0x5B, 0], [0xFE, 0xFF, 0, 0x5B], [0x5B, 0, 0x5D, 0], [0, 0x5B, 0, 0x5D],
    ] {
      XCTAssertEqual(PayloadReading(PayloadReader(bytes)).problem, .utf16)
    }
  }

  func testWhatCannotBeReadIsSaid() {
    struct Broken: PayloadSource {
      mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws(PayloadProblem) -> Int {
        throw .unreadable(reason: "Is a directory")
      }
    }
    let problem = PayloadReading(PayloadReader(from: Broken())).problem
    XCTAssertEqual(
      problem?.description,
      "The payload can't be read: Is a directory. Check that it is there and may be read.")
  }

  func testAnElementThatPassesTheLimitIsAnError() {
    var bounds = PayloadBounds()
    bounds.window = 4
    bounds.element = 16
    let text = Array(#"[1,"0123456789012345678901234567890123456789"]"#.utf8)
    XCTAssertEqual(
      PayloadReading(pieces: text, bounds: bounds) { 4 }.problem,
      .elementTooLong(.init(offset: 3, element: 2), limit: 16))
    XCTAssertNil(PayloadReading(PayloadReader(text, bounds: bounds)).problem)
  }

  func testSentencesSayWhatHappenedAndWhatToDo() {
    let sentences: [(PayloadProblem, String)] = [
      (
        .cut(.init(offset: 120, element: 3)),
        "The payload ends in the middle, at byte 120, in element 3: it was cut off. Get it once"
          + " more, as a whole."
      ),
      (
        .notJSON(reason: "an array that isn't closed", .init(offset: 3)),
        "The payload isn't JSON: there is an array that isn't closed, at byte 3. Check what made it."
      ),
      (
        .scalar(.null),
        "The payload is null, where an array of objects, or one object, was expected. Check what"
          + " made it."
      ),
      (
        .items(path: "data.users", .absent("data")),
        "The payload has no elements at data.users: there is no data. Check the path."
      ),
      (
        .items(path: "data", .scalar(.number)),
        "The payload has no elements at data: it is a number, and neither an array nor an object."
          + " Check the path."
      ),
      (
        .withoutKeys(
          table: "users", names: ["id"], elements: 1,
          first: PayloadExcerpt(number: 1, offset: 0, text: Array(#"{"error":1}"#.utf8)[...])),
        "The only element of the payload has no key of the table users (id). This is element 1, at"
          + #" byte 0: {"error":1}. Check that it is the right payload, and the path to its elements."#
      ),
      (
        .shorterThanDeclared(came: 10, declared: 20),
        "The payload has 10 bytes, and 20 were declared: it was cut off. Get it once more, as a"
          + " whole."
      ),
    ]
    for (problem, sentence) in sentences { XCTAssertEqual(problem.description, sentence) }
    XCTAssertTrue(
      PayloadProblem.withoutKeys(table: "users", names: ["id"], elements: 2, first: nil)
        .description.hasPrefix("None of the 2 elements of the payload has a key of the table users")
    )
  }
}
