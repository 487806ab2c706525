import Console
import XCTest

@testable import mirror

/// What is said to who asks for something in the words of another program, or for help.
final class UsageTests: XCTestCase {
  private func problem(_ arguments: String...) -> String { problem(arguments) }

  private func problem(_ arguments: [String]) -> String {
    do {
      let parsed = try ArgumentParser.parse(arguments, of: Invocation.program)
      guard case .run(let words) = parsed else { return "no command" }
      _ = try Invocation(words, in: [:])
      return "none"
    } catch {
      return "\(error)"
    }
  }

  func testWhereverAHostIsGivenItIsToBeWrittenInItsASCIIForm() {
    for (words, host) in [
      (["sync", "http://h/", "copy", "--proxy", "bücher.example:3128"], "bücher.example"),
      (["sync", "http://h/", "copy", "--allow-host", "bücher.example"], "bücher.example"),
      (["sync", "s3://b/", "copy", "--endpoint", "https://bücher.example"], "bücher.example"),
      (["publish", "folder", "--base", "https://bücher.example/files/"], "bücher.example"),
    ] {
      let told = problem(words)
      XCTAssertTrue(told.contains("the host '\(host)' has letters that no address has"), told)
      XCTAssertTrue(told.contains("xn--"), told)
    }
  }

  func testWhatOtherProgramsCallItIsToldInOurWords() {
    for (option, hint) in [
      ("--delete", "is removed anyway, and --no-delete keeps it"), ("-a", "dates are kept anyway"),
      ("--bwlimit=1M", "say --limit-rate"),
    ] {
      let told = problem("sync", "http://h/", "copy", option)
      XCTAssertTrue(told.contains(hint), told)
      XCTAssertFalse(told.contains("did you mean"), told)
    }
    for name in Invocation.foreignOptions.keys {
      XCTAssertEqual(Invocation.options.commands(with: name), [], "--\(name) is ours")
    }
    for hint in Invocation.foreignOptions.values {
      for option in hint.matches(of: /--([a-z][a-z-]*)/) {
        let name = String(option.1)
        XCTAssertNotNil(Invocation.options.option(name, for: .sync), hint)
      }
    }
  }

  func testAnOptionOfAnotherCommandIsToldAsThat() {
    let told = problem("plan", "http://h/", "copy", "--limit-rate", "2M")
    XCTAssertTrue(told.contains("'--limit-rate' is an option of 'mirror sync', not of"), told)
    XCTAssertFalse(told.contains("did you mean"), told)
  }

  func testAHostInOtherLettersIsToldToBeWrittenInItsASCIIForm() {
    for command in ["sync", "plan", "watch", "doctor"] {
      let address = "https://bücher.example/"
      let told = command == "doctor" ? problem(command, address) : problem(command, address, "copy")
      XCTAssertTrue(told.contains("'bücher.example' has letters that no address has"), told)
    }
  }

  func testAFolderInPlaceOfTheCatalogIsToldSo() {
    for command in ["sync", "plan", "watch"] {
      let told = problem(command, "/srv/pub", "https://h/pub/")
      XCTAssertTrue(told.contains("first comes the catalog and then the folder"), told)
      XCTAssertEqual(problem(command, "https://h/pub/", "/srv/pub"), "none")
    }
  }

  func testEveryHelpFitsATerminalOfEightyColumns() {
    for command in Invocation.Command.allCases + [nil] as [Invocation.Command?] {
      for line in Help(Invocation.program).text(for: command).split(separator: "\n") {
        XCTAssertLessThanOrEqual(line.count, 80, "\(command?.rawValue ?? "mirror"): \(line)")
      }
    }
  }

  func testTheHelpListsEveryCommandThatIsTyped() {
    let help = Help(Invocation.program).text(for: nil)
    for command in Invocation.Command.allCases {
      XCTAssertEqual(
        help.contains("\n  \(command.rawValue) "), command != .complete, command.rawValue)
    }
    XCTAssertTrue(help.contains("  config check [options] FILE"), help)
    XCTAssertTrue(help.contains("  manual [options] [COMMAND]"), help)
  }
}
