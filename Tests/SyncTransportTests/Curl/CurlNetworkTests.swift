import Foundation
import SyncLock
import SyncTransport
import TestSupport
import TransportTesting
import XCTest

/// Addresses, proxies, passwords and TLS.
final class CurlNetworkTests: XCTestCase {

  private func answering() throws -> RawServer {
    try RawServer { connection, _ in
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
    }
  }

  func testAKeptConnectionIsAskedAboutToo() async throws {
    let server = try answering()
    let transport = CurlTransport(environment: [:])
    var request = HTTPRequest(try WebAddress(server.url("/")))
    _ = try await transport.exchange(request, into: DiscardingReceiver())
    request.admits = { $0.isPublic }
    let stage = Bare(transport: transport)
    let error = await stage.failure(request, into: DiscardingReceiver()) as? TransportError
    XCTAssertEqual(error?.code, .addressRefused)
    XCTAssertEqual(server.requests.count, 1)
    await transport.close()
    server.stop()
  }

  func testEverySpellingOfAnAddressIsAskedAbout() async throws {
    let server = try answering()
    let transport = CurlTransport(environment: [:])
    for host in ["127.1", "2130706433", "0177.0.0.1", "0x7f000001", "localhost", "[::1]"] {
      var request = HTTPRequest(try WebAddress("http://\(host):\(server.port)/"))
      request.admits = { $0.isPublic }
      let error = await Bare(transport: transport).failure(request, into: DiscardingReceiver())
      XCTAssertEqual((error as? TransportError)?.code, .addressRefused, host)
    }
    XCTAssertEqual(server.connectionCount, 0)
    await transport.close()
    server.stop()
  }

  func testBehindAProxyTheProxyIsNotAskedAbout() async throws {
    let proxy = try answering()
    let environment = ["http_proxy": "http://user:secret@127.0.0.1:\(proxy.port)"]
    let transport = curl(environment: environment)
    var request = HTTPRequest(try WebAddress("http://far.example/x"))
    request.admits = { _ in false }
    try await assertEqual(transport.exchange(request, into: DiscardingReceiver()).status, 200)
    XCTAssertEqual(proxy.requests.first?.lines.first, "GET http://far.example/x HTTP/1.1")
    proxy.stop()
    let error = await Bare(transport: transport).failure(
      HTTPRequest(try WebAddress("https://far.example/x?secret")), into: DiscardingReceiver())
    XCTAssertFalse("\(error as Any)".contains("secret"))
  }

  func testPasswordsComeFromANetrcFile() async throws {
    let server = try answering()
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try Data("machine 127.0.0.1 login me password secret\n".utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    var configuration = TransportConfiguration()
    configuration.netrc = .file(file.path)
    let transport = CurlTransport(configuration, environment: [:])
    let request = HTTPRequest(try WebAddress(server.url("/")))
    _ = try await transport.exchange(request, into: DiscardingReceiver())
    XCTAssertEqual(server.requests.first?["Authorization"], "Basic bWU6c2VjcmV0")
    await transport.close()
    server.stop()
  }

  func testAServerThatDoesNotSpeakTLSIsAnErrorThatMayPass() async throws {
    let server = try RawServer { _, _ in false }
    let transport = curl()
    let request = HTTPRequest(try WebAddress("https://127.0.0.1:\(server.port)/"))
    let closer = Task {
      await Bare(transport: transport).failure(request, into: DiscardingReceiver())
    }
    while server.connectionCount == 0 { await Task.yield() }
    server.stop()
    let error = await closer.value as? TransportError
    XCTAssertEqual(error?.code, .tls)
    XCTAssertEqual(error?.isTransient, true)
  }

  /// The label is too long for DNS, so nobody is asked.
  func testANameThatDoesNotResolveIsSaidNotToResolve() async throws {
    let transport = curl()
    let request = HTTPRequest(
      try WebAddress("http://\(String(repeating: "x", count: 64)).invalid/"))
    let error = await Bare(transport: transport).failure(request, into: DiscardingReceiver())
    XCTAssertEqual((error as? TransportError)?.code, .couldNotResolve)
  }

  func testANameThatDoesNotResolveHarmsNoOtherRequest() async throws {
    // libcurl 7.88 refuses to set up a handle again that failed to resolve a name; it was kept,
    // and every later request of the run failed with "code 43".
    let server = try RawServer { connection, _ in
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
    }
    let transport = curl()
    let bad = HTTPRequest(
      try WebAddress("http://\(String(repeating: "x", count: 64)).invalid/"))
    let good = HTTPRequest(try WebAddress("http://127.0.0.1:\(server.port)/"))
    for _ in 0..<3 {
      let error = await Bare(transport: transport).failure(bad, into: DiscardingReceiver())
      XCTAssertEqual((error as? TransportError)?.code, .couldNotResolve)
      try await assertEqual(transport.exchange(good, into: DiscardingReceiver()).status, 200)
    }
  }

  func testAHandshakeThatNeverEndsTimesOut() async throws {
    let server = try rawServer { _, _ in false }
    let transport = curl()
    var request = HTTPRequest(try WebAddress("https://127.0.0.1:\(server.port)/"))
    request.connectTimeout = .milliseconds(50)
    let error = await Bare(transport: transport).failure(request, into: DiscardingReceiver())
    XCTAssertEqual((error as? TransportError)?.code, .timedOut)
  }

  func testAKeptConnectionMakesRoomForAnotherHost() async throws {
    let servers = [try answering(), try answering()]
    var configuration = TransportConfiguration()
    configuration.maxConnections = 1
    let transport = CurlTransport(configuration, environment: [:])
    for turn in 0..<6 {
      var request = HTTPRequest(try WebAddress(servers[turn % 2].url("/")))
      request.connectTimeout = .seconds(2)
      try await assertEqual(transport.exchange(request, into: DiscardingReceiver()).status, 200)
    }
    XCTAssertEqual(servers.map(\.connectionCount), [3, 3])
    await transport.close()
    for server in servers { server.stop() }
  }
}
