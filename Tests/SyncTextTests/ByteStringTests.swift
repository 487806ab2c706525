import XCTest
@testable import SyncText

final class ByteStringTests: XCTestCase {
  private let table: [(bytes: [UInt8], shown: String)] = [
    (Array("a/b c.txt".utf8), "a/b c.txt"),
    (Array("日本 é e\u{301}".utf8), "日本 é e\u{301}"),
    (Array("back\\slash".utf8), "back\\\\slash"),
    (Array("\u{1B}[31m\n".utf8), "\\x1B[31m\\x0A"),
    ([0xFF, 0x61, 0xC3], "\\xFFa\\xC3"),
    (Array("\u{202E}x\u{2028}".utf8), "\\xE2\\x80\\xAEx\\xE2\\x80\\xA8"),
    (Array("\u{9B}31m".utf8), "\\xC2\\x9B31m"),
    (Array("\u{200B}\u{FEFF}".utf8), "\\xE2\\x80\\x8B\\xEF\\xBB\\xBF"),
    ([0xED, 0xA0, 0x80], "\\xED\\xA0\\x80"),
    ([], ""),
  ]

  func testAKeyIsShownEscapedAndReadBack() {
    for (bytes, shown) in table {
      let key = ByteString(bytes: bytes)
      XCTAssertEqual(key.description, shown)
      XCTAssertEqual(ByteString(escaped: shown), key)
    }
    XCTAssertNil(ByteString(escaped: "\\x1"))
    XCTAssertNil(ByteString(escaped: "\\n"))
    XCTAssertNil(ByteString(escaped: "\\"))
  }

  func testRandomBytesAreShownWithoutControlsAndReadBack() {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<2_000 {
      let count = Int.random(in: 0..<12, using: &random)
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
      let shown = ByteString(bytes: bytes).description
      XCTAssertEqual(ByteString(escaped: shown)?.bytes, bytes)
      XCTAssertFalse(shown.unicodeScalars.contains { $0.properties.generalCategory == .control })
    }
  }

  func testComposedAndDecomposedAreTwoKeys() {
    XCTAssertNotEqual(ByteString("é"), ByteString("e\u{301}"))
    XCTAssertEqual(Set([ByteString("é"), ByteString("e\u{301}")]).count, 2)
  }
}
