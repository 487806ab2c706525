import XCTest

@testable import RecordSync

/// The address of the next page in a body, however it comes.
final class NextScanTests: XCTestCase {
  private func found(
    _ body: String, at path: String, pieces: Int = 1, takesLinks: Bool = false
  ) throws -> NextScan.Found {
    var scan = NextScan(try XCTUnwrap(PayloadPath(path)), takesLinks: takesLinks)
    let bytes = Array(body.utf8)
    for start in stride(from: 0, to: bytes.count, by: pieces) {
      bytes[start..<min(start + pieces, bytes.count)].withUnsafeBytes { scan.read($0) }
    }
    return scan.found
  }

  func testTheTextAtThePathIsFound() throws {
    let bodies: [(String, String, NextScan.Found)] = [
      (#"{"next": "/b"}"#, "next", .text("/b")),
      (#"{"next": null}"#, "next", .nothing),
      (#"{"next": ""}"#, "next", .nothing),
      (#"{}"#, "next", .nothing),
      (#"[{"next": "/b"}]"#, "next", .nothing),
      (#"{"next": 7, "a": 1}"#, "next", .number("7")),
      (#"{"next": true}"#, "next", .other),
      (#"{"next": {"next": "/b"}}"#, "next", .other),
      (#"{"next": ["/b"]}"#, "next", .other),
      (#"{"data": [{"next": "/x", "a": ["next"]}, "next"], "next": "/b"}"#, "next", .text("/b")),
      (#"{"next": "/b", "data": [{"next": "/x"}]}"#, "next", .text("/b")),
      (#"{"a": "next", "b": "\"next\": ", "next" : "\/b?x=1"}"#, "next", .text("/b?x=1")),
      (#"{"links": {"self": "/a", "next": "/b"}, "next": "/c"}"#, "links.next", .text("/b")),
      (#"{"links": {"self": {"next": "/a"}}, "x": {"next": "/c"}}"#, "links.next", .nothing),
      (#"{"links": null, "next": "/c"}"#, "links.next", .nothing),
      (#"{"links": [{"next": "/c"}]}"#, "links.next", .nothing),
    ]
    for (body, path, expected) in bodies {
      for pieces in [1, 3, 1_000] {
        XCTAssertEqual(try found(body, at: path, pieces: pieces), expected, body)
      }
    }
  }

  func testALinkMayBeAnObjectThatHasTheAddress() throws {
    let bodies: [(String, NextScan.Found)] = [
      (#"{"links": {"next": {"href": "/b", "meta": {"href": "/x"}}, "href": "/y"}}"#, .text("/b")),
      (#"{"links": {"next": {"meta": {"href": "/x"}, "href": "/b"}}}"#, .text("/b")),
      (#"{"links": {"next": {"href": null}}}"#, .nothing),
      (#"{"links": {"next": {"url": "/b"}, "href": "/y"}, "href": "/z"}"#, .other),
      (#"{"links": {"next": {}}}"#, .other), (#"{"links": {"next": ["/b"]}}"#, .other),
      (#"{"links": {"next": {"href": {"href": "/b"}}}}"#, .other),
      (#"{"links": {"next": {"href": 7}}}"#, .number("7")),
      (#"{"links": {"next": "/b"}}"#, .text("/b")), (#"{"links": {"next": null}}"#, .nothing),
      (#"{"links": {"self": {"href": "/a"}}}"#, .nothing),
    ]
    for (body, expected) in bodies {
      for pieces in [1, 3, 1_000] {
        let found = try found(body, at: "links.next", pieces: pieces, takesLinks: true)
        XCTAssertEqual(found, expected, body)
      }
    }
  }

  func testATextWithoutEndIsNotHeld() throws {
    let body = #"{"next": ""# + String(repeating: "a", count: 200_000) + #"", "b": 1}"#
    guard case .text(let text) = try found(body, at: "next", pieces: 4_096) else {
      return XCTFail("no text")
    }
    XCTAssertLessThan(text.utf8.count, 70_000)
  }
}
