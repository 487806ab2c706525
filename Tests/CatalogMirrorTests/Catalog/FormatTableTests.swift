import Foundation
import TestSupport
import XCTest

@testable import CatalogMirror

/// The table of formats in the documentation is whole: a row for each format, and no empty cell.
final class FormatTableTests: XCTestCase {
  private func rows() throws -> [[String]] {
    let page = URL(filePath: #filePath).appending(
      path: "../../../../Sources/OneWaySynchronizer/OneWaySynchronizer.docc/Sources.md"
    ).standardizedFileURL
    let text = try readText(page)
    let lines = text.split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst(2)
    return lines.map { line in
      line.dropFirst().dropLast().split(separator: "|", omittingEmptySubsequences: false)
        .map { $0.trimmingCharacters(in: .whitespaces) }
    }
  }

  func testEveryFormatHasARow() throws {
    let named = try rows().compactMap { row in
      row[1].split(separator: "`").first.map(String.init)
    }
    XCTAssertEqual(named.sorted(), MirrorOptions.formats.sorted())
  }

  func testNoCellIsEmpty() throws {
    for row in try rows() {
      XCTAssertEqual(row.count, 11, "\(row)")
      XCTAssertFalse(row.contains(""), "\(row)")
    }
  }
}
