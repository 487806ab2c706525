import Console
import Foundation
import TestSupport
import XCTest

@testable import records

/// What README, documentation and help say of commands and options is in the table of the program.
final class WrittenOptionsTests: XCTestCase {
  private static let catalog = "Sources/OneWaySynchronizer/OneWaySynchronizer.docc/"

  func testEveryCommandLineThatIsShownCanBeTyped() throws {
    let folder = Programs.package.appending(path: Self.catalog).path
    let pages = try FileManager.default.contentsOfDirectory(atPath: folder)
      .filter { $0.hasSuffix(".md") }.map { Self.catalog + $0 }
    var lines: [String] = []
    for page in pages + ["README.md"] {
      let text = try String(contentsOf: Programs.package.appending(path: page), encoding: .utf8)
      lines += text.split(separator: "\n").filter { $0.hasPrefix("$ records ") }
        .map { String($0.dropFirst(2)) }
    }
    XCTAssertGreaterThan(lines.count, 8)
    lines +=
      Invocation.Command.allCases.filter { $0 != .completion && $0 != .manual }.flatMap(\.examples)
    for line in lines {
      let own = line.components(separatedBy: "records ").last ?? ""
      let words = own.replacing(/'[^']*'/, with: "quoted").split(separator: " ").map(String.init)
      guard
        case .run(let parsed) = try ArgumentParser.parse(words, of: Invocation.program)
      else { continue }
      XCTAssertNoThrow(try Invocation.program.request(parsed), line)
    }
  }

  func testEveryMemberOfTheReportIsDocumented() throws {
    let page = try String(
      contentsOf: Programs.package.appending(path: Self.catalog + "Records.md"), encoding: .utf8)
    for member in [
      "status", "sentence", "equal", "milliseconds", "tables", "inserted", "updated", "deleted",
      "moved", "cascaded", "linked", "unlinked", "reordered", "skipped", "coerced", "duplicates",
      "refused", "mismatched", "unresolved", "keptEdits", "unknown", "made", "change",
    ] {
      XCTAssertTrue(page.contains("`\(member)`"), member)
    }
  }
}
