import Foundation
import XCTest

/// The page of the three ways names files that are there, few enough to be read in a sitting, and
/// each is led to by one before it.
final class WaysTests: XCTestCase {
  private static let root = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL
  private static let page = "Sources/OneWaySynchronizer/OneWaySynchronizer.docc/Ways.md"

  private struct Way {
    var title: String
    var files: [String] = []
  }

  func testEachWayIsReadInASittingAndNamesEachFileOnce() throws {
    let ways = try Self.ways()
    XCTAssertEqual(ways.count, 3)
    for way in ways {
      XCTAssertGreaterThan(way.files.count, 10, way.title)
      XCTAssertLessThanOrEqual(way.files.count, 28, way.title)
      XCTAssertEqual(Set(way.files).count, way.files.count, "\(way.title) names a file twice")
    }
  }

  func testEachFileIsLedToByOneBeforeIt() throws {
    let sources = try Self.sources()
    var places: [String: Int] = [:]
    for source in sources.values {
      for name in source.types.union(source.functions) { places[name, default: 0] += 1 }
    }
    for way in try Self.ways() {
      var named = Names()
      for (number, path) in way.files.enumerated() {
        let source = try XCTUnwrap(sources[path], "\(way.title): there is no \(path)")
        // A name that several files declare leads nowhere in particular.
        let leads = source.leads(from: named, where: { places[$0] == 1 })
        XCTAssertTrue(number == 0 || leads, "\(way.title): nothing before leads to \(path)")
        named.formUnion(source.names)
      }
    }
  }

  // MARK: - Reading

  /// The numbered lines below each heading: "1. `Target/Folder/File.swift`: what happens there".
  private static func ways() throws -> [Way] {
    let text = try String(contentsOf: root.appending(path: page), encoding: .utf8)
    var ways: [Way] = []
    for line in text.split(separator: "\n") {
      if line.hasPrefix("## ") { ways.append(Way(title: String(line.dropFirst(3)))) }
      if let match = line.firstMatch(of: /^\d+\. `([^`]+)`/), !ways.isEmpty {
        ways[ways.count - 1].files.append(String(match.1))
      }
    }
    return ways.filter { !$0.files.isEmpty }
  }

  private struct Names {
    var words: Set<String> = []
    /// Words that an argument, a closure or a member's dot stands beside.
    var calls: Set<String> = []

    mutating func formUnion(_ other: Names) {
      words.formUnion(other.words)
      calls.formUnion(other.calls)
    }
  }

  private struct Source {
    var names = Names()
    /// Declared here, nested ones, too.
    var types: Set<String> = []
    var functions: Set<String> = []
    /// Types that are extended here, and what types here conform to.
    var extended: Set<String> = []

    func leads(from names: Names, where isAlone: (String) -> Bool) -> Bool {
      types.contains { isAlone($0) && names.words.contains($0) }
        || extended.contains { isAlone($0) && names.words.contains($0) }
        || functions.contains { isAlone($0) && names.calls.contains($0) }
    }
  }

  private static func sources() throws -> [String: Source] {
    let folder = root.appending(path: "Sources")
    var sources: [String: Source] = [:]
    for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    where path.hasSuffix(".swift") {
      let text = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
      sources[path] = source(String(decoding: CodeBytes(text).bytes, as: UTF8.self))
    }
    return sources
  }

  private static func source(_ code: String) -> Source {
    let kinds: Set = ["struct", "class", "enum", "protocol", "actor", "typealias"]
    var source = Source()
    var last: Substring = ""
    for word in code.split(whereSeparator: { !$0.isLetter && !$0.isNumber && $0 != "_" }) {
      let name = String(word)
      source.names.words.insert(name)
      if kinds.contains(String(last)) { source.types.insert(name) }
      if last == "func" { source.functions.insert(name) }
      if last == "extension" { source.extended.insert(name) }
      last = word
    }
    for match in code.matches(of: /(?:struct|class|enum|actor) \w+(?:<[^>]*>)?: ([^{]+)\{/) {
      source.extended.formUnion(match.1.split { !$0.isLetter }.map(String.init))
    }
    for match in code.matches(of: /(\w+)[({]|(\w+) \{|\.(\w+)/) {
      let name = match.1 ?? match.2 ?? match.3
      source.names.calls.insert(name.map(String.init) ?? "")
    }
    return source
  }
}
