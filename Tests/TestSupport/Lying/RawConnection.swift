import Foundation
import SyncLock

/// One connection of a ``RawServer``.
package final class RawConnection: Sendable {
  private let socket: Locked<CInt?>

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
    guard let socket = socket.withLock({ $0 }) else { return nil }
    var head: [UInt8] = []
    var byte: UInt8 = 0
    while recv(socket, &byte, 1, 0) == 1 {
      head.append(byte)
      if head.suffix(4) == [13, 10, 13, 10] {
        let text = String(decoding: head, as: UTF8.self)
        return RawRequest(lines: text.split(separator: "\r\n").map(String.init))
      }
    }
    return nil
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

package enum RawSocket {
  package struct Failure: Error { let call: String }

  /// A listening socket on a free port of the loopback interface.
  package static func listen() throws -> CInt {
    #if canImport(Glibc)
      let kind = CInt(SOCK_STREAM.rawValue)
    #else
      let kind = SOCK_STREAM
    #endif
    let listener = socket(AF_INET, kind, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let isBound = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    guard isBound, Foundation.listen(listener, 128) == 0 else { throw Failure(call: "listen") }
    return listener
  }

  package static func port(of listener: CInt) -> UInt16 {
    var address = sockaddr_in()
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    _ = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(listener, $0, &size) }
    }
    return UInt16(bigEndian: address.sin_port)
  }
}
