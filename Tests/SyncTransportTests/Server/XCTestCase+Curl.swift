import SyncTransport
import TestSupport
import XCTest

extension XCTestCase {
  /// A transport that is closed when the test is over.
  func curl(
    _ configuration: TransportConfiguration = TransportConfiguration(),
    environment: [String: String] = [:]
  ) -> CurlTransport {
    let transport = CurlTransport(configuration, environment: environment)
    addTeardownBlock { await transport.close() }
    return transport
  }

  /// A server of raw sockets that stops when the test is over.
  func rawServer(_ handler: @escaping RawServer.Handler) throws -> RawServer {
    let server = try RawServer(handler)
    addTeardownBlock { server.stop() }
    return server
  }
}
