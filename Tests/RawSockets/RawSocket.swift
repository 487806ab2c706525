package import Foundation

/// Sockets of the operating system. No child process inherits them: one that did would keep a
/// connection open that its owner has closed.
package enum RawSocket {
  /// A call of the operating system that failed.
  package struct Failure: Error, CustomStringConvertible {
    package let call: String
    package let number: CInt

    package init(call: String, number: CInt) { (self.call, self.number) = (call, number) }

    /// The call and what the system says of it.
    package var description: String { "\(call): \(String(cString: strerror(number)))" }
  }

  /// A socket that listens at an address of this machine, IPv4 or IPv6; at a free port where none
  /// is named.
  package static func listen(
    at address: String = loopback, port: UInt16 = 0
  ) throws -> CInt {
    let isSix = address.contains(":")
    let listener = makeSocket(isSix ? AF_INET6 : AF_INET)
    var one: CInt = 1
    let size = socklen_t(MemoryLayout<CInt>.size)
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, size)
    let isBound = isSix ? bindSix(listener, address, port) : bindFour(listener, address, port)
    guard isBound, Foundation.listen(listener, 4_096) == 0 else {
      throw failure("listen at \(address):\(port)", closing: listener)
    }
    return listener
  }

  /// A socket that receives datagrams at an IPv4 address of this machine.
  package static func receive(at address: String, port: UInt16) throws -> CInt {
    #if canImport(Glibc)
      let receiver = makeSocket(AF_INET, CInt(SOCK_DGRAM.rawValue))
    #else
      let receiver = makeSocket(AF_INET, SOCK_DGRAM)
    #endif
    guard bindFour(receiver, address, port) else {
      throw failure("receive at \(address):\(port)", closing: receiver)
    }
    return receiver
  }

  /// The port of a socket that listens.
  package static func port(of listener: CInt) -> UInt16 {
    var address = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    return withUnsafeMutablePointer(to: &address) { pointer in
      _ = pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        getsockname(listener, $0, &size)
      }
      // The port stands at the same place in both families.
      return pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
        UInt16(bigEndian: $0.pointee.sin_port)
      }
    }
  }

  /// A socket that is connected to a port of 127.0.0.1.
  package static func connect(to port: UInt16) throws -> CInt {
    let caller = makeSocket(AF_INET)
    guard connect(caller, to: port) else {
      throw failure("connect to \(loopback):\(port)", closing: caller)
    }
    return caller
  }

  /// Calls a port of 127.0.0.1 without waiting for anybody to answer.
  package static func call(_ port: UInt16) -> CInt {
    let caller = makeSocket(AF_INET)
    _ = fcntl(caller, F_SETFL, O_NONBLOCK)
    _ = connect(caller, to: port)
    return caller
  }

  /// Sends one request to a port of 127.0.0.1 and gives all that comes until the server hangs up.
  @discardableResult
  package static func ask(_ request: String, port: UInt16) throws -> Data {
    let file = FileHandle(fileDescriptor: try connect(to: port), closeOnDealloc: true)
    try file.write(contentsOf: Data(request.utf8))
    return try file.readToEnd() ?? Data()
  }

  /// Lets no child process inherit a socket that was accepted.
  package static func closeOnExec(_ descriptor: CInt) {
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
  }

  package static let loopback = "127.0.0.1"

  private static func makeSocket(_ family: CInt, _ kind: CInt = stream) -> CInt {
    #if canImport(Glibc)
      // At once: another thread may be starting a program.
      return socket(family, kind | CInt(SOCK_CLOEXEC.rawValue), 0)
    #else
      let descriptor = socket(family, kind, 0)
      closeOnExec(descriptor)
      return descriptor
    #endif
  }

  private static var stream: CInt {
    #if canImport(Glibc)
      CInt(SOCK_STREAM.rawValue)
    #else
      SOCK_STREAM
    #endif
  }

  private static func failure(_ call: String, closing descriptor: CInt) -> Failure {
    let failure = Failure(call: call, number: errno)
    close(descriptor)
    return failure
  }

  private static func connect(_ caller: CInt, to port: UInt16) -> Bool {
    var address = four(port)
    return inet_pton(AF_INET, loopback, &address.sin_addr) == 1
      && withSocketAddress(&address) { Foundation.connect(caller, $0, $1) == 0 }
  }

  private static func bindFour(_ listener: CInt, _ text: String, _ port: UInt16) -> Bool {
    var address = four(port)
    return inet_pton(AF_INET, text, &address.sin_addr) == 1
      && withSocketAddress(&address) { bind(listener, $0, $1) == 0 }
  }

  private static func bindSix(_ listener: CInt, _ text: String, _ port: UInt16) -> Bool {
    var address = sockaddr_in6()
    address.sin6_family = sa_family_t(AF_INET6)
    address.sin6_port = port.bigEndian
    return inet_pton(AF_INET6, text, &address.sin6_addr) == 1
      && withSocketAddress(&address) { bind(listener, $0, $1) == 0 }
  }

  private static func four(_ port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    return address
  }

  private static func withSocketAddress<Address>(
    _ address: inout Address, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Bool
  ) -> Bool {
    withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<Address>.size))
      }
    }
  }
}
