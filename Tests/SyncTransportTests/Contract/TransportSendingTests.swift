import SyncTransport
import TransportTesting
import XCTest

/// What a request carries, over each transport.
final class TransportSendingTests: XCTestCase {
  private typealias Method = HTTPRequest.Method
  private static let body = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }

  func testEveryMethodArrivesUnderItsName() async throws {
    let lock = try XCTUnwrap(Method("LOCK"))
    let methods: [Method] = [
      .get, .head, .put, .post, .patch, .delete, .options, .propfind, .report, lock,
    ]
    try await onEachStage { stage in
      for method in methods {
        var request = HTTPRequest(try stage.address(Script(body: [1, 2, 3])))
        request.method = method
        let receiver = RecordingReceiver()
        let response = try await stage.transport.exchange(request, into: receiver)
        XCTAssertEqual(response.bodyBytes, method == .head ? 0 : 3)
        XCTAssertEqual(receiver.bytes, method == .head ? [] : [1, 2, 3])
        XCTAssertEqual(stage.arrivals.last, Arrival(method: method.name))
      }
    }
  }

  func testABodyFromMemoryArrivesWholeUnderItsMediaType() async throws {
    try await onEachStage { stage in
      for method in [Method.put, .post, .patch, .delete, .report, .get] {
        for size in [0, 1, Self.body.count] {
          var request = HTTPRequest(try stage.address(Script(body: [7])))
          request.method = method
          request.headers = HTTPHeaders([("Content-Type", "text/plain"), ("X-One", "1")])
          let body = Array(Self.body.prefix(size))
          request.body = RequestBody(body, mediaType: "application/json")
          let receiver = RecordingReceiver()
          _ = try await stage.transport.exchange(request, into: receiver)
          XCTAssertEqual(receiver.bytes, [7])
          let came = Arrival(method: method.name, mediaType: "application/json", body: body)
          XCTAssertEqual(stage.arrivals.last, came, "\(method.name) \(size)")
        }
      }
    }
  }

  func testAHeadCarriesNoBody() async throws {
    try await onEachStage { stage in
      var request = HTTPRequest(try stage.address(Script(body: [1])))
      request.method = .head
      request.body = RequestBody([1, 2], mediaType: "text/plain")
      _ = try await stage.transport.exchange(request, into: RecordingReceiver())
      XCTAssertEqual(stage.arrivals, [Arrival(method: "HEAD")])
    }
  }

  func testPartsAreSentOneAfterTheOtherAsTheyAreRead() async throws {
    try await onEachStage { stage in
      var request = HTTPRequest(try stage.address(Script()))
      request.method = .put
      let body = Self.body
      request.body = RequestBody(
        parts: [
          .bytes([1, 2]), .bytes([]),
          .read(count: Int64(body.count)) { offset, room in
            let count = min(room.count, 1_000)
            room.copyBytes(from: body[Int(offset)...].prefix(count))
            return count
          }, .bytes([3]),
        ], mediaType: "image/png")
      for _ in 0..<2 {
        _ = try await stage.transport.exchange(request, into: DiscardingReceiver())
      }
      let whole = Arrival(method: "PUT", mediaType: "image/png", body: [1, 2] + body + [3])
      XCTAssertEqual(stage.arrivals, [whole, whole])
    }
  }

  func testAPartThatCannotBeReadIsSaid() async throws {
    struct Broken: Error, CustomStringConvertible { var description: String { "it broke" } }
    try await onEachStage { stage in
      let table: [(@Sendable (Int64, UnsafeMutableRawBufferPointer) throws -> Int, String)] = [
        ({ _, _ in throw Broken() }, "it broke"), ({ _, _ in 0 }, "it ends too early"),
      ]
      for (read, reason) in table {
        var request = HTTPRequest(try stage.address(Script()))
        request.method = .put
        request.body = RequestBody(parts: [.bytes([1]), .read(count: 10, read)])
        let error = await stage.failure(request, into: DiscardingReceiver()) as? TransportError
        XCTAssertEqual(error?.code, .unreadableBody)
        XCTAssertEqual(error?.detail, reason)
        XCTAssertEqual(error?.isTransient, false)
      }
    }
  }

  func testOnlyTheTransportSaysWhereABodyEnds() async throws {
    try await onEachStage { stage in
      for (name, value) in [("content-length", "5"), ("Transfer-Encoding", "chunked")] {
        var request = HTTPRequest(try stage.address(Script()))
        request.method = .post
        request.headers = HTTPHeaders([(name, value)])
        request.body = RequestBody([1, 2])
        let error = await stage.failure(request, into: DiscardingReceiver()) as? TransportError
        XCTAssertEqual(error?.code, .invalidHeader)
        XCTAssertEqual(stage.requestCount, 0)
      }
    }
  }

  func testAMethodIsAToken() {
    for name in ["", "GE T", "GET\r\n", "GET:", "(", "é", "CONNECT"] {
      XCTAssertNil(Method(name), name)
    }
    XCTAssertEqual(Method("GET"), .get)
    XCTAssertNotEqual(Method("get"), .get)
  }

  func testWhichRequestsMayBeRepeated() throws {
    let idempotent: [Method] = [.get, .head, .put, .delete, .options, .propfind, .report]
    let others: [Method] = [.post, .patch, try XCTUnwrap(Method("LOCK"))]
    var request = HTTPRequest(try WebAddress("http://h/"))
    for method in idempotent + others {
      request.method = method
      XCTAssertEqual(request.isRepeatable, idempotent.contains(method), method.name)
      for field in ["if-match", "If-None-Match"] {
        var conditional = request
        conditional.headers = HTTPHeaders([(field, "*")])
        XCTAssertTrue(conditional.isRepeatable)
      }
      var vouchedFor = request
      vouchedFor.mayBeRepeated = true
      XCTAssertTrue(vouchedFor.isRepeatable)
    }
  }
}
