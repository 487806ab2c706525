import Dispatch
import Foundation
import RawSockets
import SyncLock

/// A loopback server on raw sockets that says what its handler says, true or not.
package final class RawServer: Sendable {
  /// Answers one request; returns whether the connection stays open for the next.
  package typealias Handler = @Sendable (RawConnection, RawRequest) -> Bool

  package let address: String
  package let port: UInt16
  private let listener: CInt
  private let handler: Handler
  private let state = Locked(State())

  private struct State: Sendable {
    var connections: [RawConnection] = []
    var requests: [RawRequest] = []
    var isStopped = false
  }

  /// Listens at a free port of 127.0.0.1.
  package convenience init(_ handler: @escaping Handler) throws {
    let address = "127.0.0.1"
    self.init(at: address, listener: try RawSocket.listen(at: address), handler)
  }

  /// Takes over a socket that listens at `address`.
  package init(at address: String, listener: CInt, _ handler: @escaping Handler) {
    self.handler = handler
    self.address = address
    self.listener = listener
    port = RawSocket.port(of: listener)
    Thread.detachNewThread { [self] in accept() }
  }

  /// How many connections were ever made.
  package var connectionCount: Int { state.withLock { $0.connections.count } }

  /// Every request, in order.
  package var requests: [RawRequest] { state.withLock { $0.requests } }

  /// The requests since the last call of this.
  package func takeRequests() -> [RawRequest] {
    state.withLock { state in
      defer { state.requests.removeAll() }
      return state.requests
    }
  }

  package func url(_ path: String) -> String { "http://\(address):\(port)\(path)" }

  package func stop() {
    let connections = state.withLock { state in
      state.isStopped = true
      return state.connections
    }
    shutdown(listener, CInt(SHUT_RDWR))
    for connection in connections { connection.shutDown() }
  }

  private func accept() {
    let crew = ConnectionCrew { [self] in serve($0) }
    while true {
      let socket = Foundation.accept(listener, nil, nil)
      guard socket >= 0 else { break }
      RawSocket.closeOnExec(socket)
      let connection = RawConnection(socket)
      let isStopped = state.withLock { state in
        state.connections.append(connection)
        return state.isStopped
      }
      if isStopped { connection.shutDown() }
      crew.take(connection)
    }
    crew.dismiss()
    close(listener)
  }

  private func serve(_ connection: RawConnection) {
    while let request = connection.readRequest() {
      state.withLock { $0.requests.append(request) }
      guard handler(connection, request) else { break }
    }
    connection.close()
  }
}

/// The head of a request as it came.
package struct RawRequest: Sendable {
  package let lines: [String]

  /// A head of these lines.
  package init(lines: [String]) {
    self.lines = lines
  }

  package var path: String {
    lines.first?.split(separator: " ").dropFirst().first.map(String.init) ?? ""
  }
  package var method: String { lines.first?.split(separator: " ").first.map(String.init) ?? "" }

  package subscript(name: String) -> String? {
    lines.dropFirst().first { $0.lowercased().hasPrefix(name.lowercased() + ":") }
      .map { $0.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces) }
  }
}
