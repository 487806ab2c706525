import Foundation
import TestSupport
import XCTest

@testable import CatalogMirror

/// What a pattern fits.
final class KeyPatternTests: XCTestCase {
  /// Each pattern with keys that it fits, and keys that it doesn't.
  private static let table: [(pattern: String, fits: [String], others: [String])] = [
    ("a", ["a", "x/a", "a/x", "x/a/y"], ["ab", "ba", "x/ab"]),
    ("/a", ["a", "a/x"], ["x/a"]),
    ("a/b", ["a/b", "a/b/c"], ["x/a/b", "a/x/b", "a"]),
    ("a/", ["a/x", "x/a/y"], ["a", "x/a"]),
    ("*.iso", ["x.iso", "d/x.iso", ".iso", "d.iso/x"], ["x.isos", "iso"]),
    ("d/*.iso", ["d/x.iso"], ["d/e/x.iso", "x.iso"]),
    ("d/**", ["d/x", "d/e/x"], ["d", "x/d/e"]),
    ("**/a", ["a", "x/a", "x/y/a"], ["ab"]),
    ("a/**/b", ["a/b", "a/x/b", "a/x/y/b"], ["ab", "a/x"]),
    ("**", ["a", "a/b"], []),
    ("a**b", ["ab", "axb"], ["a/b"]),
    ("?", ["a", "a/xx"], ["ab", "\u{E9}"]),
    ("??", ["ab", "\u{E9}"], ["a", "abc"]),
    ("[a-c]x", ["ax", "cx"], ["dx", "x"]),
    ("[!a-c]x", ["dx"], ["ax", "/x"]),
    ("[]a]x", ["]x", "ax"], ["bx"]),
    ("[[:digit:]_]", ["1", "_"], ["a"]),
    ("\\*", ["*"], ["a"]),
    ("\\!a", ["!a"], ["a"]),
    ("#a", ["#a"], []),
    ("a  ", ["a"], ["a  "]),
    ("a\\ ", ["a "], ["a"]),
    ("*.\\{a,b}", ["x.{a,b}"], ["x.a"]),
    ("{a}.[{,}]", ["{a}.,"], ["a."]),
    ("dists/**", ["dists/x/Release"], ["pool/dists/x"]),
  ]

  func testAPatternFitsWhatGitignoreSays() throws {
    for (text, fits, others) in Self.table {
      let pattern = try KeyPattern(text)
      for key in fits { XCTAssert([pattern].fit(CatalogKey(key)), "\(text) and \(key)") }
      for key in others { XCTAssertFalse([pattern].fit(CatalogKey(key)), "\(text) and \(key)") }
    }
  }

  func testWhatIsNoPatternIsAnErrorThatSaysWhy() {
    let problems: [(String, PatternProblem)] = [
      ("", .empty), ("  ", .empty), ("/", .empty), ("!a", .negated), ("[a", .unclosedClass),
      ("a/[]", .unclosedClass), ("[[:digits:]]", .unknownClass), ("a\\", .backslashAtTheEnd),
      ("*.{a,b}", .braces), ("d/{a,b/c}", .braces), ("{{a,b}}", .braces),
      (String(repeating: "a/", count: 61) + "a", .tooManyParts),
    ]
    for (text, problem) in problems {
      XCTAssertThrowsError(try KeyPattern(text), text) { error in
        XCTAssertEqual(error as? PatternProblem, problem, text)
      }
    }
  }

  func testADirectoryMayHoldWhatAPatternFitsOrNot() throws {
    let table: [(String, String, KeyPattern.Fit)] = [
      ("/a/b", "a", .below), ("/a/b", "x", .none), ("/a/b", "a/b", .whole),
      ("a/*/c", "a/x", .below), ("a/*/c", "a/x/y", .none), ("a/**/c", "a/x/y", .below),
      ("b", "x/y", .below), ("d/**", "d", .below), ("d/**", "d/e", .whole), ("d/", "d", .whole),
    ]
    for (text, directory, fit) in table {
      XCTAssertEqual(
        try KeyPattern(text).fit(Array(directory.utf8), isDirectory: true), fit,
        "\(text) and \(directory)")
    }
  }

  func testAStarThatIsTriedEverywhereEndsSoon() throws {
    let pattern = try KeyPattern(String(repeating: "*a", count: 300) + "*b")
    let key = CatalogKey(String(repeating: "a", count: 600))
    XCTAssertFalse([pattern].fit(key))
    let deep = try KeyPattern(String(repeating: "**/a/", count: 25) + "b")
    XCTAssertFalse([deep].fit(CatalogKey(String(repeating: "a/", count: 2_000) + "c")))
  }

  func testRandomPatternsFitWhatTheyFitForGit() throws {
    var random = SeededGenerator(seed: 29)
    var patterns: [KeyPattern] = []
    while patterns.count < 150 {
      let text = Self.randomText(&random)
      // Git splits off what stands before the first star, and then takes two of them for a part.
      if text.contains(/[^*\/]\*\*/) { continue }
      if let pattern = try? KeyPattern(text) { patterns.append(pattern) }
    }
    var asked: [String] = []
    for number in patterns.indices {
      for _ in 0..<40 { asked.append("\(number)/\(Self.randomKey(&random))") }
    }
    let ignored = try GitOracle.ignored(of: asked, by: patterns)
    for path in asked {
      let parts = path.split(separator: "/", maxSplits: 1)
      let pattern = try patterns[XCTUnwrap(Int(parts[0]))]
      XCTAssertEqual(
        [pattern].fit(CatalogKey(String(parts[1]))), ignored.contains(path),
        "\(pattern) and \(parts[1])")
    }
  }

  private static func randomText(_ random: inout SeededGenerator) -> String {
    let pieces = [
      "a", "b", "ab", "/", "/", "*", "**", "**/", "/**", "?", "[ab]", "[!a]", "[a-b]", "[]a]",
      "[b-a]", "[[:alpha:]]", "\\a", "\\*", "\\ ", " ", "*", ".", "-",
    ]
    let count = Int.random(in: 1...5, using: &random)
    return (0..<count).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
  }

  private static func randomKey(_ random: inout SeededGenerator) -> String {
    let names = ["a", "b", "ab", "ba", "aab", "a*", "]", "a b", "a ", ".a", "-"]
    let count = Int.random(in: 1...4, using: &random)
    return (0..<count).map { _ in names.randomElement(using: &random) ?? "" }
      .joined(separator: "/")
  }
}

/// What git makes of the same patterns.
private enum GitOracle {
  /// Of these paths, each below the number of its pattern, those that git ignores.
  static func ignored(of paths: [String], by patterns: [KeyPattern]) throws -> Set<String> {
    let base = FileManager.default.temporaryDirectory.appending(path: "git-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: base) }
    for (number, pattern) in patterns.enumerated() {
      let folder = base.appending(path: "\(number)")
      try makeFolder(at: folder)
      try Data(pattern.text.bytes + [UInt8(ascii: "\n")])
        .write(to: folder.appending(path: ".gitignore"))
    }
    let list = base.appending(path: "asked")
    try Data(paths.joined(separator: "\0").utf8).write(to: list)
    _ = try git(["init", "-q"], in: base, input: nil)
    let input = try FileHandle(forReadingFrom: list)
    defer { try? input.close() }
    let printed = try git(
      ["check-ignore", "--no-index", "-z", "--stdin"], in: base, input: input.fileDescriptor)
    return Set(printed.split(separator: "\0").map(String.init))
  }

  private static func git(_ arguments: [String], in folder: URL, input: Int32?) throws -> String {
    let records = folder.appending(path: "records")
    try makeFolder(at: records)
    let child = try ChildProcess(
      try Programs.find("git"), arguments,
      environment: ["HOME": folder.path, "GIT_CONFIG_NOSYSTEM": "1"], directory: folder,
      records: records, input: input)
    XCTAssertEqual(try child.end(within: .seconds(30)), .exited(0), child.said)
    return child.printed
  }
}
