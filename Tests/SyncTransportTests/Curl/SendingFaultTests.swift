import Foundation
import RawSockets
import SyncLock
import SyncTransport
import SynchronizerTesting
import TestSupport
import TransportTesting
import XCTest

/// What goes wrong while a body is on its way out, over real connections.
final class SendingFaultTests: XCTestCase {
  private typealias Method = HTTPRequest.Method
  private static let body = (0..<4_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
  private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"

  private let transport = CurlTransport(environment: [:])

  override func tearDown() async throws {
    await transport.close()
  }

  private func request(
    _ method: Method, _ server: RawServer, _ body: [UInt8] = body
  ) throws -> HTTPRequest {
    var request = HTTPRequest(try WebAddress(server.url("/")))
    request.method = method
    request.body = method == .get ? nil : RequestBody(body, mediaType: "application/octet-stream")
    return request
  }

  private func code(of request: HTTPRequest) async -> TransportError.Code? {
    let error = await Bare(transport: transport).failure(request, into: DiscardingReceiver())
    return (error as? TransportError)?.code
  }

  func testAConnectionThatIsCutWhileABodyIsSentIsInterrupted() async throws {
    let server = try RawServer { connection, _ in
      _ = connection.readBody(100_000)
      connection.reset()
      return false
    }
    defer { server.stop() }
    for method in [Method.put, .post] {
      try await assertEqual(code(of: request(method, server)), .interrupted)
    }
    XCTAssertEqual(server.requests.map(\.method), ["PUT", "POST"])
  }

  func testAClientSendsOnceMoreWhatBearsIt() async throws {
    let bodies = Locked<[String: [Int]]>([:])
    let server = try RawServer { connection, request in
      let count = bodies.withLock { $0[request.method]?.count ?? 0 }
      let body = count == 0 ? connection.readBody(100_000) : connection.readBody(of: request)
      bodies.withLock { $0[request.method, default: []].append(body.count) }
      if count == 0 { connection.reset() }
      return count > 0 && connection.send(Self.ok)
    }
    defer { server.stop() }
    var policy = ClientPolicy()
    policy.retry.base = .milliseconds(1)
    let client = HTTPClient(transport, policy: policy)
    let put = try await client.answer(to: FetchRequest(try request(.put, server)), limit: 10)
    XCTAssertEqual(put.status, 200)
    do {
      let post = FetchRequest(try request(.post, server))
      _ = try await client.answer(to: post, limit: 10)
      XCTFail("a POST was sent twice")
    } catch let error as TransportError {
      XCTAssertEqual(error.code, .interrupted)
    }
    XCTAssertEqual(bodies.withLock { $0 }, ["PUT": [100_000, 4_000_000], "POST": [100_000]])
  }

  func testAnAnswerThatComesBeforeTheWholeBodyIsTheAnswer() async throws {
    let server = try RawServer { connection, request in
      if request.method == "GET" { return connection.send(Self.ok) }
      connection.send("HTTP/1.1 413 Large\r\nContent-Length: 5\r\nConnection: close\r\n\r\nlarge")
      connection.waitForClose()
      return false
    }
    defer { server.stop() }
    for method in [Method.put, .post] {
      let receiver = DataReceiver(limit: 100)
      let response = try await transport.exchange(try request(method, server), into: receiver)
      XCTAssertEqual(response.status, 413)
      XCTAssertEqual(receiver.bytes, Array("large".utf8))
      let next = await code(of: try request(.get, server))
      XCTAssertNil(next, "what was left of the body is in nobody's way")
    }
  }

  /// Whoever hangs up amid a body resets the connection, and its answer may be lost with that.
  func testAnAnswerWithAHangUpIsTheAnswerOrAnInterruption() async throws {
    let server = try RawServer { connection, _ in
      connection.send("HTTP/1.1 413 Large\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
      return false
    }
    defer { server.stop() }
    for _ in 0..<20 {
      let receiver = RecordingReceiver()
      let put = try request(.put, server)
      let error = await Bare(transport: transport).failure(put, into: receiver)
      if error == nil {
        XCTAssertEqual(receiver.heads.map(\.status), [413])
      } else {
        XCTAssertEqual((error as? TransportError)?.code, .interrupted)
      }
    }
  }

  func testWhatMustNotBeRepeatedIsSentOnceWhenItsConnectionDies() async throws {
    let server = try RawServer { connection, request in
      if request.method == "GET" { return connection.send(Self.ok) }
      _ = connection.readBody(of: request)
      return false
    }
    defer { server.stop() }
    for method in [Method.post, .patch] {
      try await assertNil(code(of: request(.get, server)))
      try await assertEqual(code(of: request(method, server, [1, 2, 3])), .interrupted)
      XCTAssertEqual(server.requests.count { $0.method == method.name }, 1)
    }
  }

  func testWhatMustNotBeRepeatedGetsAConnectionOfItsOwn() async throws {
    let server = try RawServer { connection, request in
      _ = connection.readBody(of: request)
      return connection.send(Self.ok)
    }
    defer { server.stop() }
    for (method, connections) in [(Method.get, 1), (.put, 1), (.post, 2), (.get, 2), (.patch, 3)] {
      try await assertNil(code(of: request(method, server, [1])))
      XCTAssertEqual(server.connectionCount, connections, method.name)
    }
    var vouchedFor = try request(.post, server, [1])
    vouchedFor.mayBeRepeated = true
    await assertNil(code(of: vouchedFor))
    XCTAssertEqual(server.connectionCount, 3)
  }

  func testConnectionsOfTheirOwnKeepTheLimitOfConnections() async throws {
    let (open, most) = (Locked(0), Locked(0))
    let server = try RawServer { connection, request in
      let now = open.add(1)
      most.withLock { $0 = max($0, now) }
      _ = connection.readBody(of: request)
      open.add(-1)
      return connection.send(Self.ok)
    }
    defer { server.stop() }
    var configuration = TransportConfiguration()
    configuration.maxConnectionsPerHost = 2
    let few = CurlTransport(configuration, environment: [:])
    let post = try request(.post, server, [1, 2, 3])
    try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<40 {
        group.addTask { try await few.exchange(post, into: DiscardingReceiver()).status }
      }
      for try await status in group { XCTAssertEqual(status, 200) }
    }
    XCTAssertEqual(server.requests.count, 40)
    XCTAssertLessThanOrEqual(most.withLock { $0 }, 2)
    await few.close()
  }

  func testAPutIsSentWholeOnceMoreWhenItsKeptConnectionDies() async throws {
    let bodies = Locked<[[UInt8]]>([])
    let server = try RawServer { connection, request in
      if request.method == "GET" { return connection.send(Self.ok) }
      let body = connection.readBody(of: request)
      let count = bodies.withLock { bodies in
        bodies.append(body)
        return bodies.count
      }
      return count == 1 ? false : connection.send(Self.ok)
    }
    defer { server.stop() }
    for method in [Method.get, .put] {
      try await assertNil(code(of: request(method, server)))
    }
    XCTAssertTrue(bodies.withLock { $0 } == [Self.body, Self.body])
  }

  func testABodyThatIsTakenSlowlyIsNotStalledAndOneThatIsNotTakenIs() async throws {
    let end = Gate()
    // What lies in the systems' buffers has left, as far as anybody can tell: they are small here.
    let listener = try RawSocket.listen()
    var room: CInt = 128 * 1024
    setsockopt(listener, SOL_SOCKET, SO_RCVBUF, &room, socklen_t(MemoryLayout<CInt>.size))
    let server = RawServer(at: RawSocket.loopback, listener: listener) { connection, request in
      if request.method == "PUT" {
        for _ in 0..<30 {
          _ = connection.readBody(600_000)
          usleep(40_000)
        }
        return connection.send(Self.ok)
      }
      end.block()
      return false
    }
    defer { server.stop() }
    let body = [UInt8](repeating: 7, count: 18_000_000)
    for (method, expected) in [(Method.put, nil), (.post, TransportError.Code.stalled)] {
      var slow = try request(method, server, body)
      slow.stallLimit = StallLimit(bytesPerSecond: 10_000, span: .milliseconds(500))
      await assertEqual(code(of: slow), expected)
    }
    end.open()
  }

  func testCancellingEndsABodyThatIsBeingSent() async throws {
    let (arrived, end) = (Gate(), Gate())
    let server = try RawServer { _, _ in
      arrived.open()
      end.block()
      return false
    }
    defer { server.stop() }
    let put = try request(.put, server)
    let task = Task { [transport] in
      await Bare(transport: transport).failure(put, into: DiscardingReceiver())
    }
    try await arrived.wait()
    task.cancel()
    await assertTrue(task.value is CancellationError)
    end.open()
  }

  func testNothingOfASentBodyIsInTheNextRequest() async throws {
    let server = try RawServer { connection, request in
      _ = connection.readBody(of: request)
      return connection.send(Self.ok)
    }
    defer { server.stop() }
    for method in [Method.put, .get, .post, .get, .delete, .get] {
      try await assertNil(code(of: request(method, server)))
      let came = try XCTUnwrap(server.requests.last)
      XCTAssertEqual(came.method, method.name)
      XCTAssertEqual(came["Content-Length"], method == .get ? nil : "4000000")
      XCTAssertEqual(came["Content-Type"], method == .get ? nil : "application/octet-stream")
      XCTAssertNil(came["Expect"])
      XCTAssertNil(came["Transfer-Encoding"])
    }
    // A `POST` that has nothing to say says that.
    var empty = try request(.post, server)
    empty.body = nil
    await assertNil(code(of: empty))
    XCTAssertEqual(server.requests.last?["Content-Length"], "0")
    XCTAssertNil(server.requests.last?["Content-Type"])
  }
}

extension Locked<Int> {
  /// What it is with that much more.
  @discardableResult fileprivate func add(_ more: Int) -> Int {
    withLock { number in
      number += more
      return number
    }
  }
}
