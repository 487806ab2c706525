import Foundation
import RawSockets
import SyncLock
import SyncTransport
import SynchronizerTesting
import TestSupport
import TransportTesting
import XCTest

/// An answer that nobody asked for is nobody's: the connection that it lies on is closed.
///
/// libcurl 7.88 took it for the next request's.
final class KeptConnectionTests: XCTestCase {
  private static let ok = "HTTP/1.1 200 OK\r\n"
  private static let unasked = ok + "Content-Length: 6\r\n\r\nPOISON"

  /// After a first exchange how much had come on a connection isn't asked of the system any more:
  /// it is counted.
  func testWhatComesBehindALaterAnswerWithoutABodyIsNobodysAnswer() async throws {
    let length = Self.ok + "Content-Length: 4\r\n\r\ngood"
    let chunks = Self.ok + "Transfer-Encoding: chunked\r\n\r\n4\r\ngood\r\n0\r\n\r\n"
    let interim = "HTTP/1.1 103 Early\r\nA: b\r\n\r\n" + length
    for first in [length, chunks, interim, "HTTP/1.1 204 None\r\n\r\n"] {
      for (rest, connections) in [("", 1), ("<html>not modified</html>", 2), (Self.unasked, 2)] {
        let server = try RawServer { connection, request in
          let answers = ["/1": first, "/2": first, "/3": "HTTP/1.1 304 Same\r\n\r\n" + rest]
          return connection.send(
            answers[request.path] ?? Self.ok + "Content-Length: 5\r\n\r\nright")
        }
        let transport = CurlTransport(environment: [:])
        var bodies: [String] = []
        for path in ["/1", "/2", "/3", "/4"] {
          let receiver = DataReceiver(limit: 1_000)
          let request = HTTPRequest(try WebAddress(server.url(path)))
          _ = try await transport.exchange(request, into: receiver)
          bodies.append(String(decoding: receiver.bytes, as: UTF8.self))
        }
        XCTAssertEqual(bodies[2...], ["", "right"], "\(first) then \(rest)")
        XCTAssertEqual(server.connectionCount, connections, "\(first) then \(rest)")
        await transport.close()
        server.stop()
      }
    }
  }

  /// Asks for /first and then for two more things, which are answered as they should be.
  private func assertTheNextAreRight(
    _ claim: String, connections: Int = 2, expecting first: String = "good",
    line: UInt = #line, _ answer: @escaping @Sendable (RawConnection) -> Void
  ) async throws {
    let isSent = Gate()
    let server = try RawServer { connection, request in
      guard request.path == "/first" else {
        return connection.send(Self.ok + "Content-Length: 5\r\n\r\nright")
      }
      answer(connection)
      isSent.open()
      return true
    }
    let transport = CurlTransport(environment: [:])
    let bodies = try await ["/first", "/second", "/third"].asyncMap { path in
      let receiver = DataReceiver(limit: 1_000_000)
      let request = HTTPRequest(try WebAddress(server.url(path)))
      _ = try await transport.exchange(request, into: receiver)
      // On loopback, what was sent lies there as soon as `send` has returned.
      try await isSent.wait()
      return String(decoding: receiver.bytes, as: UTF8.self)
    }
    XCTAssertTrue(bodies[0] == first, claim, line: line)
    XCTAssertEqual(bodies[1...], ["right", "right"], claim, line: line)
    XCTAssertEqual(server.connectionCount, connections, claim, line: line)
    await transport.close()
    server.stop()
  }

  func testWhatLiesOnAKeptConnectionIsNobodysAnswer() async throws {
    try await assertTheNextAreRight("nothing lies there", connections: 1) {
      $0.send(Self.ok + "Content-Length: 4\r\n\r\ngood")
    }
    try await assertTheNextAreRight("at once, after a length") {
      $0.send(Self.ok + "Content-Length: 4\r\n\r\ngood" + Self.unasked)
    }
    let long = String(repeating: "long", count: 50_000)
    try await assertTheNextAreRight("at once, after a long body", expecting: long) {
      $0.send(Self.ok + "Content-Length: 200000\r\n\r\n" + long + Self.unasked)
    }
    try await assertTheNextAreRight("at once, after chunks") {
      $0.send(
        Self.ok + "Transfer-Encoding: chunked\r\n\r\n4\r\ngood\r\n0\r\n\r\n" + Self.unasked)
    }
    // libcurl drops what it has read behind such a head, and would go on with what it hasn't.
    for head in [Self.ok + "Content-Length: 0", "HTTP/1.1 204 None", "HTTP/1.1 304 Same"] {
      try await assertTheNextAreRight("nothing after \(head)", connections: 1, expecting: "") {
        $0.send(head + "\r\n\r\n")
      }
      for rest in [Self.unasked, "<html>not modified</html>"] {
        try await assertTheNextAreRight("at once, after \(head)", expecting: "") {
          $0.send(head + "\r\n\r\n" + rest)
        }
      }
      try await assertTheNextAreRight("after an interim answer and \(head)", expecting: "") {
        $0.send("HTTP/1.1 103 Early\r\nA: b\r\n\r\n" + head + "\r\n\r\n" + Self.unasked)
      }
    }
    for head in ["Content-Length: 0\r\n", "Transfer-Encoding: chunked\r\n"] {
      try await assertTheNextAreRight("later, after \(head)", expecting: "") {
        $0.send(Self.ok + head + "\r\n" + (head.hasPrefix("T") ? "0\r\n\r\n" : ""))
        usleep(100_000)
        $0.send(Self.unasked)
      }
    }
    try await assertTheNextAreRight("only a part of an answer") {
      $0.send(Self.ok + "Content-Length: 4\r\n\r\ngood")
      usleep(100_000)
      $0.send("\n")
    }
  }

  /// Twelve connections, all of them poisoned: every request finds a clean one.
  func testEveryKeptConnectionIsLookedAt() async throws {
    let count = 12
    let (arrived, sent) = (Locked(0), Locked(0))
    let (areAllThere, areAllPoisoned) = (Gate(), Gate())
    let server = try rawServer { connection, request in
      guard request.path == "/first" else {
        return connection.send(Self.ok + "Content-Length: 5\r\n\r\nright")
      }
      if arrived.next() == count { areAllThere.open() }
      areAllThere.block()
      connection.send(Self.ok + "Content-Length: 4\r\n\r\ngood")
      usleep(100_000)
      connection.send(Self.unasked)
      if sent.next() == count { areAllPoisoned.open() }
      return true
    }
    var configuration = TransportConfiguration()
    configuration.maxConnectionsPerHost = count
    let transport = curl(configuration)
    for (path, expected) in [("/first", "good"), ("/second", "right")] {
      let request = HTTPRequest(try WebAddress(server.url(path)))
      let bodies = try await withThrowingTaskGroup(of: String.self) { group in
        for _ in 0..<count {
          group.addTask {
            let receiver = DataReceiver(limit: 100)
            _ = try await transport.exchange(request, into: receiver)
            return String(decoding: receiver.bytes, as: UTF8.self)
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      XCTAssertEqual(bodies, Array(repeating: expected, count: count))
      try await areAllPoisoned.wait()
    }
    XCTAssertLessThanOrEqual(server.connectionCount, 2 * count)
  }

  func testAServerThatSpeaksFirstIsNotListenedTo() async throws {
    let listener = try RawSocket.listen()
    let hasSpoken = Gate()
    Thread.detachNewThread {
      let connection = RawConnection(accept(listener, nil, nil))
      connection.send(Self.unasked)
      hasSpoken.open()
      connection.waitForClose()
    }
    let transport = CurlTransport(environment: [:])
    var request = HTTPRequest(
      try WebAddress("http://127.0.0.1:\(RawSocket.port(of: listener))/"))
    let asked = Locked(0)
    request.admits = { _ in
      // Asked before the socket is opened, and before the request goes out.
      if asked.next() == 2 { hasSpoken.block() }
      return true
    }
    let error = await Bare(transport: transport).failure(request, into: DiscardingReceiver())
    XCTAssertEqual((error as? TransportError)?.code, .interrupted)
    XCTAssertEqual((error as? TransportError)?.detail, "the server spoke before it was asked")
    await transport.close()
    close(listener)
  }
}

extension Locked<Int> {
  /// Counts one up.
  fileprivate func next() -> Int {
    withLock { count in
      count += 1
      return count
    }
  }
}

extension Array {
  fileprivate func asyncMap<Value>(
    _ body: (Element) async throws -> Value
  ) async rethrows -> [Value] {
    var values: [Value] = []
    for element in self { values.append(try await body(element)) }
    return values
  }
}
