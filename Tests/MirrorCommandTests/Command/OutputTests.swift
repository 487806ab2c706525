import Foundation
import TestSupport
import XCTest

/// What `mirror` prints, and for whom.
final class OutputTests: MirrorTestCase {
  func testEveryCommandHasHelpWithOptionsDefaultsAndExamples() throws {
    for command in ["sync", "plan", "status", "verify", "publish"] {
      let outcome = try mirror(command, "--help")
      assertEnd(outcome, 0)
      for part in ["Usage: mirror \(command)", "Options", "--json", "Examples:"] {
        XCTAssertTrue(outcome.printed.contains(part), "\(part) isn't in \(outcome)")
      }
      XCTAssertEqual(outcome.said, "")
    }
    XCTAssertTrue(try mirror("--help").printed.contains("Exit status"))
  }

  func testTheVersionStandsFirstAndTheLibrariesBelow() throws {
    let outcome = try mirror("--version")
    assertEnd(outcome, 0)
    let lines = outcome.printed.split(separator: "\n")
    XCTAssertEqual(lines.first, "mirror 0.1.0")
    for library in ["libcurl", "OpenSSL", "SQLite", "libxml2", "liblzma"] {
      XCTAssertEqual(
        lines.filter { $0.hasPrefix(library + " ") && $0.contains(".") }.count, 1,
        "\(library) in \(outcome)")
    }
  }

  func testAPlanSaysWhatSyncWouldDoAndMakesNothing() throws {
    try publish(["a.txt": "a", "b.txt": "b"])
    let server = try serve(listing: .json)
    let outcome = try mirror("plan", server.url, copy.path)
    assertEnd(outcome, 0)
    XCTAssertTrue(outcome.printed.contains("a.txt"), "\(outcome)")
    XCTAssertFalse(isThere(copy))

    assertEnd(try sync(server.url), 0)
    try withdraw("a.txt")
    try publish(["c.txt": "c"])
    let before = try FileManager.default.subpathsOfDirectory(atPath: copy.path).sorted()
    let second = try mirror("plan", server.url, copy.path)
    assertEnd(second, 0)
    XCTAssertTrue(second.printed.contains("a.txt"), "\(second)")
    XCTAssertTrue(second.printed.contains("c.txt"), "\(second)")
    XCTAssertFalse(second.printed.contains("b.txt"), "\(second)")
    XCTAssertEqual(try FileManager.default.subpathsOfDirectory(atPath: copy.path).sorted(), before)
  }

  func testQuietSaysNothingButErrors() throws {
    try publish(["a.txt": "a"])
    let server = try serve(listing: .html)
    let good = try sync(server.url, ["--quiet"])
    assertEnd(good, 0)
    XCTAssertEqual(good.printed + good.said, "")
    try server.restart(NginxServer.Options())
    let bad = try sync(server.url, ["--quiet"])
    assertRefused(bad, 1, saying: server.url)
    XCTAssertEqual(bad.printed, "")

    try FileManager.default.removeItem(at: source)
    try publish(["b.txt": "b"])
    try server.restart(NginxServer.Options(listing: .html))
    let refused = try sync(server.url, ["--quiet", "--max-delete", "0"])
    assertRefused(refused, 3, saying: "--max-delete")
    XCTAssertEqual(refused.printed, "")
  }

  func testEveryJSONLineIsAnObject() throws {
    try publish(["a.txt": "a", "ü \"b\".txt": "b"])
    let server = try serve(listing: .json)
    for arguments in [
      ["plan", server.url, copy.path], ["sync", server.url, copy.path],
      ["sync", server.url, copy.path], ["status", copy.path], ["verify", copy.path],
      ["publish", source.path],
    ] {
      let child = try start(arguments + ["--json"])
      XCTAssertEqual(try child.end(within: .seconds(30)), .exited(0), child.said)
      let lines = child.printed.split(separator: "\n")
      XCTAssertGreaterThan(lines.count, 0, "\(arguments)")
      for line in lines {
        let value = try JSONSerialization.jsonObject(with: Data(line.utf8))
        XCTAssertNotNil(value as? [String: Any], "\(line)")
      }
    }
  }

  func testInAPipeThereAreNoControlCharacters() throws {
    try publish(["a.txt": "a", "b.txt": "b"])
    let server = try serve(listing: .html)
    let outcome = try sync(server.url)
    assertEnd(outcome, 0)
    XCTAssertFalse(outcome.printed.contains("\r") || outcome.printed.contains("\u{1B}"))
    XCTAssertFalse(outcome.printed.isEmpty)
  }

  func testWithoutATerminalThereIsNothingButTheResult() throws {
    try publish(["a.txt": "a", "b.txt": "b"])
    let server = try serve(listing: .json)
    for word in ["done: 2 added", "unchanged: "] {
      let outcome = try sync(server.url)
      assertEnd(outcome, 0)
      XCTAssertTrue(outcome.printed.hasPrefix(word), "\(outcome)")
      XCTAssertEqual(outcome.printed.count { $0.isNewline } + outcome.said.count, 1, "\(outcome)")
    }
    XCTAssertTrue(try mirror("plan", server.url, copy.path).printed.hasPrefix("unchanged: "))
  }

  func testVerboseNamesEachFileAndTheLogHasItAllWithTimes() throws {
    try publish(["a.txt": "a", "b.txt": "b", "c.txt": "c", "d.txt": "d"])
    let server = try serve(listing: .json)
    assertEnd(try sync(server.url), 0)
    try publish(["a.txt": "other"], dated: Date(timeIntervalSince1970: 1_600_000_000))
    try publish(["e.txt": "e"])
    try withdraw("b.txt")
    try FileManager.default.removeItem(at: copy.appending(path: "c.txt"))
    let log = base.appending(path: "log")
    let outcome = try sync(server.url, ["-v", "--log-file", log.path])
    assertEnd(outcome, 0)
    let deeds = ["added e.txt", "removed b.txt", "repaired c.txt", "updated a.txt"]
    XCTAssertEqual(
      outcome.printed.split(separator: "\n").dropLast().sorted().map(String.init), deeds)
    assertEnd(try sync(server.url, ["-q", "--log-file", log.path]), 0)
    let lines = try readText(log).split(separator: "\n")
    for line in lines {
      XCTAssertNotNil(line.prefixMatch(of: #/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ /#), "\(line)")
    }
    let told = lines.map { String($0.dropFirst(21)) }
    XCTAssertEqual(told.filter(deeds.contains).sorted(), deeds)
    XCTAssertEqual(told.count { $0 == "mirror sync \(server.url) \(copy.path)" }, 2)
    XCTAssertEqual(told.count { $0.hasPrefix("done: ") || $0.hasPrefix("unchanged: ") }, 2)
    assertRefused(
      try sync(server.url, ["--log-file", base.path + "/none/log"]), 64, saying: "the log")
  }

  func testOfManyFailuresTheFirstTwentyAreToldAndTheOthersCounted() throws {
    let entries = (0..<200).map { #"{"key":"../bad\#($0)"}"# }
    try publish([
      "a.txt": "a",
      "c.ndjson": ([#"{"catalog":1,"complete":true}"#, #"{"key":"a.txt"}"#] + entries)
        .map { $0 + "\n" }.joined(),
    ])
    let server = try serve()
    let outcome = try sync(server.url + "c.ndjson")
    assertEnd(outcome, 2)
    let lines = outcome.said.split(separator: "\n")
    XCTAssertEqual(lines.count, 22, outcome.said)
    XCTAssertTrue(lines.dropLast(2).allSatisfy { $0.hasPrefix("mirror: ../bad") })
    XCTAssertEqual(lines[20], "mirror: 180 more failed.")
    XCTAssertTrue(outcome.printed.hasPrefix("some failed: 1 added, 200 failed"), "\(outcome)")
  }

  func testARefusalHasItsNumbersInJSON() throws {
    try publish(["a.txt": "a", "b.txt": "b", "c.txt": "c"])
    let server = try serve(listing: .json)
    assertEnd(try sync(server.url), 0)
    try withdraw("a.txt")
    let outcome = try sync(server.url, ["--json", "--max-delete", "0"])
    assertEnd(outcome, 3)
    let ended = try XCTUnwrap(outcome.printed.split(separator: "\n").last)
    XCTAssertTrue(ended.contains(#""refused":1,"refusedOf":3"#), "\(ended)")
  }

  func testNoSecretIsPrintedOrStored() throws {
    try publish(["a.txt": "a"])
    let server = try serve(
      nil,
      NginxServer.Options(
        listing: .html,
        locations: [
          """
          location = /a.txt { if ($http_authorization = "") { return 401; } }
          """
        ]))
    let catalog = server.url.replacing("http://", with: "http://user:s3cret-word@")
    let outcome = try sync(catalog)
    assertEnd(outcome, 0)
    XCTAssertFalse("\(outcome)".contains("s3cret-word"), "\(outcome)")
    let enumerator = FileManager.default.enumerator(at: copy, includingPropertiesForKeys: nil)
    let secret = Data("s3cret-word".utf8)
    for case let file as URL in try XCTUnwrap(enumerator) where !file.hasDirectoryPath {
      XCTAssertNil(try Data(contentsOf: file).range(of: secret), "\(file.path)")
    }
  }
}
