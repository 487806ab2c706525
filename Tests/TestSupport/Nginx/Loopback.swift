package import Foundation

/// Sockets on 127.0.0.1.
package enum Loopback {
  /// Sends one request and gives all that comes until the server hangs up.
  @discardableResult package static func ask(_ request: String, port: UInt16) throws -> Data {
    let descriptor = try newSocket()
    defer { close(descriptor) }
    var address = place(port)
    let length = socklen_t(MemoryLayout<sockaddr_in>.size)
    guard withPointer(to: &address, { connect(descriptor, $0, length) }) == 0 else {
      throw POSIXError(.ECONNREFUSED)
    }
    let file = FileHandle(fileDescriptor: descriptor)
    try file.write(contentsOf: Data(request.utf8))
    return try file.readToEnd() ?? Data()
  }

  fileprivate static func newSocket() throws -> Int32 {
    #if canImport(Glibc)
      let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    #else
      let kind = SOCK_STREAM
    #endif
    let descriptor = socket(AF_INET, kind, 0)
    guard descriptor >= 0 else { throw POSIXError(.EMFILE) }
    return descriptor
  }

  fileprivate static func place(_ port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    return address
  }

  fileprivate static func withPointer<Result>(
    to address: inout sockaddr_in, _ body: (UnsafeMutablePointer<sockaddr>) -> Result
  ) -> Result {
    withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1, body)
    }
  }
}

/// A socket that listens on a free port. Callers stand in its queue, and nobody answers them.
package final class LoopbackListener {
  package let descriptor: Int32
  package let port: UInt16

  package init() throws {
    descriptor = try Loopback.newSocket()
    var address = Loopback.place(0)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let status = Loopback.withPointer(to: &address) { [descriptor] in
      bind(descriptor, $0, length) | listen(descriptor, 511) | getsockname(descriptor, $0, &length)
    }
    port = UInt16(bigEndian: address.sin_port)
    guard status == 0 else { throw POSIXError(.EADDRINUSE) }
  }

  /// Waits until somebody calls; returns whether that came in time.
  package func waitForCaller(within limit: Duration = .seconds(30)) -> Bool {
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&request, 1, Int32(limit.components.seconds * 1_000)) == 1
  }

  /// Hangs up on everybody in the queue, and refuses whoever calls from now on.
  package func close() { _ = Foundation.close(descriptor) }
}
