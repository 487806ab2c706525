import SyncLock
import SyncTransport
import SynchronizerTesting
import TestSupport
import TransportTesting
import XCTest

/// Cancelling and pausing, over each transport.
final class TransportCancellationTests: XCTestCase {
  private static let body = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }

  func testACancelledTaskSendsNothing() async throws {
    try await onEachStage { stage in
      let request = HTTPRequest(try stage.address(Script(body: Self.body)))
      let receiver = RecordingReceiver()
      let gate = Gate()
      let task = Task {
        try? await gate.wait()
        return await stage.failure(request, into: receiver)
      }
      task.cancel()
      await assertTrue(task.value is CancellationError)
      XCTAssertEqual(receiver.calls, 0)
      XCTAssertEqual(stage.requestCount, 0)
    }
  }

  func testCancellingEndsTheWaitForAHead() async throws {
    try await onEachStage { stage in
      let script = Script(body: Self.body, isHeadHeld: true)
      let request = HTTPRequest(try stage.address(script))
      let receiver = RecordingReceiver()
      let task = Task { await stage.failure(request, into: receiver) }
      try await script.arrival.wait()
      task.cancel()
      await assertTrue(task.value is CancellationError)
      XCTAssertEqual(receiver.calls, 0)
    }
  }

  func testCancellingEndsABody() async throws {
    try await onEachStage { stage in
      let script = Script(body: Self.body, isBodyHeld: true)
      let request = HTTPRequest(try stage.address(script))
      let receiver = RecordingReceiver()
      let task = Task { await stage.failure(request, into: receiver) }
      try await receiver.hasReceived.wait()
      task.cancel()
      await assertTrue(task.value is CancellationError)
      let calls = receiver.calls
      _ = await stage.failure(HTTPRequest(try stage.address(Script())), into: DiscardingReceiver())
      XCTAssertEqual(receiver.calls, calls)
    }
  }

  func testAPausedBodyWaitsAndThenComesWhole() async throws {
    try await onEachStage { stage in
      let handle = Locked<Resumption?>(nil)
      let hasPaused = Gate()
      let receiver = RecordingReceiver(
        onBegin: { _, resumption in handle.withLock { $0 = resumption } },
        onReceive: { count in
          guard count < 50_000 else { return .more }
          hasPaused.open()
          return .pause
        })
      let request = HTTPRequest(try stage.address(Script(body: Self.body)))
      let task = Task { try await stage.transport.exchange(request, into: receiver) }
      try await hasPaused.wait()
      var seen = receiver.bytes.count
      XCTAssertLessThan(seen, Self.body.count)
      while seen < 50_000 {
        handle.withLock { $0 }?.resume()
        while receiver.bytes.count == seen { await Task.yield() }
        seen = receiver.bytes.count
      }
      handle.withLock { $0 }?.resume()
      try await assertEqual(task.value.bodyBytes, Int64(Self.body.count))
      XCTAssertEqual(receiver.bytes, Self.body)
    }
  }

  func testAResumeBeforeThePauseIsNotLost() async throws {
    try await onEachStage { stage in
      let handle = Locked<Resumption?>(nil)
      let receiver = RecordingReceiver(
        onBegin: { _, resumption in handle.withLock { $0 = resumption } },
        onReceive: { _ in
          handle.withLock { $0 }?.resume()
          return .pause
        })
      let request = HTTPRequest(try stage.address(Script(body: Self.body)))
      _ = try await stage.transport.exchange(request, into: receiver)
      XCTAssertEqual(receiver.bytes, Self.body)
    }
  }

  func testCancellingEndsAPausedBody() async throws {
    try await onEachStage { stage in
      let receiver = RecordingReceiver(onReceive: { _ in .pause })
      let request = HTTPRequest(try stage.address(Script(body: Self.body)))
      let task = Task { await stage.failure(request, into: receiver) }
      try await receiver.hasReceived.wait()
      task.cancel()
      await assertTrue(task.value is CancellationError)
    }
  }
}
