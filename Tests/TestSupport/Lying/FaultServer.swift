import Foundation
import RawSockets
import SyncLock

/// A server that does to each request what its script says, true or not, and keeps a log of all
/// that it was told.
package final class FaultServer: Sendable {
  /// What is done about a request, of which this is the `attempt`th for the same path; the first
  /// is 1.
  package typealias Script = @Sendable (_ request: RawRequest, _ attempt: Int) -> FaultAnswer

  private let server: RawServer
  private let script: Locked<Script>
  private let attempts: Locked<[String: Int]>

  /// Listens at a port of 127.0.0.1.
  package convenience init(_ script: @escaping Script) throws {
    self.init(at: "127.0.0.1", listener: try RawSocket.listen(), script)
  }

  /// Takes over a socket that listens at `address`.
  package init(at address: String, listener: CInt, _ script: @escaping Script) {
    let script = Locked(script)
    let attempts = Locked<[String: Int]>([:])
    (self.script, self.attempts) = (script, attempts)
    server = RawServer(at: address, listener: listener) { connection, request in
      let attempt = attempts.withLock { attempts in
        attempts[request.path, default: 0] += 1
        return attempts[request.path, default: 0]
      }
      // Else it would be taken for the next request.
      _ = connection.readBody(request["Content-Length"].flatMap { Int($0) } ?? 0)
      let answer = script.withLock { $0 }(request, attempt)
      return connection.perform(answer.steps) && answer.staysOpen
    }
  }

  package var address: String { server.address }
  package var port: UInt16 { server.port }

  /// How many connections were ever made.
  package var connectionCount: Int { server.connectionCount }

  /// Every request since the last ``takeRequests()``, in order.
  package var requests: [RawRequest] { server.requests }

  /// The requests since the last call of this.
  package func takeRequests() -> [RawRequest] { server.takeRequests() }

  package func url(_ path: String) -> String { server.url(path) }

  /// Does something else from now on, and counts attempts anew.
  package func follow(_ script: @escaping Script) {
    self.script.withLock { $0 = script }
    attempts.withLock { $0.removeAll() }
  }

  package func stop() { server.stop() }
}

extension RawConnection {
  /// Does one step after the other; `false` when the connection is over.
  fileprivate func perform(_ steps: [FaultAnswer.Step]) -> Bool {
    steps.allSatisfy { perform($0) }
  }

  private func perform(_ step: FaultAnswer.Step) -> Bool {
    switch step {
    case .bytes(let bytes): return send(bytes)
    case .repeated(let bytes, let times):
      for _ in 0..<times { if !send(bytes) { return false } }
      return true
    case .dripped(let bytes, let milliseconds):
      for byte in bytes {
        usleep(milliseconds * 1_000)
        if !send([byte]) { return false }
      }
      return true
    case .pause(let milliseconds):
      usleep(milliseconds * 1_000)
      return true
    case .silence:
      waitForClose()
      return false
    case .reset:
      reset()
      return false
    }
  }
}
