import SynchronizerTesting
import TestSupport
import SyncLock
import SyncTransport
import TransportTesting
import XCTest

/// What only a real connection can show.
final class CurlTransportTests: XCTestCase {
  func testConnectionsAreReusedAcrossManyRequests() async throws {
    let body = [UInt8](repeating: 7, count: 4096)
    let server = try rawServer { connection, _ in
      connection.send(Array("HTTP/1.1 200 OK\r\nContent-Length: 4096\r\n\r\n".utf8) + body)
    }
    var configuration = TransportConfiguration()
    configuration.maxConnectionsPerHost = 32
    let transport = curl(configuration)
    let address = try WebAddress(server.url("/"))
    let left = Locked(1000)
    let total = try await withThrowingTaskGroup(of: Int64.self) { group in
      for _ in 0..<32 {
        group.addTask {
          var sum: Int64 = 0
          while left.withLock({ left in
            left -= 1; return left >= 0
          }) {
            let request = HTTPRequest(address)
            sum += try await transport.exchange(request, into: DiscardingReceiver()).bodyBytes
          }
          return sum
        }
      }
      return try await group.reduce(0, +)
    }
    XCTAssertEqual(total, 4_096_000)
    XCTAssertLessThanOrEqual(server.connectionCount, 32)
    XCTAssertEqual(server.requests.count, 1000)
  }

  func testNothingOfOneRequestIsInTheNext() async throws {
    let server = try rawServer { connection, request in
      let body = request.method == "HEAD" ? "" : "body"
      return connection.send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n" + body)
    }
    // One after the other on one handle.
    let transport = curl()
    for _ in 0..<3 {
      for (method, headers, path) in [
        (HTTPRequest.Method.head, [("X-First", "1"), ("If-None-Match", "x")], "/head"),
        (.get, [], "/plain"), (.get, [("X-Second", "2")], "/second"),
      ] {
        var request = HTTPRequest(try WebAddress(server.url(path)))
        (request.method, request.headers) = (method, HTTPHeaders(headers))
        request.usesNetrc = false
        let response = try await transport.exchange(request, into: DiscardingReceiver())
        XCTAssertEqual(response.bodyBytes, method == .head ? 0 : 4)
        let sent = try XCTUnwrap(server.requests.last).lines.joined(separator: "\n")
        XCTAssertTrue(sent.hasPrefix("\(method == .head ? "HEAD" : "GET") \(path) "), sent)
        XCTAssertEqual(sent.contains("X-First"), method == .head, sent)
        XCTAssertEqual(sent.contains("If-None-Match"), method == .head, sent)
        XCTAssertEqual(sent.contains("X-Second"), path == "/second", sent)
      }
    }
    XCTAssertEqual(server.connectionCount, 1)
  }

  func testWaitingInLineDoesNotCountAgainstTheConnectTimeout() async throws {
    let arrived = Gate()
    let release = Gate()
    let server = try rawServer { connection, _ in
      arrived.open()
      release.block()
      return connection.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
    }
    var configuration = TransportConfiguration()
    configuration.maxConnectionsPerHost = 1
    let transport = curl(configuration)
    var request = HTTPRequest(try WebAddress(server.url("/")))
    request.connectTimeout = .milliseconds(50)
    async let first = transport.exchange(request, into: DiscardingReceiver())
    async let second = transport.exchange(request, into: DiscardingReceiver())
    try await arrived.wait()
    try await stalling(transport, for: .milliseconds(100))
    release.open()
    try await assertEqual([first.status, second.status], [200, 200])
    XCTAssertEqual(server.connectionCount, 1)
  }

  func testAStallIsCutAndAPauseIsNoStall() async throws {
    let server = try rawServer { connection, request in
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n12345")
      if request.path == "/stall" { connection.waitForClose() }
      return connection.send("67890")
    }
    let transport = curl()
    var request = HTTPRequest(try WebAddress(server.url("/stall")))
    request.stallLimit = StallLimit(bytesPerSecond: 1000, span: .milliseconds(50))
    let stage = Bare(transport: transport)
    let error = await stage.failure(request, into: DiscardingReceiver()) as? TransportError
    XCTAssertEqual(error?.code, .stalled)
    XCTAssertEqual(error?.isTransient, true)

    let handle = Locked<Resumption?>(nil)
    let receiver = RecordingReceiver(
      onBegin: { _, resumption in handle.withLock { $0 = resumption } },
      onReceive: { $0 < 10 ? .pause : .more })
    request.address = try WebAddress(server.url("/pause"))
    let paused = Task { [request] in try await transport.exchange(request, into: receiver) }
    try await receiver.hasReceived.wait()
    try await stalling(transport, for: .milliseconds(150))
    handle.withLock { $0 }?.resume()
    try await assertEqual(paused.value.bodyBytes, 10)
  }

  func testAPauseHoldsTheServerBack() async throws {
    let sent = Locked(0)
    let server = try rawServer { connection, _ in
      connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
      let piece = Array("10000\r\n".utf8) + [UInt8](repeating: 1, count: 65_536) + [13, 10]
      while connection.send(piece) { sent.withLock { $0 += 65_536 } }
      return false
    }
    let transport = curl()
    let receiver = RecordingReceiver(onReceive: { _ in .pause })
    let request = HTTPRequest(try WebAddress(server.url("/")))
    let task = Task { try await transport.exchange(request, into: receiver) }
    try await receiver.hasReceived.wait()
    try await stalling(transport, for: .milliseconds(100))
    let before = sent.withLock { $0 }
    try await stalling(transport, for: .milliseconds(100))
    XCTAssertEqual(sent.withLock { $0 }, before, "the socket's buffers are full")
    XCTAssertLessThan(receiver.bytes.count, 200_000)
    task.cancel()
    _ = try? await task.value
  }

  /// Lets time pass without a sleep: an exchange with a server that says nothing, up to its stall.
  private func stalling(_ transport: CurlTransport, for span: Duration) async throws {
    let silent = try RawServer { connection, _ in
      connection.waitForClose()
      return false
    }
    var request = HTTPRequest(try WebAddress(silent.url("/")))
    request.stallLimit = StallLimit(bytesPerSecond: 1_000_000, span: span)
    let error = await Bare(transport: transport).failure(request, into: DiscardingReceiver())
    XCTAssertEqual((error as? TransportError)?.code, .stalled)
    silent.stop()
  }
}

/// A stage without a script.
struct Bare: TransportStage {
  let transport: any Transport
  var arrivals: [Arrival] { [] }
  func address(_ script: Script) throws -> WebAddress { throw TransportError(.closed, at: "") }
  func end() {}
}
