import SyncLock
import SyncTransport
import XCTest

@testable import SyncFetching

/// Transports that several connections of a process share.
final class ConnectionPoolTests: XCTestCase {
  /// A transport that only notes that it was closed.
  private final class Idle: Transport {
    let isClosed = Locked(false)

    func exchange(
      _ request: HTTPRequest, into receiver: any BodyReceiver
    ) async throws -> HTTPResponse {
      throw TransportError(.closed, at: request.address)
    }

    func close() async { isClosed.withLock { $0 = true } }
  }

  func testOneConfigurationHasOneTransportThatIsClosedAfterItsLastUse() async {
    let pool = ConnectionPool()
    let made = Locked<[Idle]>([])
    let make: @Sendable (TransportConfiguration) -> any Transport = { _ in
      let transport = Idle()
      made.withLock { $0.append(transport) }
      return transport
    }
    var other = TransportConfiguration()
    other.caFile = "/tmp/other.pem"
    let one = pool.take(TransportConfiguration(), making: make)
    let two = pool.take(TransportConfiguration(), making: make)
    let three = pool.take(other, making: make)
    let transports = made.withLock { $0 }
    XCTAssertEqual(transports.count, 2)
    XCTAssertEqual(pool.transports, 2)
    await one.end()
    XCTAssertFalse(transports[0].isClosed.withLock { $0 }, "somebody still uses it")
    await two.end()
    XCTAssertTrue(transports[0].isClosed.withLock { $0 })
    XCTAssertFalse(transports[1].isClosed.withLock { $0 })
    await three.end()
    XCTAssertEqual(pool.transports, 0)
    await pool.take(TransportConfiguration(), making: make).end()
    XCTAssertEqual(made.withLock { $0.count }, 3, "a closed one is used no more")
  }
}
