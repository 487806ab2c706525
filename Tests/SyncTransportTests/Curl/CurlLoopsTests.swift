import Foundation
import SyncLock
import SyncTransport
import SynchronizerTesting
import TestSupport
import TransportTesting
import XCTest

/// A transport with many connections, which two threads serve.
final class CurlLoopsTests: XCTestCase {
  /// Notes which thread a response comes on.
  private final class ThreadNote: BodyReceiver {
    let threads: Locked<Set<pthread_t>>

    init(_ threads: Locked<Set<pthread_t>>) { self.threads = threads }

    func begin(_ head: HTTPHead, resumption: Resumption) {
      threads.withLock { _ = $0.insert(pthread_self()) }
    }

    func receive(_ bytes: UnsafeRawBufferPointer) -> Demand { .more }
  }

  /// Counts the requests that a server got.
  private final class Arrivals: Sendable {
    let areAllThere = Gate()
    private let count = Locked(0)
    private let expected: Int

    init(expecting expected: Int) { self.expected = expected }

    func come() {
      let number = count.withLock { count in
        count += 1
        return count
      }
      if number == expected { areAllThere.open() }
    }
  }

  private static func answeringServer() throws -> RawServer {
    try RawServer { connection, _ in connection.send(empty) }
  }

  private static let empty = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"

  private static func transport(_ connections: Int) -> CurlTransport {
    var configuration = TransportConfiguration()
    configuration.maxConnectionsPerHost = connections
    return CurlTransport(configuration, environment: [:])
  }

  func testTwoThreadsShareTheConnectionsAndKeepTheirLimit() async throws {
    for (connections, threadCount) in [(15, 1), (16, 2), (17, 2)] {
      let release = Gate()
      let arrivals = Arrivals(expecting: connections)
      let server = try RawServer { connection, _ in
        arrivals.come()
        release.block()
        return connection.send(Self.empty)
      }
      let transport = Self.transport(connections)
      let request = HTTPRequest(try WebAddress(server.url("/")))
      let threads = Locked(Set<pthread_t>())
      let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<(3 * connections) {
          group.addTask {
            try await transport.exchange(request, into: ThreadNote(threads)).status
          }
        }
        try await arrivals.areAllThere.wait()
        release.open()
        return try await group.reduce(into: []) { $0.append($1) }
      }
      XCTAssertEqual(statuses, Array(repeating: 200, count: 3 * connections))
      // Nobody was let in beyond the limit: each had a connection of its own while none was free.
      XCTAssertEqual(server.connectionCount, connections)
      XCTAssertEqual(threads.withLock { $0.count }, threadCount)
      await transport.close()
      server.stop()
    }
  }

  func testOneRequestAfterTheOtherNeedsOneConnection() async throws {
    let server = try Self.answeringServer()
    let transport = Self.transport(32)
    let request = HTTPRequest(try WebAddress(server.url("/")))
    let threads = Locked(Set<pthread_t>())
    for _ in 0..<50 { _ = try await transport.exchange(request, into: ThreadNote(threads)) }
    XCTAssertEqual(server.connectionCount, 1)
    XCTAssertEqual(threads.withLock { $0.count }, 1)
    await transport.close()
    server.stop()
  }

  func testClosingEndsWhatBothThreadsHave() async throws {
    let arrivals = Arrivals(expecting: 20)
    let server = try RawServer { connection, _ in
      arrivals.come()
      connection.waitForClose()
      return false
    }
    let transport = Self.transport(32)
    let request = HTTPRequest(try WebAddress(server.url("/")))
    let codes = try await withThrowingTaskGroup(of: TransportError.Code?.self) { group in
      for _ in 0..<20 {
        group.addTask {
          do {
            _ = try await transport.exchange(request, into: DiscardingReceiver())
            return nil
          } catch let error as TransportError {
            return error.code
          }
        }
      }
      try await arrivals.areAllThere.wait()
      await transport.close()
      return try await group.reduce(into: []) { $0.append($1) }
    }
    XCTAssertEqual(codes, Array(repeating: .closed, count: 20))
    for _ in 0..<6 {
      do {
        _ = try await transport.exchange(request, into: DiscardingReceiver())
        XCTFail("it was closed")
      } catch let error as TransportError {
        XCTAssertEqual(error.code, .closed)
      }
    }
    server.stop()
  }

  func testManyOriginsUseAllConnections() async throws {
    let connections = 16
    let release = Gate()
    let arrivals = Arrivals(expecting: connections)
    let servers = try (0..<connections).map { _ in
      try RawServer { connection, _ in
        arrivals.come()
        release.block()
        return connection.send(Self.empty)
      }
    }
    var configuration = TransportConfiguration()
    (configuration.maxConnections, configuration.maxConnectionsPerHost) = (connections, connections)
    let transport = CurlTransport(configuration, environment: [:])
    try await withThrowingTaskGroup { group in
      for server in servers {
        let request = HTTPRequest(try WebAddress(server.url("/")))
        group.addTask { _ = try await transport.exchange(request, into: DiscardingReceiver()) }
      }
      try await arrivals.areAllThere.wait()
      release.open()
      try await group.waitForAll()
    }
    await transport.close()
    for server in servers { server.stop() }
  }

  func testATaskThatPrefersTheThreadsRunsOnThem() async throws {
    let server = try Self.answeringServer()
    let transport = Self.transport(32)
    let request = HTTPRequest(try WebAddress(server.url("/")))
    let answering = Locked(Set<pthread_t>())
    let threads = try await withThrowingTaskGroup(of: Set<pthread_t>.self) { group in
      for _ in 0..<32 {
        group.addTask(executorPreference: transport.executor) {
          var threads: Set<pthread_t> = []
          for _ in 0..<20 {
            _ = try await transport.exchange(request, into: ThreadNote(answering))
            threads.insert(Self.thread)
          }
          return threads
        }
      }
      return try await group.reduce(into: Set()) { $0.formUnion($1) }
    }
    XCTAssertEqual(answering.withLock { $0 }.count, 2)
    XCTAssertEqual(threads, answering.withLock { $0 })
    await transport.close()
    server.stop()
  }

  func testATaskThatNeverRestsKeepsNobodyFromBeingAnswered() async throws {
    let server = try Self.answeringServer()
    let transport = Self.transport(1)
    let request = HTTPRequest(try WebAddress(server.url("/")))
    let isAnswered = Locked(false)
    let turns = try await withThrowingTaskGroup(of: Int.self) { group in
      group.addTask(executorPreference: transport.executor) {
        var turns = 0
        while !isAnswered.withLock({ $0 }) {
          turns += 1
          await Task.yield()
        }
        return turns
      }
      group.addTask(executorPreference: transport.executor) {
        _ = try await transport.exchange(request, into: DiscardingReceiver())
        isAnswered.withLock { $0 = true }
        return 0
      }
      return try await group.reduce(0, +)
    }
    XCTAssertGreaterThan(turns, 0)
    await transport.close()
    server.stop()
  }

  func testTasksThatPreferTheThreadsOutliveThem() async throws {
    let transport = Self.transport(1)
    let (isRunning, isClosed) = (Gate(), Gate())
    let early = Task(executorPreference: transport.executor) {
      isRunning.open()
      try await isClosed.wait()
      return "early"
    }
    try await isRunning.wait()
    await transport.close()
    isClosed.open()
    let late = Task(executorPreference: transport.executor) { "late" }
    let ends = (try await early.value, await late.value)
    XCTAssertEqual(ends.0, "early")
    XCTAssertEqual(ends.1, "late")
  }

  func testATaskThatIsReadyWhenItsThreadEndsGoesOnElsewhere() async throws {
    for isClosed in [true, false] {
      var transport: CurlTransport? = Self.transport(1)
      let (isRunning, isEnough) = (Gate(), Locked(false))
      // Nearly always ready to run: most likely its job is there when the thread ends.
      let task = Task(executorPreference: transport?.executor) {
        isRunning.open()
        while !isEnough.withLock({ $0 }) { await Task.yield() }
        return "done"
      }
      try await isRunning.wait()
      if isClosed { await transport?.close() }
      transport = nil
      isEnough.withLock { $0 = true }
      await assertEqual(task.value, "done")
    }
  }

  private static var thread: pthread_t { pthread_self() }
}
