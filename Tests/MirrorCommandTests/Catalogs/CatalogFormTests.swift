import TestSupport
import Foundation
import XCTest

/// The forms in which a catalog may come, each by way of a real server.
final class CatalogFormTests: MirrorTestCase {
  private let texts = ["a.txt": "hello", "b c.txt": "hello"]
  private let digest = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"

  func testChecksumsOfCoreutilsAreACatalog() throws {
    try assertMirrors("SHA256SUMS", "\(digest)  a.txt\n\(digest) *b c.txt\n")
  }

  func testAnObjectIsACatalog() throws {
    try assertMirrors(
      "all.json", #"{"catalog": 1, "count": 2, "items": [{"key": "a.txt"}, {"key": "b c.txt"}]}"#)
  }

  func testABareArrayIsACatalogThatRemovesNothing() throws {
    try assertMirrors("all.json", #"[{"key": "a.txt"}, {"key": "b c.txt"}]"#)
  }

  func testPagesAreFollowedToTheLast() throws {
    try publish([
      "2.ndjson": """
      {"catalog": 1, "count": 2}
      {"key": "b c.txt"}

      """
    ])
    try assertMirrors(
      "1.ndjson",
      """
      {"catalog": 1, "count": 2, "next": "2.ndjson"}
      {"key": "a.txt"}

      """)
  }

  func testACatalogOnThisMachineNeedsNoServer() throws {
    try publish(texts)
    try publishCatalog()
    assertEnd(try sync("file://\(source.path)/catalog.ndjson"), 0)
    XCTAssertEqual(try copied(), texts)
    let second = try sync("file://\(source.path)/catalog.ndjson")
    assertEnd(second, 0)
    XCTAssertTrue(second.printed.contains("unchanged"), "\(second)")
  }

  func testACatalogMayComeCompressed() throws {
    try publish(texts)
    try publish(["all.ndjson": #"{"catalog": 1, "complete": true}"# + "\n" + #"{"key": "a.txt"}"#])
    let gzip = try start([source.path + "/all.ndjson"], program: try Programs.find("gzip"))
    XCTAssertEqual(try gzip.end(within: .seconds(10)), .exited(0), gzip.said)
    // Only the compressed form is there, and it is all that the server gives.
    let server = try serve(nil, NginxServer.Options(locations: ["gzip_static always;"]))
    assertEnd(try sync(server.url + "all.ndjson"), 0)
    XCTAssertEqual(try copied(), ["a.txt": "hello"])
  }

  /// Publishes `catalog` beside the two texts; what it lists arrives, and when it lists one less,
  /// that goes only when somebody vouches that this is all.
  private func assertMirrors(
    _ name: String, _ catalog: String, file: StaticString = #filePath,
    line: UInt = #line
  ) throws {
    try publish(texts)
    try publish([name: catalog])
    let server = try serve()
    assertEnd(try sync(server.url + name), 0, file: file, line: line)
    XCTAssertEqual(try copied(), texts, file: file, line: line)

    try Data("foreign".utf8).write(to: copy.appending(path: "mine.txt"))
    try publish([name: #"[{"key": "a.txt"}]"#], dated: Self.longAgo.addingTimeInterval(60))
    assertEnd(try sync(server.url + name), 0, file: file, line: line)
    XCTAssertEqual(
      try copied().count, 3, "a partial list removed something", file: file, line: line)
    assertEnd(try sync(server.url + name, ["--complete"]), 0, file: file, line: line)
    XCTAssertEqual(
      try copied(), ["a.txt": "hello", "mine.txt": "foreign"], file: file, line: line)
  }
}
