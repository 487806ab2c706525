import Console
import Foundation
import TestSupport
import XCTest

@testable import records

/// What a package installs beside the program: pages of the manual, and completions of shells.
final class GuideTests: RecordsTestCase {
  func testEveryPageOfTheManualIsRightInTheWordsOfGroff() throws {
    for command in [nil] + Invocation.Command.allCases.map(\.rawValue) {
      let page = try Invocation.program.manual(of: command, date: Invocation.program.date)
      try write(page, to: "page.1")
      let groff = try ChildProcess(
        try Programs.find("groff"), ["-man", "-ww", "-Tutf8", "-K", "utf8", "page.1"],
        environment: ProcessInfo.processInfo.environment, directory: folder, records: folder)
      XCTAssertEqual(try groff.end(within: .seconds(10)), .exited(0), groff.said)
      XCTAssertEqual(groff.said, "", command ?? "")
      XCTAssertTrue(groff.printed.contains("records"), groff.printed)
    }
    XCTAssertEqual(try records("manual", "sync").status, 0)
    XCTAssertEqual(try records("manual", "copy").status, 64)
    XCTAssertEqual(try records("completion", "csh").status, 64)
  }

  func testBashReadsItsCompletion() throws {
    let script = try write(try Invocation.program.completion(for: "bash"), to: "completion.bash")
    let bash = try ChildProcess(
      try Programs.find("bash"), ["-n", script],
      environment: ProcessInfo.processInfo.environment, directory: folder, records: folder)
    XCTAssertEqual(try bash.end(within: .seconds(10)), .exited(0), bash.said)
  }

  func testNoLineOfAHelpIsWiderThanItsTerminal() {
    for command in [nil] + Invocation.Command.allCases.map(Optional.some) {
      let text = Help(Invocation.program, width: 80).text(for: command)
      // Examples are lines to copy, and aren't broken.
      for line in text.split(separator: "\n") where !line.hasPrefix("  ") {
        XCTAssertLessThanOrEqual(line.count, 80, String(line))
      }
    }
  }
}
