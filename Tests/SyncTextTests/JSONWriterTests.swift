import XCTest
@testable import SyncText

final class JSONWriterTests: XCTestCase {
  private func value(_ text: String) throws -> JSONValue {
    try JSONValue(Array(text.utf8), in: 0..<text.utf8.count, nesting: 64)
  }
  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  func testMembersAndElementsStandInTheOrderInWhichTheyAreAdded() throws {
    let raw = try value(" { \"x\" : [ 1 ,2.0 ] , \"y\":\" \\u0061 \\\" \" } ")
    let double = try XCTUnwrap(JSONNumber(2.5))
    let bytes = JSONWriter.object { object in
      object.add("z", 1)
      object.add("a", "é\"\n")
      object.add("yes", true)
      object.add("nothing", JSONNull())
      object.object("empty") { _ in }
      object.array("list") { list in
        list.add(Int64.min)
        list.add(double)
        list.add(JSONNull())
        list.array { _ in }
        list.object { $0.add("b", false) }
        list.array { $0.add("{") }
      }
      object.add("raw", raw)
    }
    XCTAssertEqual(
      text(bytes),
      #"{"z":1,"a":"é\"\u000A","yes":true,"nothing":null,"empty":{},"#
        + #""list":[-9223372036854775808,2.5,null,[],{"b":false},["{"]],"#
        + #""raw":{"x":[1,2.0],"y":" \u0061 \" "}}"#)
    XCTAssertEqual(text(JSONWriter.array { _ in }), "[]")
    XCTAssertEqual(text(JSONWriter.value("a")), #""a""#)
  }

  func testAClosureThatThrowsAddsNothing() throws {
    struct Stop: Error {}
    let bytes = try JSONWriter.object { object in
      object.add("a", 1)
      XCTAssertThrowsError(
        try object.array("b") {
          $0.add(1)
          throw Stop()
        })
      try object.array("c") { list in
        XCTAssertThrowsError(try list.object { _ in throw Stop() })
        XCTAssertThrowsError(try list.array { _ in throw Stop() })
        list.add(2)
        list.object { _ in }
      }
      XCTAssertThrowsError(try object.object("d") { _ in throw Stop() })
    }
    XCTAssertEqual(text(bytes), #"{"a":1,"c":[2,{}]}"#)
    XCTAssertThrowsError(try JSONWriter.array { _ in throw Stop() })
  }

  func testOnlyWhatMustBeIsEscaped() {
    let strings: [(String, String)] = [
      ("", ""), ("/", "/"), ("\u{7F}\u{2028}😀", "\u{7F}\u{2028}😀"), ("\"\\", #"\"\\"#),
      ("\u{0}\u{8}\t\n\u{C}\r\u{1F} ", #"\u0000\u0008\u0009\u000A\u000C\u000D\u001F "#),
      ("\u{D7FF}\u{E000}\u{FFFF}", "\u{D7FF}\u{E000}\u{FFFF}"), (#"\u0041"#, #"\\u0041"#),
    ]
    for (string, written) in strings {
      XCTAssertEqual(text(JSONWriter.value(string)), "\"\(written)\"")
      XCTAssertEqual(text(JSONWriter.value(JSONText(string))), "\"\(written)\"")
    }
  }

  func testBytesAreTextOrLoneSurrogatesOrNoJSON() throws {
    let strings: [([UInt8], String)] = [
      ([0xED, 0xA0, 0x80], #""\uD800""#), ([0x61, 0xED, 0xBF, 0xBF, 0x62], #""a\uDFFFb""#),
      ([0xED, 0xA0, 0x80, 0xED, 0xA0, 0x80], #""\uD800\uD800""#),
      ([0xED, 0xB0, 0x80, 0xED, 0xA0, 0x80], #""\uDC00\uD800""#),
      ([0xED, 0xA0, 0x80] + Array(#"\uDC00"#.utf8), #""\uD800\\uDC00""#),
      (Array("é😀\u{D7FF}".utf8), "\"é😀\u{D7FF}\""),
    ]
    for (bytes, written) in strings {
      let string = try XCTUnwrap(JSONText(bytes: bytes), written)
      XCTAssertEqual(text(JSONWriter.value(string)), written)
      XCTAssertEqual(try value(written).stringBytes, bytes)
    }
    let others: [[UInt8]] = [
      [0xFF], [0x80], [0xC3], [0xC0, 0xAF], [0xED, 0xA0], [0xED], [0xF4, 0x90, 0x80, 0x80],
      // Both halves of one character, which would come back as that character.
      [0xED, 0xA0, 0x80, 0xED, 0xB0, 0x80],
    ]
    for bytes in others {
      XCTAssertNil(JSONText(bytes: bytes), "\(bytes)")
      let written = JSONText.written(bytes)
      let read = try JSONValue(written, in: 0..<written.count, nesting: 0)
      XCTAssertEqual(read.stringBytes, bytes)
    }
  }

  func testValuesMeanTheSameHoweverTheyAreWritten() throws {
    let same = [
      #"{"b":[1,2.50,"é"],"a":{"y":null,"x":true}}"#,
      #" {"a" : {"x":true, "y":null}, "b":[1.0, 25e-1, "\u00E9"]} "#,
      #"{"\u0061":{"\u0078":true,"y":null},"b":[10e-1,2.5,"\u00e9"]}"#,
    ]
    for text in same {
      XCTAssertTrue(try value(same[0]).means(theSameAs: value(text)), text)
      XCTAssertEqual(
        self.text(try value(text).canonicalBytes),
        #"{"a":{"x":true,"y":null},"b":[1,25e-1,"é"]}"#)
    }
    let others = [
      "1", "\"1\"", "[1]", "[1,2]", "[2,1]", "null", "true", "false", "{}", "[]", "\"\"", "1.1",
      #"{"a":1}"#, #"{"a":null}"#, #"{"A":1}"#, #"{"a":1,"b":2}"#, "\"\u{E9}\"", "\"e\u{301}\"",
    ]
    for (line, text) in others.enumerated() {
      for (other, otherText) in others.enumerated() {
        let areOne = try value(text).means(theSameAs: value(otherText))
        XCTAssertEqual(areOne, line == other, "\(text) and \(otherText)")
      }
    }
  }
}
