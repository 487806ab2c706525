import Foundation
import TestSupport
import XCTest

/// The table under "Results" of the page "Guarantees": what it tells of is still there, and nothing
/// that is there is missing from it.
final class ResultsTableTests: XCTestCase {
  private struct Row {
    var name: String
    var fault: String
    var found: String
  }

  private let root = URL(filePath: #filePath).appending(path: "../../../..").standardizedFileURL

  func testEveryMutantHasItsRowAndEveryRowItsMutant() throws {
    let folder = root.appending(path: "Tests/Mutants")
    let titles = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".patch") }
      .map { name in
        let text = try readText(folder.appending(path: name))
        return String(text.prefix { !$0.isNewline })
      }
    let told = try rows().filter { $0.name == "Mutant" }.map(\.fault)
    XCTAssertEqual(titles.count, Set(titles).count, "two patches of one title")
    XCTAssertEqual(Set(titles).subtracting(told).sorted(), [], "record them")
    XCTAssertEqual(Set(told).subtracting(titles).sorted(), [], "there are no such patches")
  }

  func testEveryFuzzTargetHasItsRowAndEveryRowItsTarget() throws {
    let folder = root.appending(path: "Tests/Fuzzing/Corpus")
    let targets = Set(try FileManager.default.contentsOfDirectory(atPath: folder.path))
    let told = Set(try rows().filter { $0.name == "Fuzz" }.map(\.fault))
    XCTAssertEqual(targets.subtracting(told), [], "record them")
    XCTAssertEqual(told.subtracting(targets), [], "there are no such targets")
  }

  func testEveryTestThatNoticedAMutantIsThere() throws {
    var known: Set<String> = []
    for text in try sources() {
      known.formUnion(text.matches(of: /func (test\w+)\(/).map { String($0.1) })
      known.formUnion(text.matches(of: /class (\w+Tests)\b/).map { String($0.1) })
    }
    for row in try rows() where row.name == "Mutant" {
      let named = row.found.matches(of: /(\w+Tests)\.(test\w+)/)
      XCTAssertFalse(named.isEmpty, row.fault)
      for name in named {
        XCTAssertTrue(known.contains(String(name.1)), "\(name.0) isn't there: \(row.fault)")
        XCTAssertTrue(known.contains(String(name.2)), "\(name.0) isn't there: \(row.fault)")
      }
    }
  }

  func testTheTestsThatAMutantNamesAreThere() throws {
    let folder = root.appending(path: "Tests")
    var names: [String] = []
    for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
      guard path.hasSuffix(".swift"), let target = path.split(separator: "/").first
      else { continue }
      let text = try readText(folder.appending(path: path))
      for type in text.matches(of: /class (\w+Tests)\b/) {
        names += text.matches(of: /func (test\w+)\(/).map { "\(target).\(type.1)/\($0.1)" }
      }
    }
    let mutants = folder.appending(path: "Mutants")
    for name in try FileManager.default.contentsOfDirectory(atPath: mutants.path)
    where name.hasSuffix(".patch") {
      let text = try readText(mutants.appending(path: name))
      let filter = try XCTUnwrap(text.firstMatch(of: /\nTests: (.+)/)?.1, name)
      let form = try Regex(String(filter))
      XCTAssertTrue(names.contains { $0.firstMatch(of: form) != nil }, "no test for \(name)")
    }
  }

  func testEveryFaultThatIsRecordedHasItsRowAndEveryRowIsStillRecorded() throws {
    let told = try rows().filter { $0.name.hasPrefix("F") && $0.name != "Fuzz" }
    let recorded = try sources().flatMap(Self.records)
    XCTAssertGreaterThan(recorded.count, 50)
    for (row, form, source) in recorded {
      let isTold = try told.contains { try $0.name == row && form.wholeMatch(in: $0.fault) != nil }
      XCTAssertTrue(isTold, "record it: \(row), \(source)")
    }
    for one in told {
      let isRecorded = try recorded.contains {
        try $0.row == one.name && $0.form.wholeMatch(in: one.fault) != nil
      }
      XCTAssertTrue(isRecorded, "no test records it any more: \(one.name), \(one.fault)")
    }
  }

  // MARK: - Reading

  private func rows() throws -> [Row] {
    let page = "Sources/OneWaySynchronizer/OneWaySynchronizer.docc/Guarantees.md"
    let text = try readText(root.appending(path: page))
    let table = text.split(separator: "\n").drop { $0 != "## Results" }
    return table.compactMap { line in
      let cells = line.split(separator: " | ").map(String.init)
      guard cells.count == 5, cells[0].hasPrefix("| "), cells[0] != "| Row" else { return nil }
      return Row(name: String(cells[0].dropFirst(2)), fault: cells[1], found: cells[3])
    }
  }

  private func sources() throws -> [String] {
    let folder = root.appending(path: "Tests")
    return try FileManager.default.subpathsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".swift") }
      .map { try readText(folder.appending(path: $0)) }
  }

  private typealias Record = (row: String, form: Regex<Substring>, source: String)

  /// The rows that a test's source records: what stands in a text for a value may be anything.
  private static func records(in source: String) throws -> [Record] {
    try source.matches(of: /Extent\.record\(\s*"(F\d+)",\s*"/).map { start in
      var (form, text, depth) = ("", "", 0)
      var rest = source[start.range.upperBound...]
      while let character = rest.popFirst(), depth > 0 || character != "\"" {
        text.append(character)
        if depth == 0, character == "\\", rest.first == "(" {
          rest.removeFirst()
          (depth, form) = (1, form + ".+")
        } else if depth > 0 {
          depth += character == "(" ? 1 : character == ")" ? -1 : 0
        } else {
          form += NSRegularExpression.escapedPattern(for: String(character))
        }
      }
      return (String(start.1), try Regex(form, as: Substring.self), text)
    }
  }
}
