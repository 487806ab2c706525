import SynchronizerTesting
import TestSupport
import Foundation
import SyncLock
import SyncTransport
import TransportTesting
import XCTest

/// The transport's thread and what it holds.
final class CurlLifetimeTests: XCTestCase {
  func testClosingEndsWhatRunsAndRefusesWhatComes() async throws {
    let arrived = Gate()
    let server = try RawServer { connection, _ in
      arrived.open()
      connection.waitForClose()
      return false
    }
    let transport = CurlTransport(environment: [:])
    let stage = Bare(transport: transport)
    let request = HTTPRequest(try WebAddress(server.url("/")))
    let running = Task { await stage.failure(request, into: DiscardingReceiver()) }
    try await arrived.wait()
    await transport.close()
    let ended = await running.value as? TransportError
    XCTAssertEqual(ended?.code, .closed)
    let later = await stage.failure(request, into: DiscardingReceiver()) as? TransportError
    XCTAssertEqual(later?.code, .closed)
    await transport.close()
    server.stop()
  }

  func testLettingGoEndsTheThreadAndItsConnections() async throws {
    let isGone = Gate()
    let server = try rawServer { connection, request in
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
      connection.waitForClose()
      isGone.open()
      return false
    }
    var transport: CurlTransport? = CurlTransport(environment: [:])
    let request = HTTPRequest(try WebAddress(server.url("/")))
    try await assertEqual(transport?.exchange(request, into: DiscardingReceiver()).status, 200)
    transport = nil
    // Its kept connection closes when the thread tears libcurl down.
    try await isGone.wait()
  }

  func testAReceiverIsLetGoAfterItsExchange() async throws {
    let server = try RawServer { connection, _ in
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n1")
    }
    let transport = CurlTransport(environment: [:])
    let request = HTTPRequest(try WebAddress(server.url("/")))
    weak var weakReceiver: KeepingReceiver?
    do {
      let receiver = KeepingReceiver()
      weakReceiver = receiver
      _ = try await transport.exchange(request, into: receiver)
    }
    await transport.close()
    XCTAssertNil(weakReceiver)
    server.stop()
  }

  /// A thousand exchanges, many of them cancelled at any moment: each ends once, in one of the two
  /// ways, and the transport works on.
  func testAStormOfCancellationsLeavesEveryRequestWholeOrCancelled() async throws {
    let body = [UInt8](repeating: 7, count: 50_000)
    let server = try rawServer { connection, _ in
      connection.send(Array("HTTP/1.1 200 OK\r\nContent-Length: 50000\r\n\r\n".utf8) + body)
    }
    let transport = curl()
    let stage = Bare(transport: transport)
    let request = HTTPRequest(try WebAddress(server.url("/")))
    var random = SeededGenerator(seed: 42)
    let ends = Locked((whole: 0, cancelled: 0))
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<1000 {
        let cutAt = Int.random(in: 0..<8, using: &random)
        group.addTask {
          let receiver = RecordingReceiver()
          let task = Task { await stage.failure(request, into: receiver) }
          if cutAt < 4 {
            for _ in 0..<cutAt * 40 { await Task.yield() }
            task.cancel()
          }
          let error = await task.value
          ends.withLock { ends in
            if error == nil, receiver.bytes.count == 50_000 { ends.whole += 1 }
            if error is CancellationError { ends.cancelled += 1 }
          }
        }
      }
    }
    let (whole, cancelled) = ends.withLock { $0 }
    XCTAssertEqual(whole + cancelled, 1000)
    XCTAssertGreaterThan(whole, 400)
    try await assertEqual(transport.exchange(request, into: DiscardingReceiver()).bodyBytes, 50_000)
  }
}

/// Keeps its resumption, as a receiver that pauses does.
private final class KeepingReceiver: BodyReceiver {
  private let kept = Locked<Resumption?>(nil)

  func begin(_ head: HTTPHead, resumption: Resumption) { kept.withLock { $0 = resumption } }
  func receive(_ bytes: UnsafeRawBufferPointer) -> Demand { .more }
}
