import Foundation
import XCTest

/// The tables in Tests/Contracts: each promise has its tests, and they are there.
final class ContractTableTests: XCTestCase {
  private var root: URL {
    URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL
  }

  /// How many promises a table has to have, in a row.
  private let counts = ["Engine.md": 47]

  func testEveryPromiseHasItsRowAndEveryRowNamesTestsThatAreThere() throws {
    let known = try knownTests()
    let folder = root.appending(path: "Tests/Contracts")
    for (name, count) in counts {
      let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
      let rows = text.split(separator: "\n").filter { $0.firstMatch(of: #/^\| [A-Z]\d+ /#) != nil }
      let numbers = rows.compactMap { $0.firstMatch(of: #/^\| [A-Z](\d+) /#).flatMap { Int($0.1) } }
      XCTAssertEqual(numbers, Array(1...count), name)
      for row in rows {
        let named = row.matches(of: #/`([A-Za-z0-9]+(?:\.test\w+)?)`/#).map { String($0.1) }
          .filter { $0.contains(".test") || $0.firstMatch(of: #/^B\d+$/#) != nil }
        XCTAssertFalse(named.isEmpty, "no test in \(row)")
        for test in named { XCTAssertTrue(known.contains(test), "\(test) isn't there: \(row)") }
      }
    }
  }

  /// `Class.method` for every test, and the names of the benchmark's scenarios.
  private func knownTests() throws -> Set<String> {
    var known: Set<String> = []
    for file in try sources(below: "Tests") {
      var type = ""
      for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
        // At the beginning of a line: what stands in a string literal is none.
        if line.first?.isLetter == true, let name = Self.word(after: "class ", in: line) {
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

/// What the engine's sources import.
final class EngineSourcesTests: XCTestCase {
  func testOneFolderAloneNeedsFoundation() throws {
    let root = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL
    for target in ["OneWaySynchronizer", "SyncLock"] {
      let folder = root.appending(path: "Sources/\(target)")
      for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path)
      where path.hasSuffix(".swift") && !path.hasPrefix("Foundation/") {
        let text = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
        XCTAssertNil(text.firstMatch(of: /import (Foundation|Dispatch)/), path)
      }
    }
  }
}
