import Foundation
import TestSupport
import XCTest

/// The page of `--json` tells of all that `documents` writes.
///
/// Versions promised these names, and no page had them.
final class JSONPageTests: XCTestCase {
  private func text(_ path: String) throws -> String {
    try String(contentsOf: Programs.package.appending(path: path), encoding: .utf8)
  }

  private func page() throws -> String {
    let page = try text("Sources/OneWaySynchronizer/OneWaySynchronizer.docc/JSONOutput.md")
    return try XCTUnwrap(page.components(separatedBy: "### What `documents` writes").last)
  }

  private func assertTold(
    _ names: Set<String>, atLeast count: Int, file: StaticString = #filePath, line: UInt = #line
  ) throws {
    let page = try page()
    XCTAssertGreaterThanOrEqual(names.count, count, "\(names)", file: file, line: line)
    let missing = names.filter { !page.contains("`\($0)`") }
    XCTAssertEqual(missing.sorted(), [], "what the page doesn't tell of", file: file, line: line)
  }

  func testEveryMemberThatDocumentsWritesStandsThere() throws {
    var names: Set<String> = []
    for file in ["StatusText", "LostText", "LifeText", "ReportLine", "SyncOutcome", "Failure"] {
      let source = try text("Demo/documents/Output/\(file).swift")
      for match in source.matches(of: /\.(?:add|array|object|write)\("([A-Za-z]+)"/) {
        names.insert(String(match.1))
      }
    }
    try assertTold(names, atLeast: 50)
  }

  func testEveryWordOfADocumentsLifeStandsThere() throws {
    let folder = "Sources/DocumentSync/Store"
    let file = try text("\(folder)/Rows/TraceForm.swift")
    let forms = try XCTUnwrap(file.components(separatedBy: "\nextension ").first)
    var words = Set(forms.matches(of: /"([A-Za-z]+)": \./).map { String($0.1) })
    words.formUnion(forms.matches(of: /case "([A-Za-z]+)"/).map { String($0.1) })
    let events = try text("\(folder)/Documents/DocumentEvent.swift")
    let steps = try XCTUnwrap(
      events.firstMatch(of: /enum Step: [^{]*\{([^}]*)\}/), "the steps of a meeting")
    words.formUnion(steps.1.matches(of: /case ([A-Za-z]+)/).map { String($0.1) })
    try assertTold(words.union(["sent"]), atLeast: 32)
  }

  func testEveryStateAndProblemStandsThere() throws {
    let source = try text("Sources/DocumentSync/Store/Documents/DocumentStatus.swift")
    var words: Set<String> = ["gone", "none"]
    for match in source.matches(of: /public enum (?:State|Problem): [^{]*\{([^}]*)\}/) {
      words.formUnion(match.1.matches(of: /case ([A-Za-z]+)/).map { String($0.1) })
    }
    try assertTold(words, atLeast: 9)
  }
}
