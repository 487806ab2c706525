import XCTest
@testable import SyncText

final class URLReferenceTests: XCTestCase {
  func testReferencesResolveAsInTheStandard() throws {
    // RFC 3986, sections 5.4.1 and 5.4.2, less the fragments.
    let base = try XCTUnwrap(URLReference("http://a/b/c/d;p?q"))
    let table = [
      "g:h": "g:h", "g": "http://a/b/c/g", "./g": "http://a/b/c/g", "g/": "http://a/b/c/g/",
      "/g": "http://a/g", "//g": "http://g", "?y": "http://a/b/c/d;p?y", "g?y": "http://a/b/c/g?y",
      ";x": "http://a/b/c/;x", "": "http://a/b/c/d;p?q", ".": "http://a/b/c/",
      "./": "http://a/b/c/",
      "..": "http://a/b/", "../g": "http://a/b/g", "../..": "http://a/", "../../g": "http://a/g",
      "../../../g": "http://a/g", "../../../../g": "http://a/g", "/./g": "http://a/g",
      "/../g": "http://a/g", "g.": "http://a/b/c/g.", "..g": "http://a/b/c/..g",
      "./../g": "http://a/b/g", "./g/.": "http://a/b/c/g/", "g/./h": "http://a/b/c/g/h",
      "g/../h": "http://a/b/c/h", "g;x=1/../y": "http://a/b/c/y",
      "g?y/../x": "http://a/b/c/g?y/../x",
      "#s": "http://a/b/c/d;p?q",
    ]
    for (reference, target) in table {
      let resolved = try XCTUnwrap(URLReference(reference)).resolved(against: base)
      XCTAssertEqual(resolved.text, target, reference)
    }
  }

  func testWhatIsNoURLIsRefusedAndIRIsAreEncoded() {
    for text in ["a b", "a\nb", "a\u{7F}", "<a>", "a\"b", "%", "%4", "%zz", "a\\b", "{x}"] {
      XCTAssertNil(URLReference(text), text)
    }
    XCTAssertEqual(URLReference("http://h/é")?.text, "http://h/%C3%A9")
  }

  func testUserInfoAndQueriesDoNotShowInMessages() {
    XCTAssertEqual(
      URLReference("https://me:secret@h/x?token=1")?.redacted, "https://h/x?…")
  }

  func testWhatMayBeASecretIsTold() throws {
    for text in [
      "https://h/x", "https://h/x?", "https://h/?C=M;O=D", "https://h/x?page=12&sort=name%20up",
      "https://h/x?list-type=2&prefix=pub/2026-11/", "https://h/x?feed", "file:///x",
    ] {
      XCTAssertEqual(try XCTUnwrap(URLReference(text)).mayHoldSecret, false, text)
    }
    for text in [
      "https://me@h/x", "https://h/x?token=1", "https://h/x?a=b&X-Amz-Signature=ab",
      "https://h/x?access_key=k", "https://h/x?s=Hw8vQ2rT9x", "https://h/x?p=123456789012",
      "https://h/x?550e8400-e29b-41d4-a716-446655440000", "https://h/x?s=%48w8vQ2rT9x",
      "https://h/x?sort=abcdefghijklmnopqrst", "https://h/x?sort=%zz", "https://h/x?pw=sesame",
      "https://h/x?p=correcthorse", "https://h/x?page=123456789012", "https://h/x?sesame",
    ].compactMap({ URLReference($0) }) {
      XCTAssertTrue(text.mayHoldSecret, text.text)
    }
  }

  func testATextIsToldToBeAReferenceWithoutTakingItApart() {
    let pieces = ["a", "%", "%4", "%41", "%zz", "é", " ", "<", "?", "#", "[", "\\", "^", "\n", "~"]
    for first in pieces {
      for second in pieces {
        for third in ["", "a", "/"] {
          var text = first + second + third
          let isValid = text.withUTF8(URLReference.isValid)
          XCTAssertEqual(isValid, URLReference(text) != nil, text)
        }
      }
    }
  }
}
