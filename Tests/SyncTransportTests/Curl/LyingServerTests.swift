import Foundation
import SyncTransport
import TestSupport
import TransportTesting
import XCTest

/// Servers that break the protocol, the connection or their word.
final class LyingServerTests: XCTestCase {
  private func outcome(
    _ change: (inout HTTPRequest) -> Void = { _ in },
    into receiver: any BodyReceiver = DiscardingReceiver(), of handler: @escaping RawServer.Handler
  ) async throws -> (HTTPResponse?, TransportError?) {
    let server = try RawServer(handler)
    let transport = CurlTransport(environment: [:])
    defer { server.stop() }
    var request = HTTPRequest(try WebAddress(server.url("/?secret")))
    change(&request)
    do {
      let response = try await transport.exchange(request, into: receiver)
      await transport.close()
      return (response, nil)
    } catch let error as TransportError {
      await transport.close()
      XCTAssertFalse("\(error)".contains("secret"))
      return (nil, error)
    }
  }

  private func code(of text: String) async throws -> TransportError.Code? {
    try await outcome { connection, _ in
      connection.send(text)
      return false
    }.1?.code
  }

  func testABrokenAnswerIsTheErrorThatItsRowSays() async throws {
    let ok = "HTTP/1.1 200 OK\r\n"
    let table: [(String, TransportError.Code?)] = [
      ("", .interrupted), ("HTTP/1.1 200 OK\r\nContent-Le", .interrupted),
      (ok, .interrupted), (ok + "Content-Length: 0\r\n", .interrupted),
      (ok + "X-A: b\r\n", .interrupted), ("HTTP/1.1 103 Early\r\n\r\n", .interrupted),
      ("hello\r\n\r\nthere", .malformedAnswer),
      (ok + "Content-Length: 5\r\n\r\n1234", .shortBody),
      (ok + "Content-Length: x\r\n\r\n1234", .malformedAnswer),
      (ok + "Content-Length: 4\r\nContent-Length: 2\r\n\r\n1234", .malformedAnswer),
      (ok + "Content-Length: 2\r\nContent-Length: 4\r\n\r\n1234", .malformedAnswer),
      (ok + "Content-Length: 4\r\nContent-Length: 4\r\n\r\n1234", nil),
      (ok + "Content-Length: 4, 4\r\n\r\n1234", nil),
      (ok + "Content-Length: 4;x\r\n\r\n1234", .malformedAnswer),
      (ok + "Content-Length : 4\r\n\r\n1234", .malformedAnswer),
      (ok + "Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n", .malformedAnswer),
      ("HTTP/1.1 101 Switching\r\n\r\n1234", .malformedAnswer),
      ("HTTP/1.1 304 Not Modified\r\nContent-Length: 4x\r\n\r\n", .malformedAnswer),
      (
        ok + "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n4\r\n1234\r\n",
        .malformedAnswer
      ),
      (ok + "Transfer-Encoding: chunked\r\n\r\n4\r\n1234\r\n", .shortBody),
      (ok + "Transfer-Encoding: chunked\r\n\r\n4\r\n12", .shortBody),
      (ok + "Transfer-Encoding: chunked\r\n\r\nzz\r\n1234\r\n", .malformedAnswer),
      (ok + "Transfer-Encoding: chunked\r\n\r\n4 4\r\n1234\r\n0\r\n\r\n", .malformedAnswer),
      (ok + "Content-Length: 4\r\n\r\n12345678", nil),
      (ok + "Transfer-Encoding: chunked\r\n\r\n4\r\n1234\r\n0\r\nX-Trailer: 1\r\n\r\n", nil),
      (ok + "X-Folded: a\r\n b\r\n\r\n", .malformedAnswer),
      ("HTTP/1.1 103 Early Hints\r\nLink: <x>\r\n\r\n" + ok + "Content-Length: 0\r\n\r\n", nil),
    ]
    for (text, expected) in table {
      try await assertEqual(code(of: text), expected, text)
    }
  }

  /// What such a server says next isn't an answer to anything.
  func testABrokenAnswerIsTheLastOnItsConnection() async throws {
    let heads = [
      "Content-Length: 0x4", "Content-Length: 4;x", "Content-Length: 4, 5", "X-A: a\r\n b",
      "Content-Length: 4\r\nTransfer-Encoding: chunked", "Content-Length : 0",
      "Transfer-Encoding: chunked, chunked", "Transfer-Encoding: chunked\r\n\r\n4 4",
    ]
    let server = try rawServer { connection, request in
      let number = Int(request.path.dropFirst()) ?? 0
      return connection.send("HTTP/1.1 200 OK\r\n\(heads[number])\r\n\r\n4\r\n")
    }
    let transport = curl()
    for (number, head) in heads.enumerated() {
      let request = HTTPRequest(try WebAddress(server.url("/\(number)")))
      let error = await Bare(transport: transport).failure(request, into: DiscardingReceiver())
      XCTAssertEqual((error as? TransportError)?.code, .malformedAnswer, head)
      XCTAssertEqual(server.connectionCount, number + 1, head)
    }
  }

  func testAResetIsAnInterruptionThatMayPass() async throws {
    let early = try await outcome { connection, _ in
      connection.reset()
      return false
    }.1
    XCTAssertEqual(early?.code, .interrupted)
    XCTAssertEqual(early?.isTransient, true)
  }

  func testARefusedConnectionMayPass() async throws {
    let server = try RawServer { _, _ in false }
    let address = try WebAddress(server.url("/"))
    server.stop()
    let error = try await outcome({ $0.address = address }, of: { _, _ in false }).1
    XCTAssertEqual(error?.code, .couldNotConnect)
    XCTAssertEqual(error?.isTransient, true)
  }

  func testTooManyHeadersAreCut() async throws {
    let line = "X-Filler: " + String(repeating: "x", count: 1000) + "\r\n"
    let error = try await outcome { connection, _ in
      connection.send("HTTP/1.1 200 OK\r\n")
      while connection.send(line) {}
      return false
    }.1
    XCTAssertEqual(error?.code, .headersTooLarge)
    let long = try await outcome { connection, _ in
      connection.send("HTTP/1.1 200 OK\r\nX-Long: ")
      while connection.send(line.filter { $0 != "\r\n" }) {}
      return false
    }.1
    XCTAssertEqual(long?.code, .headersTooLarge)
  }

  func testAnEndlessBodyIsCut() async throws {
    for framing in ["Transfer-Encoding: chunked", "Connection: close"] {
      let error = try await outcome(into: DataReceiver(limit: 1_000_000)) { connection, _ in
        connection.send("HTTP/1.1 200 OK\r\n\(framing)\r\n\r\n")
        let piece = Array("2710\r\n".utf8) + [UInt8](repeating: 1, count: 10_000) + [13, 10]
        while connection.send(piece) {}
        return false
      }.1
      XCTAssertEqual(error?.code, .bodyTooLarge(limit: 1_000_000))
    }
  }

  func testHeadersOfInterimAnswersAndTrailersAreNotTheAnswers() async throws {
    let receiver = DataReceiver(limit: 100)
    let response = try await outcome(into: receiver) { connection, _ in
      connection.send("HTTP/1.1 103 Early Hints\r\nX-A: early\r\n\r\n")
      connection.send("HTTP/1.1 200 OK\r\nX-A: a\r\nTransfer-Encoding: chunked\r\n")
      connection.send("X-Latin: caf\u{e9}\r\n\r\n4\r\n1234\r\n0\r\nX-A: late\r\n\r\n")
      return false
    }.0
    XCTAssertEqual(response?.headers.all("X-A"), ["a"])
    XCTAssertEqual(response?.headers["x-latin"], "café")
    XCTAssertEqual(receiver.bytes, Array("1234".utf8))
  }

  func testWhatIsSentOnTheWire() async throws {
    let server = try rawServer { connection, _ in
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
    }
    var configuration = TransportConfiguration()
    configuration.userAgent = "Tester/1"
    let transport = curl(configuration)
    var request = HTTPRequest(try WebAddress(server.url("/a%20b?c=d")))
    request.headers = HTTPHeaders([("X-One", "1"), ("X-Empty", "")])
    _ = try await transport.exchange(request, into: DiscardingReceiver())
    let sent = try XCTUnwrap(server.requests.first)
    XCTAssertEqual(sent.lines.first, "GET /a%20b?c=d HTTP/1.1")
    XCTAssertEqual(sent["X-One"], "1")
    XCTAssertEqual(sent["X-Empty"], "")
    XCTAssertEqual(sent["Accept-Encoding"], "identity")
    XCTAssertEqual(sent["User-Agent"], "Tester/1")
    request.headers.add("X-Bad", "a\r\nX-Smuggled: b")
    let error = await Bare(transport: transport).failure(request, into: DiscardingReceiver())
    XCTAssertEqual((error as? TransportError)?.code, .invalidHeader)
    XCTAssertEqual(server.requests.count, 1)
  }

  /// What libcurl is told of one exchange stays with it until it is told something else.
  func testHeadersAreThoseOfTheirOwnExchangeWhateverTheLastOneSent() async throws {
    let server = try rawServer { connection, _ in
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
    }
    let transport = curl()
    let plain = HTTPRequest(try WebAddress(server.url("/")))
    var (packed, named, sending) = (plain, plain, plain)
    packed.acceptsCompression = true
    named.headers.add("X-One", "1")
    sending.method = .post
    sending.body = RequestBody(Array("a".utf8))
    let order = [plain, plain, packed, packed, named, plain, sending, packed, plain]
    for request in order {
      _ = try await transport.exchange(request, into: DiscardingReceiver())
    }
    XCTAssertEqual(
      server.requests.map { $0["Accept-Encoding"] },
      order.map { $0.acceptsCompression ? "gzip" : "identity" })
    XCTAssertEqual(
      server.requests.map { $0["X-One"] }, order.map { $0.headers.fields.isEmpty ? nil : "1" })
    XCTAssertEqual(
      server.requests.map { $0.lines.count { $0.hasPrefix("Accept-Encoding") } },
      order.map { _ in 1 })
  }
}
