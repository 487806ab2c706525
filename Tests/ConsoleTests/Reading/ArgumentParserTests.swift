import Console
import XCTest

/// A command line, read by the table of options.
final class ArgumentParserTests: XCTestCase {
  private func order(_ arguments: String...) throws -> Order {
    guard case .run(let words) = try ArgumentParser.parse(arguments, of: Order.program) else {
      throw UsageError("no command")
    }
    return try Order.program.request(words)
  }

  private func assertRefused(
    _ arguments: [String], _ sentence: String, file: StaticString = #filePath, line: UInt = #line
  ) {
    do {
      guard case .run(let words) = try ArgumentParser.parse(arguments, of: Order.program) else {
        return XCTFail("no command", file: file, line: line)
      }
      XCTFail("\(try Order.program.request(words))", file: file, line: line)
    } catch {
      XCTAssertEqual("\(error)", sentence, file: file, line: line)
    }
  }

  func testOptionsAndOperandsComeInAnyOrder() throws {
    let order = try order("bake", "--loaves", "3", "big", "--seed=poppy", "--seed", "rye", "-q")
    XCTAssertEqual(order.loaves, 3)
    XCTAssertEqual(order.seeds, ["poppy", "rye"])
    XCTAssertTrue(order.isQuiet)
    XCTAssertEqual(order.said, ["big"])
  }

  func testLettersMayStandTogetherAndTheLastMayHaveAValue() throws {
    for arguments in [["-qvn3"], ["-qvn", "3"], ["-q", "-v", "-n", "3"]] {
      guard
        case .run(let words) = try ArgumentParser.parse(["bake"] + arguments, of: Order.program)
      else { return XCTFail("\(arguments)") }
      XCTAssertEqual(
        words.settings, [Setting("quiet"), Setting("verbose"), Setting("loaves", "3")])
    }
  }

  func testWhatFollowsTwoDashesIsNoOption() throws {
    XCTAssertEqual(try order("taste", "--", "--quiet", "-").said, ["--quiet", "-"])
    XCTAssertEqual(try order("taste", "-").said, ["-"])
  }

  func testHelpAndVersionAreAskedForInSeveralWays() throws {
    for arguments in [["bake", "--help"], ["help", "bake"], ["bake", "-n", "-h"]] {
      guard case .help(.bake) = try ArgumentParser.parse(arguments, of: Order.program) else {
        return XCTFail("\(arguments)")
      }
    }
    for arguments in [["--help"], ["-h"], ["help"]] {
      guard case .help(nil) = try ArgumentParser.parse(arguments, of: Order.program) else {
        return XCTFail("\(arguments)")
      }
    }
    guard case .version = try ArgumentParser.parse(["--version"], of: Order.program) else {
      return XCTFail("no version")
    }
  }

  func testAMistypedOptionIsToldWithWhatMayBeMeant() {
    assertRefused(
      ["bake", "--quite", "oven"],
      "'--quite' is no option of 'baker bake'; did you mean '--quiet'? 'baker bake --help' lists them"
    )
    assertRefused(
      ["bake", "--sugar=1", "oven"],
      "'--sugar' is no option of 'baker bake'; 'baker bake --help' lists them")
    assertRefused(
      ["bake", "--knead", "oven"],
      "'--knead' is no option of 'baker bake'; the dough is kneaded anyway")
    assertRefused(
      ["taste", "--loaves", "3"],
      """
      '--loaves' is an option of 'baker bake', not of 'baker taste'; 'baker taste --help' lists them
      """)
    assertRefused(
      ["bake", "-qx"], "'-x' is no option of 'baker bake'; 'baker bake --help' lists them")
  }

  func testAMistypedCommandIsToldWithWhatMayBeMeant() {
    assertRefused(
      ["bkae"],
      "'bkae' is no command; did you mean 'bake'? 'baker --help' tells what they do")
    assertRefused(
      ["knead"],
      "'knead' is no command; the commands are bake, taste; 'baker --help' tells what they do")
    assertRefused(
      ["--quiet", "bake"],
      "the command comes first, and '--quiet' is none; 'baker bake OVEN' has one; see 'baker --help'"
    )
    assertRefused([], "say what to do, for example: baker bake OVEN; see 'baker --help'")
  }

  func testEveryOtherMistakeSaysWhereTheHelpIs() {
    let help = "; see 'baker bake --help'"
    assertRefused(["bake", "--loaves"], "--loaves: N is missing" + help)
    assertRefused(["bake", "-n"], "-n: N is missing" + help)
    assertRefused(["bake", "a", "-n0"], "--loaves: '0' won't do; give a number from 1 up" + help)
    assertRefused(
      ["bake", "a", "--quiet=maybe"], "--quiet: 'maybe' won't do; write yes or no" + help)
    assertRefused(["bake"], "OVEN is missing: baker bake [options] OVEN" + help)
    assertRefused(["bake", "a", "b"], "'b' is too much: baker bake [options] OVEN" + help)
    assertRefused(["bake", ""], "OVEN is empty; give a name" + help)
    assertRefused(["bake", "stone"], "nobody eats 'stone'" + help)
  }

  func testTheLastOperandMayBeThereOftenOrNotAtAll() throws {
    XCTAssertEqual(try order("taste", "a", "b", "c").said, ["a", "b", "c"])
    XCTAssertEqual(try order("secret").said, [])
    XCTAssertEqual(try order("secret", "salt").said, ["salt"])
    XCTAssertEqual(try order("secret", "").said, [""])
    assertRefused(
      ["secret", "a", "b"],
      "'b' is too much: baker secret [options] [WORD]; see 'baker secret --help'")
  }

  func testOptionsMayChangeWhichOperandsAreExpected() throws {
    XCTAssertEqual(try order("bake", "--list", "f").said, [])
    XCTAssertEqual(try order("bake", "a", "--list", "f", "b").said, ["a", "b"])
  }

  func testOtherPlacesSpeakWhereTheCommandLineIsSilent() throws {
    guard
      case .run(let words) = try ArgumentParser.parse(["bake", "a", "-n2"], of: Order.program)
    else { return XCTFail("no command") }
    let order = try Order.program.request(
      words, over: [[Setting("loaves", "7"), Setting("quiet", "yes")], [Setting("quiet", "no")]])
    XCTAssertEqual(order.loaves, 2)
    XCTAssertTrue(order.isQuiet)
  }

  func testWhatFollowsOnAQuestionIsASentenceOfItsOwn() {
    XCTAssertEqual(
      UsageError("'updat' is no word; did you mean 'update'?").pointing(to: "'sample --help'"),
      UsageError("'updat' is no word; did you mean 'update'? See 'sample --help'"))
    XCTAssertEqual(
      UsageError("no word").pointing(to: "'sample --help'"),
      UsageError("no word; see 'sample --help'"))
  }
}
