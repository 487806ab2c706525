import TestSupport
import SyncText
import XCTest
@testable import RecordSync

final class PayloadReaderTests: XCTestCase {
  private let users = #"[{"id":1,"name":"A"}, {"id":2} ,null,[3],"x"]"#
  private let userTexts = [#"{"id":1,"name":"A"}"#, #"{"id":2}"#, "null", "[3]", #""x""#]

  func testTheElementsOfAnArrayComeInTheirOrder() throws {
    XCTAssertEqual(PayloadReading(users).elements, userTexts)
    XCTAssertNil(PayloadReading(users).problem)
    XCTAssertEqual(PayloadReading(" [ ] \n").elements, [])
    XCTAssertNil(PayloadReading(" [ ] \n").problem)
  }

  func testOneObjectIsAPayloadOfOne() {
    let reading = PayloadReading(" {\"id\": 1}\n")
    XCTAssertEqual(reading.elements, ["{\"id\": 1}"])
    XCTAssertNil(reading.problem)
  }

  func testASecondValueMakesLines() {
    for text in ["{\"id\":1}\n{\"id\":2}", "{\"id\":1}\r\n\n{\"id\":2}\n", "{\"id\":1} {\"id\":2}"]
    {
      XCTAssertEqual(PayloadReading(text).elements, ["{\"id\":1}", "{\"id\":2}"], text)
      XCTAssertNil(PayloadReading(text).problem, text)
    }
  }

  func testANameMakesLinesOfWhateverComes() {
    XCTAssertEqual(PayloadForm(fileName: "a/users.NDJSON"), .lines)
    XCTAssertEqual(PayloadForm(fileName: "users.jsonl"), .lines)
    XCTAssertEqual(PayloadForm(fileName: "users.json"), .automatic)
    let reading = PayloadReading("[1]\n2\n{\"id\":3}\n", form: .lines)
    XCTAssertEqual(reading.elements, ["[1]", "2", "{\"id\":3}"])
    XCTAssertNil(reading.problem)
  }

  func testAByteOrderMarkIsTakenAway() {
    for text in ["\u{FEFF}[{\"id\":1}]", "\u{FEFF} {\"id\":1}"] {
      XCTAssertEqual(PayloadReading(text).elements, ["{\"id\":1}"])
      XCTAssertNil(PayloadReading(text).problem)
    }
    XCTAssertEqual(PayloadReading("\u{FEFF}").problem, .blank)
  }

  func testWindowsOfAPayloadInMemoryLieOverItsBytes() throws {
    var bounds = PayloadBounds()
    bounds.window = 20
    let bytes = Array(users.utf8)
    var reader = PayloadReader(bytes, bounds: bounds)
    var window = PayloadWindow()
    var firsts: [Int] = []
    while try reader.next(&window) {
      firsts.append(window.first)
      XCTAssertEqual(
        window.tape.bytes.withUnsafeBytes(\.baseAddress), bytes.withUnsafeBytes(\.baseAddress))
    }
    XCTAssertEqual(firsts, [1, 2, 5])
  }

  func testAPayloadInMemoryThatIsTooLongForATapeIsReadInPieces() throws {
    var bounds = PayloadBounds()
    bounds.whole = 20
    bounds.window = 24
    let bytes = Array(users.utf8)
    XCTAssertEqual(PayloadReading(PayloadReader(bytes, bounds: bounds)).elements, userTexts)
    var reader = PayloadReader(bytes, bounds: bounds)
    var window = PayloadWindow()
    while try reader.next(&window) { XCTAssertLessThanOrEqual(window.tape.bytes.count, 48) }
  }

  func testHoweverLongAPayloadIsOnlyAWindowOfItIsHeld() throws {
    var bounds = PayloadBounds()
    bounds.window = 1 << 10
    let object = #"{"id":1,"name":"A"},"#
    let bytes = Array("[\(String(repeating: object, count: 5_000))0]".utf8)
    var reader = PayloadReader(from: PieceSource(bytes: bytes) { 700 }, bounds: bounds)
    var window = PayloadWindow()
    var windows = 0
    while try reader.next(&window) {
      windows += 1
      XCTAssertLessThanOrEqual(window.tape.bytes.count, bounds.window)
    }
    XCTAssertEqual(reader.count, 5_001)
    XCTAssertGreaterThan(windows, bytes.count / bounds.window)
  }

  func testAWindowEndsAfterSoManyNodes() throws {
    var bounds = PayloadBounds()
    bounds.nodes = 10
    var reader = PayloadReader(
      Array("[\(Array(repeating: "1", count: 25).joined(separator: ","))]".utf8), bounds: bounds)
    var window = PayloadWindow()
    var counts: [Int] = []
    while try reader.next(&window) { counts.append(window.elements.count) }
    XCTAssertEqual(counts, [10, 10, 5])
  }

  func testAnElementIsNamedByNumberPlaceAndText() throws {
    let text = "[1, {\"a\":\"\u{202E}\\n\"}, \"\(String(repeating: "é", count: 60))\"]"
    for isPiecewise in [false, true] {
      var bounds = PayloadBounds()
      bounds.window = 8
      let bytes = Array(text.utf8)
      var reader =
        isPiecewise
        ? PayloadReader(from: PieceSource(bytes: bytes) { 3 }, bounds: bounds)
        : PayloadReader(bytes, bounds: bounds)
      var window = PayloadWindow()
      var excerpts: [String] = []
      while try reader.next(&window) {
        excerpts += window.elements.indices.map { window.excerpt(of: $0).words }
      }
      XCTAssertEqual(
        excerpts,
        [
          "element 1, at byte 1: 1", #"element 2, at byte 4: {"a":"\xE2\x80\xAE\\n"}"#,
          "element 3, at byte 19: \"" + String(repeating: "é", count: 39) + "…",
        ])
    }
  }
}
