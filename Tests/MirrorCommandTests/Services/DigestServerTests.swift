import Foundation
import SyncText
import TestSupport
import XCTest

/// Real servers that want a proof of the password (RFC 7616).
final class DigestServerTests: MirrorTestCase {
  private static let name = "märy ann"
  /// With what separates, ends or escapes in some of the places that it passes through.
  private static let password = "a:b \"ü\" c\\d, e'f"
  private static let kinds: [ListingServer.Kind] = [.apache("FancyIndexing"), .lighttpd]

  private func serve(_ kind: ListingServer.Kind) throws -> (ListingServer, host: String) {
    let realm = "files, Basic"
    let secret = "\(Self.name):\(realm):\(Self.password)"
    let digest = try XCTUnwrap(ContentDigest(.md5, of: Array(secret.utf8)))
    let digits = "\(digest)".split(separator: ":").last ?? ""
    let lines = "\(Self.name):\(realm):\(digits)\n"
    let server = try serve(by: kind, asking: .init(realm: realm, lines: lines))
    return (server, String(server.url.dropFirst("http://".count)))
  }

  private func userInfo(_ password: String) -> String {
    [Self.name, password].map { PercentEncoding.encode(path: Array($0.utf8)) }
      .joined(separator: ":").replacing("a:b", with: "a%3Ab")
  }

  func testThePasswordIsProvenToWhoeverWantsThat() throws {
    try publish(["a.txt": "alpha", "deep/b.txt": "beta"])
    for kind in Self.kinds {
      let (server, host) = try serve(kind)
      assertEnd(try sync("http://\(userInfo(Self.password))@\(host)"), 0)
      try assertCopyIsTrue()
      let statuses = Dictionary(grouping: try server.takeRequests(), by: \.status)
      XCTAssertGreaterThan(statuses[200]?.count ?? 0, 3, "\(kind)")
      // As libcurl and the program's own file of passwords have it.
      let netrc = base.appending(path: "netrc")
      let word = Self.password.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
      let line = "machine 127.0.0.1 login \"\(Self.name)\" password \"\(word)\"\n"
      try Data(line.utf8).write(to: netrc)
      try FileManager.default.removeItem(at: copy)
      assertEnd(try sync(server.url, ["--netrc-file", netrc.path]), 0)
      try assertCopyIsTrue()
      try FileManager.default.removeItem(at: copy)
    }
  }

  func testAWrongPasswordIsToldAsSuchAndIsNotSaid() throws {
    try publish(["a.txt": "alpha"])
    for kind in Self.kinds {
      let (_, host) = try serve(kind)
      let outcome = try sync("http://\(userInfo("wrong"))@\(host)")
      assertEnd(outcome, 1)
      XCTAssert(outcome.said.contains("401"), outcome.said)
      XCTAssert(outcome.said.contains("check the credentials"), outcome.said)
      XCTAssertFalse(outcome.said.contains("wrong"), outcome.said)
      XCTAssertFalse(isThere(copy))
    }
  }
}
