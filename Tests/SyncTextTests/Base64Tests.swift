import TestSupport
import XCTest
@testable import SyncText

final class Base64Tests: XCTestCase {
  func testTheVectorsOfTheStandardAreReadAndWritten() {
    let vectors = [
      "": "", "f": "Zg==", "fo": "Zm8=", "foo": "Zm9v", "foob": "Zm9vYg==", "fooba": "Zm9vYmE=",
      "foobar": "Zm9vYmFy",
    ]
    for (bytes, text) in vectors {
      XCTAssertEqual(Base64.text(of: Array(bytes.utf8)), text)
      XCTAssertEqual(Base64.bytes(of: text), Array(bytes.utf8))
    }
    XCTAssertEqual(Base64.bytes(of: "+/+/"), [0xFB, 0xFF, 0xBF])
  }

  func testOnlyTheOneTextOfSomeBytesIsRead() {
    let others = [
      "Zg", "Zg=", "Zg===", "Z===", "====", "=", "==", "Zm9vYg", "Zm9v\n", " Zm9v", "Zm9v ",
      "Zh==", "Zm9=", "Zg==Zg==", "Z=g=", "-_-_", "Zm9é", "Zm9v\0", "A", "AA", "AAA", "A===",
    ]
    for text in others { XCTAssertNil(Base64.bytes(of: text), text) }
  }

  func testAnyBytesComeBack() {
    var generator = SeededGenerator(seed: 64)
    for count in 0..<300 {
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
      XCTAssertEqual(Base64.bytes(of: Base64.text(of: bytes)), bytes)
    }
  }
}
