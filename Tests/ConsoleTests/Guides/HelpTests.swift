import Console
import XCTest

/// What `--help` prints.
final class HelpTests: XCTestCase {
  func testTheHelpOfACommandIsItsTable() {
    XCTAssertEqual(
      Help(Order.program).text(for: .bake),
      """
      Usage: baker bake [options] OVEN

      Does what the word says: bake.

      Options (defaults in brackets):

      Dough
        -n, --loaves N         how many [1]
            --flour wheat|rye  which of them [wheat]
            --seed NAME        what is strewn on it (may be repeated)
            --plain            without seeds
            --list FILE        what to bake

      Output
        -q, --quiet    say little
        -v, --verbose  say much

      The oven is hot.

        so: hot

      Examples:
        baker bake it
      """)
  }

  func testTheHelpOfTheProgramListsWhatIsNotHidden() {
    XCTAssertEqual(
      Help(Order.program).text(for: nil),
      """
      baker bakes bread.

      Usage:
        bake [options] OVEN             bake something
        taste [options] LOAF [BESIDE…]  taste something

      'baker COMMAND --help' shows a command's options and examples.

      Exit status:
        0  eaten
        1  burnt
      """)
  }

  func testAHiddenCommandHasHelpAllTheSame() {
    let text = Help(Order.program).text(for: .secret)
    XCTAssertTrue(text.hasPrefix("Usage: baker secret [options] [WORD]\n"), text)
    XCTAssertFalse(text.contains("Options"), text)
  }

  func testItFitsItsWidth() {
    for width in [45, 60, 80, 100] {
      for command in [Order.Command.bake, .taste] {
        let lines = Help(Order.program, width: width).text(for: command).split(separator: "\n")
        XCTAssertLessThanOrEqual(lines.map(\.count).max() ?? 0, width)
      }
    }
  }
}
