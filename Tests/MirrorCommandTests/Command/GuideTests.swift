import Foundation
import TestSupport
import XCTest

@testable import mirror

/// What a package installs beside the program: pages of the manual, and completions of shells.
final class GuideTests: MirrorTestCase {
  func testEveryPageOfTheManualIsRightInTheWordsOfGroff() throws {
    let pages = [[]] + Invocation.Command.allCases.map { [$0.rawValue] }
    for page in pages {
      let child = try start(["manual"] + page)
      XCTAssertEqual(try child.end(within: .seconds(10)), .exited(0), child.said)
      let file = base.appending(path: "page.1")
      try Data(child.printed.utf8).write(to: file)
      let groff = try start(
        ["-man", "-ww", "-Tutf8", "-K", "utf8", file.path], program: try Programs.find("groff"))
      XCTAssertEqual(try groff.end(within: .seconds(10)), .exited(0), groff.said)
      XCTAssertEqual(groff.said, "", "\(page)")
      XCTAssertTrue(groff.printed.contains("mirror"), "\(page): \(groff.printed)")
    }
    assertRefused(try mirror("manual", "copy"), 64, saying: "copy", "mirror --help")
  }

  func testBashCompletesCommandsOptionsValuesAndDirectories() throws {
    let script = base.appending(path: "completion.bash")
    try Data(try mirror("completion", "bash").printed.utf8).write(to: script)
    try publish(["inner/a.txt": "a", "m.ini": "[one two]\nx = y\n[other]\n"])
    for (words, expected) in [
      (["mirror", "sta"], ["status"]), (["mirror", "sync", "--jso"], ["--json"]),
      (["mirror", "sync", "--durability", "fi"], ["file"]),
      (["mirror", "sync", "--durability", "=", "b"], ["batch"]),
      (["mirror", "verify", "source/in"], ["source/inner"]),
      (["mirror", "completion", ""], ["bash", "zsh", "fish"]),
      (["mirror", "status", "--repair"], []), (["mirror", "config", "c"], ["check"]),
      (["mirror", "man"], ["manual"]), (["mirror", "manual", "ver"], ["verify"]),
      (["mirror", "sync", "--config", "source/m.ini", "on"], ["one\\ two"]),
      (["mirror", "sync", "http://h/", "source/in"], ["source/inner"]),
    ] {
      XCTAssertEqual(try completed(words, by: script), expected, "\(words)")
    }
  }

  func testTheOtherShellsCanReadTheirScripts() throws {
    for shell in ["bash", "zsh", "fish"] {
      let script = base.appending(path: "completion.\(shell)")
      let outcome = try mirror("completion", shell)
      assertEnd(outcome, 0)
      try Data(outcome.printed.utf8).write(to: script)
      // Not every machine has all three.
      guard let program = try? Programs.find(shell) else { continue }
      let check = try start(["-n", script.path], program: program)
      XCTAssertEqual(try check.end(within: .seconds(10)), .exited(0), check.said)
      XCTAssertEqual(check.said, "")
    }
    assertRefused(try mirror("completion", "csh"), 64, saying: "csh", "fish")
  }

  /// What a real bash offers for the last of these words.
  private func completed(_ words: [String], by script: URL) throws -> [String] {
    let quoted = words.map { "'\($0)'" }.joined(separator: " ")
    // Outside of a line that is edited, options of the completion can't be set.
    let bash = """
      compopt() { :; }
      source '\(script.path)'
      mirror() { '\(Programs.mirror)' "$@"; }
      COMP_WORDS=(\(quoted)) COMP_CWORD=\(words.count - 1)
      _mirror
      printf '%s\\n' "${COMPREPLY[@]}"
      """
    let child = try start(["-c", bash], program: try Programs.find("bash"))
    XCTAssertEqual(try child.end(within: .seconds(10)), .exited(0), child.said)
    XCTAssertEqual(child.said, "")
    return child.printed.split(separator: "\n").map(String.init)
  }
}
