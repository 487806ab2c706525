import Foundation
import TestSupport
import XCTest

/// F10: a proxy that the environment names is used, told its password and no other secret.
final class F10ProxyTests: FaultTestCase {
  private static let secret = "s3cr3t"
  private let site = HonestSite(["a": "alpha", "b": "beta"])

  /// Answers for any host, as a proxy does.
  private func proxy(_ site: HonestSite) throws -> FaultServer {
    try serveFaults { request, attempt in
      guard request.method == "GET" else { return FaultAnswer(status: 502) }
      let path = "/" + (request.path.split(separator: "/").last ?? "")
      return site.script(
        RawRequest(lines: ["GET \(path) HTTP/1.1"] + request.lines.dropFirst()), attempt)
    }
  }

  private func sync(
    _ catalog: String, through proxy: String, _ options: [String] = [],
    _ more: [String: String] = [:]
  ) throws -> ProgramOutcome {
    let environment = ["http_proxy": proxy, "https_proxy": proxy].merging(more) { $1 }
    let arguments = ["sync", catalog, copy.path, "--retries", "1"] + options
    return try start(arguments, environment: environment).outcome(within: .seconds(60))
  }

  private func assertHidden(_ outcome: ProgramOutcome, line: UInt = #line) {
    XCTAssertFalse("\(outcome)".contains(Self.secret), "\(outcome)", line: line)
  }

  func testTheProxyOfTheEnvironmentIsUsedAndItsPasswordKept() async throws {
    let proxy = try proxy(site)
    let address = "http://user:\(Self.secret)@127.0.0.1:\(proxy.port)"
    let outcome = try sync("http://catalog.invalid/catalog.ndjson", through: address)
    assertEnd(outcome, 0)
    assertHidden(outcome)
    XCTAssertEqual(try copied(), ["a": "alpha", "b": "beta"])
    try await assertNothingIsLost(of: site.versions, "through a proxy")
    let encoded = Data("user:\(Self.secret)".utf8).base64EncodedString()
    for request in proxy.requests {
      XCTAssertTrue(request.path.hasPrefix("http://catalog.invalid/"), request.path)
      XCTAssertEqual(request["Proxy-Authorization"], "Basic \(encoded)")
    }
    for path in try FileManager.default.subpathsOfDirectory(atPath: copy.path) {
      let bytes = try? Data(contentsOf: copy.appending(path: path))
      XCTAssertNil(bytes?.firstRange(of: Data(Self.secret.utf8)), path)
    }
    let direct = try serve(site)
    _ = proxy.takeRequests()
    assertEnd(
      try sync(
        direct.url("/catalog.ndjson"), through: address, ["--new-catalog"],
        ["no_proxy": "localhost,127.0.0.0/8"]),
      0)
    XCTAssertEqual(proxy.requests.count, 0)
    XCTAssertGreaterThan(direct.requests.count, 0)
  }

  func testAProxyThatRefusesOrIsGoneIsNamedWithoutItsPassword() throws {
    let refusing = try serveFaults { _, _ in
      FaultAnswer(status: 407, headers: [("Proxy-Authenticate", "Basic realm=x")])
    }
    let gone = try LoopbackListener()
    gone.close()
    let secret = Self.secret
    let at = { (host: String) in "http://user:\(secret)@\(host)" }
    let header = ["--header", "X-Key: \(secret)"]
    for (proxy, catalog, words) in [
      (at("127.0.0.1:\(refusing.port)"), "http://catalog.invalid/c", "407"),
      (
        at("127.0.0.1:\(refusing.port)"), "https://catalog.invalid/c",
        "status 407 (the proxy's answer)"
      ),
      (at("127.0.0.1:\(gone.port)"), "http://catalog.invalid/c", "no connection could be made"),
      (at("proxy.invalid:1"), "http://catalog.invalid/c", "could not be resolved"),
      (at("proxy.invalid:99999"), "http://catalog.invalid/c", "the address of the proxy"),
      ("socks9://x:\(secret)@127.0.0.1:1", "http://catalog.invalid/c", "http_proxy"),
    ] {
      let outcome = try sync(catalog, through: proxy, header)
      assertRefused(outcome, 1, saying: words)
      assertHidden(outcome)
    }
    let tunnels = refusing.requests.filter { $0.method == "CONNECT" }
    XCTAssertEqual(tunnels.count, 1, "a refusal isn't tried again")
    for request in tunnels {
      XCTAssertNil(request["X-Key"], "the proxy was told what is the server's")
    }
    XCTAssertEqual(
      try FileManager.default.subpathsOfDirectory(atPath: base.path).filter {
        $0.hasSuffix("copy/a")
      }, [])
  }

  func testF10_aProxyThatCannotBeReachedIsNamed() throws {
    let proxy = try proxy(site)
    proxy.stop()
    let address = "http://user:\(Self.secret)@127.0.0.1:\(proxy.port)"
    let outcome = try sync(
      "http://catalog.invalid/catalog.ndjson", through: address, ["--retries", "0"])
    assertRefused(outcome, 1, saying: "through the proxy: ")
    assertHidden(outcome)
  }
}
