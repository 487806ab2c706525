import RawSockets
import SyncLock
import SyncTransport
import SynchronizerTesting
import TestSupport
import TransportTesting
import XCTest

/// An answer that nobody asked for may come after the next request has gone out: then nothing lies
/// on the connection when it is looked at, and only what the caller knows tells the two apart.
final class UnrecognisedAnswerTests: XCTestCase {
  private static let ok = "HTTP/1.1 200 OK\r\n"
  private static let good = ok + "Content-Length: 4\r\n\r\ngood"
  private static let right = ok + "Content-Length: 5\r\n\r\nright"
  private static let other = ok + "Content-Length: 5\r\n\r\nother"

  private static func chunks(_ text: String) -> String {
    ok + "Transfer-Encoding: chunked\r\n\r\n\(text.utf8.count)\r\n\(text)\r\n0\r\n\r\n"
  }

  /// Asks for /first and then for /second; asked once more, the server tells the truth. `later`
  /// follows the answer once it was asked once more.
  private func assertSecond(
    is expected: String, after first: String, _ answer: String, later: String = "",
    connections: Int, recognises: (@Sendable (HTTPHead) -> Bool)? = { _ in false },
    line: UInt = #line
  ) async throws {
    let isAskedAgain = Locked(false)
    let mayGoOn = Gate()
    let server = try RawServer { connection, request in
      guard request.path == "/second" else { return connection.send(first) }
      let again = isAskedAgain.withLock { again in
        defer { again = true }
        return again
      }
      if again { mayGoOn.open() }
      guard !again, !later.isEmpty else { return connection.send(again ? Self.right : answer) }
      connection.send(answer)
      mayGoOn.block()
      return connection.send(later)
    }
    let transport = CurlTransport(environment: [:])
    var body = ""
    for path in ["/first", "/second"] {
      let receiver = DataReceiver(limit: 1_000)
      var request = HTTPRequest(try WebAddress(server.url(path)))
      request.recognises = recognises
      _ = try await transport.exchange(request, into: receiver)
      body = String(decoding: receiver.bytes, as: UTF8.self)
    }
    XCTAssertEqual(body, expected, line: line)
    XCTAssertEqual(server.connectionCount, connections, line: line)
    await transport.close()
    server.stop()
  }

  func testAnAnswerWithoutALengthIsAskedForAnewOnANewConnection() async throws {
    try await assertSecond(is: "right", after: Self.good, Self.chunks("other"), connections: 2)
  }

  func testAnAnswerWithoutALengthIsAskedForAnewBeforeItsBodyComes() async throws {
    try await assertSecond(
      is: "right", after: Self.good, Self.ok + "Transfer-Encoding: chunked\r\n\r\n",
      later: "5\r\nother\r\n0\r\n\r\n", connections: 2)
  }

  func testAnAnswerBehindOneWithoutALengthIsAskedForAnewOnANewConnection() async throws {
    for first in [Self.chunks("good"), "HTTP/1.1 204 None\r\n\r\n"] {
      try await assertSecond(is: "right", after: first, Self.other, connections: 2)
    }
  }

  func testAnAnswerThatAnotherFollowsIsAskedForAnewOnANewConnection() async throws {
    try await assertSecond(is: "right", after: Self.good, Self.other + Self.right, connections: 2)
    let empty = Self.ok + "Content-Length: 0\r\n\r\n"
    try await assertSecond(is: "right", after: Self.good, empty + Self.right, connections: 2)
  }

  func testAnswersThatKeepToTheirLengthsShareAConnection() async throws {
    try await assertSecond(is: "other", after: Self.good, Self.other, connections: 1)
  }

  func testAnAnswerThatIsRecognisedNeedsNoLength() async throws {
    for recognises: (@Sendable (HTTPHead) -> Bool)? in [nil, { $0.status == 200 }] {
      try await assertSecond(
        is: "other", after: Self.chunks("good"), Self.chunks("other"), connections: 1,
        recognises: recognises)
    }
  }

  func testAnAnswerThatAnotherFollowsLaterIsNotWhole() async throws {
    let hasBegun = Gate()
    let server = try rawServer { connection, request in
      guard request.path == "/second" else { return connection.send(Self.good) }
      connection.send(Self.ok + "Content-Length: 5\r\n\r\noth")
      hasBegun.block()
      return connection.send("er" + Self.right)
    }
    let transport = curl()
    var request = HTTPRequest(try WebAddress(server.url("/first")))
    _ = try await transport.exchange(request, into: DiscardingReceiver())
    request = HTTPRequest(try WebAddress(server.url("/second")))
    request.recognises = { _ in false }
    let error = await Bare(transport: transport).failure(request, into: Opening(hasBegun))
    XCTAssertEqual((error as? TransportError)?.code, .interrupted)
    XCTAssertEqual(
      (error as? TransportError)?.detail, "the server sent more than it was asked for")
  }

  func testTheLargestLengthIsALength() async throws {
    let server = try rawServer { connection, request in
      guard request.path == "/second" else { return connection.send(Self.good) }
      connection.send(Self.ok + "Content-Length: \(Int64.max)\r\n\r\nother")
      return false
    }
    let transport = curl()
    var request = HTTPRequest(try WebAddress(server.url("/first")))
    _ = try await transport.exchange(request, into: DiscardingReceiver())
    request = HTTPRequest(try WebAddress(server.url("/second")))
    request.recognises = { _ in false }
    let error = await Bare(transport: transport).failure(request, into: DiscardingReceiver())
    XCTAssertEqual((error as? TransportError)?.code, .shortBody)
  }

  /// Opens a gate when the first bytes have come.
  private final class Opening: BodyReceiver {
    private let gate: Gate

    init(_ gate: Gate) { self.gate = gate }

    func begin(_ head: HTTPHead, resumption: Resumption) {}

    func receive(_ bytes: UnsafeRawBufferPointer) -> Demand {
      gate.open()
      return .more
    }
  }
}
