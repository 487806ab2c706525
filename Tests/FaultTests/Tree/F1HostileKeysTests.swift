import Foundation
import TestSupport
import XCTest

/// F1: keys that are no paths, or that would lead out of the folder or into the mirror's own.
final class F1HostileKeysTests: FaultTestCase {
  /// A key as JSON writes it, how it is shown, and what is said of it.
  private typealias Case = (json: String, shown: String, problem: String)

  private static let long = String(repeating: "n", count: 256)
  private static let deep = String(repeating: "p/", count: 2_499) + "pp"

  private let refused: [Case] = [
    ("../x", "../x", "'.' or '..'"), ("..", "..", "'.' or '..'"),
    ("a/../../b", "a/../../b", "'.' or '..'"), ("a/..", "a/..", "'.' or '..'"),
    ("../../canary/bird", "../../canary/bird", "'.' or '..'"),
    ("../canary/bird", "../canary/bird", "'.' or '..'"),
    ("/etc/x", "/etc/x", "begins with a slash"), ("//x", "//x", "begins with a slash"),
    (".", ".", "'.' or '..'"), ("./a", "./a", "'.' or '..'"),
    ("a//b", "a//b", "empty component"), ("a/", "a/", "empty component"),
    (#"nul\u0000x"#, #"nul\x00x"#, "control character"),
    (#"line\nfeed"#, #"line\x0Afeed"#, "control character"),
    (#"esc\u001b[31mred\u001b]0;title\u0007"#, #"esc\x1B[31mred\x1B]0;title\x07"#, "control"),
    (#"c1\u009b31m"#, #"c1\xC2\x9B31m"#, "control character"),
    (#"del\u007f"#, #"del\x7F"#, "control character"),
    (#"..\\x"#, #"..\\x"#, "backslash"), (#"\ud800"#, #"\xED\xA0\x80"#, "UTF-8"),
    (long, long, "component of 256 bytes"), (deep, deep, "has 5000 bytes"),
    (".mirror", ".mirror", "mirror's own folder"),
    (".mirror/x", ".mirror/x", "mirror's own folder"),
    (".mirror/lock", ".mirror/lock", "mirror's own folder"),
  ]

  /// Odd, but names that a file may have; how they are shown.
  private let taken: [Case] = [
    ("good", "good", ""), ("dir/good", "dir/good", ""), ("...", "...", ""),
    (" space ", " space ", ""), ("-rf", "-rf", ""), ("$(reboot)`id`", "$(reboot)`id`", ""),
    ("a?b#c%2F%d", "a?b#c%2F%d", ""), (#"r\u202Etxt.exe"#, #"r\xE2\x80\xAEtxt.exe"#, ""),
    (#"line\u2028sep"#, #"line\xE2\x80\xA8sep"#, ""),
    (#"zero\u200bwidth"#, #"zero\xE2\x80\x8Bwidth"#, ""),
    (String(repeating: "n", count: 255), String(repeating: "n", count: 255), ""),
    ("a/.mirror/x", "a/.mirror/x", ""), (".mirror2", ".mirror2", ""), ("é/ü.txt", "é/ü.txt", ""),
    ("\u{1F600}", "\u{1F600}", ""),
  ]

  func testF1_eachHostileKeyFailsByNameAndTheOthersGoOn() async throws {
    // People are told of the first twenty, so that there are two parts.
    let half = refused.count / 2
    try assertFailByName(refused, ["--json"])
    try assertFailByName(Array(refused[..<half]), ["--json"], [], ["--quiet"])
    let server = try assertFailByName(Array(refused[half...]), ["--json"], [], ["--quiet"])
    try assertInspectionsNameThem(server.url + Self.catalogName)
    try Extent.record(
      "F1", "hostile keys", count: refused.count,
      "each failed by its escaped name in every output, the others were fetched")
  }

  @discardableResult
  private func assertFailByName(
    _ refused: [Case], _ styles: [String]...
  ) throws -> NginxServer {
    let server = try published(refused + taken)
    for style in styles {
      try? FileManager.default.removeItem(at: copy)
      let outcome = try sync(server.url + Self.catalogName, style)
      assertEnd(outcome, 2)
      assertIsPlain(outcome)
      try assertOnlyTheTakenAreThere()
      for (number, test) in refused.enumerated() {
        assertNames(test, at: number + 1, in: outcome, isJSON: style == ["--json"])
      }
      for test in taken { XCTAssertFalse(outcome.said.contains("mirror: \(test.shown):")) }
    }
    return server
  }

  private func assertInspectionsNameThem(_ catalog: String) throws {
    for arguments in [
      ["status", copy.path], ["status", copy.path, "--json"], ["plan", catalog, copy.path],
      ["plan", catalog, copy.path, "--json"], ["verify", copy.path],
      ["verify", copy.path, "--json"],
    ] {
      let outcome = try start(arguments).outcome(within: .seconds(30))
      // A plan answers as the run would.
      XCTAssertEqual(
        outcome.end, .exited(arguments[0] == "plan" ? 2 : 0), "\(arguments): \(outcome)")
      assertIsPlain(outcome)
      guard arguments[0] != "verify" else { continue }
      let shown = arguments.contains("--json") ? #"nul\\x00x"# : #"nul\x00x"#
      XCTAssertTrue(outcome.printed.contains(shown), "\(arguments): \(outcome)")
    }
  }

  func testF1_aMirrorOfGoodKeysIsNotHarmedByBadOnesAndConverges() async throws {
    let server = try published(taken)
    assertEnd(try sync(server.url + Self.catalogName), 0)
    _ = try published(refused + taken, round: 1)
    assertEnd(try sync(server.url + Self.catalogName), 2)
    try assertOnlyTheTakenAreThere()
    let versions = try files(in: copy).mapValues { Set([$0]) }
    try await assertNothingIsLost(of: versions, "after hostile keys")
    // The same with a catalog that is a file, and with previews that bear such names.
    let outcome = try sync(
      "file://\(source.path)/\(Self.catalogName)", ["--previews", "--new-catalog"])
    assertEnd(outcome, 2)
    assertIsPlain(outcome)
    try assertOnlyTheTakenAreThere()
    try republish(["good": "good", "dir/good": "good"], round: 2)
    try assertConverges(on: server, ["--max-delete", "all", "--new-catalog"])
  }

  /// Serves `source`, with a catalog of these keys, whose bytes all come from one file.
  private func published(_ cases: [Case], round: Int = 0) throws -> NginxServer {
    try publish(["bytes": "bytes"])
    let lines = cases.map { test in
      #"{"key":"\#(test.json)","url":"bytes","size":5,"preview":{"url":"bytes"}}"#
    }
    try writeCatalog([#"{"catalog":1,"complete":true}"#] + lines, round: round)
    return try serve()
  }

  private func assertOnlyTheTakenAreThere(
    file: StaticString = #filePath, line: UInt = #line
  ) throws {
    // Foundation lists what C gave it, so keys are compared as they are escaped.
    let found = try FileManager.default.subpathsOfDirectory(atPath: copy.path)
      .filter { path in
        guard !path.hasPrefix(".mirror/"), path != ".mirror" else { return false }
        var isDirectory: ObjCBool = false
        let place = copy.appending(path: path).path
        return FileManager.default.fileExists(atPath: place, isDirectory: &isDirectory)
          && !isDirectory.boolValue
      }
    XCTAssertEqual(
      Set(found.map { Array($0.utf8) }), Set(try taken.map { Array(try key($0).utf8) }),
      file: file, line: line)
  }

  private func key(_ test: Case) throws -> String {
    let json = Data(#"["\#(test.json)"]"#.utf8)
    let list = try XCTUnwrap(try JSONSerialization.jsonObject(with: json) as? [String])
    return list[0]
  }

  private func assertNames(_ test: Case, at number: Int, in outcome: ProgramOutcome, isJSON: Bool) {
    let isNamed: Bool
    if isJSON {
      let failures = Self.objects(outcome.printed).filter { $0["event"] as? String == "failed" }
      isNamed = failures.contains { failure in
        let sentence = failure["error"] as? String ?? ""
        return failure["key"] as? String == test.shown && sentence.contains("entry \(number) ")
          && sentence.contains(test.problem)
      }
    } else {
      isNamed = outcome.said.split(separator: "\n").contains { line in
        line.hasPrefix("mirror: \(test.shown): entry \(number) ") && line.contains(test.problem)
      }
    }
    XCTAssertTrue(isNamed, "\(test.json.prefix(60)), entry \(number): \(outcome)")
  }

  /// Nothing in it steers a terminal or poses as something else.
  private func assertIsPlain(_ outcome: ProgramOutcome, line: UInt = #line) {
    for scalar in (outcome.printed + outcome.said).unicodeScalars where scalar != "\n" {
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator:
        return XCTFail("U+\(String(scalar.value, radix: 16)) in \(outcome)", line: line)
      default: break
      }
    }
  }

  private static func objects(_ text: String) -> [[String: Any]] {
    text.split(separator: "\n").compactMap { line in
      (try? JSONSerialization.jsonObject(with: Data(line.utf8))) as? [String: Any]
    }
  }
}

/// F1 where the file system takes fewer names than a catalog may have: that item fails by name.
final class F1RefusedNamesTests: FaultTestCase {
  func testF1_aNameThatTheFileSystemRefusesFailsThatItemAndSaysSo() async throws {
    let long = String(repeating: "n", count: 144)
    try await refuse(["what?", "a:b"], on: .exFAT)
    try await refuse(["what?", "a:b/x", "x/blank ", "NUL"], on: .ntfs)
    try await refuse(["\(long)/x", "x/\(long)", "n\(long)"], on: .eCryptfs)
  }

  private func refuse(_ keys: [String], on kind: CarriedDisk.Kind) async throws {
    try? FileManager.default.removeItem(at: copy)
    try? FileManager.default.removeItem(at: copy.appendingPathExtension("store"))
    let disk = try mount(kind, at: copy)
    try list(["good"] + keys)
    let outcome = try sync(try serve().url + Self.catalogName)
    assertEnd(outcome, 2)
    for key in keys {
      let line = outcome.said.split(separator: "\n").first { $0.hasPrefix("mirror: \(key): ") }
      XCTAssertEqual(
        line?.contains("is a name that the file system here doesn't take"), true,
        "\(kind), \(key): \(outcome)")
    }
    XCTAssertEqual(try copied(), ["good": "bytes"], "\(kind)")
    try await assertEqual(Self.untruths(in: copy), [])
    try disk.close()
    try Extent.record(
      "F1", "names that the file system refuses, on \(kind)", count: keys.count,
      "each failed by name, the others went on")
  }
}
