import Foundation
import XCTest

/// The tables in Tests/Contracts: each promise has its tests, and they are there.
final class ContractTableTests: XCTestCase {
  private var root: URL { URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL }

  /// How many promises of each letter a document has to have.
  private let counts = [
    "Engine.md": ["C": 60], "Mirror.md": ["M": 44, "F": 33], "Records.md": ["R": 71, "Q": 37],
    "Documents.md": ["D": 66, "P": 28],
  ]

  func testEveryPromiseHasItsRowAndEveryRowNamesTestsThatAreThere() throws {
    let known = try knownTests()
    for (name, letters) in counts {
      let table = ContractTable(try text(of: "Tests/Contracts/\(name)"))
      XCTAssertEqual(Set(table.rows.map(\.letter)), Set(letters.keys), name)
      for (letter, count) in letters {
        let kept = table.numbers(letter, isBuilt: true)
        let open = table.numbers(letter, isBuilt: false)
        XCTAssertEqual(kept, Set(kept).sorted(), "\(name): \(letter), twice or in disorder")
        XCTAssertEqual(open, Set(open).sorted(), "\(name): \(letter), twice or in disorder")
        XCTAssertEqual(Set(kept + open), Set(1...count), "\(name): \(letter)")
      }
      for row in table.rows where row.isBuilt {
        XCTAssertTrue((1...20).contains(row.tests.count), "too few or too many tests: \(row)")
        XCTAssertEqual(row.tests.count, Set(row.tests).count, "a test twice: \(row)")
        for test in row.tests { XCTAssertTrue(known.contains(test), "\(test) isn't there: \(row)") }
      }
    }
  }

  func testARowIsReadWithItsNumberItsTestsAndWhetherItIsBuilt() {
    let table = ContractTable(
      """
      | Promise | Of what | Tests |
      | --- | --- | --- |
      | X1 | `sync` | `ATests.testIt`, `B3` |
      ## Promised, not built yet
      | X2 | `ATests.testIt` |
      """)
    XCTAssertEqual(table.numbers("X", isBuilt: true), [1])
    XCTAssertEqual(table.numbers("X", isBuilt: false), [2])
    XCTAssertEqual(table.rows.first?.tests, ["ATests.testIt", "B3"])
  }

  /// `Class.method` for every test, and the names of the benchmark's scenarios.
  private func knownTests() throws -> Set<String> {
    var known: Set<String> = []
    for file in try sources(below: "Tests") {
      var type = ""
      for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
        // Farther in stand string literals; one step in, the tests of one system.
        let isOuter = line.prefix(3).contains(where: \.isLetter)
        if isOuter, let name = Self.word(after: "class ", in: line), name.hasSuffix("Tests") {
          type = name
        } else if let name = Self.word(after: "func test", in: line) {
          known.insert("\(type).test\(name)")
        }
      }
    }
    for file in try sources(below: "Demo/bench/Scenarios") {
      let text = try String(contentsOf: file, encoding: .utf8)
      known.formUnion(text.matches(of: #/name: "(B\d+)"/#).map { String($0.1) })
    }
    return known
  }

  private func text(of path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  private static func word(after marker: String, in line: Substring) -> String? {
    guard let start = line.range(of: marker)?.upperBound else { return nil }
    return String(line[start...].prefix { $0.isLetter || $0.isNumber || $0 == "_" })
  }

  private func sources(below path: String) throws -> [URL] {
    let folder = root.appending(path: path)
    return try FileManager.default.subpathsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".swift") }.map { folder.appending(path: $0) }
  }
}

/// The rows of a document in Tests/Contracts.
private struct ContractTable {
  struct Row {
    var letter: String
    var number: Int
    /// Whether it stands above the rows of what is promised and not built yet.
    var isBuilt: Bool
    /// `Class.test`, or the name of a scenario of the benchmark.
    var tests: [String]
  }

  let rows: [Row]

  init(_ document: String) {
    var rows: [Row] = []
    var isBuilt = true
    for line in document.split(separator: "\n") {
      if line.hasPrefix("## ") { isBuilt = line != "## Promised, not built yet" }
      guard let found = line.firstMatch(of: #/^\| ([A-Z])(\d+) /#), let number = Int(found.2)
      else { continue }
      let tests = line.matches(of: #/`(\w+\.test\w+|B\d+)`/#).map { String($0.1) }
      rows.append(Row(letter: String(found.1), number: number, isBuilt: isBuilt, tests: tests))
    }
    self.rows = rows
  }

  func numbers(_ letter: String, isBuilt: Bool) -> [Int] {
    rows.filter { $0.letter == letter && $0.isBuilt == isBuilt }.map(\.number)
  }
}

/// What the engine's sources import.
final class EngineSourcesTests: XCTestCase {
  func testOneFolderAloneNeedsFoundation() throws {
    let root = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL
    for target in ["SyncEngine", "OneWaySynchronizer", "SyncLock"] {
      let folder = root.appending(path: "Sources/\(target)")
      for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path)
      where path.hasSuffix(".swift") && !path.hasPrefix("Foundation/") {
        let text = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
        XCTAssertNil(text.firstMatch(of: /import (Foundation|Dispatch|SyncEssentials)/), path)
      }
    }
  }
}
