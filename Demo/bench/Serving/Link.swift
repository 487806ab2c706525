import Foundation
import RawSockets
import SyncLock

/// A network that is far away or narrow, made of a relay on loopback: each way takes time, and the
/// bytes of all connections together have a limit. A new connection costs a round trip more, as a
/// handshake does, which loopback itself answers at once.
final class Link: Sendable {
  /// What the link is like at the moment.
  struct Quality: Equatable {
    /// Seconds that every byte is under way, each way.
    var delay = 0.0
    /// Bytes a second towards the client, over all connections.
    var rate: Double?
  }

  let port: UInt16
  private let quality = Locked(Quality())
  private let listener: Int32

  /// A link to a port of this machine; perfect at first.
  init(to target: UInt16) throws {
    let listener = try RawSocket.listen()
    (self.listener, port) = (listener, RawSocket.port(of: listener))
    Thread.detachNewThread { [quality] in
      var relay = Relay(listener: listener, target: target, quality: quality)
      relay.run()
    }
  }

  /// Connections keep what bytes are under way.
  func become(_ quality: Quality) {
    self.quality.withLock { $0 = quality }
  }

  /// Hangs up; the relay's thread ends.
  func stop() {
    shutdown(listener, Int32(SHUT_RDWR))
  }

  /// What a plain request takes: a handshake and an answer are two round trips.
  func checkDelay(path: String) throws -> Double {
    let delay = quality.withLock { $0.delay }
    let began = ContinuousClock.now
    try PlainRequest.get(path, port: port)
    let took = (ContinuousClock.now - began) / .seconds(1)
    guard took >= 4 * delay, took < 4 * delay + 0.05 else {
      throw BenchProblem(
        description: "a plain request over a link of \(delay) s each way took \(took) s, "
          + "which should be \(4 * delay)")
    }
    return took
  }
}
