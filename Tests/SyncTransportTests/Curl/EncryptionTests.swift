import Foundation
import SyncTransport
import TestSupport
import TransportTesting
import XCTest

/// Encryption against a real server: what is trusted, and what is said of a port that speaks the
/// other way.
final class EncryptionTests: XCTestCase {
  private var place = URL(filePath: "/")
  private var nginx: NginxServer?

  override func setUpWithError() throws {
    place = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    let root = place.appending(path: "root")
    try makeFolder(at: root)
    for number in 0..<20 {
      try Data(repeating: UInt8(number), count: 100_000 + number)
        .write(to: root.appending(path: "\(number)"))
    }
  }

  override func tearDownWithError() throws {
    try nginx?.stop()
    try FileManager.default.removeItem(at: place)
  }

  private func start(_ options: NginxServer.Options) throws -> NginxServer {
    let server = try NginxServer(
      root: place.appending(path: "root"), state: place.appending(path: "state"),
      options: options)
    nginx = server
    return server
  }

  private func fetch(
    _ url: String, _ configuration: TransportConfiguration = TransportConfiguration(),
    _ environment: [String: String] = [:]
  ) async throws -> HTTPResponse {
    let transport = CurlTransport(configuration, environment: environment)
    let client = HTTPClient(transport)
    do {
      let response = try await client.fetch(
        FetchRequest(HTTPRequest(try WebAddress(url))), into: DiscardingReceiver())
      await transport.close()
      return response
    } catch {
      await transport.close()
      throw error
    }
  }

  private func failure(_ url: String) async -> TransportError? {
    do {
      _ = try await fetch(url)
      return nil
    } catch { return error as? TransportError }
  }

  /// Found out at once: it was tried five times, over half a minute.
  func testHTTPSToAPortWithoutItIsNoFailureThatPasses() async throws {
    let server = try start(NginxServer.Options())
    let error = await failure("https://127.0.0.1:\(server.port)/1")
    XCTAssertEqual(error?.code, .withoutTLS)
    XCTAssertEqual(error?.isTransient, false)
    XCTAssertEqual(
      error?.reason, "this port doesn't speak TLS; use http://, or the server's port for https")
  }

  func testHTTPToAPortForHTTPSIsNoFailureThatPasses() async throws {
    let server = try start(NginxServer.Options(certificate: try Certificate(in: place)))
    let error = await failure("http://127.0.0.1:\(server.port)/1")
    XCTAssertEqual(error?.code, .onlyTLS)
    XCTAssertEqual(
      error?.reason, "this port speaks only TLS; use https://, or the server's port for http")
  }

  func testACertificateIsTrustedByTheFileThatTheEnvironmentNamesOrNotAskedFor() async throws {
    let certificate = try Certificate(in: place)
    let server = try start(NginxServer.Options(certificate: certificate))
    let url = server.url + "1"
    let error = await failure(url)
    XCTAssertEqual(error?.code, .certificate)
    let plain = TransportConfiguration()
    let trusting = ["SSL_CERT_FILE": certificate.file.path]
    try await assertEqual(fetch(url, plain, trusting).status, 200)
    var own = plain
    own.caFile = "/etc/ssl/certs/ca-certificates.crt"
    do {
      _ = try await fetch(url, own, trusting)
      XCTFail("a file that was named is preferred")
    } catch let error as TransportError { XCTAssertEqual(error.code, .certificate) }
    var careless = plain
    careless.verifiesServers = false
    try await assertEqual(fetch(url, careless).status, 200)
    // The name doesn't fit the certificate, either.
    let other = try await fetch(url.replacing("127.0.0.1", with: "localhost"), careless)
    XCTAssertEqual(other.status, 200)
  }

  func testHTTP2IsSpokenWhereItIsAllowed() async throws {
    var options = NginxServer.Options(
      locations: [
        "add_header X-Protocol $server_protocol;", "add_header X-Connection $connection;",
      ],
      certificate: try Certificate(in: place))
    options.speaksHTTP2 = true
    let server = try start(options)
    for (isAllowed, name) in [(true, "HTTP/2.0"), (false, "HTTP/1.1")] {
      var configuration = TransportConfiguration()
      configuration.caFile = options.certificate?.file.path
      configuration.allowsHTTP2 = isAllowed
      let transport = CurlTransport(configuration, environment: [:])
      let url = server.url
      var connections = Set<String>()
      try await withThrowingTaskGroup(of: (Int, HTTPResponse, [UInt8]).self) { group in
        for number in 0..<20 {
          group.addTask {
            let receiver = DataReceiver(limit: 1 << 20)
            let request = HTTPRequest(try WebAddress(url + "\(number)"))
            let response = try await transport.exchange(request, into: receiver)
            return (number, response, receiver.bytes)
          }
        }
        for try await (number, response, bytes) in group {
          XCTAssertEqual(response.headers["X-Protocol"], name)
          XCTAssertEqual(response.head.isMultiplexed, isAllowed)
          connections.insert(response.headers["X-Connection"] ?? "")
          XCTAssertEqual(
            bytes, [UInt8](repeating: UInt8(number), count: 100_000 + number), "\(number)")
        }
      }
      // Those that come while the first one is being made wait for it: it takes them all.
      if isAllowed { XCTAssertEqual(connections.count, 1) }
      await transport.close()
    }
  }
}
