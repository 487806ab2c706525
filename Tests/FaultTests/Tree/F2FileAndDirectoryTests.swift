import Foundation
import TestSupport
import XCTest

/// F2: a name that is a file in one place and a directory in another.
final class F2FileAndDirectoryTests: FaultTestCase {
  func testF2_aPairInOneListingFailsAndNothingElse() async throws {
    let pairs = [
      ["a", "a/b"], ["a/b", "a"], ["d/e", "d/e/f/g"], ["x", "x/1", "x/2/3"],
      ["n/o", "n/o/p", "n/o/p/q"],
    ]
    for (round, pair) in pairs.enumerated() {
      try? FileManager.default.removeItem(at: copy)
      try list(pair + ["ab", "a.b", "top", "d/other"], round: round)
      let server = try serve()
      let outcome = try sync(server.url + Self.catalogName)
      assertEnd(outcome, 2)
      for key in pair {
        XCTAssertTrue(
          outcome.said.contains("mirror: \(key): ") && outcome.said.contains("collides with"),
          "\(pair): \(outcome)")
      }
      XCTAssertEqual(outcome.said.components(separatedBy: "collides with").count - 1, pair.count)
      XCTAssertEqual(Set(try copied().keys), ["ab", "a.b", "top", "d/other"], "\(pair)")
    }
    try Extent.record(
      "F2", "a file beside a directory of its name", count: pairs.count, "both failed")
  }

  func testF2_aPairThatComesUpKeepsWhatWasThere() async throws {
    let server = try mirrored(["a": "file", "top": "top"])
    try list(["a", "a/b", "top"], round: 1)
    assertEnd(try sync(server.url + Self.catalogName), 2)
    XCTAssertEqual(try copied(), ["a": "file", "top": "bytes"])
  }

  func testF2_aFileBecomesADirectoryAndBackAgainAndAgain() async throws {
    let server = try serve()
    let file = ["a": "a file", "top": "top"]
    let nested = ["a/b": "b", "a/c/d": "d", "a/c/e/f": "f", "top": "top"]
    let other = ["a/c": "c is a file", "a/b/g": "b is a directory", "top": "top"]
    var versions = Versions()
    let rounds = Extent.count(quick: 6, full: 200)
    let seed = Extent.seed()
    var generator = SeededGenerator(seed: seed)
    var texts = file
    for round in 0..<rounds {
      let next = try XCTUnwrap(
        [file, nested, other].filter { $0 != texts }
          .randomElement(using: &generator))
      texts = round == 0 ? file : next
      versions.add(texts)
      try republish(texts, round: round)
      let outcome = try sync(server.url + Self.catalogName)
      XCTAssertEqual(outcome.end, .exited(0), "seed \(seed), round \(round): \(outcome)")
      try assertCopyIsTrue(except: [Self.catalogName])
      try await assertNothingIsLost(of: versions.all, "seed \(seed), round \(round)")
    }
    try assertConverges(on: server)
    try Extent.record(
      "F2", "files that become directories and back", count: rounds,
      "each change went through; what went lies in quarantine")
  }

  func testF2_whatSomebodyPutIntoTheDirectoryIsKept() async throws {
    let server = try mirrored(["a/b": "b", "a/c/d": "d", "top": "top"])
    try Data("mine".utf8).write(to: copy.appending(path: "a/c/mine"))
    try Data("edited".utf8).write(to: copy.appending(path: "a/b"))
    try republish(["a": "a file", "top": "top"], round: 1)
    let outcome = try sync(server.url + Self.catalogName)
    assertEnd(outcome, 0)
    XCTAssertEqual(try copied(), ["a": "a file", "top": "top"])
    XCTAssertEqual(try away("displaced"), ["a/b": "edited", "a/c/mine": "mine"], "\(outcome)")
    XCTAssertEqual(try away("quarantine"), ["a/c/d": "d"], "\(outcome)")
    try assertConverges(on: server)
  }

  func testF2_aFileInPlaceOfAFullDirectoryIsARemovalUnderTheLimit() async throws {
    let server = try serve()
    var texts = ["top": "top"]
    for number in 0..<20 { texts["a/\(number)"] = "\(number)" }
    try republish(texts)
    assertEnd(try sync(server.url + Self.catalogName), 0)
    let before = try tree()
    try republish(["a": "a file", "top": "top"], round: 1)
    assertRefused(try sync(server.url + Self.catalogName), 3, saying: "20 of 21 items")
    XCTAssertEqual(try tree(), before)
    try assertConverges(on: server, ["--max-delete", "20"])
    XCTAssertEqual(try away("quarantine").count, 20)
  }

  func testF2_aListingThatIsNotCompleteMovesNoDirectoryAway() async throws {
    let server = try serve()
    let nested = ["a/b": "b", "a/c/d": "d", "top": "top"]
    try republish(nested)
    assertEnd(try sync(server.url + Self.catalogName), 0)
    try publish(["bytes": "bytes"])
    try writeCatalog(
      [#"{"catalog":1,"complete":false}"#, #"{"key":"a","url":"bytes","size":5}"#], round: 1)
    let outcome = try sync(server.url + Self.catalogName, ["--max-delete", "all"])
    assertEnd(outcome, 2)
    XCTAssertTrue(outcome.said.contains("mirror: a: "), "\(outcome)")
    XCTAssertTrue(outcome.said.contains("stands in its way"), "\(outcome)")
    XCTAssertEqual(try copied(), nested)
    try await assertNothingIsLost(of: Versions(nested).all, "partial listing")
  }

  /// The texts in the quarantine or among the displaced files, by path without the run.
  private func away(_ area: String) throws -> [String: String] {
    let place = copy.appending(path: ".mirror/\(area)")
    guard isThere(place) else { return [:] }
    return try files(in: place).reduce(into: [:]) { texts, file in
      let path = file.key.split(separator: "/").dropFirst().joined(separator: "/")
      texts[path] = String(decoding: file.value, as: UTF8.self)
    }
  }
}
