import TestSupport
import XCTest

/// Where `--netrc` gives no password: that was said by the server alone, as a refusal.
final class NetrcTests: MirrorTestCase {
  func testThatNoPasswordIsFoundIsSaidBeforeTheServerIsAsked() throws {
    try publish(["a.txt": "alpha"])
    let server = try serve(listing: .html)
    let none = try mirror("sync", server.url, copy.path, "--netrc")
    assertEnd(none, 0)
    XCTAssert(none.said.contains("there is no netrc '"), "\(none)")
    let other = base.appending(path: "netrc")
    try Data("machine example.org login ann password secret\n".utf8).write(to: other)
    let without = try mirror("sync", server.url, copy.path, "--netrc-file", other.path)
    XCTAssert(without.said.contains("netrc' has no password for"), "\(without)")
    try Data("default login ann password secret\n".utf8).write(to: other)
    let with = try mirror("sync", server.url, copy.path, "--netrc-file", other.path)
    assertEnd(with, 0)
    XCTAssertFalse(with.said.contains("netrc"), "\(with)")
  }
}
