import Foundation
import TestSupport
import XCTest

/// F10: what is meant for the catalog's origin is told to no other, printed nowhere and
/// stored nowhere.
final class F10SecretTests: PrivateNetworkTestCase {
  private static let secret = "s3cr3t"
  private static let encoded = Data("user:\(secret)-password".utf8).base64EncodedString()

  private let site = HonestSite([
    HonestSite.Item(key: "own", bytes: Array("own".utf8)),
    HonestSite.Item(key: "redirected", bytes: Array("redirected".utf8)),
    HonestSite.Item(key: "to-a-port", bytes: Array("to-a-port".utf8)),
    HonestSite.Item(key: "there-and-back", bytes: Array("back".utf8)),
    HonestSite.Item(key: "far", bytes: Array("far".utf8), url: "http://other.test/far"),
    HonestSite.Item(
      key: "port", bytes: Array("port".utf8), url: "http://catalog.test:8080/port"),
    HonestSite.Item(key: "gone", bytes: Array("gone".utf8), url: "http://other.test/gone"),
  ])

  /// The catalog's own server sends each item's request elsewhere, or asks for a cookie.
  private func script(_ site: HonestSite) -> FaultServer.Script {
    { request, attempt in
      switch request.path {
      case "/redirected": return .redirect(to: "http://other.test/redirected?its=own", status: 307)
      case "/to-a-port": return .redirect(to: "http://catalog.test:8080/to-a-port")
      case "/there-and-back":
        return attempt == 1
          ? .redirect(to: "http://u:p@other.test/there-and-back")
          : FaultAnswer(text: "back", headers: [("Set-Cookie", "id=\(Self.secret); Path=/")])
      default: break
      }
      var path = request
      path.dropQuery()
      return site.script(path, attempt)
    }
  }

  private func elsewhere(_ site: HonestSite) -> FaultServer.Script {
    { request, attempt in
      var path = request
      path.dropQuery()
      switch path.path {
      case "/there-and-back": return .redirect(to: "http://catalog.test/there-and-back")
      case "/gone": return FaultAnswer(status: 404)
      case "/page2":
        return FaultAnswer(text: #"{"catalog":1,"complete":true}"# + "\n")
      default: return site.script(path, attempt)
      }
    }
  }

  /// Runs with secrets, and asserts that they stay where they belong.
  ///
  /// - Parameter wanted: What the catalog's own server must have been told.
  private func assertSecretsStay(
    _ options: [String], catalog: String = "http://catalog.test" + HonestSite.catalogPath,
    wanted: [String], line: UInt = #line
  ) throws {
    let own = try serveFaults(at: Self.catalogAddress, script(site))
    let others = try [
      serveFaults(at: Self.otherAddress, elsewhere(site)),
      serveFaults(at: Self.catalogAddress, port: 8080, elsewhere(site)),
    ]
    for style in [[], ["--json"]] {
      let outcome = try run(["sync", catalog, copy.path, "--retries", "0"] + style + options)
      assertEnd(outcome, 2, line: line)
      assertHidden("\(outcome)", "the output", line: line)
      XCTAssertEqual(try files(in: copy).count, 6, "\(outcome)", line: line)
    }
    assertHidden(try run(["status", copy.path]).printed, "status", line: line)
    let all = own.requests.map(\.text)
    for word in wanted {
      // Before a password is told, the server is asked what it wants, without it.
      let told = all.filter { !(word.contains(" Basic ") && $0.hasPrefix("HEAD ")) }
      XCTAssertTrue(told.allSatisfy { $0.contains(word) }, "not told: \(word) \(all)", line: line)
      XCTAssertFalse(told.isEmpty, line: line)
    }
    XCTAssertFalse(all.contains { $0.contains("Cookie: id=") }, "a cookie was kept", line: line)
    let told = others.flatMap(\.requests)
    XCTAssertGreaterThan(told.count, 5, line: line)
    for request in told {
      assertHidden(request.text, "the other origin's log", line: line)
      let names = request.lines.dropFirst().compactMap { $0.split(separator: ":").first }
      XCTAssertTrue(
        Set(names).isSubset(of: [
          "Host", "User-Agent", "Accept", "Accept-Encoding", "If-None-Match",
        ]),
        "\(names)", line: line)
    }
    for path in try FileManager.default.subpathsOfDirectory(atPath: copy.path) {
      guard let bytes = try? Data(contentsOf: copy.appending(path: path)) else { continue }
      assertHidden(String(decoding: bytes, as: UTF8.self), "the file \(path)", line: line)
    }
    for server in others + [own] { server.stop() }
    try FileManager.default.removeItem(at: copy)
  }

  private func assertHidden(_ text: String, _ place: String, line: UInt) {
    for secret in [Self.secret, Self.encoded] where text.contains(secret) {
      XCTFail("\(place) holds '\(secret)': \(text.prefix(2_000))", line: line)
    }
  }

  private func file(_ name: String, _ text: String) throws -> String {
    let file = base.appending(path: name)
    try Data(text.utf8).write(to: file)
    return file.path
  }

  func testF10_secretsGoToTheirOriginOnly() throws {
    let headers = try file(
      "headers", "X-Key: \(Self.secret)-key\nCookie: c=\(Self.secret)-cookie\n")
    try assertSecretsStay(
      ["--header", "@" + headers],
      catalog: "http://user:\(Self.secret)-password@catalog.test\(HonestSite.catalogPath)"
        + "?sig=\(Self.secret)-query",
      wanted: [
        "Authorization: Basic \(Self.encoded)", "X-Key: \(Self.secret)-key",
        "Cookie: c=\(Self.secret)-cookie",
      ])
    let token = try file("token", "  \(Self.secret)-token\n")
    try assertSecretsStay(
      ["--token-file", token], wanted: ["Authorization: Bearer \(Self.secret)-token"])
    let netrc = try file(
      "netrc",
      """
      machine catalog.test login user password \(Self.secret)-password
      machine other.test login user password \(Self.secret)-other
      default login any password \(Self.secret)-default
      """)
    try assertSecretsStay(
      ["--netrc-file", netrc], wanted: ["Authorization: Basic \(Self.encoded)"])
    try Extent.record(
      "F10", "password, token, netrc, cookie and headers, with items at two other origins",
      count: 3, "told to their origin only; in no output and no file")
  }

  func testF10_aCatalogThatIsRedirectedOrContinuedElsewhereTakesNoSecretAlong() throws {
    let own = try serveFaults(at: Self.catalogAddress) { request, _ in
      request.path.hasPrefix("/moved")
        ? .redirect(to: "http://other.test/page2")
        : FaultAnswer(
          text: #"{"catalog":1,"complete":true,"next":"http://other.test/page2"}"# + "\n")
    }
    let other = try serveFaults(at: Self.otherAddress, elsewhere(site))
    let token = try file("token", Self.secret)
    for path in ["/catalog.ndjson", "/moved"] {
      let outcome = try run([
        "sync", "http://catalog.test" + path, copy.path, "--token-file", token, "--header",
        "X-Key: \(Self.secret)",
      ])
      assertEnd(outcome, 0)
      try FileManager.default.removeItem(at: copy)
    }
    XCTAssertTrue(own.requests.allSatisfy { $0.text.contains("Bearer \(Self.secret)") })
    XCTAssertEqual(other.requests.count, 2)
    for request in other.requests { assertHidden(request.text, "the other's log", line: #line) }
  }
}

extension RawRequest {
  /// The head as it came.
  fileprivate var text: String { lines.joined(separator: "\n") }

  /// Without what follows the path.
  fileprivate mutating func dropQuery() {
    let words = lines[0].split(separator: " ")
    let path = words[1].split(separator: "?")[0]
    self = RawRequest(lines: ["\(words[0]) \(path) \(words[2])"] + lines.dropFirst())
  }
}
