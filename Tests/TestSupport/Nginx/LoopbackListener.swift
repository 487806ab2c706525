import Foundation
import RawSockets

/// A socket that listens on a free port of 127.0.0.1. Callers stand in its queue, and nobody
/// answers them.
package final class LoopbackListener {
  package let descriptor: Int32
  package let port: UInt16

  package init() throws {
    descriptor = try RawSocket.listen()
    port = RawSocket.port(of: descriptor)
  }

  /// Waits until somebody calls; returns whether that came in time.
  package func waitForCaller(within limit: Duration = Patience.usual) -> Bool {
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&request, 1, Int32(limit.components.seconds * 1_000)) == 1
  }

  /// Hangs up on everybody in the queue, and refuses whoever calls from now on.
  package func close() { _ = Foundation.close(descriptor) }
}
