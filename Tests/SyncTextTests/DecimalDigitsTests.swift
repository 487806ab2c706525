import TestSupport
import XCTest
@testable import SyncText

final class DecimalDigitsTests: XCTestCase {
  private func number(_ text: String) -> Int64? {
    var text = text
    return text.withUTF8(Int64.init(decimal:))
  }

  func testDigitsAreReadToTheEndsOfTheNumbers() {
    let numbers: [String: Int64] = [
      "0": 0, "-0": 0, "7": 7, "-7": -7, "007": 7, "9223372036854775807": .max,
      "-9223372036854775808": .min, "-9223372036854775807": -.max,
      "0000000000000000000000000001": 1,
    ]
    for (text, value) in numbers { XCTAssertEqual(number(text), value, text) }
    let none = [
      "", "-", "+7", "7 ", " 7", "7.0", "1e2", "--7", "a", "٣", "9223372036854775808",
      "-9223372036854775809", "92233720368547758070", "99999999999999999999999",
    ]
    for text in none { XCTAssertNil(number(text), text) }
  }

  func testAnyNumberIsReadAsTheLibraryReadsIt() {
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<5_000 {
      let bits = Int.random(in: 0..<64, using: &generator)
      let value = Int64(bitPattern: generator.next()) >> bits
      XCTAssertEqual(number(String(value)), value)
      let text = String(value) + String(Int.random(in: 0..<30, using: &generator))
      XCTAssertEqual(number(text), Int64(text), text)
    }
  }
}
