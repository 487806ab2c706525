import Foundation
import SyncLock

/// One connection of a ``RawServer``.
package final class RawConnection: Sendable {
  private let socket: Locked<CInt?>
  private let received = Locked<[UInt8]>([])

  package init(_ socket: CInt) {
    self.socket = Locked(socket)
  }

  /// Sends text; `false` when the other side is gone.
  @discardableResult package func send(_ text: String) -> Bool { send(Array(text.utf8)) }

  /// Sends bytes, waiting while the socket's buffer is full; `false` when the other side is gone.
  @discardableResult package func send(_ bytes: [UInt8]) -> Bool {
    guard let socket = socket.withLock({ $0 }) else { return false }
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        Foundation.send(socket, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      sent += count
    }
    return true
  }

  /// The next request's head; `nil` when the other side is gone.
  package func readRequest() -> RawRequest? {
    while true {
      if let head = takeHead() {
        let text = String(decoding: head, as: UTF8.self)
        return RawRequest(lines: text.split(separator: "\r\n").map(String.init))
      }
      guard let piece = receive() else { return nil }
      received.withLock { $0 += piece }
    }
  }

  /// The next bytes, as many as a request's body has; fewer when the other side is gone.
  package func readBody(_ count: Int) -> [UInt8] {
    while received.withLock({ $0.count }) < count, let piece = receive() {
      received.withLock { $0 += piece }
    }
    return received.withLock { received in
      let body = Array(received.prefix(count))
      received.removeFirst(body.count)
      return body
    }
  }

  private func receive() -> ArraySlice<UInt8>? {
    guard let socket = socket.withLock({ $0 }) else { return nil }
    var piece = [UInt8](repeating: 0, count: 16_384)
    let count = recv(socket, &piece, piece.count, 0)
    return count > 0 ? piece[..<count] : nil
  }

  /// Takes the first head off what was received; what follows it stays.
  private func takeHead() -> [UInt8]? {
    received.withLock { received in
      var start = 0
      while let line = received[start...].firstIndex(of: 10) {
        if received[...line].suffix(4) == [13, 10, 13, 10] {
          defer { received.removeSubrange(...line) }
          return Array(received[...line])
        }
        start = line + 1
      }
      return nil
    }
  }

  /// The body of this request, by its `Content-Length`.
  package func readBody(of request: RawRequest) -> [UInt8] {
    readBody(request["Content-Length"].flatMap { Int($0) } ?? 0)
  }

  /// Returns when the other side has gone.
  package func waitForClose() {
    while readRequest() != nil {}
  }

  /// Closes with a reset in place of an orderly end.
  package func reset() {
    socket.withLock { socket in
      guard let open = socket else { return }
      var option = linger(l_onoff: 1, l_linger: 0)
      setsockopt(open, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
      Foundation.close(open)
      socket = nil
    }
  }

  package func close() {
    socket.withLock { socket in
      if let open = socket { Foundation.close(open) }
      socket = nil
    }
  }

  package func shutDown() {
    socket.withLock { if let open = $0 { shutdown(open, CInt(SHUT_RDWR)) } }
  }
}
