import TestSupport
import XCTest
@testable import SyncFolder
@testable import SyncText

final class RelativePathTests: XCTestCase {
  func testKeysThatAreNoPathFailWithTheirReason() {
    let long = String(repeating: "x", count: 256)
    let cases: [(String, KeyProblem)] = [
      ("", .empty), ("../x", .dotComponent), ("a/../../b", .dotComponent), (".", .dotComponent),
      ("a/.", .dotComponent), ("/etc/x", .absolute), ("//x", .absolute), ("a//b", .emptyComponent),
      ("a/", .emptyComponent), ("a\0b", .controlCharacter), ("a\nb", .controlCharacter),
      ("\u{1B}[31m", .controlCharacter), ("a\u{7F}", .controlCharacter),
      ("a\u{80}", .controlCharacter), ("a\u{9F}b", .controlCharacter), ("a\\b", .backslash),
      (long, .componentTooLong(256)), ("a/" + long + "/b", .componentTooLong(256)),
      (String(repeating: "x/", count: 2_499) + "xx", .tooLong(5_000)),
      (".mirror", .insideMirrorFolder), (".mirror/x", .insideMirrorFolder),
    ]
    for (key, problem) in cases {
      XCTAssertThrowsError(try RelativePath(ByteString(key)), key) { error in
        XCTAssertEqual(error as? KeyProblem, problem, key)
      }
    }
  }

  func testBytesThatAreNotUTF8AreNoPath() {
    let cases: [[UInt8]] = [
      [0xFF], [0x61, 0xC3], [0xC0, 0xAF], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0x80],
    ]
    for bytes in cases {
      assertThrows(KeyProblem.notUTF8, try RelativePath(ByteString(bytes: bytes)))
    }
  }

  func testOrdinaryAndOddNamesArePathsOfTheSameBytes() throws {
    let keys = [
      "a", "a/b.txt", "...", "..a/b..", ".hidden", "a b", "é", "e\u{301}", "x/.mirror/y",
      ".mirrors",
      "line\u{2028}separator", "right\u{202E}to left", "\u{A0}", "c:/x", "日本", "👩‍👩‍👧",
      String(repeating: "x", count: 255),
    ]
    for key in keys {
      let path = try RelativePath(ByteString(key))
      XCTAssertEqual(path.bytes, Array(key.utf8))
      XCTAssertEqual(path.key, ByteString(key))
    }
    XCTAssertEqual(
      try RelativePath(ByteString("a/b/c")).components, [[0x61], [0x62], [0x63]])
  }

  func testALongestPathFitsAndOneByteMoreDoesNot() throws {
    let longest = String(repeating: "x/", count: RelativePath.maximumLength / 2 - 1) + "xx"
    XCTAssertEqual(
      try RelativePath(ByteString(longest)).bytes.count, RelativePath.maximumLength)
    XCTAssertThrowsError(try RelativePath(ByteString(longest + "x")))
  }

  func testAKeyIsAPathByEachOfItsComponentsHoweverManyThereAre() {
    let good = ["a", "x.y", String(repeating: "x", count: 255), "é", "...", "a b", "~"]
    let bad = ["", ".", "..", "a\\b", "a\u{7F}", "a\u{1}", String(repeating: "x", count: 256)]
    for component in good + bad {
      let isGood = good.contains(component)
      for key in [component, "a/" + component, component + "/a", "a/" + component + "/é"] {
        XCTAssertEqual((try? RelativePath(ByteString(key))) != nil, isGood, key)
      }
    }
  }
}
