import Console
import Foundation
import TestSupport
import XCTest

@testable import mirror

/// What README and documentation say of commands and options is in the tables of the program.
final class WrittenOptionsTests: XCTestCase {
  private static let catalog = "Sources/OneWaySynchronizer/OneWaySynchronizer.docc/"

  private func text(_ path: String) throws -> String {
    try readText(Programs.package.appending(path: path))
  }

  private func options(in text: Substring) -> [String] {
    text.matches(of: /--([a-z][a-z-]*)/).map { String($0.1) }
  }

  func testEveryOptionThatStandsBesideThatOfAnotherToolIsOurs() throws {
    let rows = try text(Self.catalog + "ComingFromOtherTools.md").split(separator: "\n")
      .filter { $0.hasPrefix("| ") }
      .map { $0.split(separator: "|", omittingEmptySubsequences: false) }
    XCTAssertGreaterThan(rows.count, 60)
    for row in rows {
      XCTAssertEqual(row.count, 5, "\(row)")
      for option in options(in: row[2]) {
        XCTAssertFalse(Invocation.options.commands(with: option).isEmpty, "--\(option): \(row)")
      }
    }
  }

  func testEveryCommandLineThatIsShownCanBeTyped() throws {
    let folder = Programs.package.appending(path: Self.catalog).path
    let pages = try FileManager.default.contentsOfDirectory(atPath: folder)
      .filter { $0.hasSuffix(".md") }.map { Self.catalog + $0 }
    var count = 0
    for page in pages + ["README.md"] {
      let lines = try text(page).replacing("\\\n", with: "").split(separator: "\n")
      for line in lines where line.hasPrefix("$ mirror ") {
        let words = line.split(separator: " ")
        let command = try XCTUnwrap(Invocation.Command(rawValue: String(words[2])), "\(line)")
        for option in options(in: line) {
          XCTAssertNotNil(Invocation.options.option(option, for: command), "\(page): \(line)")
        }
        count += 1
      }
    }
    XCTAssertGreaterThan(count, 10)
  }
}
