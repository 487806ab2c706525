import XCTest
@testable import SyncFolder
@testable import SyncText

final class CollisionCheckTests: XCTestCase {
  private func failing(
    _ keys: [String], _ folding: NameFolding = .none
  ) throws -> Set<String> {
    let paths = try keys.map { try RelativePath(ByteString($0)) }
    return Set(CollisionCheck(folding: folding).problems(of: paths).keys.map { keys[$0] })
  }

  func testAFileBesideADirectoryOfItsNameFailsBothAndNothingElse() throws {
    XCTAssertEqual(
      try failing(["b", "a.txt", "a", "a-", "a/b", "a/c/d", "ab", "a0"]), ["a", "a/b", "a/c/d"])
    XCTAssertEqual(try failing(["x/a", "x/a/b", "x/b", "a"]), ["x/a", "x/a/b"])
    XCTAssertEqual(try failing(["a/b", "a/c", "a!", "b"]), [])
  }

  func testTwinsFailOnlyWhereTheFileSystemFoldsThem() throws {
    let keys = ["é", "e\u{301}", "README", "readme", "straße", "STRASSE", "x"]
    XCTAssertEqual(try failing(keys), [])
    XCTAssertEqual(
      try failing(keys, NameFolding(caseFolding: true)), ["README", "readme", "straße", "STRASSE"])
    // Found by fuzzing: the capital is no letter's upper case, and was held for a name of its own.
    XCTAssertEqual(try failing(["ẞ", "ß"], NameFolding(caseFolding: true)), ["ẞ", "ß"])
    XCTAssertEqual(try failing(["ς", "Σ"], NameFolding(caseFolding: true)), ["ς", "Σ"])
    XCTAssertEqual(
      try failing(["A", "a/b", "c"], NameFolding(caseFolding: true)), ["A", "a/b"])
    XCTAssertEqual(try failing(["A/x", "a/y"], NameFolding(caseFolding: true)), [])
    XCTAssertEqual(
      try failing([".Mirror/x", ".MIRROR", "m"], NameFolding(caseFolding: true)),
      [".Mirror/x", ".MIRROR"])
  }

  func testUnicodeTwinsFailWhereTheFileSystemNormalizes() throws {
    let folding = NameFolding(unicodeNormalizing: true)
    let paths = try ["é", "e\u{301}", "e"].map { try RelativePath(ByteString($0)) }
    let problems = CollisionCheck(folding: folding).problems(of: paths)
    XCTAssertEqual(Set(problems.keys), [0, 1])
    XCTAssertEqual(problems[0]?.with, ByteString("e\u{301}"))
    XCTAssertEqual(problems[1]?.with, ByteString("é"))
  }

  func testTwinsByDotsAndBlanksAtAnEndFailWhereTheFileSystemDropsThem() throws {
    let folding = NameFolding(endDropping: true)
    XCTAssertEqual(
      try failing(["x", "x.", "d/y", "d. /y .", "z", ".a", "a"], folding),
      ["x", "x.", "d/y", "d. /y ."])
    XCTAssertEqual(try failing([".mirror./x", "m"], folding), [".mirror./x"])
    XCTAssertEqual(try failing(["x", "x.", "...", "...."], NameFolding.none), [])
  }

  private func duplicates(in keys: [ByteString?]) -> Set<ByteString> {
    CollisionCheck.duplicates(of: keys.count) { keys[$0]?.bytes[...] }
  }

  func testTheKeysThatComeTwiceAreFound() {
    let keys = ["a", "é", "e\u{301}", "b", "a", "b", "a"].map { ByteString($0) }
    XCTAssertEqual(duplicates(in: keys), [ByteString("a"), ByteString("b")])
    XCTAssertEqual(duplicates(in: keys.dropLast(3)), [])
  }

  func testWhatHasNoKeyIsNoDuplicate() {
    let (a, b) = (ByteString("a"), ByteString("b"))
    XCTAssertEqual(duplicates(in: [nil, a, nil, b]), [])
    XCTAssertEqual(duplicates(in: [b, nil, nil, a]), [])
    XCTAssertEqual(duplicates(in: [b, nil, a, nil, b]), [b])
  }

  func testAKeyThatComesTwiceIsFoundInEveryOrder() {
    let keys = ["a", "a/b", "a/b/c", "a-", "b", "b/\0", "b//"].map { ByteString($0) }
    for key in keys {
      for sorted in [keys, keys.reversed(), keys.sorted()] {
        XCTAssertEqual(duplicates(in: sorted), [])
        for place in 0...sorted.count {
          var twice = sorted
          twice.insert(key, at: place)
          XCTAssertEqual(duplicates(in: twice), [key])
        }
      }
    }
  }
}
