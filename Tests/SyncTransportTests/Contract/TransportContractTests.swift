import SyncLock
import SyncTransport
import TestSupport
import TransportTesting
import XCTest

/// The claims of ``Transport``'s contract, over each transport.
final class TransportContractTests: XCTestCase {
  private struct Refusal: Error, Equatable { let number: Int }

  private static let body = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }

  func testAResponseComesWholeAndInOrder() async throws {
    try await onEachStage { stage in
      let script = Script(status: 200, headers: [("X-One", "1"), ("x-one", "2")], body: Self.body)
      let receiver = RecordingReceiver()
      let request = HTTPRequest(try stage.address(script))
      let response = try await stage.transport.exchange(request, into: receiver)
      XCTAssertEqual(response.status, 200)
      XCTAssertEqual(response.headers.all("X-ONE"), ["1", "2"])
      XCTAssertEqual(response.framing, .length(100_000))
      XCTAssertEqual(response.bodyBytes, 100_000)
      XCTAssertEqual(receiver.heads, [response.head])
      XCTAssertEqual(receiver.bytes, Self.body)
    }
  }

  func testTheFramingSaysWhatVouchesForTheEnd() async throws {
    try await onEachStage { stage in
      for (way, framing) in [(Script.Way.chunked, Framing.chunked), (.untilClose, .untilClose)] {
        let receiver = RecordingReceiver()
        let request = HTTPRequest(try stage.address(Script(body: Self.body, framing: way)))
        try await assertEqual(stage.transport.exchange(request, into: receiver).framing, framing)
        XCTAssertEqual(receiver.bytes, Self.body)
        XCTAssertEqual(framing.isVouchedFor, way == .chunked)
      }
    }
  }

  func testAReceiverIsToldOfAResponseWithoutABody() async throws {
    try await onEachStage { stage in
      let cases: [(HTTPRequest.Method, Int)] = [(.head, 200), (.get, 304), (.get, 204)]
      for (method, status) in cases {
        let receiver = RecordingReceiver()
        var request = HTTPRequest(try stage.address(Script(status: status, body: [1, 2, 3])))
        request.method = method
        try await assertEqual(stage.transport.exchange(request, into: receiver).framing, .noBody)
        XCTAssertEqual(receiver.heads.map(\.status), [status])
        XCTAssertEqual(receiver.calls, 1)
      }
      let receiver = RecordingReceiver()
      let request = HTTPRequest(try stage.address(Script()))
      try await assertEqual(stage.transport.exchange(request, into: receiver).framing, .length(0))
      XCTAssertEqual(receiver.calls, 1)
    }
  }

  func testNothingIsFollowedOrTriedAgain() async throws {
    try await onEachStage { stage in
      for status in [301, 302, 307, 404, 429, 503] {
        let script = Script(status: status, headers: [("Location", "/"), ("Retry-After", "0")])
        let request = HTTPRequest(try stage.address(script))
        let before = stage.requestCount
        let response = try await stage.transport.exchange(request, into: DiscardingReceiver())
        XCTAssertEqual(response.status, status)
        XCTAssertEqual(stage.requestCount, before + 1)
      }
    }
  }

  func testAnErrorOfTheReceiverComesOutAndEndsItsCalls() async throws {
    try await onEachStage { stage in
      let atBegin = RecordingReceiver(onBegin: { _, _ in throw Refusal(number: 1) })
      let atBytes = RecordingReceiver(onReceive: { _ in throw Refusal(number: 2) })
      let request = HTTPRequest(try stage.address(Script(body: Self.body)))
      await assertEqual(stage.failure(request, into: atBegin) as? Refusal, Refusal(number: 1))
      XCTAssertEqual(atBegin.calls, 1)
      await assertEqual(stage.failure(request, into: atBytes) as? Refusal, Refusal(number: 2))
      XCTAssertEqual(atBytes.calls, 2)
      let empty = HTTPRequest(try stage.address(Script()))
      await assertEqual(stage.failure(empty, into: atBegin) as? Refusal, Refusal(number: 1))
    }
  }

  func testAShortBodyIsNoticedInBothFramings() async throws {
    try await onEachStage { stage in
      for way in [Script.Way.length, .chunked] {
        let receiver = RecordingReceiver()
        let script = Script(body: Self.body, framing: way, isShort: true)
        let error = await stage.failure(HTTPRequest(try stage.address(script)), into: receiver)
        XCTAssertEqual((error as? TransportError)?.code, .shortBody)
        XCTAssertEqual(receiver.bytes, Self.body)
      }
    }
  }

  func testABodyPastTheLimitIsCut() async throws {
    try await onEachStage { stage in
      for way in [Script.Way.length, .chunked] {
        let request = HTTPRequest(try stage.address(Script(body: Self.body, framing: way)))
        let enough = DataReceiver(limit: 100_000)
        _ = try await stage.transport.exchange(request, into: enough)
        XCTAssertEqual(enough.bytes, Self.body)
        let error = await stage.failure(request, into: DataReceiver(limit: 99_999))
        XCTAssertEqual((error as? TransportError)?.code, .bodyTooLarge(limit: 99_999))
      }
    }
  }

  func testARefusedAddressIsNotTalkedTo() async throws {
    try await onEachStage { stage in
      let asked = Locked<[IPAddress]>([])
      var request = HTTPRequest(try stage.address(Script(body: Self.body)))
      request.admits = { address in
        asked.withLock { $0.append(address) }
        return false
      }
      let receiver = RecordingReceiver()
      let error = await stage.failure(request, into: receiver) as? TransportError
      XCTAssertEqual(error?.code, .addressRefused)
      XCTAssertEqual(error?.isTransient, false)
      XCTAssertEqual(asked.withLock { $0 }, [IPAddress("127.0.0.1")])
      XCTAssertEqual(receiver.calls, 0)
    }
  }
}

extension TransportStage {
  /// What an exchange throws; `nil` when it doesn't.
  func failure(_ request: HTTPRequest, into receiver: any BodyReceiver) async -> (any Error)? {
    do {
      _ = try await transport.exchange(request, into: receiver)
      return nil
    } catch {
      return error
    }
  }
}
