import XCTest

@testable import CatalogMirror

/// Names of files for what publishers call by anything.
enum ItemNameProbe {
  static func name(of identifier: String) -> String { ItemName.of(identifier) }
}

final class ItemNameTests: XCTestCase {
  func testAPlainIdentifierIsTheName() {
    for plain in ["ep-2", "a.b_c", "1234", "Ä"] { XCTAssertEqual(ItemName.of(plain), plain) }
  }

  /// The item `1` that was deleted took the file of the item `1.2` with it, which had the name of
  /// its second file.
  func testNoItemHasTheNameOfAnothersFile() {
    let identifiers = ["1", "1.2", "1.2.mp3", "1.mp3", "1.MP3", "v1.10", "v1"]
    let keys = identifiers.map { Set(FileNumbering.keys(of: ItemName.of($0))) }
    XCTAssertEqual(keys.reduce(0) { $0 + $1.count }, keys.reduce(Set()) { $0.union($1) }.count)
  }

  func testAnyOtherIsANameOfItsOwn() {
    let identifiers = [
      "../../etc/passwd", "https://h/?p=1", "http://h/?p=1", "https://h/?p=2", "urn:uuid:1", "",
      ".",
      "..", ".hidden", "a b", "a/b", "a-b/", "a\u{0}b", "tag:h,2026:1", "///", "a\nb", "-",
      String(repeating: "x", count: 300), String(repeating: "x", count: 301),
      String(repeating: "é", count: 200),
    ]
    let names = identifiers.map(ItemName.of)
    XCTAssertEqual(Set(names).count, names.count)
    for (identifier, name) in zip(identifiers, names) {
      XCTAssertNotEqual(name, identifier)
      XCTAssertLessThan(name.utf8.count, 140, name)
      XCTAssertFalse(name.hasPrefix("."), name)
      XCTAssertNil(name.utf8.first { $0 <= 0x20 || $0 == 0x2F || $0 == 0x3A || $0 == 0x5C }, name)
    }
  }

  func testFilesOfOneItemAreNumbered() {
    var numbering = FileNumbering("a")
    XCTAssertEqual(
      [".mp3", ".pdf", ".mp3", "", ".mp3"].map { "\(numbering.key($0))" },
      ["a.mp3", "a.pdf", "a.2.mp3", "a", "a.3.mp3"])
  }

  func testAnExtensionIsThatOfTheMediaTypeOrOneThatIsKnown() {
    let table = [
      ("audio/mpeg", "https://h/a.bin", ".mp3"), ("Audio/MPEG; x=y", "a", ".mp3"),
      ("application/x-any", "https://h/a.EPUB?x.exe", ".epub"), ("", "https://h/a.exe", ""),
      ("x", "https://h.mp3/", ""),
    ]
    for (type, url, expected) in table {
      XCTAssertEqual(MediaExtension.of(type: type, url: url), expected, url)
    }
    XCTAssertEqual(MediaExtension.of(type: nil, url: "a.ogg"), ".ogg")
  }
}
