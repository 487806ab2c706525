import Foundation
import TestSupport
import XCTest

/// What is refused by default is said in the same words wherever it is said.
final class RemovalRuleTests: MirrorTestCase {
  private static let rule = """
    A run is refused when at least half of the items and more than 3 would be removed, and always \
    when nothing would be left of more than one; an empty listing doesn't even remove a single \
    last item. --max-delete replaces this rule, but an empty listing needs --max-delete all; \
    --no-delete removes nothing and goes on
    """

  func testTheHelpTheReadmeAndTheGuaranteesSayTheSameRule() throws {
    for command in ["sync", "plan"] {
      let help = Self.plain(try mirror(command, "--help").printed)
      XCTAssertTrue(help.contains(Self.rule + "."), help)
    }
    let pages = [
      "README.md", "Sources/OneWaySynchronizer/OneWaySynchronizer.docc/Guarantees.md",
    ]
    let package = URL(filePath: #filePath).appending(path: "../../../..").standardized
    for page in pages {
      let text = try readText(package.appending(path: page))
      XCTAssertTrue(Self.plain(text).contains(Self.rule), page)
    }
  }

  /// Without line breaks and code marks.
  private static func plain(_ text: String) -> String {
    text.replacing("`", with: "").split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}
