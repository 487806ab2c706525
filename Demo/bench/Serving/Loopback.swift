import Foundation

/// Sockets on 127.0.0.1.
enum Loopback {
  /// A socket that listens on a free port.
  static func listen() throws -> (descriptor: Int32, port: UInt16) {
    let descriptor = try newSocket()
    var address = place(0)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let status = withPointer(to: &address) {
      bind(descriptor, $0, length) | Foundation.listen(descriptor, 4_096)
        | getsockname(descriptor, $0, &length)
    }
    guard status == 0 else { throw problem("no port is free") }
    return (descriptor, UInt16(bigEndian: address.sin_port))
  }

  /// A connected socket.
  static func connect(to port: UInt16) throws -> Int32 {
    let descriptor = try newSocket()
    var address = place(port)
    let length = socklen_t(MemoryLayout<sockaddr_in>.size)
    guard withPointer(to: &address, { Foundation.connect(descriptor, $0, length) }) == 0 else {
      close(descriptor)
      throw problem("nobody answers at port \(port)")
    }
    return descriptor
  }

  /// Asks for one path on a connection of its own; returns the body, with
  /// the framing that nginx counts too, when the server hangs up.
  @discardableResult
  static func get(_ path: String, port: UInt16) throws -> Data {
    let file = FileHandle(fileDescriptor: try connect(to: port), closeOnDealloc: true)
    try file.write(
      contentsOf: Data("GET \(path) HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n".utf8))
    let answer = try file.readToEnd() ?? Data()
    guard let head = answer.range(of: Data("\r\n\r\n".utf8)) else {
      throw BenchProblem(description: "port \(port) gave no answer to GET \(path)")
    }
    return answer[head.upperBound...]
  }

  private static func newSocket() throws -> Int32 {
    #if canImport(Glibc)
      let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    #else
      let kind = SOCK_STREAM
    #endif
    let descriptor = socket(AF_INET, kind, 0)
    guard descriptor >= 0 else { throw problem("no socket") }
    return descriptor
  }

  private static func place(_ port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    return address
  }

  private static func withPointer<Result>(
    to address: inout sockaddr_in, _ body: (UnsafeMutablePointer<sockaddr>) -> Result
  ) -> Result {
    withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1, body)
    }
  }

  private static func problem(_ what: String) -> BenchProblem {
    BenchProblem(description: "loopback: \(what): \(String(cString: strerror(errno)))")
  }
}
