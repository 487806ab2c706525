import TestSupport
import XCTest

@testable import CatalogMirror

/// What a scope leaves out.
final class ScopeBoundaryTests: XCTestCase {
  private static let now = 1_000_000.0

  private func boundary(
    _ lines: [String], _ change: (inout Scope) -> Void = { _ in }
  ) throws -> ScopeBoundary {
    var scope = Scope()
    scope.rules = try ScopeRule.rules(inLines: Array(lines.joined(separator: "\n").utf8))
    change(&scope)
    return ScopeBoundary(scope, at: Self.now)
  }

  private func excluded(_ text: String) throws -> LeftOutReason {
    .excluded(by: try KeyPattern(text))
  }

  func testTheFirstPatternThatFitsDecides() throws {
    let boundary = try boundary(["+ keep.tmp", "- *.tmp", "+ *"])
    XCTAssertNil(boundary.reason(toLeaveOut: CatalogKey("keep.tmp")))
    XCTAssertEqual(boundary.reason(toLeaveOut: CatalogKey("d/x.tmp")), try excluded("*.tmp"))
    XCTAssertNil(boundary.reason(toLeaveOut: CatalogKey("x")))
  }

  func testWhatNoneFitsIsOutsideOnlyIfAllInclude() throws {
    let only = try boundary(["+ *.deb", "+ dists/"])
    XCTAssertEqual(only.reason(toLeaveOut: CatalogKey("x.iso")), .notIncluded)
    XCTAssertNil(only.reason(toLeaveOut: CatalogKey("pool/x.deb")))
    XCTAssertNil(only.reason(toLeaveOut: CatalogKey("dists/Release")))
    XCTAssertNil(try boundary(["+ *.deb", "- *.iso"]).reason(toLeaveOut: CatalogKey("x")))
  }

  func testAnEntryIsHeldAgainstSizeAndDateIfItTellsThem() throws {
    let boundary = try boundary([]) { scope in
      (scope.minimumSize, scope.maximumSize, scope.maximumAge) = (10, 20, .seconds(100))
    }
    var entry = CatalogEntry(key: CatalogKey("a"), locators: ["https://h/a"])
    XCTAssertNil(boundary.reason(toLeaveOut: entry), "nothing is known")
    let sizes: [(Int64, LeftOutReason?)] = [(9, .tooSmall), (10, nil), (20, nil), (21, .tooLarge)]
    for (size, reason) in sizes {
      entry.size = size
      XCTAssertEqual(boundary.reason(toLeaveOut: entry), reason)
    }
    (entry.size, entry.estimatedSize) = (nil, 1_000)
    XCTAssertEqual(boundary.reason(toLeaveOut: entry), .tooLarge)
    entry.estimatedSize = nil
    entry.modified = Self.now - 101
    XCTAssertEqual(boundary.reason(toLeaveOut: entry), .tooOld)
    entry.modified = Self.now - 100
    XCTAssertNil(boundary.reason(toLeaveOut: entry))
  }

  func testNamesAreKeysAndWholeDirectories() throws {
    let text = "./a\n# nothing\n\n/#b\r\n./d/e/\nf/./g\n"
    let boundary = try boundary([]) { $0.names = KeyList(lines: Array(text.utf8)) }
    for key in ["a", "#b", "d/e/x", "d/e/x/y", "f/g"] {
      XCTAssertNil(boundary.reason(toLeaveOut: CatalogKey(key)), key)
    }
    for key in ["b", "d/x", "f/g/h", "# nothing", "d/e"] {
      XCTAssertEqual(boundary.reason(toLeaveOut: CatalogKey(key)), .notNamed, key)
    }
    for directory in ["d", "d/e", "d/e/x", "f"] {
      XCTAssertNil(boundary.reason(toLeaveOutDirectory: Array(directory.utf8)), directory)
    }
    for directory in ["a", "d/x", "f/g"] {
      XCTAssertEqual(
        boundary.reason(toLeaveOutDirectory: Array(directory.utf8)), .notNamed, directory)
    }
  }

  func testADirectoryIsLeftOutOnlyIfAllInItIs() throws {
    let table: [(lines: [String], directory: String, reason: LeftOutReason?)] = [
      (["- d/"], "d", try excluded("d/")), (["- d"], "x/d", try excluded("d")),
      (["- *.tmp"], "d", nil), (["- d/*.a"], "d", nil), (["- d/*"], "d/e", try excluded("d/*")),
      (["- d/*"], "d", try excluded("d/*")), (["- d/**"], "d", try excluded("d/**")),
      (["- d/**"], "x", nil), (["- d/*/"], "d", nil), (["- d/?*"], "d", nil),
      (["+ /d/keep", "- d/*"], "d", nil), (["- d/*", "+ /d/keep"], "d", try excluded("d/*")),
      (["+ keep", "- d/"], "d", nil), (["+ /keep", "- d/"], "d", try excluded("d/")),
      (["+ d/keep", "- d/"], "d", nil), (["+ d/keep", "- d/"], "d/e", try excluded("d/")),
      (["+ d/"], "d", nil), (["+ d/"], "x", nil), (["+ /d/"], "x", .notIncluded),
      (["+ /d/e/*"], "d", nil), (["+ /d/e/*"], "d/x", .notIncluded),
      (["- **"], "x", try excluded("**")),
    ]
    for (lines, directory, reason) in table {
      XCTAssertEqual(
        try boundary(lines).reason(toLeaveOutDirectory: Array(directory.utf8)), reason,
        "\(lines) and \(directory)")
    }
  }

  /// Whatever the rules: a directory that isn't walked holds nothing that is inside.
  func testNothingInsideLiesInADirectoryThatIsLeftOut() throws {
    var random = SeededGenerator(seed: 30)
    let pieces = ["a", "b", "/", "/", "*", "**/", "/**", "?", "[ab]"]
    func text() -> String {
      (0..<Int.random(in: 1...4, using: &random))
        .map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
    }
    func path(_ count: Int) -> String {
      (0..<count).map { _ in ["a", "b", "ab"].randomElement(using: &random) ?? "" }
        .joined(separator: "/")
    }
    for _ in 0..<3_000 {
      var scope = Scope()
      for _ in 0..<3 {
        guard let pattern = try? KeyPattern(text()) else { continue }
        scope.rules.append(random.oneIn(2) ? .include(pattern) : .exclude(pattern))
      }
      if random.oneIn(3) {
        scope.names = KeyList(lines: Array((path(2) + "\n" + path(1) + "/").utf8))
      }
      var boundary = ScopeBoundary(scope, at: 0)
      if random.oneIn(3), let last = try? KeyPattern(text()) { boundary = boundary.within([last]) }
      let key = path(4)
      guard boundary.reason(toLeaveOut: CatalogKey(key)) == nil else { continue }
      let parts = key.split(separator: "/")
      for depth in 1..<parts.count {
        let directory = parts.prefix(depth).joined(separator: "/")
        XCTAssertNil(
          boundary.reason(toLeaveOutDirectory: Array(directory.utf8)),
          "\(scope.rules), \(key) in \(directory)")
      }
    }
  }

  func testAFileOfFiltersSaysWhichLineIsNone() throws {
    let text = "# comment\n\n+ *.deb\r\n- **\n"
    XCTAssertEqual(
      try ScopeRule.rules(inLines: Array(text.utf8)).map(\.description), ["+ *.deb", "- **"])
    let table: [(String, PatternProblem)] = [
      ("+ a\n*.iso\n", .noFilter(line: 2)), ("-a", .noFilter(line: 1)),
      ("\n- [", .inLine(2, .unclosedClass)),
    ]
    for (text, problem) in table {
      XCTAssertThrowsError(try ScopeRule.rules(inLines: Array(text.utf8))) { error in
        XCTAssertEqual(error as? PatternProblem, problem)
      }
    }
  }

  func testScopesThatDifferHaveDifferentDigests() throws {
    let rules = [["+ a"], ["- a"], ["+ a", "+ b"], ["+ b", "+ a"], ["+ a+ b"]]
    var scopes = try [Scope()] + rules.map { try boundary($0).scope }
    for change: (inout Scope) -> Void in [
      { $0.minimumSize = 1 }, { $0.maximumSize = 1 }, { $0.maximumAge = .seconds(1) },
      { $0.names = KeyList() }, { $0.names = KeyList(lines: Array("a".utf8)) },
      { $0.names = KeyList(lines: Array("a/".utf8)) },
    ] {
      var scope = Scope()
      change(&scope)
      scopes.append(scope)
    }
    XCTAssertEqual(Set(scopes.map(\.digest)).count, scopes.count)
    XCTAssertEqual(scopes.map(\.isEverything).filter { $0 }.count, 1)
  }
}
