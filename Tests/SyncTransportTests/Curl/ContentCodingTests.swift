import TestSupport
import Foundation
import SyncLock
import SyncTransport
import SynchronizerTesting
import XCTest

final class ContentCodingTests: XCTestCase {
  private static let text = Array("hello, hello, hello\n".utf8)
  /// The text as gzip.
  private static let packed: [UInt8] = [
    31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 203, 72, 205, 201, 201, 215, 81, 200, 64, 162, 184, 0, 231,
    66, 110, 82, 20, 0, 0, 0,
  ]
  /// 100,000 zeros as gzip: 132 bytes.
  private static let bomb =
    [
      31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 237, 193, 49, 1, 0, 0, 0, 194, 160, 245, 79, 109, 13, 15,
      160,
    ]
    + [UInt8](repeating: 0, count: 96) + [128, 87, 3, 125, 149, 17, 212, 160, 134, 1, 0]

  /// Cancels its task as soon as anything comes, and counts what comes.
  private final class LeavingReceiver: BodyReceiver {
    let task = Locked<Task<HTTPResponse, any Error>?>(nil)
    let count = Locked(0)

    func begin(_ head: HTTPHead, resumption: Resumption) {}

    func receive(_ bytes: UnsafeRawBufferPointer) -> Demand {
      count.withLock { $0 += 1 }
      task.withLock { $0 }?.cancel()
      return .more
    }
  }

  /// A run that was told to end went on for as long as what had come gave more.
  func testWhoIsCancelledGetsNoMoreOfWhatHasComePacked() async throws {
    let body = Array([[UInt8]](repeating: Self.bomb, count: 100).joined())
    let server = try rawServer { connection, _ in
      let head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: "
      return connection.send(Array("\(head)\(body.count)\r\n\r\n".utf8) + body)
    }
    let transport = curl()
    var request = HTTPRequest(try WebAddress(server.url("/")))
    request.acceptsCompression = true
    let (receiver, isKnown) = (LeavingReceiver(), Gate())
    let task = Task { [request] in
      try await isKnown.wait()
      return try await transport.exchange(request, into: receiver)
    }
    receiver.task.withLock { $0 = task }
    isKnown.open()
    let result = await task.result
    XCTAssertThrowsError(try result.get()) { XCTAssertTrue($0 is CancellationError, "\($0)") }
    XCTAssertEqual(receiver.count.withLock { $0 }, 1)
  }

  private func fetch(
    _ body: [UInt8], decoding: Bool, into receiver: DataReceiver
  ) async throws -> (HTTPResponse?, TransportError?, RawRequest?) {
    let server = try RawServer { connection, _ in
      connection.send("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n")
      connection.send(Array("Content-Length: \(body.count)\r\n\r\n".utf8) + body)
      return true
    }
    let transport = CurlTransport(environment: [:])
    var request = HTTPRequest(try WebAddress(server.url("/")))
    request.acceptsCompression = decoding
    var result: (HTTPResponse?, TransportError?)
    do {
      result = (try await transport.exchange(request, into: receiver), nil)
    } catch let error as TransportError {
      result = (nil, error)
    }
    await transport.close()
    server.stop()
    return (result.0, result.1, server.requests.first)
  }

  func testContentComesAsSentWithItsCodingVisible() async throws {
    let receiver = DataReceiver(limit: 1000)
    let (response, _, request) = try await fetch(Self.packed, decoding: false, into: receiver)
    XCTAssertEqual(receiver.bytes, Self.packed)
    XCTAssertEqual(response?.headers["Content-Encoding"], "gzip")
    XCTAssertEqual(request?["Accept-Encoding"], "identity")
  }

  func testCatalogsAreDecoded() async throws {
    let receiver = DataReceiver(limit: 1000)
    let (response, _, request) = try await fetch(Self.packed, decoding: true, into: receiver)
    XCTAssertEqual(receiver.bytes, Self.text)
    XCTAssertEqual(response?.bodyBytes, 20)
    XCTAssertEqual(response?.framing, .length(Int64(Self.packed.count)))
    XCTAssertEqual(request?["Accept-Encoding"]?.contains("gzip"), true)
  }

  func testTheLimitCountsDecodedBytes() async throws {
    let all = DataReceiver(limit: 100_000)
    _ = try await fetch(Self.bomb, decoding: true, into: all)
    XCTAssertTrue(all.bytes == [UInt8](repeating: 0, count: 100_000))
    let few = DataReceiver(limit: 1000)
    let error = try await fetch(Self.bomb, decoding: true, into: few).1
    XCTAssertEqual(error?.code, .bodyTooLarge(limit: 1000))
    XCTAssertLessThanOrEqual(few.bytes.count, 1000)
  }

  func testJoinedMembersAreOneContent() async throws {
    let receiver = DataReceiver(limit: 1000)
    _ = try await fetch(Self.packed + Self.packed, decoding: true, into: receiver)
    XCTAssertEqual(receiver.bytes, Self.text + Self.text)
  }

  /// libcurl's own decoding answered every one of these with success.
  func testACodingCutShortIsAShortBody() async throws {
    for count in 0..<Self.packed.count {
      let cut = Array(Self.packed.prefix(count))
      let error = try await fetch(cut, decoding: true, into: DataReceiver(limit: 1000)).1
      XCTAssertEqual(error?.code, .shortBody, "cut at \(count)")
    }
  }

  func testADamagedCodingIsAnError() async throws {
    let flipped = Self.packed.enumerated().map { $0 == 23 ? $1 ^ 1 : $1 }
    for body in [flipped, Self.packed + Array("rubbish".utf8), Self.text] {
      let error = try await fetch(body, decoding: true, into: DataReceiver(limit: 1000)).1
      XCTAssertEqual(error?.code, .malformedAnswer)
    }
  }

  /// Who met an odd coding was told to check the port and to try https.
  func testACodingThatNobodyAskedForIsSaidToBeThat() async throws {
    for coding in ["br", "gzip, gzip", "zstd"] {
      let error = try await fetchCoded(coding).1
      XCTAssertEqual(error?.code, .unaskedCoding)
      let sentence = try XCTUnwrap(error).description
      XCTAssert(sentence.contains("(\(coding))"), sentence)
      XCTAssertFalse(sentence.contains("https:"), sentence)
    }
  }

  /// What stands there changes no byte.
  func testCharacterSetsAndTheLikeAreNoCodings() async throws {
    for name in [
      "utf-8", "ISO-8859-1", "us-ascii", "none", "binary", "identity", "aws-chunked", "",
    ] {
      let (receiver, error) = try await fetchCoded(name)
      XCTAssertNil(error, name)
      XCTAssertEqual(receiver.bytes, Self.text, name)
    }
  }

  private func fetchCoded(_ coding: String) async throws -> (DataReceiver, TransportError?) {
    let server = try rawServer { connection, _ in
      connection.send("HTTP/1.1 200 OK\r\nContent-Encoding: \(coding)\r\n")
      connection.send(Array("Content-Length: \(Self.text.count)\r\n\r\n".utf8) + Self.text)
      return true
    }
    var request = HTTPRequest(try WebAddress(server.url("/")))
    request.acceptsCompression = true
    let receiver = DataReceiver(limit: 1000)
    do {
      _ = try await curl().exchange(request, into: receiver)
      return (receiver, nil)
    } catch let error as TransportError {
      return (receiver, error)
    }
  }
}
