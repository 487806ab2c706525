import Foundation
import TestSupport
import XCTest

/// A source that answers, but not with what it should: nothing is lost by it.
final class SuspiciousListingTests: MirrorTestCase {
  private var texts: [String: String] {
    (10..<40).reduce(into: [:]) { $0["file \($1).txt"] = "text \($1)" }
  }

  func testALoginPageInsteadOfTheListingIsAFailureThatRemovesNothing() throws {
    let server = try mirroredServer()
    try server.restart(
      NginxServer.Options(
        listing: .html,
        locations: [
          """
          location / { default_type text/html;
            return 200 '<html><head><title>Sign in</title></head><body><form></form></body></html>';
          }
          """
        ]))
    assertRefused(try sync(server.url), 1, saying: server.url, "expected")
    XCTAssertEqual(try copied(), texts)
  }

  func testAnEmptyBodyInsteadOfTheListingIsAFailureThatRemovesNothing() throws {
    let server = try mirroredServer()
    try server.restart(NginxServer.Options(locations: ["location / { return 200 ''; }"]))
    assertRefused(try sync(server.url), 1, saying: server.url)
    XCTAssertEqual(try copied(), texts)
  }

  func testAnEmptyListingIsRefusedAndRemovesNothing() throws {
    let server = try mirroredServer()
    try FileManager.default.removeItem(at: source)
    try makeFolder(at: source)
    assertRefused(try sync(server.url), 3, saying: "30", "--max-delete")
    XCTAssertEqual(try copied(), texts)
  }

  func testLessThanHalfOfTheListingIsRefusedAndRemovesNothing() throws {
    let server = try mirroredServer()
    for number in 10..<26 { try withdraw("file \(number).txt") }
    try publish(["new.txt": "new"])
    assertRefused(try sync(server.url), 3, saying: "16", "--max-delete")
    XCTAssertEqual(try copied(), texts, "a refused run downloads nothing either")
  }

  func testARefusedRemovalIsDoneWhenItIsAllowed() throws {
    let server = try mirroredServer()
    for number in 10..<26 { try withdraw("file \(number).txt") }
    assertEnd(try sync(server.url), 3)
    assertEnd(try sync(server.url, ["--max-delete", "20"]), 0)
    try assertCopyIsTrue()
  }

  func testAFolderThatCantBeListedSpeaksOnlyForItself() throws {
    try publish(["open/a.txt": "a", "open/stays.txt": "s", "closed/b.txt": "b"])
    let server = try serve(listing: .html)
    assertEnd(try sync(server.url), 0)
    try withdraw("open/a.txt")
    try server.restart(
      NginxServer.Options(listing: .html, locations: ["location /closed/ { return 403; }"]))
    let outcome = try sync(server.url)
    XCTAssertEqual(outcome.end, .exited(2), "\(outcome)")
    XCTAssertEqual(try copied()["closed/b.txt"], "b")
    XCTAssertEqual(
      try copied().keys.sorted(), ["closed/b.txt", "open/stays.txt"], "the rest is still complete")
    XCTAssertTrue(outcome.said.contains("1 directory isn't read"), "\(outcome)")
  }

  private func mirroredServer() throws -> NginxServer {
    try publish(texts)
    let server = try serve(listing: .html)
    assertEnd(try sync(server.url), 0)
    XCTAssertEqual(try copied(), texts)
    return server
  }
}
