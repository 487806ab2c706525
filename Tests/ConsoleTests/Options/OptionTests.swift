import Console
import XCTest

/// What one option says of itself.
final class OptionTests: XCTestCase {
  private func option(_ name: String) throws -> Console.Option<Order> {
    try XCTUnwrap(Order.program.table.option(name, for: .bake))
  }

  func testItIsWrittenWithItsLetterAndItsPlaceholder() throws {
    XCTAssertEqual(try option("loaves").synopsis, "-n, --loaves N")
    XCTAssertEqual(try option("quiet").synopsis, "-q, --quiet")
    XCTAssertEqual(try option("seed").synopsis, "--seed NAME")
  }

  func testItsExplanationHasTheDefaultAndWhetherItMayBeRepeated() throws {
    XCTAssertEqual(try option("loaves").explanation, "how many [1]")
    XCTAssertEqual(try option("seed").explanation, "what is strewn on it (may be repeated)")
  }

  func testThePlaceholderTellsWhatAShellOffers() throws {
    XCTAssertEqual(try option("list").kind, .file)
    XCTAssertEqual(try option("flour").kind, .words(["wheat", "rye"]))
    XCTAssertEqual(try option("loaves").kind, .text)
    XCTAssertEqual(try option("quiet").kind, .text)
  }

  func testItHasANameInTheEnvironment() {
    let option = Console.Option<Order>("max-age", for: [.bake], "how old", .flag { _ in })
    XCTAssertEqual(option.variable(of: "baker"), "BAKER_MAX_AGE")
  }
}
