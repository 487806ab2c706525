import XCTest

@testable import Console

final class INITextTests: XCTestCase {
  private func entries(_ text: String) throws -> [[String]] {
    try INIText(Array(text.utf8)).sections.flatMap { section in
      section.entries.map { [section.name, $0.key, $0.value, "\($0.line)"] }
    }
  }

  private func problem(_ bytes: [UInt8]) -> INIProblem? {
    do throws(INIProblem) {
      _ = try INIText(bytes)
      return nil
    } catch {
      return error
    }
  }

  func testKeysAndValuesAreReadWithTheirLines() throws {
    let text = "# a\n[one]\nkey = value\n\n ; a remark = as well\n[two words]\r\nkey=\r\nk=a=b"
    XCTAssertEqual(
      try entries(text),
      [
        ["one", "key", "value", "3"], ["two words", "key", "", "7"],
        ["two words", "k", "a=b", "8"],
      ])
    XCTAssertEqual(try INIText(Array(text.utf8)).sections.map(\.line), [2, 6])
  }

  func testAValueGoesVerbatimToTheLinesEnd() throws {
    for value in [
      "a # b ; c", "\"quoted\"", "x\\n", "[x]", "'", "é", "e\u{301}", "100%", "$HOME", "a\tb", "a ",
      "\u{301}",
    ] {
      XCTAssertEqual(try entries("[s]\nk = \(value)\nl=\(value)").map { $0[2] }, [value, value])
    }
  }

  func testARepeatedKeyIsThereAsOftenAndInItsOrder() throws {
    XCTAssertEqual(try entries("[s]\na=1\nb=2\na=3\n").map { $0[1] + $0[2] }, ["a1", "b2", "a3"])
  }

  func testOddBeginningsAndEnds() throws {
    XCTAssertEqual(try entries(""), [])
    XCTAssertEqual(try entries("\n\n# x"), [])
    XCTAssertEqual(try entries("\u{FEFF}[s]\na=1").count, 1)
    XCTAssertEqual(try entries("  [ s ]  \n  a  =  1\t").first, ["s", "a", "1\t", "2"])
  }

  func testWhatIsWrongIsToldWithItsLine() {
    let cases: [(String, Int, INIProblem.Kind)] = [
      ("a = 1", 1, .outsideOfSections), ("[s]\na", 2, .noEntry), ("[s]\n= 1", 2, .noEntry),
      ("[s", 1, .badSection), ("[]", 1, .badSection), ("[ ]", 1, .badSection),
      ("[a] b", 1, .badSection), ("[a[b]", 1, .badSection), ("[a]]", 1, .badSection),
      ("[s]\n[t]\n\n[s]", 4, .sectionTwice("s", first: 1)), ("[s]\na\u{0}b = 1", 2, .holdsNUL),
    ]
    for (text, line, kind) in cases {
      XCTAssertEqual(problem(Array(text.utf8)), INIProblem(line: line, kind), text)
    }
    XCTAssertEqual(problem(Array("[s]\na = ".utf8) + [0xC3, 0x28]), INIProblem(line: 2, .notUTF8))
    XCTAssertEqual(
      problem([UInt8](repeating: 10, count: INIText.mostBytes + 1)),
      INIProblem(line: 1, .tooLarge))
  }

  func testNamesAreTheirBytes() throws {
    let text = "[caf\u{E9}]\na=1\n[cafe\u{301}]\na=2"
    // To the eye one name twice: so it is to Swift, and so it's told.
    XCTAssertEqual(problem(Array(text.utf8))?.line, 3)
  }

  func testNoProblemTellsWhatStandsInTheLine() {
    XCTAssertFalse("\(INIProblem(line: 1, .noEntry))".contains("secret"))
    XCTAssertNil(problem(Array("[s]\nAuthorization: secret".utf8))?.description.range(of: "secret"))
  }

  func testAnyTextIsReadOrRefusedAndNothingElse() {
    var random = SystemRandomNumberGenerator()
    let alphabet = Array("[]=#;ab \t\r\n\u{0}é".utf8) + [0xFF]
    for _ in 0..<2_000 {
      let count = Int.random(in: 0...40, using: &random)
      _ = problem((0..<count).map { _ in alphabet.randomElement(using: &random) ?? 0 })
    }
  }
}
