import Foundation
@testable import RecordSync
import XCTest

/// An answer as a well-known service documents it, synced into tables that somebody wrote for it:
/// once, once more, and when something has changed there.
class ServiceTestCase: XCTestCase {
  /// A payload, with some of its text replaced by other text.
  func changed(_ payload: String, _ changes: (String, String)...) -> String {
    changes.reduce(payload) { text, change in
      XCTAssertEqual(text.components(separatedBy: change.0).count, 2, "once: \(change.0)")
      return text.replacing(change.0, with: change.1)
    }
  }

  func overrides(_ file: String) throws -> SchemaOverrides {
    try SchemaFile.overrides(in: Array(file.utf8))
  }

  /// Asserts that a sync wrote nothing, and had nothing to complain of but names that it doesn't
  /// know.
  func assertUnchanged(_ report: RecordReport, line: UInt = #line) {
    XCTAssertEqual(report.status, .unchanged, "\(report.tables)", line: line)
    for (name, table) in report.tables {
      XCTAssertEqual(table.mismatched, [], name, line: line)
      XCTAssertEqual(table.unresolved, [], name, line: line)
      XCTAssertEqual(table.skipped, 0, name, line: line)
    }
  }
}

extension TableReport {
  /// The changed rows, as `7: name, email`.
  var changes: [String] { updated.map { "\($0.key): \($0.columns.joined(separator: ", "))" } }
}
