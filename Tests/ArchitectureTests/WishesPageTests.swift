import Foundation
import XCTest

/// The page that says which call does what is wished for of documents: each of its rows has a test
/// of an app's, which opens with the wish, and what the row names is what these tests call.
final class WishesPageTests: XCTestCase {
  private static let root = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL
  private static let page =
    "Sources/OneWaySynchronizer/OneWaySynchronizer.docc/WhatDocumentsCan.md"

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  private static func text(below folder: String) throws -> String {
    try FileManager.default.subpathsOfDirectory(atPath: root.appending(path: folder).path)
      .filter { $0.hasSuffix(".swift") }.sorted().map { try text("\(folder)/\($0)") }
      .joined(separator: "\n")
  }

  private static func rows() throws -> [(wish: String, answer: String)] {
    try text(page).matches(of: /\n\| (.+?) \| (.+) \|(?=\n)/)
      .map { (String($0.1), String($0.2)) }
      .filter { $0.wish != "---" && $0.wish != "What is wished for" }
  }

  func testEachWishHasATestAndEachTestAWish() throws {
    let rows = try Self.rows()
    XCTAssertGreaterThanOrEqual(rows.count, 54)
    let tests = try Self.text(below: "Tests/Clients/Documents/Wishes")
      .matches(of: /\n  \/\/\/ (.+)\n(?:  @MainActor\n)?  func test/).map { String($0.1) }
    XCTAssertEqual(Set(rows.map(\.wish)), Set(tests))
  }

  func testWhatARowNamesIsWhatTheTestsCall() throws {
    let called = try Self.text(below: "Tests/Clients/Documents")
    var count = 0
    for row in try Self.rows() {
      for name in row.answer.matches(of: /`(.+?)`/).map({ String($0.1) })
      where !Self.isOfHTTP(name) && !name.hasPrefix("documents ") && !name.hasPrefix("--") {
        for word in Self.words(of: name) {
          XCTAssertTrue(called.contains(word), "\(row.wish): nothing has '\(word)' of \(name)")
          count += 1
        }
      }
    }
    XCTAssertGreaterThan(count, 100)
  }

  func testTheCommandsThatRowsNameAreThere() throws {
    let program = try Self.text(below: "Demo/documents/Arguments")
    var count = 0
    for name in try Self.rows().flatMap({ $0.answer.matches(of: /`(.+?)`/) })
      .map({ String($0.1) }) where name.hasPrefix("documents ")
    {
      let words = name.split(separator: " ").dropFirst()
      XCTAssertTrue(program.contains("documents \(words.first ?? "") "), name)
      for option in words where option.hasPrefix("--") {
        XCTAssertTrue(program.contains("\"\(option.dropFirst(2))\""), name)
      }
      count += 1
    }
    XCTAssertGreaterThan(count, 4)
  }

  /// Methods and paths of requests.
  private static func isOfHTTP(_ name: String) -> Bool {
    name.hasPrefix("/") || ["GET", "POST", "PUT", "DELETE"].contains(name)
  }

  /// What stands in a program that uses a name: its last part, and the labels of its arguments.
  /// Types whose instances a program has from others needn't stand there.
  private static func words(of name: String) -> [String] {
    let parts = name.split(separator: "(", maxSplits: 1)
    let last = parts[0].split(separator: ".").last.map(String.init) ?? ""
    guard parts.count > 1 else { return [last] }
    let labels = parts[1].matches(of: /([a-z][A-Za-z]*):/).map { "\($0.1):" }
    return [last] + labels
  }
}
